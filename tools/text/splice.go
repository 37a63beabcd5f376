package text

import (
	"bytes"
	"fmt"
)

// An Edit replaces the bytes [Start, End) of a text by New.
type Edit struct {
	Start, End int
	New        []byte
}

// Splice makes edits, which are in order and apart, in b, which is not changed.
func Splice(b []byte, edits []Edit) []byte {
	size := len(b)
	for _, e := range edits {
		size += len(e.New) - (e.End - e.Start)
	}
	out := make([]byte, 0, size)
	at := 0
	for _, e := range edits {
		out = append(append(out, b[at:e.Start]...), e.New...)
		at = e.End
	}
	return append(out, b[at:]...)
}

// SpliceAll is [Doc.Splice] with several edits of the text, which are in order
// and apart. Its cost is that of one.
func (d Doc) SpliceAll(edits []Edit) ([]byte, error) {
	raw := make([]Edit, len(edits))
	at := 0
	for n, e := range edits {
		if e.Start < at || e.End < e.Start || e.End > len(d.text) {
			return nil, fmt.Errorf("there is no place %d to %d behind %d in a text of %d bytes", e.Start, e.End, at, len(d.text))
		}
		at = e.End
		from, err := d.origin(e.Start)
		if err != nil {
			return nil, err
		}
		to, err := d.origin(e.End)
		if err != nil {
			return nil, err
		}
		put, err := d.enc.encode(string(e.New), d.text[e.Start:e.End])
		if err != nil {
			return nil, err
		}
		raw[n] = Edit{from, to, put}
	}
	out := Splice(d.raw, raw)
	if d.stray && d.enc.form != formUTF8 {
		after, err := decodeAs(out, d.enc)
		if err != nil || !bytes.Equal(after.text, Splice(d.text, edits)) {
			return nil, fmt.Errorf("next to a changed place are bytes that are no %s, and the new text would run into them: replace more of the line", d.enc.Name())
		}
	}
	return out, nil
}
