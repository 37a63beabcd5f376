package md

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/muesli/termenv"
)

// texts are the answers the benchmarks use, 40 KB each.
func texts(tb testing.TB) map[string]string {
	tb.Helper()
	mixed, err := os.ReadFile("testdata/mixed.md")
	if err != nil {
		tb.Fatal(err)
	}
	fill := func(unit string) string { return strings.Repeat(unit, 40_000/len(unit)+1)[:40_000] }
	return map[string]string{
		"mixed":     fill(string(mixed) + "\n"),
		"prose":     fill("The scanner returns at the end of input **without** checking `depth`, so an open list is lost. I will make it report the place where the list was opened, which is what *people* look for.\n\n"),
		"paragraph": fill("The scanner returns at the end of input **without** checking `depth`, so an open list is lost. "),
		"list":      fill("- `parser.go`: the scanner keeps the **line** of each opening bracket, so that the error can name it\n"),
		"nested":    "- all of it:\n" + fill("  - `parser.go`: the scanner keeps the **line** of each opening bracket\n"),
		"table":     "| a | b |\n|---|---|\n" + fill("| `parser.go` | the scanner keeps the **line** of each opening bracket |\n"),
		"fence":     "```go\n" + fill("\tif s.text[i] == ')' && s.depth > 0 {\n\t\treturn fmt.Errorf(\"line %d\", s.line)\n\t}\n"),
		"chinese":   fill("中文段落：这是一个没有空格的长段落，用来检验换行是否正确。通过 `channel` 传递消息。\n\n"),
	}
}

// Streaming an answer in 2,000 pieces, with all rows asked for after each,
// against rendering it once.
func BenchmarkStream(b *testing.B) {
	for name, text := range texts(b) {
		b.Run(name, func(b *testing.B) {
			var once, streamed time.Duration
			r := New(themed(termenv.ANSI256), 100)
			r.Render(text)
			for b.Loop() {
				start := time.Now()
				r.Render(text)
				once += time.Since(start)
				start = time.Now()
				stream(r, text, len(text)/2000)
				streamed += time.Since(start)
			}
			b.ReportMetric(float64(streamed)/float64(once), "times-once")
			b.ReportMetric(float64(once.Microseconds())/float64(b.N)/1000, "ms/once")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func stream(r *Renderer, text string, piece int) []string {
	s := r.Stream()
	for len(text) > 0 {
		n := min(piece, len(text))
		s.Write(text[:n])
		s.Lines()
		text = text[n:]
	}
	return s.Finish()
}

func BenchmarkNew(b *testing.B) {
	th := themed(termenv.ANSI256)
	for b.Loop() {
		New(th, 100)
	}
}

func BenchmarkFirst(b *testing.B) {
	th := themed(termenv.ANSI256)
	for b.Loop() {
		New(th, 100).Render("hello *world*")
	}
}
