package layout

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"
)

// The folders of objects (DESIGN 3).
const (
	// NamespacesDir holds a folder for each namespace; the platform's operator syncs each of them by an Application of its own.
	NamespacesDir = ManifestsDir + "/namespaces"
	// GlobalDir holds the cluster-scoped objects.
	GlobalDir = ManifestsDir + "/global"
)

// ObjectID names an object as Kubernetes does, less the version: an object in two versions of its group is one object. Group
// is "" for the core group, Namespace for a cluster-scoped object.
type ObjectID struct{ Group, Kind, Namespace, Name string }

// Object is the file of one object. It knows the names of folder and file only; which group and kind they stand for is in the
// file.
type Object struct {
	// Namespace is that of the folder, "" for a cluster-scoped object.
	Namespace string
	// Folder is the kind in lower case, with its group behind a dot where that is needed; File is the file's name without
	// its extension.
	Folder, File string
}

// Path returns the path of the object's file.
func (o Object) Path() string {
	dir := GlobalDir
	if o.Namespace != "" {
		dir = NamespacesDir + "/" + EncodeName(o.Namespace)
	}
	return dir + "/" + o.Folder + "/" + o.File + extension
}

func (Object) place() {}

// ObjectFiles returns the file of each object, in the order given, whatever that is. Where objects of different groups would
// share a path, each one outside of the core group has its group in its folder's name. Two entries share a file only if they
// name one object, or kinds of one group that differ in case alone.
func ObjectFiles(ids []ObjectID) []Object {
	groups := map[Object]map[string]bool{}
	for _, id := range ids {
		at := objectFile(id, false)
		if groups[at] == nil {
			groups[at] = map[string]bool{}
		}
		groups[at][id.Group] = true
	}
	out := make([]Object, 0, len(ids))
	for _, id := range ids {
		at := objectFile(id, false)
		shared := len(groups[at]) > 1 || path.Dir(at.Path()) == ApplicationsDir
		out = append(out, objectFile(id, shared && id.Group != ""))
	}
	return out
}

func objectFile(id ObjectID, withGroup bool) Object {
	folder := EncodeName(strings.ToLower(id.Kind))
	if withGroup {
		folder += "." + EncodeName(id.Group)
	}
	return Object{Namespace: id.Namespace, Folder: folder, File: fileName(id.Name)}
}

const (
	// maxFileName is what file systems take for a name, in bytes.
	maxFileName = 255
	// cut stands before the hash of a name that was too long: no encoded name has it.
	cut        = "~"
	hashLength = 16
)

// fileName encodes an object's name, and shortens what no file system takes: the rest is told by a hash.
func fileName(name string) string {
	file := EncodeName(name)
	if len(file)+len(extension) <= maxFileName {
		return file
	}
	sum := sha256.Sum256([]byte(name))
	file = file[:maxFileName-len(extension)-len(cut)-hashLength]
	if at := strings.LastIndexByte(file, '%'); at > len(file)-len("%XX") {
		file = file[:at] // half an encoded byte
	}
	return file + cut + hex.EncodeToString(sum[:])[:hashLength]
}

// parseObject reads what stands below ManifestsDir.
func parseObject(rest string) (Place, bool) {
	parts := strings.Split(rest, "/")
	o := Object{}
	switch {
	case len(parts) == 3 && parts[0] == "global":
		parts = parts[1:]
	case len(parts) == 4 && parts[0] == "namespaces":
		namespace, ok := DecodeName(parts[1])
		if !ok || namespace == "" {
			return nil, false
		}
		o.Namespace, parts = namespace, parts[2:]
	default:
		return nil, false
	}
	file, ok := strings.CutSuffix(parts[1], extension)
	if !ok || !isFolder(parts[0]) || !isFileName(file) {
		return nil, false
	}
	o.Folder, o.File = parts[0], file
	return o, true
}

// isFolder reports whether some kind, with or without a group, has that folder.
func isFolder(name string) bool {
	plain, ok := DecodeName(name)
	return ok && plain != "" && plain == strings.ToLower(plain) && !strings.HasPrefix(plain, ".") && !strings.HasSuffix(plain, ".")
}

func isFileName(file string) bool {
	name, ok := DecodeName(file)
	if ok {
		return name != "" && fileName(name) == file
	}
	head, hash, ok := strings.Cut(file, cut)
	raw, err := hex.DecodeString(hash)
	if !ok || err != nil || len(hash) != hashLength || hex.EncodeToString(raw) != hash {
		return false
	}
	_, ok = DecodeName(head)
	longest := maxFileName - len(extension) - len(cut) - hashLength
	return ok && len(head) <= longest && len(head) > longest-len("%XX")
}
