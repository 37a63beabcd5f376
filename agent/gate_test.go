package agent_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"aye/agent"
	"aye/agent/agenttest"
	"aye/llm"
	"aye/tools"
)

func TestAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		choice agent.Choice
		note   string
		status tools.Status
		text   string
	}{
		"allow":                {agent.Allow, "", tools.OK, "touch a"},
		"always":               {agent.Always, "", tools.OK, "touch a"},
		"deny":                 {agent.Deny, "", tools.Denied, "The user denied this call."},
		"deny with a reason":   {agent.Deny, "use b", tools.Denied, "The user denied this call. Reason: use b"},
		"no choice is a no":    {"", "", tools.Denied, "The user denied this call."},
		"a strange one is too": {"perhaps", "", tools.Denied, "The user denied this call."},
	} {
		t.Run(name, func(t *testing.T) {
			scene(t, replies(agenttest.Call(call("1", "touch", "a"))), func(st *stage) {
				evs := st.play(st.answering(c.choice, c.note), "hi")
				asked := all[agent.ApprovalAsked](evs)
				want(t, "question", asked[0], agent.ApprovalAsked{CallID: "1", Rule: "touch a"})
				want(t, "status", results(evs)["1"].Status, c.status)
				want(t, "changed", len(all[agent.ChangeCommitted](evs)) > 0, c.status == tools.OK)
				sent := st.model.Requests()[1].Messages
				want(t, "next request carries", sent[len(sent)-1].Blocks[0].(llm.ToolResult).Text, c.text)
				want(t, "granted", strings.Join(st.state().Grants, ","), map[bool]string{true: "touch a"}[c.choice == agent.Always])
			})
		})
	}
}

func TestAlwaysIsAskedOnce(t *testing.T) {
	scene(t, replies(
		agenttest.Call(call("1", "touch", "a"), call("2", "touch", "a"), call("3", "touch", "b")),
	), func(st *stage) {
		evs := st.play(st.answering(agent.Always, ""), "hi")
		var asked []string
		for _, a := range all[agent.ApprovalAsked](evs) {
			asked = append(asked, a.CallID)
		}
		want(t, "asked", strings.Join(asked, " "), "1 3")
	})
}

// never is a policy that asks without offering a rule.
type never struct{}

func (never) Judge(string, string, []tools.Effect, []string) agent.Ruling { return agent.Ruling{} }

func TestAlwaysWithoutARuleIsOnce(t *testing.T) {
	scene(t, replies(agenttest.Call(call("1", "touch", "a"))), func(st *stage) {
		st.opts.Policy = never{}
		evs := st.play(st.answering(agent.Always, ""), "hi")
		want(t, "settled", all[agent.ApprovalSettled](evs)[0], agent.ApprovalSettled{CallID: "1", Choice: agent.Allow})
		want(t, "grants", len(st.state().Grants), 0)
	})
}

func TestUnattended(t *testing.T) {
	for _, c := range []struct {
		policy agent.Policy
		says   []string
	}{
		{agenttest.Policy{}, []string{"Not run", "--allow 'touch a'", "--mode"}},
		{never{}, []string{"Not run", "with a --mode that covers it"}},
	} {
		scene(t, replies(agenttest.Call(call("1", "touch", "a"))), func(st *stage) {
			st.opts.Unattended, st.opts.Policy = true, c.policy
			evs := st.play(nil, "hi")
			want(t, "asked", len(all[agent.ApprovalAsked](evs)), 0)
			want(t, "status", results(evs)["1"].Status, tools.Denied)
			contains(t, "result", results(evs)["1"].Text, c.says...)
			contains(t, "settled", all[agent.ApprovalSettled](evs)[0].Note, c.says...)
		})
	}
}

// later gives r a second later.
func later(r agenttest.Reply) agenttest.Reply {
	return func(ctx context.Context, req llm.Request, yield func(llm.Event) bool) error {
		select {
		case <-time.After(time.Second):
			return r(ctx, req, yield)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func TestModes(t *testing.T) {
	// The mode changes while the first call waits for its answer: it counts
	// from the next call on.
	scene(t, replies(
		agenttest.Call(call("1", "touch", "a"), call("2", "touch", "b")),
		later(agenttest.Call(call("3", "touch", "c"))),
	), func(st *stage) {
		evs := st.play(func(ev agent.Event) bool {
			switch ev := ev.(type) {
			case agent.ApprovalAsked:
				st.send(agent.SetMode{Mode: agent.Plan})
				st.send(agent.Answer{CallID: ev.CallID, Choice: agent.Allow})
			case agent.CallFinished:
				if ev.CallID == "2" {
					st.send(agent.SetMode{Mode: agent.Full})
					st.send(agent.SetMode{Mode: "yolo"})
				}
			}
			return !is[agent.TurnEnded](ev)
		}, "hi")
		r := results(evs)
		want(t, "asked", r["1"].Status, tools.OK)
		want(t, "planned", r["2"].Text, "The plan mode changes nothing.")
		want(t, "full", r["3"].Status, tools.OK)
		want(t, "mode", st.state().Mode, agent.Full)
		contains(t, "note", all[agent.Noted](evs)[0].Text, `no mode "yolo"`)
	})
}

func TestADenialHoldsUntilSomethingIsNew(t *testing.T) {
	scene(t, replies(
		agenttest.Call(call("1", "touch", "a")),
		agenttest.Call(call("2", "touch", "a")), // stubborn: not asked again
		agenttest.Call(call("3", "look", "b")),
		agenttest.Call(call("4", "touch", "a")), // something was learnt: asked again
	), func(st *stage) {
		evs := st.play(st.answering(agent.Deny, "look first"), "hi")
		var asked []string
		for _, a := range all[agent.ApprovalAsked](evs) {
			asked = append(asked, a.CallID)
		}
		want(t, "asked", strings.Join(asked, " "), "1 4")
		want(t, "second", results(evs)["2"].Text, "The user denied this call. Reason: look first")
	})
}

// TestAWordFromThePersonOpensADeniedCallAgain: "do it after all".
func TestAWordFromThePersonOpensADeniedCallAgain(t *testing.T) {
	scene(t, rounds(`touch {"path":"a"}`, `touch {"path":"a"}`), func(st *stage) {
		choices := []agent.Choice{agent.Deny, agent.Allow}
		evs := st.play(func(ev agent.Event) bool {
			if a, ok := ev.(agent.ApprovalAsked); ok {
				st.send(agent.Prompt{Text: "do it after all"})
				st.send(agent.Answer{CallID: a.CallID, Choice: choices[0]})
				choices = choices[1:]
			}
			return !is[agent.TurnEnded](ev)
		}, "hi")
		want(t, "asked", len(all[agent.ApprovalAsked](evs)), 2)
		want(t, "changed", len(all[agent.ChangeCommitted](evs)), 1)
	})
}

func TestDeniedTwentyTimes(t *testing.T) {
	scene(t, rounds(repeat(20, `touch {"path":"a"}`)...), func(st *stage) {
		evs := st.play(st.answering(agent.Deny, ""), "hi")
		want(t, "asked", len(all[agent.ApprovalAsked](evs)), 1)
		want(t, "reason", st.ended(evs).Reason, agent.Limited)
	})
}

func TestAnswersToNoQuestion(t *testing.T) {
	scene(t, replies(agenttest.Call(call("1", "touch", "a"), call("2", "touch", "b"))), func(st *stage) {
		evs := st.play(func(ev agent.Event) bool {
			if a, ok := ev.(agent.ApprovalAsked); ok {
				st.send(agent.Answer{CallID: "2", Choice: agent.Allow}) // not asked yet, or asked
				st.send(agent.Answer{CallID: a.CallID, Choice: agent.Deny})
				st.send(agent.Answer{CallID: a.CallID, Choice: agent.Allow}) // too late
			}
			return !is[agent.TurnEnded](ev)
		}, "hi")
		r := results(evs)
		want(t, "first", r["1"].Status, tools.Denied)
		want(t, "second", r["2"].Status, tools.OK)
	})
}

type mine struct{}

func (mine) Judge(string, string, []tools.Effect, []string) agent.Ruling { panic("what is this?") }

func TestAPolicyThatPanicsSaysNo(t *testing.T) {
	scene(t, replies(agenttest.Call(call("1", "touch", "a"))), func(st *stage) {
		st.opts.Policy = mine{}
		evs := st.play(nil, "hi")
		want(t, "status", results(evs)["1"].Status, tools.Denied)
		contains(t, "result", results(evs)["1"].Text, "could not be judged", "what is this?")
	})
}

// TestReadsThatAreAsked holds that there is one question at a time also where
// calls run together.
func TestReadsThatAreAsked(t *testing.T) {
	scene(t, replies(agenttest.Call(call("1", "watch", "a"), call("2", "watch", "b"))), func(st *stage) {
		st.opts.Policy = never{}
		evs := st.play(st.answering(agent.Allow, ""), "hi")
		want(t, "asked", len(all[agent.ApprovalAsked](evs)), 2)
		want(t, "second", results(evs)["2"].Status, tools.OK)
	})
}
