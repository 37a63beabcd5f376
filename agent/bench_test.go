package agent_test

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"aye/agent"
	"aye/agent/agenttest"
	"aye/llm"
)

// A flood yields n deltas as fast as they are taken.
type flood int

func (n flood) Stream(context.Context, llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		for range int(n) {
			if !yield(llm.TextDelta{Text: "word "}, nil) {
				return
			}
		}
		yield(llm.Done{Message: llm.Message{Blocks: []llm.Block{llm.Text{Text: "word"}}}}, nil)
	}
}

// BenchmarkDelta is the way of one delta from the client to the front end.
func BenchmarkDelta(b *testing.B) {
	opts, _ := agenttest.Options(nil)
	opts.Client = flood(b.N)
	s := agent.New(opts)
	b.ReportAllocs()
	evs, err := agenttest.Play(b.Context(), s, func(ev agent.Event) bool {
		if _, ok := ev.(agent.SessionOpened); ok {
			go func() { _ = s.Send(b.Context(), agent.Prompt{Text: "go"}) }()
		}
		_, over := ev.(agent.TurnEnded)
		return !over
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(len(evs))/float64(b.N), "events/delta")
}

// session returns n events of turns with one call each.
func session(n int) []agent.Event {
	evs := []agent.Event{agent.SessionOpened{ID: "s"}}
	for turn := 1; len(evs) < n; turn++ {
		c := call(fmt.Sprint(turn), "look", "a")
		evs = append(evs,
			agent.PromptQueued{ID: turn, Text: "hi"}, agent.TurnStarted{Turn: turn}, agent.PromptAccepted{ID: turn, Text: "hi"},
			agent.Replied{Message: llm.Message{Role: llm.Assistant, Blocks: []llm.Block{c}}},
			agent.CallPrepared{CallID: c.ID}, agent.CallFinished{CallID: c.ID},
			agent.Replied{Message: llm.Message{Role: llm.Assistant, Blocks: []llm.Block{llm.Text{Text: "done"}}}},
			agent.TurnEnded{Turn: turn, Reason: agent.Finished})
	}
	return evs[:n]
}

// BenchmarkFold is linear when the time per event does not grow with n.

// BenchmarkFold folds the events of sessions. It is linear when the last ratio
// is about 1.
func BenchmarkFold(b *testing.B) {
	var small float64
	for _, n := range []int{100, 1_000, 10_000} {
		evs := session(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var s agent.State
				for _, ev := range evs {
					s.Apply(ev)
				}
			}
			each := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / float64(n)
			b.ReportMetric(each, "ns/event")
			if n == 1_000 {
				small = each
			} else if n > 1_000 && small > 0 {
				b.ReportMetric(each/small, "times-1000")
			}
		})
	}
}

// BenchmarkRequest builds the next request of a long conversation.
func BenchmarkRequest(b *testing.B) {
	opts, _ := agenttest.Options(nil)
	s := agent.Resume(opts, session(10_000))
	b.ReportAllocs()
	for b.Loop() {
		agent.RequestOf(s)
	}
}

// BenchmarkCompact prunes and compacts conversations of 1,000 and of 10,000
// messages: plan, transcript, fold. It is linear when the last ratio is about
// 1.
func BenchmarkCompact(b *testing.B) {
	var small float64
	for _, n := range []int{1_000, 10_000} {
		evs := turns(n/4, 400)
		opts, _ := agenttest.Options(nil)
		opts.Window = 3 * n
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				s := agent.Resume(opts, evs)
				b.StartTimer()
				if parts := agent.CompactOf(s); parts == 0 {
					b.Fatal("not compacted")
				}
			}
			each := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / float64(n)
			b.ReportMetric(each, "ns/message")
			if n == 1_000 {
				small = each
			} else if small > 0 {
				b.ReportMetric(each/small, "times-1000")
			}
		})
	}
}
