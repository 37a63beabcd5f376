package agent_test

import (
	"context"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"aye/agent"
	"aye/agent/agenttest"
	"aye/llm"
	"aye/tools"
)

func TestOwnCommand(t *testing.T) {
	for _, share := range []bool{false, true} {
		scene(t, nil, func(st *stage) {
			evs := st.play(func(ev agent.Event) bool {
				switch ev.(type) {
				case agent.SessionOpened:
					st.send(agent.RunCommand{Command: "ls", Share: share})
				case agent.CommandFinished:
					st.send(agent.Prompt{Text: "hi"})
				}
				return !is[agent.TurnEnded](ev)
			})
			want(t, "started", all[agent.CommandStarted](evs)[0], agent.CommandStarted{ID: "command-1", Command: "ls", Share: share})
			want(t, "progress", all[agent.CallProgress](evs)[0], agent.CallProgress{CallID: "command-1", Text: "ran ls\n"})
			want(t, "result", all[agent.CommandFinished](evs)[0].Result.Text, "ran ls")
			msgs := st.model.Requests()[0].Messages
			want(t, "messages", len(msgs), map[bool]int{false: 1, true: 2}[share])
			if share {
				want(t, "shared", msgs[0].Text(), "I ran this command myself:\n\n$ ls\nran ls")
			}
		})
	}
}

// TestSharedCommandWaitsForItsPlace: it ends while calls are open, or while a
// reply comes, and is told where a message may stand.
func TestSharedCommandWaitsForItsPlace(t *testing.T) {
	scene(t, replies(
		agenttest.Call(call("1", "slow", "a"), call("2", "look", "b")),
		agenttest.Say("one two"),
	), func(st *stage) {
		st.opts.Mode = agent.Full
		st.play(func(ev agent.Event) bool {
			if progressOf("1")(ev) || waitingFor(agent.ForAnswer)(ev) {
				st.send(agent.RunCommand{Command: "ls", Share: true})
			}
			return !is[agent.TurnEnded](ev)
		}, "hi")
		var told []string
		for _, m := range st.state().Messages {
			first := "results"
			if _, ok := m.Blocks[0].(llm.ToolCall); ok {
				first = "calls"
			} else if text := m.Text(); text != "" {
				first = strings.Fields(text)[0]
			}
			told = append(told, first)
		}
		want(t, "conversation", strings.Join(told, " "), "hi calls results I one I")
	})
}

func TestCommandsAtTheSameTime(t *testing.T) {
	scene(t, replies(agenttest.Say("a b")), func(st *stage) {
		finished := 0
		began := time.Now()
		evs := st.play(func(ev agent.Event) bool {
			switch ev.(type) {
			case agent.SessionOpened:
				st.send(agent.RunCommand{Command: "slow"})
				st.send(agent.RunCommand{Command: "slow"})
				st.send(agent.RunCommand{Command: "fail"})
			case agent.CommandFinished:
				finished++
			}
			return finished < 3
		}, "hi")
		want(t, "time", time.Since(began), time.Minute)
		byID := map[string]tools.Result{}
		for _, f := range all[agent.CommandFinished](evs) {
			byID[f.ID] = f.Result
		}
		want(t, "one", byID["command-1"].Status, tools.OK)
		want(t, "two", byID["command-2"].Status, tools.OK)
		want(t, "three", byID["command-3"].Text, "there is no shell")
		want(t, "turn", len(all[agent.TurnEnded](evs)), 1)
	})
}

func TestCancelACommand(t *testing.T) {
	stubborn := func(context.Context, string) (tools.Action, error) {
		return tools.Action{Run: func(_ context.Context, progress func(string)) tools.Result {
			progress("x")
			time.Sleep(time.Hour)
			return tools.Result{}
		}}, nil
	}
	crash := func(context.Context, string) (tools.Action, error) { panic("no shell at all") }
	for name, c := range map[string]struct {
		shell  func(context.Context, string) (tools.Action, error)
		cancel agent.Cancel
		status tools.Status
		within time.Duration
	}{
		"all":         {agenttest.Shell, agent.Cancel{}, tools.Interrupted, 0},
		"only a turn": {agenttest.Shell, agent.Cancel{Turn: 1}, tools.OK, time.Minute},
		"stubborn":    {stubborn, agent.Cancel{}, tools.Interrupted, 90 * time.Millisecond},
		"panic":       {crash, agent.Cancel{}, tools.Failed, 0},
	} {
		t.Run(name, func(t *testing.T) {
			scene(t, nil, func(st *stage) {
				st.opts.Shell = c.shell
				began := time.Now()
				var took time.Duration
				evs := st.play(func(ev agent.Event) bool {
					switch ev.(type) {
					case agent.SessionOpened:
						st.send(agent.RunCommand{Command: "slow"})
					case agent.CallProgress:
						st.send(c.cancel)
					case agent.CommandFinished:
						took = time.Since(began)
						return false
					}
					return true
				})
				want(t, "status", all[agent.CommandFinished](evs)[0].Result.Status, c.status)
				want(t, "time", took, c.within)
				if name == "stubborn" {
					contains(t, "what it had said", all[agent.CommandFinished](evs)[0].Result.Text, "x\nInterrupted")
				}
			})
		})
	}
}

// TestOutputOfWhatIsGivenUp: its end is kept, whole characters of it.
func TestOutputOfWhatIsGivenUp(t *testing.T) {
	scene(t, nil, func(st *stage) {
		st.opts.Shell = func(context.Context, string) (tools.Action, error) {
			return tools.Action{Run: func(_ context.Context, progress func(string)) tools.Result {
				for range 1000 {
					progress("äöü äöü\n")
				}
				progress("the last line\n")
				time.Sleep(time.Hour)
				return tools.Result{}
			}}, nil
		}
		evs := st.play(func(ev agent.Event) bool {
			if p, ok := ev.(agent.CallProgress); ok && strings.HasSuffix(p.Text, "the last line\n") {
				st.send(agent.Cancel{})
			}
			if is[agent.SessionOpened](ev) {
				st.send(agent.RunCommand{Command: "make"})
			}
			return !is[agent.CommandFinished](ev)
		})
		text := all[agent.CommandFinished](evs)[0].Result.Text
		contains(t, "end", text, "äöü\nthe last line\nInterrupted")
		if len(text) > 5000 || !utf8.ValidString(text) {
			t.Errorf("%d bytes, valid %v", len(text), utf8.ValidString(text))
		}
	})
}

func TestNoShell(t *testing.T) {
	scene(t, nil, func(st *stage) {
		st.opts.Shell = nil
		evs := st.play(func(ev agent.Event) bool {
			if is[agent.SessionOpened](ev) {
				st.send(agent.RunCommand{Command: "ls"})
			}
			return !is[agent.Noted](ev)
		})
		contains(t, "note", all[agent.Noted](evs)[0].Text, "no shell")
	})
}
