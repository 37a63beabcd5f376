package md

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"aye/tui/term"
	"aye/tui/theme"
	"aye/tui/tuitest"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

func themed(p termenv.Profile) theme.Theme {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(p)
	return theme.For(r, true)
}

// steady returns a Renderer for which no time passes: however busy the
// machine is, its colours are the same.
func steady(th theme.Theme, width int) *Renderer {
	r := New(th, width)
	r.now = func() time.Time { return time.Time{} }
	return r
}

func sample(tb testing.TB) string {
	tb.Helper()
	b, err := os.ReadFile("testdata/mixed.md")
	if err != nil {
		tb.Fatal(err)
	}
	return string(b)
}

// golden compares rows with a file in which sequences can be read.
func golden(t *testing.T, name string, rows []string) {
	t.Helper()
	tuitest.Golden(t, "testdata/"+name+".golden", strings.ReplaceAll(strings.Join(rows, "\n"), "\x1b", "ESC")+"\n")
}

func TestGolden(t *testing.T) {
	t.Parallel()
	text := sample(t)
	for _, width := range []int{100, 60, 40, 20} {
		rows := steady(themed(termenv.ANSI256), width).Render(text)
		for i, row := range rows {
			rows[i] = ansi.Strip(row)
		}
		golden(t, fmt.Sprintf("mixed-%d", width), rows)
	}
	golden(t, "mixed-colour", steady(themed(termenv.ANSI256), 100).Render(text))
	golden(t, "mixed-16", steady(themed(termenv.ANSI), 100).Render(text))
	golden(t, "mixed-none", steady(themed(termenv.Ascii), 100).Render(text))
}

// rows is how text looks without colours.
func rows(width int, text string) string {
	rendered := steady(themed(termenv.ANSI256), width).Render(text)
	return ansi.Strip(strings.Join(rendered, "\n"))
}

func TestRender(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"blank", "\n \n", ""},
		{"words", "a *b* **c** ***d*** ~~e~~ `f`", "a b c d e f"},
		{"soft and hard breaks stay", "a\nb  \nc\\\nd", "a\nb\nc\nd"},
		{"headings", "# A\n## B\ntext\n\nC\n===", "A\n\nB\n\ntext\n\nC"},
		{"tags are text", "Vec<T> and <b>bold</b>\n\n<div>\nx\n</div>", "Vec<T> and <b>bold</b>\n\n<div>\nx\n</div>"},
		{"comments are text", "a <!-- hidden --> b", "a <!-- hidden --> b"},
		{"entities", "&lt;b&gt; R&D AT&T; &amp;lt; &copy;", "<b> R&D AT&T; &lt; ©"},
		{"an entity that would be a control", "a&#27;[31mb&#x9b;1m&#0;c&#x202e;", "a[31mb›1m\ufffdc<U+202E>"},
		{"code is as it is", "`a\\.b` `&lt;` `C:\\\\x` `\\*`", "a\\.b &lt; C:\\\\x \\*"},
		{"escapes", "\\*a\\* \\\\ C:\\dir 1\\. \\<", "*a* \\ C:\\dir 1. <"},
		{"control sequences", "a\x1b[31mb\x1b]0;t\x07c", "abc"},
		{"sequence in code", "```\n\x1b[2Jx\n```", "  x"},
		{"links", "[a](https://x.y/z?a=1&b=2) [https://x.y](https://x.y) <https://x.y> [up](#top) [m](mailto:a@b.c)", "a (https://x.y/z?a=1&b=2) https://x.y https://x.y up m (mailto:a@b.c)"},
		{"a link that says otherwise", "[https://good.com](https://evil.com)", "https://good.com (https://evil.com)"},
		{"paths keep their slash", "[f](/etc/a b) [g](</etc/a b>) [h](/etc/x)", "[f](/etc/a b) g (/etc/a b) h (/etc/x)"},
		{"hidden in an address", "[a](https://x/\u200b\u202e)", "a (https://x/<U+202E>)"},
		{"bare addresses", "see www.a.com, https://b.com/x_y_z. a@b.c", "see www.a.com, https://b.com/x_y_z. a@b.c"},
		{"references", "[a][1] and [b]\n\n[1]: https://one\n[b]: https://two", "a (https://one) and b (https://two)"},
		{"reference first", "[b]: https://two\n\nsee [b]", "see b (https://two)"},
		{"image", "![alt *x*](a.png) ![](b.png)", "image: alt x (a.png) image (b.png)"},
		{"list", "- a\n- b\n  c\n\n  d\n- e", "• a\n• b\n  c\n\n  d\n• e"},
		{"loose list", "- a\n\n- b", "• a\n\n• b"},
		{"numbers", "3. a\n3. b\n3. c", "3. a\n4. b\n5. c"},
		{"numbers wrap under the text", "9. one two three four\n10. one two three four", "9. one two three\n   four\n10. one two three\n    four"},
		{"list after text", "a:\n- b\n- c\nd", "a:\n\n• b\n• c\n  d"},
		{"tasks", "- [x] a\n- [ ] b", "[✓] a\n[ ] b"},
		{"nested", "- a\n  1. b\n     - c", "• a\n  1. b\n     • c"},
		{"fence in an item", "1. a\n   ```sh\n   ls\n   ```\n2. b", "1. a\n     ls\n2. b"},
		{"fence between items", "1. a\n```sh\nls\n```\n2. b", "1. a\n\n  ls\n\n2. b"},
		{"fence of tildes", "~~~\n```\n~~~", "  ```"},
		{"fence not closed", "```go\nx := 1", "  x := 1"},
		{"blank lines in a fence", "```\na\n\n\nb\n```", "  a\n\n\n  b"},
		{"fence in the middle", "a\n```\nb\n```\nc", "a\n\n  b\n\nc"},
		{"fence with an indent", "  ```\n  a\n    b\n  ```", "  a\n    b"},
		{"indented code", "    a\n\n    b\n\nc", "  a\n\n  b\n\nc"},
		{"tabs in code", "```\n\ta\n```", "      a"},
		{"quote", "> a\n> b\n>\n> > c", "│ a\n│ b\n│\n│ │ c"},
		{"rule", "a\n\n---\n\nb", "a\n\n────────────────────\n\nb"},
		{"table", "| a | b |\n|--:|---|\n| 1 | R&D |\n| 200 | `x\\|y` |", "  a │ b\n────┼────\n  1 │ R&D\n200 │ x|y"},
		{"table without room", "| a | b | c | d |\n|---|---|---|---|\n| 1 | 2 | 3 | 4 |\n| 5 | | | |", "a: 1\nb: 2\nc: 3\nd: 4\n\na: 5\nb:\nc:\nd:"},
		{"table cells wrap", "| a | b |\n|---|---|\n| one two three four | x |", "a                │ b\n─────────────────┼──\none two three    │ x\nfour             │"},
		{"Chinese", "中文段落没有空格的长段落，用来检验。", "中文段落没有空格的长\n段落，用来检验。"},
		{"Chinese in a list", "- 中文段落没有空格的长段落，用来检验。", "• 中文段落没有空格的\n  长段落，用来检验。"},
		{"long word", "- aaaaaaaaaaaaaaaaaaaaaaaaa", "• aaaaaaaaaaaaaaaaaa\n  aaaaaaa"},
		{"long code", "```\n0123456789 0123456789\n```", "  0123456789 0123456\n  789"},
		{"marks that are not closed", "**a `b [c](d", "**a `b [c](d"},
		{"CRLF", "a\r\n\r\n- b\r\n", "a\n\n• b"},
		{"bold in a heading", "# a **b** `c`", "a b c"},
		{"no characters", "a\ufdd0b\ufdd1c", "a\ufffdb\ufffdc"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			width := 20
			if slices.ContainsFunc(strings.Split(tt.want, "\n"), func(row string) bool { return term.Width(row) > width }) {
				width = 200
			}
			if got := rows(width, tt.in); got != tt.want {
				t.Errorf("%q\n got:\n%s\nwant:\n%s", tt.in, got, tt.want)
			}
		})
	}
}

// Every word of an answer is on the screen.
func TestNothingIsLost(t *testing.T) {
	t.Parallel()
	word := regexp.MustCompile(`[\pL\pN]+`)
	for _, width := range []int{100, 33, 20, 9, 3} {
		text := sample(t)
		if width < 100 { // cells side by side tear words apart
			text = regexp.MustCompile(`(?m)^\|.*\n`).ReplaceAllString(text, "")
		}
		got := squeezed(rows(width, text))
		for _, w := range word.FindAllString(text, -1) {
			if slices.Contains([]string{"go", "sh", "lt", "gt", "x"}, w) {
				continue // languages, entities, a task's mark
			}
			if !strings.Contains(got, w) {
				t.Errorf("width %d: %q is lost", width, w)
			}
		}
	}
}

// squeezed is text without blanks and frames.
func squeezed(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return r
		}
		return -1
	}, s)
}

func checkRows(t *testing.T, width int, rows []string) {
	t.Helper()
	for _, row := range rows {
		if got := term.Width(row); got > max(width, 1) {
			t.Fatalf("a row of %d cells, asked for %d: %q", got, width, row)
		}
		bare := ansi.Strip(row)
		if term.Clean(bare) != bare || strings.Contains(bare, "\n") {
			t.Fatalf("not clean: %q", row)
		}
		if rest := sgr.ReplaceAllString(row, ""); rest != bare {
			t.Fatalf("more than colours: %q", row)
		}
	}
}

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

func TestRowsFit(t *testing.T) {
	t.Parallel()
	for width := range 120 {
		checkRows(t, width, steady(themed(termenv.ANSI256), width).Render(sample(t)))
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"quotes":       strings.Repeat(">", 10_000) + "x",
		"quotes apart": strings.Repeat("> ", 10_000) + "x",
		"brackets":     strings.Repeat("[", 10_000) + "x",
		"links":        strings.Repeat("[a](", 10_000),
		"images":       strings.Repeat("![", 10_000),
		"stars":        strings.Repeat("*a ", 10_000),
		"strong":       strings.Repeat("**a", 10_000),
		"ticks":        strings.Repeat("`a``", 10_000),
		"lists":        strings.Repeat("- ", 5_000) + "x",
		"deep list":    deepList(300),
		"table":        "|" + strings.Repeat("a|", 3000) + "\n|" + strings.Repeat("-|", 3000) + "\n" + strings.Repeat("|x|\n", 3000),
		"references":   strings.Repeat("[a]: /b\n", 5_000) + strings.Repeat("[a]", 5_000),
		"half marks":   strings.Repeat("*a_", 20_000),
		"definitions":  numbered("[%d]: x\n", 20_000) + strings.Repeat("[1] ", 5_000),
		"underscores":  strings.Repeat("_a_", 10_000),
		"one line":     strings.Repeat("word ", 50_000),
		"addresses":    strings.Repeat("http://a.b ", 5_000),
		"entities":     strings.Repeat("&", 30_000),
		"escapes":      strings.Repeat("\\", 30_000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkRows(t, 80, steady(themed(termenv.ANSI256), 80).Render(text))
		})
	}
}

// What would take the square of its length is bounded.
func TestCostlyIsBounded(t *testing.T) {
	t.Parallel()
	if !isCostly(strings.Repeat("*a_", 20_000)) || isCostly(strings.Repeat("some *words* and a_name\n", 1000)) {
		t.Error("emphasis is not bounded, or too much")
	}
	s := steady(themed(termenv.ANSI256), 80).Stream()
	s.Write(numbered("[%d]: x\n", 5_000))
	s.Finish()
	if len(s.refs) != maxRefs {
		t.Errorf("%d link definitions are kept", len(s.refs))
	}
}

func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func deepList(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("  ", i) + "- x\n")
	}
	return b.String()
}

// Lexers can be kept busy for minutes; all of the code is shown all the same.
func TestCodeThatKeepsLexersBusy(t *testing.T) {
	t.Parallel()
	code := strings.Repeat("/* x\n", 4000)
	rows := New(themed(termenv.ANSI256), 40).Render("```go\n" + code + "```\n")
	if got := strings.Count(ansi.Strip(strings.Join(rows, "\n")), "/* x"); got != 4000 {
		t.Errorf("%d lines of 4000", got)
	}
}
