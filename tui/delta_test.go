package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"aye/agent"
	"aye/agent/agenttest"
	"aye/llm/llmtest"
	"aye/llm/openai"
)

// BenchmarkDelta is the way of one delta from a socket on loopback through
// the client, the session, and the screen's batches to the frames that show
// it. The server sends as fast as it is read.
func BenchmarkDelta(b *testing.B) {
	paragraph := strings.Repeat("a dozen runes ", 20)[2:] + "\n\n"
	reply := llmtest.Reply{Text: strings.Repeat(paragraph, b.N/20+1), Piece: 14}
	server := llmtest.NewServer(llmtest.Steps(reply))
	if err := server.Start(context.Background()); err != nil {
		b.Fatal(err)
	}
	defer server.Close()
	opts, _ := agenttest.Options(nil)
	opts.Client, opts.Journal = openai.New(openai.Options{BaseURL: server.URL()}), nil
	ctx, cancel := context.WithCancel(context.Background())
	session := agent.New(opts)
	served := make(chan error, 1)
	go func() { served <- session.Run(ctx) }()

	m := New(ctx, Options{Session: session, Info: Info{Model: "m", Workspace: "/w"}}, mute{})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	if err := session.Send(ctx, agent.Prompt{Text: "go"}); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	shown := 0
	for last := (time.Time{}); m.state.Turn == 0 || m.state.Busy; shown++ {
		batch := listen(session.Events(), last)().(events)
		last = batch.at
		m.Update(batch)
		m.View()
	}
	b.StopTimer()
	b.ReportMetric(float64(b.N)/float64(shown), "deltas/frame")
	cancel()
	<-served
}
