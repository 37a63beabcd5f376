package tui

import (
	"context"
	"fmt"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"aye/agent"
	"aye/llm"
)

// port is a session that says nothing of its own.
type port struct{ events chan agent.Event }

func (p port) Send(context.Context, agent.Command) error { return nil }
func (p port) Events() <-chan agent.Event                { return p.events }

type mute struct{ terminal }

func (mute) SetCursor(int, int, bool) {}

// talked returns a screen whose conversation has so many exchanges.
func talked(exchanges int) *Model {
	var past []agent.Event
	for i := range exchanges {
		past = append(past,
			agent.PromptQueued{ID: i + 1, Text: fmt.Sprintf("question %d", i)}, agent.PromptAccepted{ID: i + 1, Text: fmt.Sprintf("question %d", i)},
			agent.TurnStarted{Turn: i + 1},
			agent.Replied{Message: llm.Message{Role: llm.Assistant, Blocks: []llm.Block{llm.Text{Text: fmt.Sprintf("The answer is **%d**, of course.\n\n- one\n- two\n", i)}}}},
			agent.TurnEnded{Turn: i + 1, Reason: agent.Finished})
	}
	m := New(context.Background(), Options{Session: port{}, Past: past, Info: Info{Model: "m", Workspace: "/w"}}, mute{})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	m.View()
	return m
}

// frames draws n frames, each after a delta of a streaming answer.
func frames(m *Model, n int) time.Duration {
	m.Update(events{list: []agent.Event{agent.TurnStarted{Turn: 1 << 20}}, at: time.Now()})
	began := time.Now()
	for i := range n {
		word := "word "
		if i%20 == 19 {
			word = "end.\n\n"
		}
		m.Update(events{list: []agent.Event{agent.TextStreamed{Text: word}}, at: time.Now()})
		m.View()
	}
	return time.Since(began)
}

// BenchmarkFrame draws frames of a streaming answer below 10,000 items and
// below 10. The ratio is to stay under 1.5.
func BenchmarkFrame(b *testing.B) {
	short, long := talked(10/2), talked(10_000/2)
	frames(short, 100)
	frames(long, 100)
	b.ResetTimer()
	var few, many time.Duration
	for range b.N {
		few += frames(short, 100)
		many += frames(long, 100)
	}
	b.ReportMetric(float64(many)/float64(few), "ratio-10000/10")
	b.ReportMetric(float64(many)/float64(b.N)/100/1000, "µs/frame")
}
