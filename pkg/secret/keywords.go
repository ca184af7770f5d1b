package secret

import "strings"

// keywords finds words in a text, in any case, in one pass over its bytes (Aho and Corasick's automaton). It never
// changes once it is made.
type keywords struct {
	class  [256]uint8 // the class of a byte; 0 is any byte that stands in no word
	size   int        // how many classes there are
	next   []uint16   // the state after a state and a class, at state*size + class
	ends   []int32    // the word that ends in a state, -1 for none
	suffix []uint16   // the longest other state that ends in the same bytes and in which a word ends, 0 for none
}

// newKeywords makes the automaton for words of ASCII in lower case, each given once.
func newKeywords(words []string) *keywords {
	k := &keywords{size: 1}
	for _, word := range words {
		for i := range len(word) {
			if c := word[i]; k.class[c] == 0 {
				k.class[c] = uint8(k.size)
				k.class[strings.ToUpper(word[i : i+1])[0]] = uint8(k.size)
				k.size++
			}
		}
	}
	k.add()
	for id, word := range words {
		state := uint16(0)
		for i := range len(word) {
			at := int(state)*k.size + int(k.class[word[i]])
			if k.next[at] == 0 {
				child := k.add()
				k.next[at] = child
			}
			state = k.next[at]
		}
		k.ends[state] = int32(id)
	}
	k.link()
	return k
}

func (k *keywords) add() uint16 {
	k.next = append(k.next, make([]uint16, k.size)...)
	k.ends = append(k.ends, -1)
	k.suffix = append(k.suffix, 0)
	return uint16(len(k.ends) - 1)
}

// link fills in where a state goes on to when its own words do not: to where the longest of its suffixes would.
func (k *keywords) link() {
	fail := make([]uint16, len(k.ends))
	queue := []uint16{0}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		for c := range k.size {
			at := int(state)*k.size + c
			fallback := uint16(0)
			if state != 0 {
				fallback = k.next[int(fail[state])*k.size+c]
			}
			child := k.next[at]
			if child == 0 {
				k.next[at] = fallback
				continue
			}
			fail[child] = fallback
			k.suffix[child] = k.suffix[fallback]
			if k.ends[fallback] >= 0 {
				k.suffix[child] = fallback
			}
			queue = append(queue, child)
		}
	}
}

// find calls found for each place of each word: the word's index, and where it ends. The ends come in order.
func (k *keywords) find(text string, found func(word, end int)) {
	state := uint16(0)
	for i := range len(text) {
		state = k.next[int(state)*k.size+int(k.class[text[i]])]
		if state == 0 || k.ends[state] < 0 && k.suffix[state] == 0 {
			continue
		}
		if k.ends[state] >= 0 {
			found(int(k.ends[state]), i+1)
		}
		for s := k.suffix[state]; s != 0; s = k.suffix[s] {
			found(int(k.ends[s]), i+1)
		}
	}
}
