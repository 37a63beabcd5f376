package agent_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"testing/synctest"

	"aye/agent"
	"aye/agent/agenttest"
	"aye/llm"
	"aye/tools/workspace"
)

func TestEndsOfATurn(t *testing.T) {
	text := func(s string) llm.Message { return llm.Message{Blocks: []llm.Block{llm.Text{Text: s}}} }
	thought := llm.Message{Blocks: []llm.Block{llm.Thinking{Text: "hm"}}}
	for name, c := range map[string]struct {
		reply  agenttest.Reply
		reason agent.Reason
		err    string
		last   string // of the conversation
	}{
		"answer":          {agenttest.Give(llm.Done{Message: text("yes")}), agent.Finished, "", "yes"},
		"error at once":   {agenttest.Break("", &llm.Error{Kind: llm.Auth, Detail: "the key is wrong"}), agent.Broken, "the key is wrong", "[an error ended this turn before it was done]"},
		"error half-way":  {agenttest.Break("half an", errors.New("connection lost")), agent.Broken, "connection lost", "half an\n\n[an error ended this turn before it was done]"},
		"no end":          {agenttest.Break("half an", nil), agent.Broken, "the reply broke off", "half an\n\n[an error ended this turn before it was done]"},
		"nothing":         {agenttest.Break("", nil), agent.Broken, "the reply broke off", "[an error ended this turn before it was done]"},
		"empty":           {agenttest.Give(llm.Done{}), agent.Broken, "reply was empty", "[an error ended this turn before it was done]"},
		"blank":           {agenttest.Give(llm.Done{Message: text(" \n")}), agent.Broken, "reply was empty", "[an error ended this turn before it was done]"},
		"nil blocks":      {agenttest.Give(llm.Done{Message: llm.Message{Blocks: []llm.Block{nil}}}), agent.Broken, "reply was empty", "[an error ended this turn before it was done]"},
		"only thoughts":   {agenttest.Give(llm.Done{Message: thought}), agent.Broken, "reply was empty", "[an error ended this turn before it was done]"},
		"thought too far": {agenttest.Give(llm.Done{Message: thought, Stop: llm.MaxTokens}), agent.Broken, "output limit", "[an error ended this turn before it was done]"},
		"cut by limit":    {agenttest.Give(llm.Done{Message: text("half"), Stop: llm.MaxTokens}), agent.Finished, "", "half"},
		"filtered":        {agenttest.Give(llm.Done{Message: text("I"), Stop: llm.Filtered}), agent.Broken, "content filter", "I\n\n[an error ended this turn before it was done]"},
		"all filtered":    {agenttest.Give(llm.Done{Stop: llm.Filtered}), agent.Broken, "content filter", "[an error ended this turn before it was done]"},
		"panic":           {func(context.Context, llm.Request, func(llm.Event) bool) error { panic("bad client") }, agent.Broken, "a bug in aye: bad client (in aye/agent_test.", "[an error ended this turn before it was done]"},
	} {
		t.Run(name, func(t *testing.T) {
			scene(t, replies(c.reply, c.reply, c.reply), func(st *stage) {
				evs := st.play(nil, "hi")
				end := st.ended(evs)
				want(t, "reason", end.Reason, c.reason)
				contains(t, "error", end.Err, c.err)
				msgs := st.state().Messages
				want(t, "messages", len(msgs), 2+len(all[agent.Reminded](evs)))
				want(t, "last message", msgs[len(msgs)-1].Text(), c.last)
				want(t, "reminders", len(all[agent.Reminded](evs)) == 1, c.err == "reply was empty")
				for _, r := range all[agent.Replied](evs) {
					want(t, "cut", r.Cut, strings.HasPrefix(c.last, "half an"))
				}
				if name == "cut by limit" {
					contains(t, "note", all[agent.Noted](evs)[0].Text, "output limit")
				}
			})
		})
	}
}

func TestFilteredCallsDoNotRun(t *testing.T) {
	scene(t, replies(agenttest.Give(llm.Done{Stop: llm.Filtered, Message: llm.Message{Blocks: []llm.Block{call("1", "touch", "a")}}})), func(st *stage) {
		st.opts.Mode = agent.Full
		evs := st.play(nil, "hi")
		want(t, "reason", st.ended(evs).Reason, agent.Broken)
		contains(t, "result", results(evs)["1"].Text, "content filter")
		want(t, "prepared", len(all[agent.CallPrepared](evs)), 0)
	})
}

func TestQueueIsTakenBetweenRounds(t *testing.T) {
	scene(t, replies(
		agenttest.Call(call("1", "slow", "a"), call("2", "look", "b")),
		agenttest.Say("it is fine"),
		agenttest.Say("also fine"),
	), func(st *stage) {
		st.opts.Mode = agent.Full
		ends := 0
		evs := st.play(func(ev agent.Event) bool {
			switch ev := ev.(type) {
			case agent.CallProgress:
				if ev.CallID == "1" {
					st.send(agent.Prompt{Text: "and this"})
				}
			case agent.Waiting:
				if ev.For == agent.ForAnswer && ends == 0 {
					st.send(agent.Prompt{Text: "late"})
				}
			case agent.TurnEnded:
				ends++
			}
			return ends < 2
		}, "hi")
		want(t, "events", kinds(evs), "SessionOpened PromptQueued TurnStarted PromptAccepted Replied "+
			"CallPrepared PromptQueued ChangeCommitted CallFinished CallPrepared CallFinished PromptAccepted PromptQueued Replied TurnEnded "+
			"TurnStarted PromptAccepted Replied TurnEnded")
		reqs := st.model.Requests()
		var seen []string
		for _, m := range reqs[1].Messages {
			seen = append(seen, fmt.Sprintf("%s:%s", m.Role, m.Text()))
		}
		want(t, "second request", strings.Join(seen, " "), "user:hi assistant: user: user:and this")
	})
}

func TestWithdraw(t *testing.T) {
	scene(t, replies(agenttest.Say("a b c")), func(st *stage) {
		replied := 0
		evs := st.play(func(ev agent.Event) bool {
			if is[agent.Replied](ev) {
				replied++
			}
			if waitingFor(agent.ForAnswer)(ev) && replied == 0 {
				st.send(agent.Prompt{Text: "two"})
				st.send(agent.Prompt{Text: "three"})
				st.send(agent.Withdraw{ID: 2})
				st.send(agent.Withdraw{ID: 2})
				st.send(agent.Withdraw{ID: 1})
			}
			return replied < 2
		}, "one")
		want(t, "withdrawn", fmt.Sprint(all[agent.PromptWithdrawn](evs)), "[{2}]")
		want(t, "accepted", fmt.Sprint(all[agent.PromptAccepted](evs)), "[{1 one} {3 three}]")
	})
}

func TestBlankPromptIsNothing(t *testing.T) {
	scene(t, replies(agenttest.Say("ok")), func(st *stage) {
		evs := st.play(nil, " \n", "hi")
		want(t, "queued", len(all[agent.PromptQueued](evs)), 1)
	})
}

// TestTheQueueDoesNotFollowAFailure: what was typed to follow the work must
// not start when the work broke.
func TestTheQueueDoesNotFollowAFailure(t *testing.T) {
	scene(t, replies(agenttest.Break("one two three", errors.New("gone"))), func(st *stage) {
		evs := st.play(func(ev agent.Event) bool {
			if w, ok := ev.(agent.Waiting); ok && w.For == agent.ForAnswer {
				st.send(agent.Prompt{Text: "then commit"})
			}
			return !is[agent.PromptWithdrawn](ev)
		}, "hi")
		want(t, "withdrawn", fmt.Sprint(all[agent.PromptWithdrawn](evs)), "[{2}]")
		want(t, "requests", len(st.model.Requests()), 1)
	})
}

func TestTheModelCanTellAfterABrokenTurn(t *testing.T) {
	scene(t, replies(agenttest.Break("", errors.New("gone")), agenttest.Say("ok")), func(st *stage) {
		ends := 0
		st.play(func(ev agent.Event) bool {
			if is[agent.TurnEnded](ev) {
				if ends++; ends == 1 {
					st.send(agent.Prompt{Text: "second"})
				}
			}
			return ends < 2
		}, "first")
		var roles []string
		for _, m := range st.model.Requests()[1].Messages {
			roles = append(roles, string(m.Role))
		}
		want(t, "roles", strings.Join(roles, " "), "user assistant user")
	})
}

func TestClear(t *testing.T) {
	scene(t, replies(agenttest.Say("a b"), agenttest.Say("c")), func(st *stage) {
		forgotten := 0
		st.opts.Forget = func([]workspace.Sight) { forgotten++ }
		ends := 0
		evs := st.play(func(ev agent.Event) bool {
			switch ev := ev.(type) {
			case agent.Waiting:
				if ev.For == agent.ForAnswer && ends == 0 {
					st.send(agent.Clear{})
				}
			case agent.TurnEnded:
				if ends++; ends == 1 {
					st.send(agent.Clear{})
					st.send(agent.Prompt{Text: "anew"})
				}
			}
			return ends < 2
		}, "hi")
		want(t, "cleared", len(all[agent.Cleared](evs)), 1)
		want(t, "forgotten", forgotten, 1)
		contains(t, "note", all[agent.Noted](evs)[0].Text, "while a turn runs")
		want(t, "second request", len(st.model.Requests()[1].Messages), 1)
	})
}

// bare is a client that yields what it is.
type bare []llm.Event

func (b bare) Stream(context.Context, llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		for _, ev := range b {
			if !yield(ev, nil) {
				return
			}
		}
	}
}

func TestNothingAfterDoneIsHeard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts, j := agenttest.Options(nil)
		done := llm.Done{Message: llm.Message{Blocks: []llm.Block{llm.Text{Text: "a"}}}}
		opts.Client = bare{llm.TextDelta{}, llm.TextDelta{Text: "a"}, done, llm.TextDelta{Text: "b"}, done}
		st := &stage{T: t, opts: opts, journal: j, replay: true}
		evs := st.play(nil, "hi")
		want(t, "replies", len(all[agent.Replied](evs)), 1)
		want(t, "text", fmt.Sprint(all[agent.TextStreamed](evs)), "[{a}]")
	})
}
