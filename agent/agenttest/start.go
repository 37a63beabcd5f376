package agenttest

import (
	"context"

	"aye/agent"
)

// Options returns options for a session with Tools, Shell, Policy, a Journal
// and m. Change what a test is about.
func Options(m *Model) (agent.Options, *Journal) {
	j := &Journal{}
	return agent.Options{
		ID: "test", Version: "test", Workspace: "/w", Endpoint: "http://model.test", Model: "script", System: func() string { return "Help." },
		Client: m, Tools: Tools(), Journal: j, Policy: Policy{}, Shell: Shell,
	}, j
}

// Play runs s until react, which sees every event in order and may send
// commands from it, returns false, or the session ends. It returns the events
// and what Run returned.
//
// react is the reader of the events: it must not wait for one. Send in it
// returns as soon as the session takes the command.
func Play(ctx context.Context, s *agent.Session, react func(agent.Event) bool) ([]agent.Event, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	var seen []agent.Event
	for ev := range s.Events() {
		seen = append(seen, ev)
		if ctx.Err() == nil && !react(ev) {
			stop()
		}
	}
	return seen, <-ended
}
