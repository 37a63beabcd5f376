package text

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in   string
		want []Line
		note string
	}{
		{"", nil, ""},
		{"a", []Line{{[]byte("a"), ""}}, ""},
		{"a\n", []Line{{[]byte("a"), "\n"}}, ""},
		{"a\r\nb\r\n", []Line{{[]byte("a"), "\r\n"}, {[]byte("b"), "\r\n"}}, "CRLF line ends"},
		{"a\rb", []Line{{[]byte("a"), "\r"}, {[]byte("b"), ""}}, "CR line ends"},
		{"\r\r\n\n", []Line{{[]byte{}, "\r"}, {[]byte{}, "\r\n"}, {[]byte{}, "\n"}}, "mixed line ends: 1 CRLF, 1 LF, 1 CR"},
		{"a\u2028b\fc\x85\n", []Line{{[]byte("a\u2028b\fc\x85"), "\n"}}, ""},
	} {
		got := Split([]byte(tt.in))
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", append([]Line{}, tt.want...)) {
			t.Errorf("Split(%q) = %q, want %q", tt.in, got, tt.want)
		}
		if note := Count(got).Note(); note != tt.note {
			t.Errorf("Count(%q).Note() = %q, want %q", tt.in, note, tt.note)
		}
	}
}

func TestSniff(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in    string
		whole bool
		want  Kind
	}{
		{"", true, UTF8},
		{"plain", true, UTF8},
		{BOM + "x", true, UTF8},
		{"caf\xe9\n", true, Legacy},
		{"caf\xc3", true, Legacy},
		{"caf\xc3", false, UTF8},
		{"\xff\xfeh\x00", true, UTF16LE},
		{"\xfe\xff\x00h", true, UTF16BE},
		{"a\x00b", true, Binary},
		{strings.Repeat("x", SniffLen) + "\x00", true, UTF8},
	} {
		if got := Sniff([]byte(tt.in), tt.whole); got != tt.want {
			t.Errorf("Sniff(%.20q, %v) = %v, want %v", tt.in, tt.whole, got, tt.want)
		}
	}
}

func TestShow(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in, want string
		clean    bool
	}{
		{"é汉\t", "é汉\t", true},
		{"caf\xe9\x00!", `caf\xE9\x00!`, false},
		{"\ufffd", "\ufffd", true},
	} {
		if got, clean := Show([]byte(tt.in)); got != tt.want || clean != tt.clean {
			t.Errorf("Show(%q) = %q, %v, want %q, %v", tt.in, got, clean, tt.want, tt.clean)
		}
	}
}

func TestScannerKeepsBothEndsOfALongLine(t *testing.T) {
	t.Parallel()
	s := NewScanner(strings.NewReader("S"+strings.Repeat("é", 200_000)+"E\r\nnext"), 101)
	line, err := s.Next()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(line.Head), "Sé") || !strings.HasSuffix(string(line.Tail), "éE") || line.End != "\r\n" {
		t.Errorf("head %.10q, tail %.10q, end %q", line.Head, line.Tail, line.End)
	}
	if total := int64(len(line.Head)+len(line.Tail)) + line.Omitted; total != 400_002 {
		t.Errorf("head, tail and omitted are %d bytes, want 400002", total)
	}
	for _, part := range [][]byte{line.Head, line.Tail} {
		if Sniff(part, true) != UTF8 {
			t.Errorf("a character was cut: %.20q", part)
		}
	}
	if line, err = s.Next(); err != nil || string(line.Head) != "next" || line.End != "" {
		t.Errorf("second line %q %q, %v", line.Head, line.End, err)
	}
	if _, err = s.Next(); err != io.EOF {
		t.Errorf("after the last line: %v, want EOF", err)
	}
}

func TestScannerReportsAFailingReader(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	read := func() *Scanner {
		return NewScanner(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 10)
	}
	s := read()
	if _, err := s.Next(); err != nil {
		t.Errorf("first line: %v", err)
	}
	if _, err := s.Next(); err != broken {
		t.Errorf("Next: %v, want the reader's error", err)
	}
	if _, err := read().Count(); err != broken {
		t.Errorf("Count: %v, want the reader's error", err)
	}
}

// FuzzLines holds the promise of the package: lines are the bytes, and a
// Scanner sees the same lines, however the stream is cut.
func FuzzLines(f *testing.F) {
	for _, s := range []string{"", "a", "a\nb\r\nc\rd", "\r\r\n\n\r", "x\r", "\r\n\r\n", BOM + "é\n"} {
		f.Add([]byte(s), uint8(1))
	}
	f.Fuzz(func(t *testing.T, b []byte, skip uint8) {
		lines := Split(b)
		if got := Join(lines); !bytes.Equal(got, b) {
			t.Fatalf("Join(Split(%q)) = %q", b, got)
		}
		for _, r := range []io.Reader{bytes.NewReader(b), iotest.OneByteReader(bytes.NewReader(b)), iotest.DataErrReader(bytes.NewReader(b))} {
			s := NewScanner(r, len(b)+1)
			n, err := s.Skip(int(skip))
			if want := min(int(skip), len(lines)); n != want || err != nil {
				t.Fatalf("Skip(%d) of %q = %d, %v, want %d", skip, b, n, err, want)
			}
			if rest := lines[n:]; len(rest) > 0 {
				got, err := s.Next()
				if err != nil || !bytes.Equal(got.Head, rest[0].Text) || got.End != rest[0].End {
					t.Fatalf("after Skip(%d) of %q: %q %q, %v", skip, b, got.Head, got.End, err)
				}
				n++
			}
			if left, err := s.Count(); left != len(lines)-n || err != nil {
				t.Fatalf("Count of %q after %d = %d, %v, want %d", b, n, left, err, len(lines)-n)
			}
		}
	})
}

// BenchmarkScannerSkip is the way to the last lines of a large file.
func BenchmarkScannerSkip(b *testing.B) {
	data := bytes.Repeat([]byte(strings.Repeat("x", 79)+"\n"), 1<<20/80)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := NewScanner(bytes.NewReader(data), 100).Count(); err != nil {
			b.Fatal(err)
		}
	}
}
