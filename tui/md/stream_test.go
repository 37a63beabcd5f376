package md

import (
	"slices"
	"strings"
	"testing"

	"aye/tui/term"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// A text in pieces comes to what it is as a whole.
func TestStreamIsRender(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		sample(t),
		"a [x] b\n\n```go\nx := 1\n```\n\n[x]: https://late\n\n[x]",
		"```\nnot closed\n\tx",
		"- a\n- b",
		"a\n---",
		"tail \xe6\x97",
		"1. a\n1. b\n\n   c\n1. d\n\n```\nx\n```\n```\ny\n```\n",
		"# a\n# b",
	} {
		want := steady(themed(termenv.ANSI256), 60).Render(text)
		for _, piece := range []int{1, 2, 3, 7, 20, 100, 4000} {
			got := stream(steady(themed(termenv.ANSI256), 60), text, piece)
			if !slices.Equal(got, want) {
				t.Errorf("%.40q in pieces of %d:\n got:\n%s\nwant:\n%s", text, piece, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

// What has been written can be read at once, whatever the parser makes of it
// later.
func TestLinesShowAll(t *testing.T) {
	t.Parallel()
	text := sample(t)
	s := steady(themed(termenv.ANSI256), 1000).Stream()
	for i := range len(text) {
		s.Write(text[i : i+1])
		shown := squeezed(ansi.Strip(strings.Join(s.Lines(), "")))
		last := squeezed(text[strings.LastIndexAny(text[:i+1], " \n|`*_~<>[]()&;.")+1 : i+1])
		if !strings.Contains(shown, last) && !slices.Contains([]string{"g", "go", "s", "sh", "x"}, last) {
			t.Fatalf("after %q the rows are\n%s", text[max(0, i-60):i+1], strings.Join(s.Lines(), "\n"))
		}
	}
}

// The steps of a growing answer, as a person sees them.
func TestLinesWhileGrowing(t *testing.T) {
	t.Parallel()
	s := steady(themed(termenv.ANSI256), 30).Stream()
	for _, step := range []struct{ delta, want string }{
		{"", ""},
		{"Hel", "Hel"},
		{"lo **wor", "Hello **wor"},
		{"ld** and", "Hello world and"},
		{" more\n", "Hello world and more"},
		{"\n", "Hello world and more"},
		{"- on", "Hello world and more\n\n• on"},
		{"e\n- `two", "Hello world and more\n\n• one\n• `two"},
		{"`\n", "Hello world and more\n\n• one\n• two"},
		{"\n``", "Hello world and more\n\n• one\n• two\n\n``"},
		{"`g", "Hello world and more\n\n• one\n• two"},
		{"o\nx :=", "Hello world and more\n\n• one\n• two\n\n  x :="},
		{" 1\n", "Hello world and more\n\n• one\n• two\n\n  x := 1"},
		{"```", "Hello world and more\n\n• one\n• two\n\n  x := 1"},
		{"\ndone", "Hello world and more\n\n• one\n• two\n\n  x := 1\n\ndone"},
	} {
		s.Write(step.delta)
		if got := ansi.Strip(strings.Join(s.Lines(), "\n")); got != step.want {
			t.Errorf("after %q:\n got:\n%s\nwant:\n%s", step.delta, got, step.want)
		}
	}
	if got := ansi.Strip(strings.Join(s.Finish(), "\n")); !strings.HasSuffix(got, "done") {
		t.Errorf("finished:\n%s", got)
	}
}

// Finished rows stay the same rows while more comes.
func TestFinishedBlocksAreKept(t *testing.T) {
	t.Parallel()
	s := steady(themed(termenv.ANSI256), 60).Stream()
	s.Write("# one\n\ntwo **three**\n\n")
	before := slices.Clone(s.Lines())
	for range 100 {
		s.Write("more words, ")
		if got := s.Lines(); !slices.Equal(got[:len(before)], before) {
			t.Fatalf("got:\n%s", strings.Join(got, "\n"))
		}
	}
	if s.drawn != 1 && s.drawn != 2 {
		t.Errorf("%d blocks are drawn", s.drawn)
	}
}

// A line end that never comes, or a fence that is never closed, is cut into
// blocks of bounded size and still shown whole.
func TestEndlessBlocks(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"line":  strings.Repeat("word ", 40_000),
		"fence": "```go\n" + strings.Repeat("x := \"word\" // word\n", 5_000),
		"list":  strings.Repeat("- word\n", 10_000),
		"item":  "- word\n" + strings.Repeat("  - word\n", 10_000),
		"quote": strings.Repeat("> word\n", 10_000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := steady(themed(termenv.ANSI256), 80).Stream()
			s.Write(text)
			s.Lines()
			for _, b := range s.blocks {
				if len(b.text) > 2*maxBlock {
					t.Errorf("a block of %d bytes", len(b.text))
				}
			}
			got := strings.Count(squeezed(ansi.Strip(strings.Join(s.Finish(), ""))), "word")
			if want := strings.Count(text, "word"); got != want {
				t.Errorf("%d words of %d", got, want)
			}
		})
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in   string
		want []string
	}{
		{"a\nb\n\nc\n", []string{"a\nb\n\n", "c\n"}},
		{"# a\nb\n", []string{"# a\n", "b\n"}},
		{"a\n# b\n", []string{"a\n", "# b\n"}},
		{"a\n- b\n- c\n", []string{"a\n", "- b\n", "- c\n"}},
		{"a\n2. b\n", []string{"a\n2. b\n"}},
		{"a\n-\n", []string{"a\n-\n"}},
		{"a\n---\nb\n", []string{"a\n---\nb\n"}},
		{"- a\n\n  b\n\nc\n", []string{"- a\n\n  b\n\n", "c\n"}},
		{"- a\n  ```\n  b\n\n  c\n  ```\n- d\n", []string{"- a\n  ```\n  b\n\n  c\n  ```\n", "- d\n"}},
		{"- a\nlazy\n", []string{"- a\nlazy\n"}},
		{"- a\n***\n", []string{"- a\n***\n"}},
		{"* a\n* * *\n* b\n", []string{"* a\n* * *\n", "* b\n"}},
		{"```\n\n# a\n\n- b\n```\nc\n", []string{"```\n\n# a\n\n- b\n```\n", "c\n"}},
		{"````\n```\n````\n", []string{"````\n```\n````\n"}},
		{"``` a ` b\nc\n", []string{"``` a ` b\nc\n"}},
		{"    a\n\n    b\n\nc\n", []string{"    a\n\n    b\n\n", "c\n"}},
		{"> a\nlazy\n\n> b\n", []string{"> a\nlazy\n\n", "> b\n"}},
		{"1) a\n2) b\n", []string{"1) a\n", "2) b\n"}},
		{"2026 was\n#no heading\n", []string{"2026 was\n#no heading\n"}},
	} {
		var s splitter
		var got []string
		for line := range strings.Lines(tt.in) {
			for _, b := range s.line(line) {
				got = append(got, b.text)
			}
		}
		if s.kind != none {
			got = append(got, s.close().text)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q\n got %q\nwant %q", tt.in, got, tt.want)
		}
	}
}

func FuzzRender(f *testing.F) {
	f.Add(sample(f), 40, 7)
	for _, s := range []string{"- a\n  ```\n", "|a|\n|-|\n|b|", "[a]\n\n[a]: b", "> - 1. x\n\n\n", "`\\&amp;`&#27;", "**a\n*b**", "~~~\n\t日", "![[a](b)](c)"} {
		f.Add(s, 20, 1)
	}
	f.Fuzz(func(t *testing.T, text string, width, piece int) {
		if len(text) > 4000 {
			return
		}
		width = width & 127
		r := steady(themed(termenv.ANSI256), width)
		want := slices.Clone(r.Render(text))
		checkRows(t, width, want)
		s := r.Stream()
		for rest := text; rest != ""; {
			n := min(1+piece&63, len(rest))
			s.Write(rest[:n])
			rest = rest[n:]
			checkRows(t, width, s.Lines())
		}
		if got := s.Finish(); !slices.Equal(got, want) {
			t.Fatalf("in pieces of %d:\n got:\n%s\nwant:\n%s", 1+piece&63, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

// Cutting a text into blocks does not change what it is.
func TestCutsChangeNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		sample(t),
		"- a\n- b\n\n- c\n  - d\n\n  e\n",
		"1. a\n1. b\n\n   ```\n   c\n   ```\n1. d\n",
		"a\nb\n\nc\n- d\nlazy\n\n> e\nf\n\n# g\n***\n",
		"* a\n- b\n+ c\n",
	} {
		r := steady(themed(termenv.ANSI256), 60)
		whole := r.block(block{text: term.Clean(text)}, nil).rows
		if got := r.Render(text); !slices.Equal(got, whole) {
			for i := range min(len(got), len(whole)) {
				if got[i] != whole[i] {
					t.Fatalf("%.40q\n in blocks: %q\n whole:     %q", text, got[i:], whole[i:])
				}
			}
			t.Errorf("%.40q: %d rows in blocks, %d as a whole", text, len(got), len(whole))
		}
	}
}

// Prose in pieces has the words of the whole at every step, wherever it is cut.
func TestWordsStayApart(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("Then go to a folder of `yours` and say **so**, 中文 and all; then go on. ", 6)
	for size := 1; size < 20; size++ {
		s := steady(themed(termenv.ANSI256), 40).Stream()
		for i := 0; i < len(text); i += size {
			end := min(i+size, len(text))
			s.Write(text[i:end])
			shown := strings.NewReplacer("`", "", "*", "").Replace(ansi.Strip(strings.Join(s.Lines(), " ")))
			want := strings.NewReplacer("`", "", "*", "").Replace(strings.ToValidUTF8(text[:end], ""))
			if got, want := strings.Join(strings.Fields(shown), " "), strings.Join(strings.Fields(want), " "); got != want {
				t.Fatalf("in pieces of %d:\n got: %q\nwant: %q", size, got, want)
			}
		}
	}
}
