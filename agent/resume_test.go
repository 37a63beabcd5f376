package agent_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"aye/agent"
	"aye/agent/agenttest"
	"aye/llm"
	"aye/tools"
)

// past plays a session in which a bit of everything happens and returns its
// journal.
func past(t *testing.T) (kept []agent.Event) {
	scene(t, replies(
		agenttest.Call(call("1", "look", "a"), call("2", "touch", "b"), call("3", "slow", "c"), call("4", "touch", "d")),
		agenttest.Say("one two three"),
	), func(st *stage) {
		st.play(func(ev agent.Event) bool {
			switch ev := ev.(type) {
			case agent.TurnStarted:
				st.send(agent.RunCommand{Command: "slow", Share: true})
			case agent.ApprovalAsked:
				st.send(agent.Prompt{Text: "meanwhile"})
				st.send(agent.Answer{CallID: ev.CallID, Choice: []agent.Choice{agent.Always, agent.Deny}[len(ev.CallID)%2]})
			case agent.CallProgress:
				if ev.CallID == "3" {
					st.send(agent.Prompt{Text: "hurry"})
				}
			}
			return !is[agent.TurnEnded](ev)
		}, "hi")
		var err error
		if kept, err = st.journal.Events(); err != nil {
			t.Fatal(err)
		}
	})
	return kept
}

// TestResumeAfterAnyEvent ends aye after each event of a session: what it
// left is closed, nothing starts by itself, and the next request is valid.
func TestResumeAfterAnyEvent(t *testing.T) {
	whole := past(t)
	for n := range len(whole) + 1 {
		scene(t, nil, func(st *stage) {
			st.past = append([]agent.Event{}, whole[:n]...)
			sent := false
			evs := st.play(func(ev agent.Event) bool {
				if is[agent.SessionOpened](ev) && !sent {
					sent = true
					st.send(agent.Prompt{Text: "go on"})
				}
				return !is[agent.TurnEnded](ev) || len(st.model.Requests()) == 0
			})
			opened := all[agent.SessionOpened](evs)
			want(t, "opened", fmt.Sprint(len(opened), opened[0].Resumed), "1 true")
			want(t, "turns begun", len(all[agent.TurnStarted](evs)), 1)
			req := st.model.Requests()[0]
			if err := agenttest.Conversation(req.Messages); err != nil {
				t.Errorf("after %d events: %v", n, err)
			}
			want(t, "last message", req.Messages[len(req.Messages)-1].Text(), "go on")
			want(t, "left running", len(st.state().Running)+len(st.state().Queue), 0)
		})
	}
}

func TestWhatResumeSays(t *testing.T) {
	opened, queued, started, accepted := agent.SessionOpened{ID: "s"}, agent.PromptQueued{ID: 1, Text: "hi"}, agent.TurnStarted{Turn: 1}, agent.PromptAccepted{ID: 1, Text: "hi"}
	replied := agent.Replied{Message: llm.Message{Role: llm.Assistant, Blocks: []llm.Block{call("1", "touch", "a"), call("2", "touch", "b")}}}
	prepared := agent.CallPrepared{CallID: "1", Tool: "touch"}
	for name, c := range map[string]struct {
		past []agent.Event
		want string // the events that repair it
		says []string
	}{
		"at rest":         {[]agent.Event{opened}, "", nil},
		"nothing at all":  {nil, "", nil},
		"queued":          {[]agent.Event{opened, queued}, "PromptWithdrawn", nil},
		"in a request":    {[]agent.Event{opened, queued, started, accepted}, "TurnEnded", []string{"aye was ended before"}},
		"before any call": {[]agent.Event{opened, queued, started, accepted, replied}, "CallFinished CallFinished TurnEnded", []string{"Not run"}},
		"in a call":       {[]agent.Event{opened, queued, started, accepted, replied, prepared}, "CallFinished CallFinished TurnEnded", []string{"status is unknown. Inspect before retrying.", "Not run"}},
		"asked":           {[]agent.Event{opened, queued, started, accepted, replied, prepared, agent.ApprovalAsked{CallID: "1"}}, "ApprovalSettled CallFinished CallFinished TurnEnded", []string{"withdrawn", "Not run"}},
		"own command":     {[]agent.Event{opened, agent.CommandStarted{ID: "command-1", Command: "ls"}}, "CommandFinished", []string{"status is unknown"}},
	} {
		t.Run(name, func(t *testing.T) {
			var s agent.State
			for _, ev := range c.past {
				s.Apply(ev)
			}
			repair := agent.Repair(s)
			want(t, "events", kinds(repair), c.want)
			contains(t, "text", show(repair), c.says...)
			if !slices.Contains(c.says, "status is unknown. Inspect before retrying.") && name != "own command" && strings.Contains(show(repair), "unknown") {
				t.Errorf("what cannot have happened is called unknown:\n%s", show(repair))
			}
		})
	}
}

func TestResumeKeepsGrantsAndNotTheMode(t *testing.T) {
	scene(t, replies(agenttest.Call(call("1", "touch", "a"))), func(st *stage) {
		st.past = []agent.Event{agent.SessionOpened{ID: "s"}, agent.ModeSet{Mode: agent.Full}, agent.ApprovalSettled{CallID: "0", Choice: agent.Always, Rule: "touch a"}}
		st.session = agent.Resume(st.opts, st.past)
		evs, err := agenttest.Play(st.Context(), st.session, func(ev agent.Event) bool {
			if is[agent.SessionOpened](ev) {
				st.send(agent.Prompt{Text: "hi"})
			}
			return !is[agent.TurnEnded](ev)
		})
		if err != nil {
			t.Fatal(err)
		}
		want(t, "mode", st.state().Mode, agent.Ask)
		want(t, "asked", len(all[agent.ApprovalAsked](evs)), 0)
		want(t, "result", results(evs)["1"].Status, tools.OK)
	})
}

// FuzzFold folds whatever a journal may hold: the fold takes it, and after
// the repair the conversation is one a model can be asked with.
func FuzzFold(f *testing.F) {
	golden, err := os.ReadFile(goldenFile)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(golden)
	f.Add([]byte(strings.Repeat(string(golden), 2)))
	f.Add([]byte(`{"type":"replied","at":"2026-11-30T12:00:00Z","message":{"role":"assistant","blocks":[{"type":"call","data":{"id":"1","name":"read","args":"{}"}}]},"stop":"end","usage":{"input":0,"output":0}}
{"type":"command_started","at":"2026-11-30T12:00:00Z","id":"command-1","command":"ls","share":true}
{"type":"command_finished","at":"2026-11-30T12:00:00Z","id":"command-1","result":{"status":"ok","text":"a"},"took":1}
`)) // the turn's start is missing (found by fuzzing)
	f.Fuzz(func(t *testing.T, data []byte) {
		var s agent.State
		evs, _ := agent.DecodeAll(lines(data))
		for _, ev := range evs {
			if r, ok := ev.(agent.Replied); ok && !sayable(r.Message) {
				continue
			}
			s.Apply(ev)
		}
		for _, ev := range agent.Repair(s) {
			s.Apply(ev)
		}
		if s.Busy || len(s.Queue) > 0 || len(s.Running) > 0 || s.Asked.CallID != "" {
			t.Errorf("not at rest: %+v", s)
		}
		s.Apply(agent.PromptAccepted{ID: 1, Text: "go on"})
		if err := agenttest.Conversation(s.Messages); err != nil {
			t.Error(err)
		}
		if !agent.Accounted(s) {
			t.Errorf("sizes do not add up: %+v", s)
		}
	})
}

func lines(data []byte) [][]byte {
	var ls [][]byte
	for l := range strings.Lines(string(data)) {
		ls = append(ls, []byte(l))
	}
	return ls
}

// sayable reports whether m is a reply that a session may have recorded.
func sayable(m llm.Message) bool {
	for _, b := range m.Blocks {
		switch b.(type) {
		case llm.ToolResult, llm.Image:
			return false
		}
	}
	return m.Role == llm.Assistant && len(m.Blocks) > 0
}
