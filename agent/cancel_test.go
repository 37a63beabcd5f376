package agent_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"aye/agent"
	"aye/agent/agenttest"
	"aye/llm"
	"aye/tools"
)

// cancelAt plays until the event that when picks, waits after, and cancels.
// It holds that the turn is over 100 ms later.
func (st *stage) cancelAt(when func(agent.Event) bool, after time.Duration) []agent.Event {
	st.Helper()
	var cancelled time.Time
	armed := false
	evs := st.play(func(ev agent.Event) bool {
		if !armed && when(ev) {
			armed = true
			time.AfterFunc(after, func() {
				cancelled = time.Now()
				st.send(agent.Cancel{Turn: 1})
			})
		}
		if is[agent.TurnEnded](ev) {
			if d := time.Since(cancelled); armed && d > 100*time.Millisecond {
				st.Errorf("the turn ended %v after it was cancelled", d)
			}
			return false
		}
		return true
	}, "hi")
	if !armed {
		st.Fatalf("the moment did not come\n%s", show(evs))
	}
	return evs
}

func progressOf(id string) func(agent.Event) bool {
	return func(ev agent.Event) bool { p, ok := ev.(agent.CallProgress); return ok && p.CallID == id }
}

func waitingFor(p agent.Phase) func(agent.Event) bool {
	return func(ev agent.Event) bool { w, ok := ev.(agent.Waiting); return ok && w.For == p }
}

func TestCancel(t *testing.T) {
	deaf := func(ctx context.Context, _ llm.Request, yield func(llm.Event) bool) error {
		<-ctx.Done()
		return ctx.Err()
	}
	retry := func(ctx context.Context, _ llm.Request, yield func(llm.Event) bool) error {
		yield(llm.Retrying{Attempt: 2, Wait: time.Minute})
		<-ctx.Done()
		return ctx.Err()
	}
	const marker = "[interrupted by the user]"
	for name, c := range map[string]struct {
		reply   agenttest.Reply
		when    func(agent.Event) bool
		mode    agent.Mode
		last    string            // text of the last message
		results map[string]string // parts of results by call
	}{
		"before the first byte": {deaf, waitingFor(agent.ForModel), agent.Ask, marker, nil},
		"in a retry's pause":    {retry, waitingFor(agent.ForRetry), agent.Ask, marker, nil},
		"while text comes":      {agenttest.Say("one two three"), is[agent.TextStreamed], agent.Ask, "one two \n\n" + marker, nil},
		"while asked": {agenttest.Call(call("1", "touch", "a"), call("2", "touch", "b")), is[agent.ApprovalAsked], agent.Ask, marker,
			map[string]string{"1": "Not run", "2": "Not run"}},
		"while a tool runs": {agenttest.Call(call("1", "look", "a"), call("2", "slow", "b"), call("3", "look", "c")), progressOf("2"), agent.Full, marker,
			map[string]string{"1": "look a", "2": "half of b\nInterrupted; it may have partly happened. Inspect before retrying.", "3": "Not run"}},
		"while a tool does not listen": {agenttest.Call(call("1", "stubborn", "a"), call("2", "touch", "b")), progressOf("1"), agent.Full, marker,
			map[string]string{"1": "stubborn a\nInterrupted; it may have partly happened. Inspect before retrying.", "2": "Not run"}},
		"while reads run": {agenttest.Call(call("1", "watch", "a"), call("2", "watch", "b")), progressOf("2"), agent.Full, marker,
			map[string]string{"1": "half of a", "2": "half of b"}},
	} {
		for _, after := range []time.Duration{0, 1500 * time.Millisecond} {
			t.Run(fmt.Sprint(name, after), func(t *testing.T) {
				scene(t, replies(c.reply), func(st *stage) {
					st.opts.Mode = c.mode
					evs := st.cancelAt(c.when, after)
					want(t, "reason", st.ended(evs).Reason, agent.Cancelled)
					msgs := st.state().Messages
					last := msgs[len(msgs)-1]
					want(t, "last role", last.Role, llm.Assistant)
					if got := last.Text(); got != c.last && !(after == 0 && strings.HasSuffix(got, marker)) {
						t.Errorf("last message %q, want %q", got, c.last)
					}
					if said := all[agent.Replied](evs); name == "while text comes" && after > 0 {
						want(t, "known to be a part", len(said) == 1 && said[0].Cut, true)
					}
					r := results(evs)
					want(t, "results", len(r), len(c.results))
					for id, part := range c.results {
						contains(t, id, r[id].Text, part)
						if !strings.HasPrefix(part, "look") {
							want(t, id, r[id].Status, tools.Interrupted)
						}
					}
				})
			})
		}
	}
}

// TestCancelStubbornReads: several tools that do not listen cost one grace
// together.
func TestCancelStubbornReads(t *testing.T) {
	scene(t, replies(agenttest.Call(call("1", "stubborn", "a"), call("2", "stubborn", "b"), call("3", "stubborn", "c"))), func(st *stage) {
		st.opts.Mode = agent.Full
		for i := range st.opts.Tools {
			st.opts.Tools[i].ReadOnly = true
		}
		st.cancelAt(progressOf("1"), time.Second)
	})
}

// TestAbandonedToolIsOwned: Run waits for the tool that does not listen, and
// nothing of it is heard any more.
func TestAbandonedToolIsOwned(t *testing.T) {
	scene(t, replies(agenttest.Call(call("1", "stubborn", "a")), agenttest.Say("and on")), func(st *stage) {
		st.opts.Mode = agent.Full
		began := time.Now()
		ends := 0
		evs := st.play(func(ev agent.Event) bool {
			switch ev.(type) {
			case agent.CallProgress:
				st.send(agent.Cancel{})
			case agent.TurnEnded:
				if ends++; ends == 1 {
					st.send(agent.Prompt{Text: "next"})
				}
			}
			return ends < 2
		}, "hi")
		want(t, "results", len(all[agent.CallFinished](evs)), 1)
		want(t, "second turn", all[agent.TurnEnded](evs)[1].Reason, agent.Finished)
		if d := time.Since(began); d < time.Hour {
			t.Errorf("Run returned after %v, while the tool ran", d)
		}
	})
}

func TestPrepareThatHangs(t *testing.T) {
	scene(t, replies(agenttest.Call(llm.ToolCall{ID: "1", Name: "hang", Args: "{}"})), func(st *stage) {
		st.opts.Tools = []tools.Tool{{Name: "hang", Prepare: func(context.Context, string) (tools.Action, error) {
			time.Sleep(time.Hour)
			return tools.Action{}, nil
		}}}
		evs := st.cancelAt(is[agent.Replied], time.Second)
		want(t, "result", results(evs)["1"].Text, "Not run: the turn was interrupted.")
	})
}

func TestLateCancelDoesNothing(t *testing.T) {
	scene(t, replies(agenttest.Say("a b"), agenttest.Say("c d")), func(st *stage) {
		ends := 0
		evs := st.play(func(ev agent.Event) bool {
			switch ev := ev.(type) {
			case agent.TurnEnded:
				if ends++; ends == 1 {
					st.send(agent.Cancel{Turn: 1})
					st.send(agent.Cancel{})
					st.send(agent.Prompt{Text: "two"})
				}
			case agent.Waiting:
				if ev.For == agent.ForAnswer && ends == 1 {
					st.send(agent.Cancel{Turn: 1})
					st.send(agent.Cancel{Turn: 3})
				}
			}
			return ends < 2
		}, "one")
		for _, end := range all[agent.TurnEnded](evs) {
			want(t, "reason", end.Reason, agent.Finished)
		}
	})
}

// TestCancelGivesTheQueueBack: what was to follow comes back to the composer,
// what is typed after the cancel is a new task.
func TestCancelGivesTheQueueBack(t *testing.T) {
	scene(t, replies(agenttest.Say("a b c d"), agenttest.Say("new")), func(st *stage) {
		ends := 0
		evs := st.play(func(ev agent.Event) bool {
			switch ev := ev.(type) {
			case agent.Waiting:
				if ev.For == agent.ForAnswer && ends == 0 {
					st.send(agent.Prompt{Text: "then this"})
					st.send(agent.Cancel{})
					st.send(agent.Prompt{Text: "something else"})
				}
			case agent.TurnEnded:
				ends++
			}
			return ends < 2
		}, "hi")
		want(t, "withdrawn", fmt.Sprint(all[agent.PromptWithdrawn](evs)), "[{2}]")
		want(t, "accepted", fmt.Sprint(all[agent.PromptAccepted](evs)), "[{1 hi} {3 something else}]")
	})
}

// TestEndOfTheProgramEndsTheTurn: the session's context ends in the middle of
// everything, and the journal is whole.
func TestEndOfTheProgramEndsTheTurn(t *testing.T) {
	for _, when := range []func(agent.Event) bool{is[agent.TextStreamed], is[agent.ApprovalAsked], is[agent.TurnStarted], is[agent.Replied], progressOf("command-1")} {
		scene(t, replies(agenttest.Say("one two"), agenttest.Say("x")), func(st *stage) {
			evs := st.play(func(ev agent.Event) bool {
				if is[agent.PromptQueued](ev) {
					st.send(agent.RunCommand{Command: "slow"})
				}
				return !when(ev) && !is[agent.TurnEnded](ev)
			}, "hi")
			st.ended(evs)
			want(t, "busy", st.state().Busy, false)
			want(t, "commands", len(all[agent.CommandFinished](evs)), len(all[agent.CommandStarted](evs)))
		})
	}
}
