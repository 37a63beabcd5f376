package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"aye/agent"
	"aye/agent/agenttest"
	"aye/llm"
)

// TestTooLongForTheServer: the session compacts once and asks again once, and
// remembers what the server said.
func TestTooLongForTheServer(t *testing.T) {
	refuse := agenttest.Break("", &llm.Error{Kind: llm.TooLong, Status: 400, Detail: "The conversation is too long for the model.", Window: 3000})
	scene(t, replies(refuse, agenttest.Say("ok")), func(st *stage) {
		st.summarised(agenttest.Say("They read files."))
		past := turns(8, 250)
		for i, ev := range past {
			if p, ok := ev.(agent.PromptAccepted); ok {
				p.Text += strings.Repeat(" word", 250)
				past[i] = p
			}
		}
		evs := st.resumed(past, "go on")
		want(t, "events", kinds(evs), "SessionOpened PromptQueued TurnStarted PromptAccepted Compacted Replied TurnEnded")
		want(t, "why", all[agent.Compacted](evs)[0].Why, "the server found the request too long")
		want(t, "window", st.state().Window, 3000)
		reqs := st.model.Requests()
		want(t, "requests", len(reqs), 2)
		want(t, "tools still", len(reqs[1].Tools), len(reqs[0].Tools))
		if n := reqs[1].Size().Tokens; n > 2400 {
			t.Errorf("the second has %d tokens", n)
		}
		want(t, "the last message", reqs[1].Messages[len(reqs[1].Messages)-1].Text(), "go on")
	})
	blind := agenttest.Break("", &llm.Error{Kind: llm.TooLong, Detail: "Too long."})
	scene(t, replies(blind, blind), func(st *stage) {
		notes := st.summarised(agenttest.Say("They read files."))
		evs := st.resumed(turns(6, 8000), "go on")
		end := st.ended(evs)
		want(t, "reason", end.Reason, agent.Broken)
		contains(t, "error", end.Err, "Too long. It was made smaller once already, from about 1", "tokens to", "/clear")
		want(t, "requests", len(st.model.Requests()), 2)
		want(t, "summaries", len(notes.Requests()), 0) // pruning was enough
		want(t, "prunings", len(all[agent.Pruned](evs)), 1)
	})
	scene(t, replies(blind), func(st *stage) {
		notes := st.summarised()
		evs := st.play(nil, "hi")
		contains(t, "error", st.ended(evs).Err, "Too long. No room could be made", "no older conversation")
		want(t, "requests", len(st.model.Requests())+len(notes.Requests()), 1)
	})
	limit := agenttest.Break("", &llm.Error{Kind: llm.Limit, Detail: "rate limit: 30000 tokens per minute"})
	scene(t, replies(limit), func(st *stage) {
		notes := st.summarised()
		evs := st.resumed(turns(6, 8000), "go on")
		contains(t, "error", st.ended(evs).Err, "rate limit")
		want(t, "requests", len(st.model.Requests())+len(notes.Requests()), 1)
		want(t, "prunings", len(all[agent.Pruned](evs)), 0)
	})
}

// TestTheSummaryIsTooLongForTheServer: nobody knew how small its window is.
func TestTheSummaryIsTooLongForTheServer(t *testing.T) {
	small := func(ctx context.Context, req llm.Request, yield func(llm.Event) bool) error {
		if n := req.Size().Tokens; n > 4000 {
			return &llm.Error{Kind: llm.TooLong, Detail: "too long."}
		}
		return agenttest.Say("Short.")(ctx, req, yield)
	}
	scene(t, nil, func(st *stage) {
		notes := st.summarised(slices.Repeat(replies(small), 20)...)
		st.past = turns(20, 3000)
		evs := st.play(func(ev agent.Event) bool {
			if is[agent.SessionOpened](ev) {
				st.send(agent.Compact{})
			}
			return !is[agent.TurnEnded](ev)
		})
		want(t, "reason", st.ended(evs).Reason, agent.Finished)
		want(t, "compactions", len(all[agent.Compacted](evs)), 1)
		if n := len(notes.Requests()); n < 4 {
			t.Errorf("%d requests", n)
		}
	})
}
