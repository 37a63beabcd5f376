package text

import (
	"bytes"
	"testing"
)

// FuzzSpliceAll holds it against Splice, which makes one edit at a time.
func FuzzSpliceAll(f *testing.F) {
	f.Add([]byte("\xff\xfea\x00b\x00c\x00d\x00"), uint8(1), uint8(2), uint8(3), uint8(3), "x", "y")
	f.Add([]byte("\xd6\xd0\xce\xc4 abc \xb2\xe2\xca\xd4\xd6\xd0\xce\xc4"), uint8(0), uint8(6), uint8(7), uint8(8), "新", "")
	f.Add([]byte("plain text"), uint8(0), uint8(0), uint8(6), uint8(10), "a ", "words")
	f.Fuzz(func(t *testing.T, file []byte, a, b, c, e uint8, first, second string) {
		d, err := Decode(file)
		if err != nil {
			return
		}
		edits := []Edit{{int(a), int(b), []byte(first)}, {int(c), int(e), []byte(second)}}
		got, err := d.SpliceAll(edits)
		if err != nil {
			return
		}
		last, err := d.Splice(int(c), int(e), second)
		if err != nil {
			t.Fatalf("%q: both edits can be made, the second alone cannot: %v", file, err)
		}
		then, err := decodeAs(last, d.enc)
		if err != nil {
			t.Fatal(err)
		}
		want, err := then.Splice(int(a), int(b), first)
		if err == nil && !bytes.Equal(got, want) {
			t.Fatalf("%q became %q, by one edit at a time %q", file, got, want)
		}
		if after, err := decodeAs(got, d.enc); err != nil || d.stray == after.stray && !bytes.Equal(after.text, Splice(d.text, edits)) {
			t.Fatalf("%q reads %q after %v, %v", file, after.text, edits, err)
		}
	})
}
