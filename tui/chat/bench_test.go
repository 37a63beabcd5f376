package chat

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"aye/agent"
	"aye/tools"
)

// conversation returns a model of n items, measured once from end to end.
func conversation(n int) *script {
	s := newScript(120, 40)
	for i := range n / 4 {
		id := fmt.Sprint(i)
		s.do(agent.PromptAccepted{ID: i, Text: "question " + id}, runs(id, "go test ./..."),
			ended(id, "shell", tools.OK, printed("exit 0", "ok\nok\nok\n", false), ""), said("An answer with some **Markdown** in it, number "+id),
			agent.Noted{Level: agent.Info, Text: "noted"})
	}
	s.m.View()
	return s
}

// compare runs base and other by turns and reports how many times as long the
// other takes: by the medians, so that what else the machine does weighs on
// both and not much on either.
func compare(b *testing.B, unit string, base, other func()) {
	took := func(f func()) float64 {
		start := time.Now()
		f()
		return float64(time.Since(start).Nanoseconds())
	}
	var bases, others []float64
	for range b.N {
		bases, others = append(bases, took(base)), append(others, took(other))
	}
	median := func(all []float64) float64 {
		slices.Sort(all)
		return all[len(all)/2]
	}
	b.ReportMetric(median(bases), "base-ns")
	b.ReportMetric(median(others), "ns")
	b.ReportMetric(median(others)/median(bases), unit)
}

// BenchmarkFrame draws scrolled frames of conversations of 40 and of 10,000
// items. 40 fill the window: with fewer there would be less to draw.
func BenchmarkFrame(b *testing.B) {
	frame := func(s *script) func() {
		up := true
		return func() {
			s.m.Scroll(map[bool]int{true: -1, false: 1}[up])
			up = !up
			s.m.View()
		}
	}
	few, many := conversation(40), conversation(10_000)
	b.ResetTimer()
	compare(b, "x/40-items", frame(few), frame(many))
}

// BenchmarkDelta applies a piece of an answer and draws, with much before it.
func BenchmarkDelta(b *testing.B) {
	for _, n := range []int{40, 10_000} {
		b.Run(fmt.Sprintf("items=%d", n), func(b *testing.B) {
			s := conversation(n)
			b.ResetTimer()
			for i := range b.N {
				if i%500 == 0 {
					s.do(said("the end"))
				}
				s.do(agent.TextStreamed{Text: "token "})
				s.m.View()
			}
		})
	}
}

// BenchmarkApply folds the events of a long session, as when it is opened
// again, and draws once.
func BenchmarkApply(b *testing.B) {
	for range b.N {
		conversation(10_000)
	}
}

// BenchmarkProgress draws while a command prints 2 MB.
func BenchmarkProgress(b *testing.B) {
	chunk := strings.Repeat("a row of what a command prints\n", 128)
	for range b.N {
		s := newScript(120, 40)
		s.do(runs("a", "make"))
		for range 2 << 20 / len(chunk) {
			s.do(agent.CallProgress{CallID: "a", Text: chunk})
			s.m.View()
		}
	}
}

// BenchmarkAnswer streams 40 KB of Markdown in 2,000 pieces, a frame after
// each, and sets that against showing it when it is whole.
func BenchmarkAnswer(b *testing.B) {
	text := strings.Repeat("## Part\n\nSome *words* of an answer with `code` in them, and a list:\n\n- one thing\n- another, with a [link](https://example.com)\n\n```go\nfunc main() {\n\tprintln(\"hello\")\n}\n```\n\n", 300)[:40<<10]
	whole := func() {
		s := newScript(120, 40)
		s.do(said(text))
		s.m.View()
	}
	streamed := func() {
		s := newScript(120, 40)
		for i := range 2000 {
			s.do(agent.TextStreamed{Text: text[i*len(text)/2000 : (i+1)*len(text)/2000]})
			s.m.View()
		}
		s.do(said(text))
		s.m.View()
	}
	compare(b, "x/whole", whole, streamed)
}
