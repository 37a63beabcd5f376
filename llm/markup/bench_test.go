package markup_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"aye/llm"
	"aye/llm/markup"
)

// drain hears a reply to its end and returns its number of events.
func drain(c llm.Client, req llm.Request) int {
	n := 0
	for range c.Stream(context.Background(), req) {
		n++
	}
	return n
}

const paragraph = "The scanner returns at the end of input **without** checking `depth`. I make it report the place.\n\n- one < two\n- `a[i]` and {b}\n\n```go\nif x < 1 {\n}\n```\n"

// BenchmarkProse tells what a delta of ordinary prose costs more than without
// the decorator.
func BenchmarkProse(b *testing.B) {
	var list []string
	for text := strings.Repeat(paragraph, 200); text != ""; {
		n := min(16, len(text))
		list = append(list, text[:n])
		text = text[n:]
	}
	inner := pieces{list, llm.EndTurn}
	outer := markup.New(inner)
	var bare, read time.Duration
	for b.Loop() {
		start := time.Now()
		drain(inner, ask())
		mid := time.Now()
		drain(outer, ask())
		bare, read = bare+mid.Sub(start), read+time.Since(mid)
	}
	b.ReportMetric(float64(read-bare)/float64(b.N)/float64(len(list)), "ns/delta")
}

// BenchmarkGrowth tells how much longer a reply ten times as long takes, for
// each byte: 1 is linear.
func BenchmarkGrowth(b *testing.B) {
	for _, tt := range []struct{ name, raw, repeat string }{
		{"prose", "", paragraph},
		{"value", "<tool_call>\n<function=write>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n", "if a < b && c </parameter> d\n\n"},
		{"JSON", `<tool_call>{"name":"write","arguments":{"path":"a","content":"`, `if a < b\n `},
		{"held", "See:\n```json\n" + `{"name":"write","arguments":{"path":"a","content":"`, `if a < b\n `},
		{"tags", "", "<tool_call>{\"arguments\":\"<tool_call>"},
		{"blanks", "<think>", " \n"},
		{"marks", "", "a<|im_end|> <think> `"},
	} {
		b.Run(tt.name, func(b *testing.B) {
			measure := func(n int) time.Duration {
				c := markup.New(pieces{split(tt.raw+strings.Repeat(tt.repeat, n/len(tt.repeat)), 7), llm.EndTurn})
				best := time.Hour
				for range 3 {
					start := time.Now()
					drain(c, ask())
					best = min(best, time.Since(start))
				}
				return best
			}
			var ratio float64
			for b.Loop() {
				ratio += float64(measure(1<<20)) / float64(measure(1<<17)) / 8
			}
			b.ReportMetric(ratio/float64(b.N), "times-per-byte")
		})
	}
}
