package text

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

var errBroken = errors.New("broken")

// failing is a reader that fails where it should end.
type failing struct{ r io.Reader }

func (f *failing) Read(b []byte) (int, error) {
	n, err := f.r.Read(b)
	if err == io.EOF {
		err = errBroken
	}
	return n, err
}

// FuzzDecoder holds that a file reads the same as a stream and as a whole,
// however the stream is cut.
func FuzzDecoder(f *testing.F) {
	for _, s := range []string{
		"", "plain\n", BOM + "é\r\n", "caf\xe9\n", "\xff\xfeh\x00\x3d\xd8\x00\xde", "\xfe\xff\x00h", "\xff\xfe\x00\xd8",
		"\xb1\xe0\xc2\xeb\xa3\xac\xce\xc4\xbc\xfe\xa1\xa3\n", "\x82\xb1\x82\xea\x81A\x95\\\x8e\xa6\n", "é \xe9\n", "\x820\x816\n\xb1\xe0\xc2\xeb",
	} {
		f.Add([]byte(s), uint16(0))
		f.Add([]byte(s), uint16(sampleLen-3))
		f.Add([]byte(s), uint16(chunk-3))
	}
	f.Fuzz(func(t *testing.T, b []byte, before uint16) {
		b = append(bytes.Repeat([]byte("x"), int(before)), b...)
		doc, wrong := Decode(b)
		for _, r := range []io.Reader{bytes.NewReader(b), iotest.HalfReader(bytes.NewReader(b)), iotest.DataErrReader(bytes.NewReader(b))} {
			d, err := NewDecoder(r)
			if err != nil {
				if wrong == nil || err.Error() != wrong.Error() {
					t.Fatalf("%.60q: as a stream %v, as a whole %v", b, err, wrong)
				}
				continue
			}
			got, err := io.ReadAll(d)
			if err != nil {
				t.Fatal(err)
			}
			if wrong == nil && (string(got) != doc.Text() || d.Encoding() != doc.Encoding()) {
				t.Fatalf("%.60q: as a stream %v %.60q, as a whole %v %.60q", b, d.Encoding(), got, doc.Encoding(), doc.Text())
			}
			if wrong != nil && !strings.Contains(string(got), "\ufffd") {
				t.Fatalf("%.60q: as a stream %.60q, as a whole %v", b, got, wrong)
			}
		}
	})
}

// BenchmarkDecoder is what decoding costs beside finding the lines.
func BenchmarkDecoder(b *testing.B) {
	for name, line := range map[string]string{"ASCII": "x := 1 // plain\n", "UTF-8": "x := 1 // é中\n", "GB18030": "x := 1 // \xb1\xe0\xc2\xeb\n"} {
		data := bytes.Repeat([]byte(line), 1<<20/len(line))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				d, err := NewDecoder(bytes.NewReader(data))
				if err != nil {
					b.Fatal(err)
				}
				if _, err := NewScanner(d, 100).Count(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
