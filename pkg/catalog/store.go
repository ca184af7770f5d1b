package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
)

// errNewer is wrapped for a ConfigMap of a later kubectl apl.
var errNewer = errors.New("its form is newer than this program")

// Problem is a ConfigMap that says nothing, or nothing whole. What was known before of the same chart still holds.
type Problem struct {
	ConfigMap string // its name
	Message   string // holds no values
	Next      string
}

// Store takes the ConfigMaps of a namespace as they come and go, and has the Catalog of what they say. It is safe for goroutines. The zero
// Store is empty. All that is expensive happens in Put: Catalog is a read of a pointer.
type Store struct {
	current atomic.Pointer[Catalog]

	mu      sync.Mutex
	objects map[string]*object // by name
	bundles map[string]*state  // by key
}

// object is a ConfigMap: a part, or why it is none.
type object struct {
	key  string // of the bundle that it is a part of, or was when it was last good; "" for none
	part part
	err  error
}

// state is a bundle: which generation of it is in the Catalog, and why no later one is.
type state struct {
	digest string
	good   *loaded
	failed string // the digest of a generation that cannot be read
	err    error
}

// Put takes a ConfigMap that was made or changed. One without Label is taken for deleted.
func (s *Store) Put(o *corev1.ConfigMap) {
	if o.Labels[Label] == "" {
		s.Delete(o.Name)
		return
	}
	read, err := readPart(o)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.objects == nil {
		s.objects, s.bundles = map[string]*object{}, map[string]*state{}
	}
	before := s.objects[o.Name]
	now := &object{key: read.key, part: read, err: err}
	if err != nil && before != nil {
		now.key = before.key // it still stands for what it was: the last good one stays
	}
	s.objects[o.Name] = now
	if before != nil && before.key != now.key {
		s.settle(before.key)
	}
	s.settle(now.key)
}

// Delete takes away the ConfigMap of a name. A bundle goes with the last of its ConfigMaps.
func (s *Store) Delete(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.objects[name]
	if before == nil {
		return
	}
	delete(s.objects, name)
	s.settle(before.key)
}

// Catalog returns what is known now. It does not change any more.
func (s *Store) Catalog() *Catalog {
	if c := s.current.Load(); c != nil {
		return c
	}
	return &Catalog{}
}

// settle brings the Catalog up to date with the ConfigMaps of one bundle.
func (s *Store) settle(key string) {
	if key == "" {
		return
	}
	parts, any := s.partsOf(key)
	b := s.bundles[key]
	switch {
	case !any:
		if delete(s.bundles, key); b != nil && b.good != nil {
			s.publish()
		}
		return
	case b == nil:
		b = &state{}
		s.bundles[key] = b
	}
	data, sum, whole := join(parts)
	if !whole {
		return
	}
	if digest(data) != sum {
		b.failed, b.err = sum, errors.New("its digest is not that of what it holds: somebody edited it, or it was cut")
		return
	}
	if b.good != nil && b.digest == sum { // it was never replaced, or has come back
		b.failed, b.err = "", nil
		return
	}
	good, err := s.load(key, data)
	if err != nil {
		b.failed, b.err = sum, err
		return
	}
	*b = state{digest: sum, good: good}
	s.publish()
}

// partsOf returns the good parts of a bundle by their number, and whether there are any ConfigMaps of it at all.
func (s *Store) partsOf(key string) (parts map[int]part, any bool) {
	parts = map[int]part{}
	for _, o := range s.objects { // at most some hundred
		if o.key != key {
			continue
		}
		any = true
		if o.err == nil {
			parts[o.part.number] = o.part
		}
	}
	return parts, any
}

// join returns the bundle if all parts of one generation are there: those that the first part is of.
func join(parts map[int]part) (data []byte, sum string, whole bool) {
	first, ok := parts[1]
	if !ok {
		return nil, "", false
	}
	for i := 1; i <= first.of; i++ {
		p, ok := parts[i]
		if !ok || p.digest != first.digest || p.of != first.of {
			return nil, "", false
		}
		data = append(data, p.data...)
	}
	return data, first.digest, true
}

func (s *Store) load(key string, data []byte) (*loaded, error) {
	total, count := 0, 0
	for k, b := range s.bundles {
		if k != key && b.good != nil {
			total, count = total+b.good.size, count+1
		}
	}
	if count >= maxBundles {
		return nil, fmt.Errorf("there are more than %d charts", maxBundles)
	}
	good, err := unpack(key, data)
	if err == nil && total+good.size > maxTotal {
		return nil, fmt.Errorf("with it, there are more than %d MiB of charts", maxTotal>>20)
	}
	return good, err
}

// publish makes the Catalog anew; what is in it is shared with the one before.
func (s *Store) publish() {
	c := &Catalog{charts: map[place][]*published{}}
	for _, b := range s.bundles {
		switch {
		case b.good == nil:
		case b.good.chart != nil:
			at := b.good.chart.source.place
			c.charts[at] = append(c.charts[at], b.good.chart)
		default:
			c.managed, c.config = b.good.managed, b.good.config
		}
	}
	s.current.Store(c)
}

// Problems returns what is wrong with the ConfigMaps, sorted by their names.
func (s *Store) Problems() []Problem {
	s.mu.Lock()
	defer s.mu.Unlock()
	const again = "run kubectl apl schema publish again"
	var out []Problem
	reported := map[string]bool{} // bundles with a part that tells enough
	for name, o := range s.objects {
		if o.err == nil {
			continue
		}
		next := again + "; if it is none of its, delete it or take away the label " + Label
		if errors.Is(o.err, errNewer) {
			next = "upgrade apl-webhook to the version of the kubectl apl that publishes"
		}
		reported[o.key] = true
		out = append(out, Problem{ConfigMap: name, Message: o.err.Error(), Next: next})
	}
	for key, b := range s.bundles {
		parts, _ := s.partsOf(key)
		_, sum, whole := join(parts)
		switch {
		case whole && b.failed == sum:
			out = append(out, Problem{ConfigMap: s.first(key), Message: b.err.Error(), Next: again})
		case !whole && !reported[key]:
			out = append(out, Problem{ConfigMap: s.first(key), Message: "parts of it are missing, or of another generation", Next: again})
		}
	}
	slices.SortFunc(out, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.ConfigMap, b.ConfigMap), strings.Compare(a.Message, b.Message))
	})
	return out
}

// first returns the name of the first ConfigMap of a bundle.
func (s *Store) first(key string) string {
	var names []string
	for name, o := range s.objects {
		if o.key == key {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return slices.Min(names)
}
