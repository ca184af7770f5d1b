package gitindex

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

const (
	signature   = "DIRC"
	headerSize  = 12
	fixedSize   = 62 // of an entry before its extended flags and its name
	oldest      = 2
	newest      = 4
	extResolve  = "REUC"
	extSplit    = "link"
	extSparse   = "sdir"
	modeSubtree = 0o040000
)

// Decode reads the bytes of .git/index. It returns UnsupportedError for a split or sparse index and for an extension that a
// reader must know, and ErrFormat for anything that is damaged.
func Decode(data []byte) (*Index, error) {
	if len(data) < headerSize+IDSize || string(data[:4]) != signature {
		return nil, fmt.Errorf("%w: no %s header", ErrFormat, signature)
	}
	body, sum := data[:len(data)-IDSize], data[len(data)-IDSize:]
	// All zeros is what git writes under index.skipHash.
	if want := sha1.Sum(body); !bytes.Equal(sum, want[:]) && !bytes.Equal(sum, make([]byte, IDSize)) {
		return nil, fmt.Errorf("%w: its checksum does not match", ErrFormat)
	}
	x := &Index{version: binary.BigEndian.Uint32(body[4:])}
	if x.version < oldest || x.version > newest {
		return nil, &UnsupportedError{Feature: fmt.Sprintf("index version %d", x.version)}
	}
	count, fits := binary.BigEndian.Uint32(body[8:]), (len(body)-headerSize)/fixedSize
	if uint64(count) > uint64(fits) {
		return nil, fmt.Errorf("%w: %d entries do not fit", ErrFormat, count)
	}
	x.entries = make([]Entry, 0, count)
	rest := body[headerSize:]
	var previous string
	for i := range int(count) {
		entry, size, err := decodeEntry(rest, previous, x.version)
		if err != nil {
			return nil, fmt.Errorf("%w: entry %d: %w", ErrFormat, i, err)
		}
		if entry.Mode == modeSubtree {
			return nil, &UnsupportedError{Feature: "sparse index"}
		}
		x.entries = append(x.entries, entry)
		previous, rest = entry.Path, rest[size:]
	}
	// The extensions come first: in a split index the entries are out of order by design.
	if err := x.decodeExtensions(rest); err != nil {
		return nil, err
	}
	for i := 1; i < len(x.entries); i++ {
		if e := &x.entries[i]; compare(&x.entries[i-1], e.Path, e.Stage()) >= 0 {
			return nil, fmt.Errorf("%w: entry %d is out of order", ErrFormat, i)
		}
	}
	return x, nil
}

func decodeEntry(data []byte, previous string, version uint32) (e Entry, size int, err error) {
	if len(data) < fixedSize {
		return e, 0, errors.New("cut off")
	}
	word := func(i int) uint32 { return binary.BigEndian.Uint32(data[4*i:]) }
	e.Stat = Stat{
		CtimeSec: word(0), CtimeNsec: word(1), MtimeSec: word(2), MtimeNsec: word(3),
		Dev: word(4), Ino: word(5), UID: word(7), GID: word(8), Size: word(9),
	}
	e.Mode = word(6)
	copy(e.ID[:], data[40:])
	flags := binary.BigEndian.Uint16(data[60:])
	e.flags = flags & (flagAssume | flagStage)
	size = fixedSize
	if flags&flagExtended != 0 {
		if version < 3 || len(data) < size+2 {
			return e, 0, errors.New("extended flags are out of place")
		}
		e.extra = binary.BigEndian.Uint16(data[size:])
		size += 2
	}
	if version == newest {
		strip, n := varint(data[size:])
		if n == 0 || strip > len(previous) {
			return e, 0, errors.New("its name does not extend the one before")
		}
		size += n
		end := bytes.IndexByte(data[size:], 0)
		if end < 0 {
			return e, 0, errors.New("its name does not end")
		}
		e.Path = previous[:len(previous)-strip] + string(data[size:size+end])
		return e, size + end + 1, nil
	}
	end := bytes.IndexByte(data[size:], 0)
	if end < 0 || min(end, maskName) != int(flags&maskName) {
		return e, 0, errors.New("its name does not end where it should")
	}
	e.Path = string(data[size : size+end])
	if size += end; size+padding(size) > len(data) {
		return e, 0, errors.New("cut off")
	}
	return e, size + padding(size), nil
}

// padding is how many zeros follow an entry of that size before version 4: one to eight, up to a multiple of eight.
func padding(size int) int { return 8 - size%8 }

// varint reads git's offset encoding (varint.c); n is 0 when there is none.
func varint(data []byte) (value, n int) {
	for n < len(data) && value < math.MaxInt32 {
		c := data[n]
		if n++; n > 1 {
			value++
		}
		value = value<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return value, n
		}
	}
	return 0, 0
}

func appendVarint(data []byte, value int) []byte {
	reversed := []byte{byte(value & 0x7f)}
	for value >>= 7; value > 0; value >>= 7 {
		value--
		reversed = append(reversed, 0x80|byte(value&0x7f))
	}
	slices.Reverse(reversed)
	return append(data, reversed...)
}

func (x *Index) decodeExtensions(data []byte) error {
	for len(data) > 0 {
		if len(data) < 8 {
			return fmt.Errorf("%w: an extension is cut off", ErrFormat)
		}
		name, size := string(data[:4]), binary.BigEndian.Uint32(data[4:])
		if data = data[8:]; uint64(size) > uint64(len(data)) {
			return fmt.Errorf("%w: an extension is cut off", ErrFormat)
		}
		switch {
		case name == extResolve:
			x.resolveUndo = bytes.Clone(data[:size])
		case name == extSplit:
			return &UnsupportedError{Feature: "split index"}
		case name == extSparse:
			return &UnsupportedError{Feature: "sparse index"}
		case name[0] < 'A' || name[0] > 'Z': // index-format.txt: must be understood
			return &UnsupportedError{Feature: fmt.Sprintf("index extension %q", name)}
		}
		data = data[size:]
	}
	return nil
}

// Encode returns the bytes of the index, with a checksum.
func (x *Index) Encode() []byte {
	version := x.version
	for i := range x.entries {
		if x.entries[i].extra != 0 {
			version = max(version, 3)
		}
	}
	data := append(make([]byte, 0, headerSize+len(x.entries)*128), signature...)
	data = binary.BigEndian.AppendUint32(data, version)
	data = binary.BigEndian.AppendUint32(data, uint32(len(x.entries)))
	var previous string
	for i := range x.entries {
		data = appendEntry(data, &x.entries[i], previous, version)
		previous = x.entries[i].Path
	}
	if x.resolveUndo != nil {
		data = append(data, extResolve...)
		data = binary.BigEndian.AppendUint32(data, uint32(len(x.resolveUndo)))
		data = append(data, x.resolveUndo...)
	}
	sum := sha1.Sum(data)
	return append(data, sum[:]...)
}

func appendEntry(data []byte, e *Entry, previous string, version uint32) []byte {
	start := len(data)
	for _, word := range [...]uint32{
		e.CtimeSec, e.CtimeNsec, e.MtimeSec, e.MtimeNsec, e.Dev, e.Ino, e.Mode, e.UID, e.GID, e.Size,
	} {
		data = binary.BigEndian.AppendUint32(data, word)
	}
	data = append(data, e.ID[:]...)
	flags := e.flags | uint16(min(len(e.Path), maskName))
	if e.extra != 0 {
		data = binary.BigEndian.AppendUint16(data, flags|flagExtended)
		data = binary.BigEndian.AppendUint16(data, e.extra)
	} else {
		data = binary.BigEndian.AppendUint16(data, flags)
	}
	if version == newest {
		shared := 0
		for shared < min(len(previous), len(e.Path)) && previous[shared] == e.Path[shared] {
			shared++
		}
		data = appendVarint(data, len(previous)-shared)
		data = append(data, e.Path[shared:]...)
		return append(data, 0)
	}
	data = append(data, e.Path...)
	return append(data, make([]byte, padding(len(data)-start))...)
}
