package schema

import (
	"crypto/sha256"
	"io/fs"
	"sync"
)

// maxCached bounds how many schemas a Cache keeps. A platform has some sixty charts.
const maxCached = 256

// Cache compiles each schema once, by its content; failures are kept too. The zero Cache is ready, and may be used by
// many goroutines. When it is full it starts anew.
type Cache struct {
	documents fs.FS // what its schemas may refer to; it stays the same, so that a text says all that a schema is

	mu   sync.Mutex
	kept map[[sha256.Size]byte]*cached
}

type cached struct {
	once   sync.Once
	schema *Schema
	err    error
}

// Compile is like the function, once for each content. A schema has the name that it was first compiled by.
func (c *Cache) Compile(name string, data []byte) (*Schema, error) {
	entry := c.entry(sha256.Sum256(data))
	entry.once.Do(func() { entry.schema, entry.err = Compile(name, data, WithDocuments(c.documents)) })
	return entry.schema, entry.err
}

func (c *Cache) entry(key [sha256.Size]byte) *cached {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry, ok := c.kept[key]
	if !ok {
		if c.kept == nil || len(c.kept) >= maxCached {
			c.kept = map[[sha256.Size]byte]*cached{}
		}
		entry = &cached{}
		c.kept[key] = entry
	}
	return entry
}
