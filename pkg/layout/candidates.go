package layout

// Files returns the places that the object's file can have: the plain one, and for an object outside of the core group the one
// whose folder has the group, which ObjectFiles takes where the plain one is shared.
func (id ObjectID) Files() []Object {
	plain := objectFile(id, false)
	if id.Group == "" {
		return []Object{plain}
	}
	return []Object{plain, objectFile(id, true)}
}
