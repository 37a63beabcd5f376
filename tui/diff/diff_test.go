package diff

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"aye/tools/change"
	"aye/tui/term"
	"aye/tui/theme"
	"aye/tui/tuitest"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

func dark(p termenv.Profile) theme.Theme {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(p)
	return theme.For(r, true)
}

// sample holds one of everything.
var sample = []change.FileDiff{
	{Path: "internal/parser/parser.go", Kind: change.Changed, Added: 5, Removed: 3, Hunks: []change.Hunk{
		{Old: 39, New: 39, Lines: []change.Line{
			{Op: " ", Text: "func (s *scanner) end() error {"},
			{Op: " ", Text: "\tfor i := range s.text {"},
			{Op: "-", Text: "\t\tif s.text[i] == ')' { depth-- }"},
			{Op: "+", Text: "\t\tif s.text[i] == ')' && depth > 0 {"},
			{Op: "+", Text: "\t\t\tdepth--"},
			{Op: "+", Text: "\t\t}"},
			{Op: " ", Text: "\t}"},
		}},
		{Old: 120, New: 122, Lines: []change.Line{
			{Op: " ", Text: ""},
			{Op: "-", Text: "\treturn errors.New(\"unclosed list\")"},
			{Op: "-", Text: "\t// 中文注释，没有空格的一行文字，必须换行而不是被截断，因为人要看到全部内容。"},
			{Op: "+", Text: "\treturn fmt.Errorf(\"unclosed list, opened at line %d\", s.opened[len(s.opened)-1].line)  "},
			{Op: "+", Text: "\t// 中文注释，没有空格的一行文字，必须换行而不是被截断，因为人要看见全部内容。"},
		}},
	}},
	{Path: "notes.txt", Kind: change.Added, Added: 2, Hunks: []change.Hunk{{Old: 1, New: 1, Lines: []change.Line{
		{Op: "+", Text: "user\u202etxt.exe\x1b[2J \u200bhidden"},
		{Op: "+", Text: "last", End: "none"},
	}}}},
	{Path: "win.bat", Kind: change.Changed, Added: 1, Removed: 1, Note: "CRLF line ends", Hunks: []change.Hunk{{Old: 1, New: 1, Lines: []change.Line{
		{Op: " ", Text: "@echo off", End: "crlf"},
		{Op: "-", Text: "dir", End: "crlf"},
		{Op: "+", Text: "dir"},
	}}}},
	{Path: "Makefile", Kind: change.Changed, Added: 1, Removed: 1, Hunks: []change.Hunk{{Old: 2, New: 2, Lines: []change.Line{
		{Op: "-", Text: "    go build ./..."},
		{Op: "+", Text: "\tgo build ./..."},
	}}}},
	{Path: "old.go", Kind: change.Removed, Removed: 1, Hunks: []change.Hunk{{Old: 1, New: 0, Lines: []change.Line{
		{Op: "-", Text: "package old"},
	}}}},
	{Path: "logo.png", Kind: change.Changed, Note: "binary, 300 bytes"},
	{Path: "run.sh", Kind: change.Changed},
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for _, width := range []int{100, 60, 40, 20} {
		rows := Lines(dark(termenv.Ascii), sample, width)
		tuitest.Golden(t, fmt.Sprintf("testdata/plain-%d.golden", width), strings.Join(rows, "\n")+"\n")
	}
	// Colour is meaning here: the same in a form that can be read.
	rows := Lines(dark(termenv.ANSI256), sample, 60)
	tuitest.Golden(t, "testdata/colour-60.golden", strings.ReplaceAll(strings.Join(rows, "\n"), "\x1b", "ESC")+"\n")
}

func TestRowsFit(t *testing.T) {
	t.Parallel()
	for width := range 130 {
		for _, row := range Lines(dark(termenv.ANSI256), sample, width) {
			if got := term.Width(row); got > max(width, 4) {
				t.Fatalf("a row of %d cells at width %d: %q", got, width, row)
			}
		}
	}
}

// What is on the screen has all characters of the change, in order.
func TestNothingIsCut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("all of this has to be seen; ", 200) + "rm -rf ~"
	rows := Lines(dark(termenv.ANSI256), []change.FileDiff{{Path: "x", Kind: change.Added, Added: 1, Hunks: []change.Hunk{
		{New: 1, Lines: []change.Line{{Op: "+", Text: long}}},
	}}}, 50)
	var got strings.Builder
	for _, row := range rows[1:] {
		got.WriteString(string([]rune(ansi.Strip(row))[len("   1 + "):]))
	}
	if got.String() != long {
		t.Errorf("%.300q", got.String())
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ before, after, was, is string }{
		{"the quick fox", "the slow fox", "quick", "slow"},
		{"f(a)", "f(a, b)", "", ", b"},
		{"abc", "xyz", "", ""},
		{"cafe\u0301 x", "cafe\u0300 x", "e\u0301", "e\u0300"},
		{"值是一个", "值是两个", "一", "两"},
		{"aaaa", "aaaaaa", "", "aa"},
		{"\tx := 1", "    x := 1", "→   ", "    "},
	} {
		was, is := compare(tt.before, tt.after)
		if got := was.text[was.from:was.to]; got != tt.was {
			t.Errorf("compare(%q, %q): was %q, want %q", tt.before, tt.after, got, tt.was)
		}
		if got := is.text[is.from:is.to]; got != tt.is {
			t.Errorf("compare(%q, %q): is %q, want %q", tt.before, tt.after, got, tt.is)
		}
	}
}

// What is left out is the header, and of that not the kind of change.
func TestUntitled(t *testing.T) {
	t.Parallel()
	th := theme.New(true)
	for _, file := range sample {
		for _, width := range []int{4, 24, 80} {
			whole, rows := Lines(th, []change.FileDiff{file}, width), Untitled(th, file, width)
			if file.Kind == change.Changed && !slices.Equal(rows, whole[len(whole)-len(rows):]) {
				t.Errorf("%s at %d: %q is not the end of %q", file.Path, width, rows, whole)
			}
			text := strings.Join(rows, "\n")
			if strings.Contains(text, file.Path) || file.Kind != change.Changed && width > 10 && !strings.Contains(text, string(file.Kind)) {
				t.Errorf("%s at %d: %s", file.Path, width, text)
			}
			for _, row := range rows {
				if term.Width(row) > width {
					t.Errorf("%s: %q is wider than %d", file.Path, row, width)
				}
			}
		}
	}
}

func FuzzLines(f *testing.F) {
	f.Add("a b", "a c", " ", 30)
	f.Add("0", "00000👨\u200d🡩", "V", 4)
	f.Add("日本\u202e\t", "\x1b[31m👨‍👩", "-", 12)
	f.Fuzz(func(t *testing.T, a, b, op string, width int) {
		width %= 150
		a, b = strings.ReplaceAll(a, "\n", ""), strings.ReplaceAll(b, "\n", "")
		diffs := []change.FileDiff{{Path: b, Note: a, Hunks: []change.Hunk{{Old: 1, New: 1, Lines: []change.Line{
			{Op: op, Text: a, End: "crlf"}, {Op: "-", Text: a}, {Op: "+", Text: b, End: "none"},
		}}}}}
		for _, row := range Lines(dark(termenv.ANSI256), diffs, width) {
			if got := term.Width(row); got > max(width, 4) {
				t.Fatalf("a row of %d cells at width %d: %q", got, width, row)
			}
			// A joiner that a row breaks behind joins nothing, and shows nothing.
			if text := strings.TrimRight(ansi.Strip(row), "\u200d"); term.Clean(text) != text {
				t.Fatalf("not clean: %q", row)
			}
		}
	})
}

func BenchmarkLines(b *testing.B) {
	lines := make([]change.Line, 0, 10_000)
	for i := range 5_000 {
		lines = append(lines, change.Line{Op: "-", Text: fmt.Sprintf("\tvalue%d := compute(%d, \"text\")", i, i)})
	}
	for i := range 5_000 {
		lines = append(lines, change.Line{Op: "+", Text: fmt.Sprintf("\tvalue%d := compute(ctx, %d, \"text\")", i, i)})
	}
	for _, n := range []int{1_000, 10_000} {
		diffs := []change.FileDiff{{Path: "big.go", Kind: change.Changed, Hunks: []change.Hunk{
			{Old: 1, New: 1, Lines: append(append([]change.Line{}, lines[:n/2]...), lines[5_000:5_000+n/2]...)},
		}}}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			th := dark(termenv.ANSI256)
			for b.Loop() {
				Lines(th, diffs, 100)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/line")
		})
	}
}

// Blanks are made visible where nothing else tells two lines apart, and never
// so that a line reads as another.
func TestBlanksThatMatter(t *testing.T) {
	tests := []struct{ before, after, was, is string }{
		{"line 1", "line 1 goes on and on", "line 1", "line 1 goes on and on"},
		{"a b c", "a  b c", "a b c", "a ·b c"},
		{"title = a b", "title = a·b", "title = a␣b", "title = a·b"},
		{"x = 1", "x = 1  ", "x = 1", "x = 1··"},
		{"x = · ", "x = ·", "x = ·␣", "x = ·"},
	}
	for _, test := range tests {
		rows := Lines(dark(termenv.Ascii), []change.FileDiff{{Path: "f", Kind: change.Changed, Hunks: []change.Hunk{{
			Old: 1, New: 1, Lines: []change.Line{{Op: "-", Text: test.before}, {Op: "+", Text: test.after}},
		}}}}, 60)
		text := strings.Join(rows, "\n") + "\n"
		for _, want := range []string{"- " + test.was + "\n", "+ " + test.is + "\n"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q to %q: want %q in\n%s", test.before, test.after, want, text)
			}
		}
	}
}
