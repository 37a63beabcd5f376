package patch

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"aye/tools/text"

	"github.com/aymanbagabas/go-udiff"
)

// update applies a patch of one file to a text, section after section.
func update(ctx context.Context, file, patch string) (string, []string, error) {
	sections, err := Parse(patch)
	if err != nil {
		return "", nil, err
	}
	var notes []string
	for _, s := range sections {
		if s.Op != Update {
			return "", nil, fmt.Errorf("the patch is to %s %s", s.Op, s.Path)
		}
		applied, misses := Apply(ctx, []byte(file), s.Hunks)
		if len(misses) > 0 {
			return "", nil, joined(misses)
		}
		file = string(text.Splice([]byte(file), applied.Edits))
		notes = append(notes, applied.Notes...)
	}
	return file, notes, nil
}

func joined(misses []*Miss) error {
	var all []string
	for _, m := range misses {
		all = append(all, m.Error())
	}
	return fmt.Errorf("%s", strings.Join(all, "\n"))
}

// above is a file in which the lines of two blocks are alike.
const above = "class A:\n    def f(self):\n        x = 1\n        return x\n\nclass B:\n    def f(self):\n        x = 1\n        return x\n"

func TestApply(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, file, hunks, want string }{
		{"replace", "a\nb\nc\n", "@@\n a\n-b\n+B\n c\n", "a\nB\nc\n"},
		{"without @@", "a\nb\nc\n", " a\n-b\n+B\n", "a\nB\nc\n"},
		{"insert", "a\nc\n", "@@\n a\n+b\n c\n", "a\nb\nc\n"},
		{"delete", "a\nb\nc\n", "@@\n-b\n", "a\nc\n"},
		{"several runs in a hunk", "a\nb\nc\nd\ne\n", "@@\n-a\n+A\n b\n-c\n d\n+D\n e\n", "A\nb\nd\nD\ne\n"},
		{"X12: a removed line without context leaves no empty line", "a\nb\nc\n", "@@\n-b\n", "a\nc\n"},
		{"X13: an empty context line without its blank", "a\n\nb\n\nc\n", "@@\n a\n\n-b\n+B\n\n-c\n+C\n", "a\n\nB\n\nC\n"},
		{"X14: two sections", "a\nb\n", "@@\n-a\n+x\n*** Update File: f\n@@\n x\n-b\n+y\n", "x\ny\n"},
		{"X15: whole lines", "xq\n-q\nq\n", "@@\n--q\n+-Q\n", "xq\n-Q\nq\n"},
		{"X16: a line that begins with two dashes", "a\n-- b\nc\n", "@@\n a\n--- b\n+++ b\n c\n", "a\n++ b\nc\n"},
		{"hunks in another order", "a\nb\nc\nd\n", "@@\n-d\n+D\n@@\n-a\n+A\n", "A\nb\nc\nD\n"},
		{"hunks that share context", "a\nb\nc\n", "@@\n-a\n+A\n b\n@@\n b\n-c\n+C\n", "A\nb\nC\n"},
		{"wrong numbers", "a\nb\nc\n", "@@ -90,1 +70,9 @@\n a\n-b\n+B\n", "a\nB\nc\n"},
		{"@@ with dots", "a\nb\n", "@@ ... @@\n-a\n+A\n", "A\nb\n"},

		{"trailing blanks, and context keeps its bytes", "a  \nb\t\nc\n", "@@\n a\n-b\n+B\n c   \n", "a  \nB\nc\n"},
		{"indentation", "if x {\n\t\treturn  1\n}\n", "@@\n if x {\n-    return 1\n+\t\treturn 2\n }\n", "if x {\n\t\treturn 2\n}\n"},
		{"typographic twins", "say(“hi”) – now…\nend\n", "@@\n say(\"hi\") - now...\n-end\n+END\n", "say(“hi”) – now…\nEND\n"},
		{"blanks that do not break", "a b\nc\n", "@@\n a b\n-c\n+d\n", "a b\nd\n"},
		{"bytes that are no text, as they are shown", "caf\xe9 x\nb\xe9\nc\n", "@@\n caf\\xE9 x\n-b\\xE9\n+b\\xE9\\xE8\n", "caf\xe9 x\nb\xe9\\xE8\nc\n"},
		{"what only looks like such bytes", "a\\xE9\nb\n\xe9\n", "@@\n-a\\xE9\n+A\\xE9\n", "A\\xE9\nb\n\xe9\n"},
		{"exact before loose", " a\na\n", "@@\n-a\n+b\n", " a\nb\n"},
		{"context that lost its blank", "func f() {\n\treturn 1\n}\n", "@@\nfunc f() {\n-\treturn 1\n+\treturn 2\n}\n", "func f() {\n\treturn 2\n}\n"},
		{"context in tabs without its blank", "\ta\n\tb\n", "@@\n\ta\n-\tb\n+\tc\n", "\ta\n\tc\n"},
		{"empty lines between hunks", "a\nb\n", "@@\n-a\n+A\n\n\n@@\n-b\n+B\n\n", "A\nB\n"},

		{"@@ a line above", above, "@@ class B:\n-        x = 1\n+        x = 2\n", strings.Replace(above, "B:\n    def f(self):\n        x = 1", "B:\n    def f(self):\n        x = 2", 1)},
		{"@@ the block it opens", above, "@@ class A:\n-        x = 1\n+        x = 2\n", strings.Replace(above, "x = 1", "x = 2", 1)},
		{"@@ two lines above", above, "@@ class B:\n@@     def f(self):\n-        x = 1\n+        x = 2\n", strings.Replace(above, "B:\n    def f(self):\n        x = 1", "B:\n    def f(self):\n        x = 2", 1)},
		{"@@ a part of a line", above, "@@ class B\n         x = 1\n+        y = 1\n", strings.Replace(above, "B:\n    def f(self):\n        x = 1\n", "B:\n    def f(self):\n        x = 1\n        y = 1\n", 1)},
		{"@@ of a diff, not found", "a\nb\n", "@@ -1 +1 @@ func f()\n-a\n+A\n", "A\nb\n"},
		{"@@ of a diff, that helps", above, "@@ -8,1 +8,1 @@ class B:\n-        x = 1\n+        x = 2\n", strings.Replace(above, "B:\n    def f(self):\n        x = 1", "B:\n    def f(self):\n        x = 2", 1)},
		{"added below @@", "a\nb\n", "@@ a\n+x\n", "a\nx\nb\n"},
		{"added at the end", "a\nb\n", "@@\n+c\n*** End of File\n", "a\nb\nc\n"},
		{"added to an empty file", "", "@@\n+c\n", "c\n"},
		{"end of file tells places apart", "x\na\nx\n", "@@\n-x\n+y\n*** End of File\n", "x\na\ny\n"},
		{"end of file before empty lines", "x\na\nx\n\n", "@@\n-x\n+y\n*** End of File\n", "x\na\ny\n\n"},

		{"CRLF", "a\r\nb\r\nc\r\n", "@@\n a\n-b\n+x\n+y\n c\n", "a\r\nx\r\ny\r\nc\r\n"},
		{"CRLF in the patch too", "a\r\nb\r\n", "@@\r\n a\r\n-b\r\n+x\r\n", "a\r\nx\r\n"},
		{"CRLF in the patch only", "a\nb\n", "@@\r\n a\r\n-b\r\n+x\r\n", "a\nx\n"},
		{"mixed line ends", "a\nb\r\nc\nd\r\n", "@@\n-b\n-c\n+B\n+C\n+D\n", "a\nB\r\nC\nD\nd\r\n"},
		{"lone CR", "a\rb\rc\r", "@@\n a\n-b\n+B\n+X\n", "a\rB\rX\rc\r"},
		{"lone CR in the patch", "a\rb\nc\n", "@@\n-a\rb\n+A\rB\n c\n", "A\rB\nc\n"},
		{"first line of a CRLF file", "a\r\nb\r\n", "@@\n+x\n a\n", "x\r\na\r\nb\r\n"},

		{"B12: no newline at the end", "k=1", "@@\n-k=1\n+k=2\n", "k=2"},
		{"B12: three newlines at the end", "k=1\n\n\n", "@@\n-k=1\n+k=2\n", "k=2\n\n\n"},
		{"B12: added on purpose", "k=1", "@@\n-k=1\n\\ No newline at end of file\n+k=2\n", "k=2\n"},
		{"B12: removed on purpose", "k=1\n", "@@\n-k=1\n+k=2\n\\ No newline at end of file\n", "k=2"},
		{"B12: appended to no newline", "a\nb", "@@\n b\n+c\n", "a\nb\nc"},
		{"B12: the last line goes", "a\nb", "@@\n a\n-b\n", "a\n"},
		{"B12: the only line goes", "a", "@@\n-a\n", ""},
		{"B12: only the newline is added", "a", "@@\n-a\n\\ No newline at end of file\n+a\n", "a\n"},
		{"not UTF-8", "caf\xe9\nb\n", "@@\n-b\n+c\n", "caf\xe9\nc\n"},
	} {
		got, _, err := update(t.Context(), tt.file, "*** Begin Patch\n*** Update File: f\n"+tt.hunks+"*** End Patch\n")
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestApplyRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, file, hunks string
		want              []string
	}{
		{"two places", "x\na\nx\n", "@@\n-x\n+y\n", []string{"hunk 1 (line 3 of the patch)", "2 times", "lines 1, 3", "add more lines"}},
		{"overlapping places", "x\nx\nx\n", "@@\n-x\n-x\n+y\n", []string{"2 times", "lines 1, 2"}},
		{"many places", strings.Repeat("x\n", 100), "@@\n-x\n", []string{"100 times", "1, 2, 3, 4, 5, …"}},
		{"two loose places", "\tx\n  x\n", "@@\n-x\n+y\n", []string{"2 times", "lines 1, 2"}},
		{"two places below the line above", above, "@@     def f(self):\n-        x = 1\n", []string{"2 times", "lines 3, 8"}},
		{"a part of a line", "xq\n", "@@\n-q\n+Q\n", []string{"not in the file", `"q"`}},
		{"the nearest lines", "alpha\nfunc parse(input string) error {\nomega\n", "@@\n-func parse(in string) error {\n+x\n", []string{"nearest lines", "1: alpha\n2: func parse(input string) error {\n3: omega"}},
		{"the first line that does not match", "a one\nb two\nc three\nd four\n", "@@\n a one\n b two\n-c 3\n d four\n+e\n", []string{`line 3 of its context and removed lines, "c 3"`, "3: c three"}},
		{"there already", "a\nB\nc\n", "@@\n a\n-b\n+B\n c\n", []string{"there already", "leave this hunk out", "2: B"}},
		{"empty file", "", "@@\n-b\n+B\n", []string{"the file is empty"}},
		{"no such line above", "a\nb\n", "@@ func nope()\n-a\n+b\n", []string{`"func nope()"`, "the text after @@"}},
		{"not below the line above", "a\nmid\nb\n", "@@ mid\n-a\n+b\n", []string{"at lines 1", "not below the line after @@"}},
		{"not at the end", "a\nb\n", "@@\n-a\n+b\n*** End of File\n", []string{"at lines 1", "not at its end"}},
		{"added nowhere", "a\nb\n", "@@\n+x\n", []string{"only adds lines", "End of File"}},
		{"added at a number", "a\nb\n", "@@ -1,0 +2 @@\n+x\n", []string{"only adds lines"}},
		{"added below two lines", "a\nb\na\n", "@@ a\n+x\n", []string{"occurs 2 times", "lines 1, 3"}},
		{"nothing changes", "a\nb\n", "@@\n a\n b\n", []string{"no line that begins with + or -"}},
		{"the same lines twice", "a\nb\n", "@@\n-a\n+x\n@@\n-a\n+y\n", []string{"hunk 2", "hunk 1 changes too"}},
		{"two additions at one place", "a\nb\n", "@@\n a\n+x\n@@\n+y\n b\n", []string{"hunk 2", "as one hunk"}},
		{"no newline in the middle", "a\nb\n", "@@\n-a\n+x\n\\ No newline at end of file\n b\n", []string{"not the last one"}},
		{"CR and LF become one", "a\rb\n\nc\n", "@@\n-b\n", []string{"run together"}},
		{"all misses at once", "a\nb\n", "@@\n-x\n@@\n-a\n+A\n@@\n-y\n", []string{"hunk 1 (line 3", "hunk 3 (line 8"}},
	} {
		got, _, err := update(t.Context(), tt.file, "*** Begin Patch\n*** Update File: f\n"+tt.hunks+"*** End Patch\n")
		if err == nil {
			t.Errorf("%s: no error, but %q", tt.name, got)
			continue
		}
		for _, part := range tt.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q lacks %q", tt.name, err, part)
			}
		}
	}
}

func TestApplySaysWhatItOverlooked(t *testing.T) {
	t.Parallel()
	_, notes, err := update(t.Context(), "\ta\nb\nc\n", "*** Update File: f\n@@\n-b\n+B\n@@\n-a\n+x\n")
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0], "hunk 2 matched only without regard to indentation and blanks") {
		t.Errorf("notes %q, %v", notes, err)
	}
}

func TestApplyEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := update(ended, "a\n", "*** Update File: f\n-a\n+b\n"); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("got %v", err)
	}
}

func TestTouched(t *testing.T) {
	t.Parallel()
	s, err := Parse("*** Update File: f\n@@\n-a\n+A\n+AA\n@@\n-c\n@@\n+x\n*** End of File\n")
	if err != nil {
		t.Fatal(err)
	}
	applied, misses := Apply(t.Context(), []byte("a\nb\nc\nd\n"), s[0].Hunks)
	if len(misses) > 0 {
		t.Fatal(joined(misses))
	}
	if got := fmt.Sprint(applied.Touched); got != "[{0 2} {3 3} {4 5}]" { // A AA b d x
		t.Errorf("touched %s", got)
	}
}

// FuzzApply holds the promises: nothing panics, and a line that no hunk
// removes keeps its bytes and its place among the others.
func FuzzApply(f *testing.F) {
	f.Add("a\r\nb\nc\rd", "*** Begin Patch\n*** Update File: f\n@@ a\n b\n-c\n+x\n\n d\n*** End Patch\n")
	f.Add("a\nb", "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n")
	f.Add(above, "*** Update File: f\n@@ class B:\n-        x = 1\n+        x = 2\n*** End of File\n")
	f.Fuzz(func(t *testing.T, file, patch string) {
		sections, err := Parse(patch)
		if err != nil {
			if err.Error() == "" {
				t.Fatal("an error without words")
			}
			return
		}
		for _, s := range sections {
			applied, misses := Apply(t.Context(), []byte(file), s.Hunks)
			if len(misses) > 0 || s.Op != Update {
				continue
			}
			removed, added := 0, 0
			for _, h := range s.Hunks {
				for _, line := range h.Lines {
					switch line.Op {
					case '-':
						removed++
					case '+':
						added++
					}
				}
			}
			keeps(t, file, string(text.Splice([]byte(file), applied.Edits)), applied, removed, added)
		}
	})
}

// keeps checks that after is before with edits made of whole lines.
func keeps(t *testing.T, before, after string, applied Applied, removed, added int) {
	t.Helper()
	was, is := text.Split([]byte(before)), text.Split([]byte(after))
	if len(is) != len(was)-removed+added {
		t.Fatalf("%q became %q: %d lines out, %d in", before, after, removed, added)
	}
	taken := 0
	for _, e := range applied.Edits {
		taken += len(text.Split([]byte(before)[e.Start:e.End]))
		if e.Start > 0 && e.Start < len(before) && before[e.Start-1] != '\n' && before[e.Start-1] != '\r' {
			t.Fatalf("an edit of %q begins in the middle of a line, at %d", before, e.Start)
		}
		if e.End > 0 && e.End < len(before) && before[e.End-1] != '\n' && before[e.End-1] != '\r' {
			t.Fatalf("an edit of %q ends in the middle of a line, at %d", before, e.End)
		}
	}
	if taken != removed {
		t.Fatalf("%d lines of %q are taken out, and the patch removes %d", taken, before, removed)
	}
}

// FuzzDiff makes a diff of two texts with another program's code and applies
// it: what comes out is the second text, or nothing where a place is not
// clear.
func FuzzDiff(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nB\nc\n")
	f.Add("a\n-- b\n\nc", "a\n++ b\n\nc\n")
	f.Add("", "a")
	f.Add("x\ny\n", "y\nx\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		if strings.Contains(before+after, "\r") || before == after { // a diff does not know them for line ends
			return
		}
		diff := udiff.Unified("a/f", "b/f", before, after)
		got, _, err := update(t.Context(), before, diff)
		if err == nil && got != after {
			t.Fatalf("%q became %q, want %q by\n%s", before, got, after, diff)
		}
		if err != nil && !strings.Contains(err.Error(), "times") && !strings.Contains(err.Error(), "only adds") && !strings.Contains(err.Error(), "not at its end") {
			t.Fatalf("%q to %q: %v by\n%s", before, after, err, diff)
		}
	})
}

// BenchmarkApply reports the cost of a hunk in a file of 50,000 lines, the
// index of the file included, and how it grows with their number.
func BenchmarkApply(b *testing.B) {
	var file bytes.Buffer
	for n := range 50_000 {
		fmt.Fprintf(&file, "\tline %d of a long file\n", n)
	}
	perHunk := make(map[int]float64)
	for _, hunks := range []int{100, 1000} {
		for _, indent := range []string{"\t", "    "} {
			b.Run(fmt.Sprintf("%d/indent=%q", hunks, indent), func(b *testing.B) {
				var patch strings.Builder
				patch.WriteString("*** Update File: f\n")
				for n := range hunks {
					at := 10 + n*(49_900/hunks)
					fmt.Fprintf(&patch, "@@\n %[1]sline %[2]d of a long file\n-%[1]sline %[3]d of a long file\n+%[1]snew\n %[1]sline %[4]d of a long file\n", indent, at, at+1, at+2)
				}
				for b.Loop() {
					if _, _, err := update(b.Context(), file.String(), patch.String()); err != nil {
						b.Fatal(err)
					}
				}
				per := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / float64(hunks)
				b.ReportMetric(per, "ns/hunk")
				if indent == "\t" {
					perHunk[hunks] = per
					if first := perHunk[100]; hunks == 1000 && first > 0 {
						b.ReportMetric(per/first, "ns/hunk-vs-100")
					}
				}
			})
		}
	}
}

// BenchmarkApplyAlike is the costly way: all lines are alike, and each hunk has
// many places.
func BenchmarkApplyAlike(b *testing.B) {
	for _, lines := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			file := bytes.Repeat([]byte("x\n"), lines)
			hunk := "*** Update File: f\n@@\n" + strings.Repeat(" x\n", lines/2) + "-y\n"
			b.SetBytes(int64(len(file)))
			for b.Loop() {
				if _, _, err := update(b.Context(), string(file), hunk); err == nil {
					b.Fatal("no error")
				}
			}
		})
	}
}

// A patch of very many hunks without a place does not look for each of them.
func TestMissesAreBounded(t *testing.T) {
	t.Parallel()
	sections, err := Parse("*** Begin Patch\n*** Update File: a\n" + strings.Repeat("@@\n-nothing like it\n+b\n", 1000) + "*** End Patch")
	if err != nil {
		t.Fatal(err)
	}
	body := []byte(strings.Repeat("a\nb\n", 100))
	if _, misses := Apply(t.Context(), body, sections[0].Hunks); len(misses) != maxMisses {
		t.Errorf("Apply reports %d misses", len(misses))
	}
	if _, misses := Find(t.Context(), body, sections[0].Hunks); len(misses) != maxMisses {
		t.Errorf("Find reports %d misses", len(misses))
	}
}
