package match

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"aye/tools/text"
)

func TestReplace(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, file, old, new, want string }{
		{"once", "one\ntwo\n", "two", "2", "one\n2\n"},
		{"to nothing", "one\ntwo\nthree\n", "two\n", "", "one\nthree\n"},
		{"no final newline", "end", "end", "END", "END"},
		{"plain characters", "a.*b $1 \\n\n", ".*", "$1\\1", "a$1\\1b $1 \\n\n"},
		{"BOM stays", text.BOM + "x = 1\r\n", "x = 1", "x = 2", text.BOM + "x = 2\r\n"},
		{"BOM stays, whole line", text.BOM + "x\r\ny\r\n", "x\ny\n", "z\n", text.BOM + "z\r\n"},
		{"CRLF, within a line", "a\r\nb\r\nc\r\n", "b", "B", "a\r\nB\r\nc\r\n"},
		{"CRLF, across lines", "a\r\nb\r\nc\r\n", "a\nb", "A\nB", "A\r\nB\r\nc\r\n"},
		{"CRLF, more lines than before", "a\r\nb\r\n", "b", "b\nc\nd", "a\r\nb\r\nc\r\nd\r\n"},
		{"CRLF named by the model", "a\r\nb\r\n", "a\r\nb", "A\r\nB", "A\r\nB\r\n"},
		{"CRLF to LF on purpose", "a\r\nb\r\n", "a\r\n", "a\n", "a\nb\r\n"},
		{"one CRLF in an LF file, untouched", "a\nb\r\nc\n", "a", "A", "A\nb\r\nc\n"},
		{"one CRLF in an LF file, across", "a\nb\r\nc\n", "b\nc", "B\nC", "a\nB\r\nC\n"},
		{"common lines keep their ends", "a\nb\r\nc\n", "a\nb\nc", "a\nnew\nb\nc", "a\nnew\nb\r\nc\n"},
		{"lone CR", "a\rb\rc", "a\nb", "A\nx\nB", "A\rx\rB\rc"},
		{"first line of a CRLF file", "a\r\nb\r\n", "a", "a\nx", "a\r\nx\r\nb\r\n"},
		{"exact before normalised", "a\nb\r\na\r\nb\n", "a\nb", "Q", "Q\r\na\r\nb\n"},
		{"append at the end of a file without newline", "a\r\nb", "b", "b\nc\n", "a\r\nb\r\nc\r\n"},
		{"from the middle of a CRLF", "a\r\nfoo\r\n", "\nfoo", "\nx\nfoo", "a\r\nx\r\nfoo\r\n"},
		{"CR and LF do not become one", "a\rb\nc", "b", "b\n", "a\rb\r\n\nc"},
		{"nor at the beginning", "a\rb\nc", "b\nc", "\nc", "a\r\r\nc"},
		{"nothing between CR and LF", "a\rb\nc", "b", "", "a\r\nc"},
		{"not UTF-8 around it", "caf\xe9 x\n", "x", "y", "caf\xe9 y\n"},
		{"bytes named as they are shown", "é\r\ncaf\xe9\r\n\x80x\r\n", "caf\\xE9\n\\x80x", "the \\xE9\n\\x80\\x81y", "é\r\nthe \xe9\r\n\x80\\x81y\r\n"},
		{"the same characters, literally", "\\xE9 \xe9 é\n", "\\xE9 ", "\\xE9: ", "\\xE9: \xe9 é\n"},
		{"a BOM in old that the text has not", "x = 1\r\n", text.BOM + "x = 1", text.BOM + "x = 2", "x = 2\r\n"},
		{"no newline at the end is added", "a=0\nk=1", "k=1", "k=2", "a=0\nk=2"},
		{"three newlines at the end stay", "k=1\n\n\n", "k=1", "k=2", "k=2\n\n\n"},
	} {
		edit, err := Replace([]byte(tt.file), tt.old, tt.new)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if got := text.Splice([]byte(tt.file), []text.Edit{edit}); string(got) != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestReplaceRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, file, old, new string
		want                 []string
	}{
		{"empty old", "a", "", "y", []string{"old is empty"}},
		{"same", "two\n", "two", "two", []string{"nothing to change"}},
		{"same after line ends", "a\r\nb\r\n", "a\nb\n", "a\nb\n", []string{"nothing to change"}},
		{"twice", "x\ny\nx\n", "x", "z", []string{"2 times", "lines 1, 3"}},
		{"twice with line ends", "a\nb\r\n--\na\r\nb\n", "a\nb\n", "z", []string{"2 times", "lines 1, 4"}},
		{"overlapping", "aaa", "aa", "b", []string{"2 times"}},
		{"many", strings.Repeat("x\n", 5000), "x", "b", []string{"at least 1000 times", "1, 2, 3, 4, 5, …"}},
		{"empty file", "", "x", "y", []string{"not found", "empty"}},
		{"nothing like it", "one\ntwo\n", "zebra crossing", "y", []string{"not found", "2 lines"}},
		{"indentation", "func a() {\n\tif x {\n\t\treturn 1\n\t}\n}\n", "  if x {\n    return 1\n  }", "y", []string{"not found", "lines 2–4", "indentation", "2: \tif x {", "3: \t\treturn 1"}},
		{"trailing blanks", "a = 1  \nb = 2\n", "a = 1\nb = 2", "y", []string{"lines 1–2", "blanks at the ends"}},
		{"case", "Hello World\n", "hello world", "y", []string{"upper and lower case", "1: Hello World"}},
		{"numbers copied", "alpha\nbeta\n", "1: alpha\n2: beta", "y", []string{"line numbers"}},
		{"final newline", "a\nlast", "last\n", "y", []string{"line ends before or after"}},
		{"quotes", "say(“hi”)\n", `say("hi")`, "y", []string{"look-alikes"}},
		{"a shown byte, twice", "\xe9\né\n\xe9\n", `\xE9`, "e", []string{"2 times", "lines 1, 3"}},
		{"a shown byte that is not there", "é \xe9\n", `\xE8t`, "e", []string{"not found"}},
		{"near", "alpha\nfunc parse(input string) error {\nomega\n", "func parse(in string) error {", "y", []string{"nearest lines", "2: func parse(input string) error {"}},
	} {
		_, err := Replace([]byte(tt.file), tt.old, tt.new)
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

// means says whether b is what s says: but for line ends, a byte order mark
// and bytes that s has as they are shown.
func means(b, s string) bool {
	plain := func(s string) string {
		shown, _ := text.Show([]byte(text.Normalize(strings.TrimPrefix(s, text.BOM))))
		return shown
	}
	return plain(b) == plain(s)
}

// FuzzReplace holds the promises: an edit changes one place, which is what old
// says but for line ends, and no byte outside it.
func FuzzReplace(f *testing.F) {
	f.Add([]byte("a\r\nb\nc\r"), "b\n", "x\ny\n")
	f.Add([]byte("aaa"), "aa", "b")
	f.Add([]byte("é\xe9\r\n"), "\\xE9\n", "\\xE9x\n")
	f.Add([]byte(text.BOM+"x\r\n"), "x\n", "y")
	f.Fuzz(func(t *testing.T, file []byte, old, new string) {
		edit, err := Replace(file, old, new)
		if err != nil {
			if err.Error() == "" {
				t.Fatal("an error without words")
			}
			return
		}
		place := string(file[edit.Start:edit.End])
		if !means(place, old) {
			t.Fatalf("the place is %q, old is %q", place, old)
		}
		if got := string(edit.New); !means(got, new) {
			t.Fatalf("new became %q, was %q", got, new)
		}
		out := text.Splice(file, []text.Edit{edit})
		if !bytes.HasPrefix(out, file[:edit.Start]) || !bytes.HasSuffix(out, file[edit.End:]) || bytes.Equal(out, file) {
			t.Fatalf("%q became %q by %v", file, out, edit)
		}
		if n := strings.Count(string(file), old); n > 1 {
			t.Fatalf("old occurs %d times and was replaced", n)
		}
	})
}

func BenchmarkReplace(b *testing.B) {
	var file bytes.Buffer
	for n := range 10_000 {
		fmt.Fprintf(&file, "line %d of a file with CRLF ends\r\n", n)
	}
	b.SetBytes(int64(file.Len()))
	for b.Loop() {
		if _, err := Replace(file.Bytes(), "line 9000 of a file with CRLF ends\nline 9001", "x\ny"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAbsent is the costly way to an error: its ratio to the size of the
// file must not grow with it.
func BenchmarkAbsent(b *testing.B) {
	for _, lines := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			file := bytes.Repeat([]byte("some line of text, like all the others\r\n"), lines)
			b.SetBytes(int64(len(file)))
			for b.Loop() {
				if _, err := Replace(file, "some line\nthat is not there\n", "y"); err == nil {
					b.Fatal("no error")
				}
			}
		})
	}
}
