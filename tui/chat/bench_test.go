package chat

import (
	"fmt"
	"strings"
	"testing"

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

// frame costs a frame in which a running call's clock and a scrolled row
// change.
func frame(b *testing.B, s *script) float64 {
	for i := range b.N {
		s.m.Scroll(1 - 2*(i%2))
		s.m.View()
	}
	return float64(b.Elapsed().Nanoseconds()) / float64(b.N)
}

// BenchmarkFrame draws frames of conversations of 40 and 10,000 items. 40
// fill the window: with fewer there would be less to draw.
func BenchmarkFrame(b *testing.B) {
	var few, many float64
	b.Run("items=40", func(b *testing.B) {
		s := conversation(40)
		b.ResetTimer()
		few = frame(b, s)
	})
	b.Run("items=10000", func(b *testing.B) {
		s := conversation(10_000)
		b.ResetTimer()
		many = frame(b, s)
		b.ReportMetric(many/few, "x/40-items")
	})
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
	var whole, streamed float64
	b.Run("whole", func(b *testing.B) {
		for range b.N {
			s := newScript(120, 40)
			s.do(said(text))
			s.m.View()
		}
		whole = float64(b.Elapsed().Nanoseconds()) / float64(b.N)
	})
	b.Run("streamed", func(b *testing.B) {
		for range b.N {
			s := newScript(120, 40)
			for i := range 2000 {
				s.do(agent.TextStreamed{Text: text[i*len(text)/2000 : (i+1)*len(text)/2000]})
				s.m.View()
			}
			s.do(said(text))
			s.m.View()
		}
		streamed = float64(b.Elapsed().Nanoseconds()) / float64(b.N)
		b.ReportMetric(streamed/whole, "x/whole")
	})
}
