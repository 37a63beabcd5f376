package text

import (
	"bytes"
	"strings"
	"testing"
)

func decoded(t testing.TB, b string) Doc {
	t.Helper()
	d, err := Decode([]byte(b))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const (
	chineseFile  = "\xb1\xe0\xc2\xeb\xa3\xac\xce\xc4\xbc\xfe\xa1\xa3\n" // GB18030
	japaneseFile = "\x82\xb1\x82\xea\x81A\x95\\\x8e\xa6\n"              // Shift-JIS
)

// What cannot be in a file in its encoding is refused by name, before there
// are any bytes.
func TestNewTextIsRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, file, put string
		want            []string
	}{
		{"no such character in Shift-JIS", japaneseFile, "a\nb😀", []string{"Shift-JIS", "U+1F600 😀", "line 2", "UTF-8"}},
		{"nor in Windows-1252", "caf\xe9\n", "中", []string{"Windows-1252", "U+4E2D 中"}},
		{"one that would come back as another", japaneseFile, "¥", []string{"Shift-JIS", "U+00A5"}},
		{"a lost character", "é\n", "a\ufffd", []string{"U+FFFD", "line 1"}},
		{"a lost character in UTF-16", "\xff\xfea\x00", "\ufffd", []string{"U+FFFD"}},
		{"a lost character in GB18030, which could hold it", chineseFile, "\ufffd", []string{"U+FFFD"}},
		{"half a surrogate pair", "é\n", "\xed\xa0\x80", []string{"not valid UTF-8", "0xED"}},
		{"half a surrogate pair in UTF-16", "\xff\xfea\x00", "\xed\xa0\x80", []string{"not valid UTF-8", "0xED"}},
		{"a byte that is not there", "é \xe9\n", "\xe8", []string{"not valid UTF-8", "0xE8"}},
	} {
		d := decoded(t, tt.file)
		_, spliced := d.Splice(0, len(d.text)-1, tt.put)
		_, encoded := d.Encode(tt.put + "\n")
		for _, err := range []error{spliced, encoded} {
			if err == nil {
				t.Errorf("%s: no error", tt.name)
				continue
			}
			for _, part := range tt.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%s: %q lacks %q", tt.name, err, part)
				}
			}
		}
	}
	for _, s := range []string{"\xed\xa0\x80", "a\ufffdb"} {
		if Check(s) == nil {
			t.Errorf("Check(%q) finds nothing", s)
		}
	}
	if err := Check(BOM + "é😀\r\n\x00"); err != nil {
		t.Errorf("Check: %v", err)
	}
}

// U+FFFD and wrong bytes may stay where they are, and move.
func TestWhatWasLostBeforeStays(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ file, put string }{
		{"a \ufffd é\n", "\ufffd é b\n"},
		{"\xff\xfe\xfd\xffa\x00", "a\ufffd"},
		{"é \xe9\n", "\xe9 é\n"},
	} {
		d := decoded(t, tt.file)
		out, err := d.Encode(tt.put)
		if err != nil {
			t.Errorf("%q: %v", tt.file, err)
		} else if got := decoded(t, string(out)).Text(); got != tt.put {
			t.Errorf("%q: got %q, want %q", tt.file, got, tt.put)
		}
	}
}

func TestEncode(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, file, put, want string }{
		{"mark stays", BOM + "a\n", "b\n", BOM + "b\n"},
		{"mark once", BOM + "a\n", BOM + "b\n", BOM + "b\n"},
		{"mark on purpose", "a\n", BOM + "a\n", BOM + "a\n"},
		{"emptied", "\xff\xfea\x00", "", "\xff\xfe"},
		{"UTF-16LE", "\xff\xfea\x00", "é😀", "\xff\xfe\xe9\x00\x3d\xd8\x00\xde"},
		{"UTF-16BE", "\xfe\xff\x00a", "é😀", "\xfe\xff\x00\xe9\xd8\x3d\xde\x00"},
		{"GB18030", chineseFile, "编😀\n", "\xb1\xe0\x94\x39\xfc\x36\n"},
		{"the same", japaneseFile, "これ、表示\n", japaneseFile},
		{"characters that begin and end alike", "é中", "è丮", "è丮"},
		{"no file before", "", "é", "é"},
	} {
		out, err := decoded(t, tt.file).Encode(tt.put)
		if err != nil || string(out) != tt.want {
			t.Errorf("%s: got %q, %v, want %q", tt.name, out, err, tt.want)
		}
	}
}

// A wrong byte before the place must not eat the new text.
func TestSpliceBesideAWrongByte(t *testing.T) {
	t.Parallel()
	d := decoded(t, strings.Repeat(chineseFile, 4000)+"\xb1\nend\n")
	at := strings.LastIndex(d.Text(), "\nend")
	if out, err := d.Splice(at, at+1, "码"); err == nil || !strings.Contains(err.Error(), "run into") {
		t.Errorf("got %q, %v", out[len(out)-10:], err)
	}
	if out, err := d.Splice(at+1, at+4, "码"); err != nil || !bytes.HasSuffix(out, []byte("\xb1\n\xc2\xeb\n")) {
		t.Errorf("beside it: %v", err)
	}
}

func TestSpliceOutOfPlace(t *testing.T) {
	t.Parallel()
	d := decoded(t, chineseFile)
	for _, place := range [][2]int{{-1, 0}, {0, len(d.text) + 1}, {3, 2}, {1, 3}, {0, 2}} {
		if out, err := d.Splice(place[0], place[1], "x"); err == nil {
			t.Errorf("%v: %q", place, out)
		}
	}
}

func TestEncodingNotes(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"é": "", BOM: "UTF-8 with BOM", "\xff\xfe": "UTF-16LE with BOM", "\xfe\xff": "UTF-16BE with BOM",
		chineseFile: "taken for GB18030", japaneseFile: "taken for Shift-JIS", "caf\xe9": "taken for Windows-1252",
	} {
		e := decoded(t, file).Encoding()
		if e.Note() != want || want != "" && !strings.HasSuffix(want, e.String()) {
			t.Errorf("%q: %q, %v, want %q", file, e.Note(), e, want)
		}
	}
}

// FuzzDoc holds the promises of a Doc for any bytes: what was decoded becomes
// the same bytes again, and a splice leaves all bytes outside it.
func FuzzDoc(f *testing.F) {
	for _, s := range []string{
		"", "plain\n", BOM + "é\r\n", "caf\xe9\n", "\xff\xfeh\x00\x3d\xd8\x00\xde", "\xfe\xff\x00h", "\xff\xfe\x00\xd8", "\xff\xfe\xff\xfe", BOM + BOM + "a",
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
		if err != nil || !bytes.Equal(after.text, Splice(d.text, []Edit{{start, end, []byte(put)}})) {
			t.Fatalf("%v: splicing %d:%d of %q by %q gave %q, which is %q, %v", d.Encoding(), start, end, b, put, out, after.text, err)
		}
	})
}

// BenchmarkDoc decodes and changes 1 MB; ns/op of UTF-8 is the measure for the
// others.
func BenchmarkDoc(b *testing.B) {
	for name, line := range map[string]string{"UTF-8": "x := 1 // 编码，文件。\n", "GB18030": "x := 1 // " + chineseFile, "dense GB18030": chineseFile} {
		file := bytes.Repeat([]byte(line), 1<<20/len(line))
		b.Run("decode "+name, func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			for b.Loop() {
				if _, err := Decode(file); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("splice "+name, func(b *testing.B) {
			d := decoded(b, string(file))
			at := strings.LastIndex(d.Text()[:len(d.text)/2], "编")
			b.SetBytes(int64(len(file)))
			for b.Loop() {
				if _, err := d.Splice(at, at+6, "文字"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
