package text

import (
	"bytes"
	"testing"
)

// FuzzDoc holds the promises of a Doc for any bytes: what was decoded becomes
// the same bytes again, and a splice leaves all bytes outside it.
func FuzzDoc(f *testing.F) {
	for _, s := range []string{
		"", "plain\n", BOM + "é\r\n", "caf\xe9\n", "\xff\xfeh\x00\x3d\xd8\x00\xde", "\xfe\xff\x00h", "\xff\xfe\x00\xd8",
		"\xb1\xe0\xc2\xeb\xa3\xac\xce\xc4\xbc\xfe\xa1\xa3\n", "\x82\xb1\x82\xea\x81A\x95\\\x8e\xa6\n", "é \xe9\n", "\x820\x816\n\xb1\xe0\xc2\xeb",
	} {
		f.Add([]byte(s), uint16(1), uint16(2), "x中\n")
	}
	f.Fuzz(func(t *testing.T, b []byte, from, to uint16, put string) {
		d, err := Decode(b)
		if err != nil {
			if err.Error() == "" {
				t.Fatal("an error without words")
			}
			return
		}
		if again, err := d.Encode(d.Text()); err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%v: %q became %q, %v", d.Encoding(), b, again, err)
		}
		start, end := int(from)%(len(d.text)+1), int(to)%(len(d.text)+1)
		out, err := d.Splice(start, end, put)
		if err != nil {
			return
		}
		head, _ := d.origin(start)
		tail, _ := d.origin(end)
		if !bytes.HasPrefix(out, b[:head]) || !bytes.HasSuffix(out, b[tail:]) || len(out) < head+len(b)-tail {
			t.Fatalf("%v: splicing %d:%d of %q by %q gave %q", d.Encoding(), start, end, b, put, out)
		}
		after, err := decodeAs(out, d.enc)
		if err != nil || !splices(after.text, d.text, start, end, put) {
			t.Fatalf("%v: splicing %d:%d of %q by %q gave %q, which is %q, %v", d.Encoding(), start, end, b, put, out, after.text, err)
		}
	})
}
