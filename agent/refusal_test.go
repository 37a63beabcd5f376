package agent_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"aye/agent"
	"aye/agent/agenttest"
	"aye/llm"
	"aye/tools"
)

// TestRefusals: whatever keeps a compaction from succeeding leaves the
// conversation as it was.
func TestRefusals(t *testing.T) {
	calls := llm.Message{Blocks: []llm.Block{llm.Text{Text: "I look first."}, call("1", "look", "a")}}
	for name, c := range map[string]struct {
		reply agenttest.Reply
		says  string
	}{
		"blank":      {agenttest.Give(llm.Done{Message: say(" \n")}), "no usable summary"},
		"empty":      {agenttest.Give(llm.Done{}), "no usable summary"},
		"thought":    {agenttest.Give(llm.Done{Message: llm.Message{Blocks: []llm.Block{llm.Thinking{Text: "hm"}}}}), "no usable summary"},
		"calls":      {agenttest.Give(llm.Done{Message: calls}), "no usable summary"},
		"filtered":   {agenttest.Give(llm.Done{Message: say("I"), Stop: llm.Filtered}), "no usable summary"},
		"no gain":    {agenttest.Give(llm.Done{Message: say(strings.Repeat("blah ", 2000))}), "would not be shorter"},
		"failed":     {agenttest.Break("half", &llm.Error{Kind: llm.Auth, Detail: "The key is wrong."}), "The key is wrong."},
		"no end":     {agenttest.Break("half", nil), "broke off"},
		"panic":      {func(context.Context, llm.Request, func(llm.Event) bool) error { panic("bad client") }, "bad client"},
		"interrupts": {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			scene(t, nil, func(st *stage) {
				reply := c.reply
				if reply == nil {
					reply = agenttest.Say("one two three")
				}
				st.summarised(reply)
				st.past = turns(4, 900)
				before := fold(st.past...).Messages
				evs := st.play(func(ev agent.Event) bool {
					switch {
					case is[agent.SessionOpened](ev):
						st.send(agent.Compact{})
					case waitingFor(agent.ForSummary)(ev) && c.reply == nil:
						time.AfterFunc(1500*time.Millisecond, func() { st.send(agent.Cancel{}) })
					}
					return !is[agent.TurnEnded](ev)
				})
				end := st.ended(evs)
				want(t, "compactions", len(all[agent.Compacted](evs)), 0)
				if !reflect.DeepEqual(st.state().Messages, before) {
					t.Errorf("the conversation changed:\n%s\n%s", words(before), words(st.state().Messages))
				}
				switch name {
				case "interrupts":
					want(t, "reason", end.Reason, agent.Cancelled)
				case "no gain":
					contains(t, "note", all[agent.Noted](evs)[0].Text, c.says, "/clear")
				default:
					want(t, "reason", end.Reason, agent.Broken)
					contains(t, "error", end.Err, c.says)
				}
			})
		})
	}
}

// A tooLate client has its whole reply when it hears that nobody wants it.
type tooLate struct{}

func (tooLate) Stream(ctx context.Context, _ llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		<-ctx.Done()
		yield(llm.Done{Message: say("Short."), Stop: llm.EndTurn}, nil)
	}
}

// TestASummaryThatComesTooLate: it changes nothing any more.
func TestASummaryThatComesTooLate(t *testing.T) {
	scene(t, nil, func(st *stage) {
		st.opts.Client = tooLate{}
		st.past = turns(4, 900)
		evs := st.play(func(ev agent.Event) bool {
			switch {
			case is[agent.SessionOpened](ev):
				st.send(agent.Compact{})
			case waitingFor(agent.ForSummary)(ev):
				time.AfterFunc(time.Second, func() { st.send(agent.Cancel{}) })
			}
			return !is[agent.TurnEnded](ev)
		})
		want(t, "reason", st.ended(evs).Reason, agent.Cancelled)
		want(t, "compactions", len(all[agent.Compacted](evs)), 0)
	})
}

// TestGoesOnWithoutASummary: as long as the window holds the request, a summary
// that fails costs one attempt a turn and a note; beyond that, the turn.
func TestGoesOnWithoutASummary(t *testing.T) {
	for _, c := range []struct {
		window, chars int
		reason        agent.Reason
	}{{5000, 0, agent.Finished}, {0, 14_000, agent.Broken}} {
		scene(t, append(rounds("look {\"path\":\"a\"}"), agenttest.Say("ok")), func(st *stage) {
			st.opts.Window, st.opts.MaxChars = c.window, c.chars
			notes := st.summarised(slices.Repeat(replies(agenttest.Give(llm.Done{})), 9)...)
			past := turns(6, 250)
			for i, ev := range past {
				if p, ok := ev.(agent.PromptAccepted); ok {
					p.Text += strings.Repeat(" word", 460)
					past[i] = p
				}
			}
			before := fold(past...).Messages
			evs := st.resumed(past, "go on")
			end := st.ended(evs)
			want(t, "reason", end.Reason, c.reason)
			want(t, "asked", len(notes.Requests()), 1)
			said := all[agent.Noted](evs)
			if c.reason == agent.Broken {
				contains(t, "error", end.Err, "no usable summary", "/clear")
				want(t, "requests", len(st.model.Requests()), 0)
			} else {
				want(t, "notes", len(said), 1)
				contains(t, "note", said[0].Text, "could not be compacted and goes as it is", "no usable summary")
				want(t, "requests", len(st.model.Requests()), 2)
			}
			if !reflect.DeepEqual(st.state().Messages[:len(before)], before) {
				t.Error("the conversation changed")
			}
		})
	}
}

// TestNoRoomForASummary: it is seen before anything is asked.
func TestNoRoomForASummary(t *testing.T) {
	scene(t, nil, func(st *stage) {
		st.opts.Window = 950
		notes := st.summarised()
		st.past = turns(12, 280)
		evs := st.play(func(ev agent.Event) bool {
			if is[agent.SessionOpened](ev) {
				st.send(agent.Compact{})
			}
			return !is[agent.TurnEnded](ev)
		})
		want(t, "reason", st.ended(evs).Reason, agent.Broken)
		contains(t, "error", st.ended(evs).Err, "cannot be summarised in so little room", "/clear")
		want(t, "asked", len(notes.Requests()), 0)
	})
}

// TestAMessageTooLargeIsGivenBack: it is not stored, so nothing is in the way
// of the next one, and nothing is asked.
func TestAMessageTooLargeIsGivenBack(t *testing.T) {
	scene(t, replies(agenttest.Say("ok")), func(st *stage) {
		st.opts.MaxChars = 20_000
		notes := st.summarised()
		ends := 0
		st.past = turns(2, 400)
		evs := st.play(func(ev agent.Event) bool {
			if is[agent.TurnEnded](ev) {
				if ends++; ends == 1 {
					st.send(agent.Prompt{Text: "short"})
				}
			}
			return ends < 2
		}, strings.Repeat("a long text ", 2000))
		end := all[agent.TurnEnded](evs)
		want(t, "reason", end[0].Reason, agent.Broken)
		contains(t, "error", end[0].Err, "The message is too large: 24", "CONTEXT_MAX_CHARS allows 20000", "Shorten the message", "raise CONTEXT_MAX_CHARS")
		want(t, "withdrawn", len(all[agent.PromptWithdrawn](evs)), 1)
		want(t, "second", end[1].Reason, agent.Finished)
		want(t, "requests", len(st.model.Requests())+len(notes.Requests()), 1)
		want(t, "sent", words(st.model.Requests()[0].Messages), "request 1 [read] (400) answer 1 request 2 [read] (400) answer 2 short")
	})
}

// TestWhatMustStayIsTooLarge: as long as the window may hold it, it is sent;
// beyond that new results are emptied; after that there is an error with
// numbers, and the next message has a way on.
func TestWhatMustStayIsTooLarge(t *testing.T) {
	huge := strings.Repeat("word ", 1500)
	scene(t, append(rounds("big 1"), agenttest.Say("ok")), func(st *stage) {
		st.opts.Window, st.opts.Mode = 1500, agent.Full
		st.opts.Tools = []tools.Tool{counter("big", tools.Read, fixed(huge))}
		evs := st.play(nil, "hi")
		want(t, "reason", st.ended(evs).Reason, agent.Finished)
		want(t, "pruned", fmt.Sprint(all[agent.Pruned](evs)[0].CallIDs), "[call-1]")
		sent := st.model.Requests()[1].Messages
		contains(t, "result", sent[2].Blocks[0].(llm.ToolResult).Text, "for a smaller part")
	})
	scene(t, append(rounds("put 1"), agenttest.Say("ok"), agenttest.Say("ok")), func(st *stage) {
		st.opts.Window, st.opts.Mode = 2000, agent.Full
		st.opts.Tools = []tools.Tool{counter("put", tools.Write, fixed("written"))}
		st.summarised(agenttest.Say("Something long was written."))
		st.model = agenttest.NewModel(agenttest.Call(llm.ToolCall{ID: "1", Name: "put", Args: `{"content":"` + huge + `"}`}))
		st.summarised(agenttest.Say("Something long was written."))
		ends := 0
		evs := st.play(func(ev agent.Event) bool {
			if is[agent.TurnEnded](ev) {
				if ends++; ends == 1 {
					st.send(agent.Prompt{Text: "and now?"})
				}
			}
			return ends < 2
		}, "hi")
		end := all[agent.TurnEnded](evs)
		want(t, "reason", end[0].Reason, agent.Broken)
		contains(t, "error", end[0].Err, "too large: about 3", "tokens, and the model's context has room for 2000", "/clear")
		want(t, "then", end[1].Reason, agent.Finished)
		last := st.model.Requests()[1].Messages
		want(t, "sent", words(last), "[Historical context summary] hi [an error ended this turn before it was done] and now?")
	})
}

// TestThreeCompactionsInARow: a server whose count never goes down.
func TestThreeCompactionsInARow(t *testing.T) {
	var script []agenttest.Reply
	for i := range 12 {
		c := llm.ToolCall{ID: fmt.Sprint(i), Name: "look", Args: agenttest.Args(fmt.Sprint("a", i)) + strings.Repeat(" ", 30_000)}
		script = append(script, agenttest.Give(llm.Done{Message: llm.Message{Blocks: []llm.Block{c}}, Usage: llm.Usage{Input: 95_000, Output: 10}}))
	}
	scene(t, script, func(st *stage) {
		st.opts.Window = 100_000
		notes := st.summarised(slices.Repeat(replies(agenttest.Say("Short.")), 20)...)
		evs := st.resumed(turns(6, 250), "go on "+strings.Repeat("word ", 500))
		end := st.ended(evs)
		want(t, "reason", end.Reason, agent.Broken)
		contains(t, "error", end.Err, "compacted three times in a row", "/clear")
		want(t, "compactions", len(all[agent.Compacted](evs)), 3)
		want(t, "summaries", len(notes.Requests()), 3)
		if err := errors.Join(agenttest.Conversation(st.state().Messages)); err != nil {
			t.Error(err)
		}
	})
}

// TestNoSeventeenthBatch: a conversation grows until even its shortest form
// takes more requests than a compaction may make; then none is made.
func TestNoSeventeenthBatch(t *testing.T) {
	most, refused := 0, 0
	for n := 340; n <= 520; n += 4 {
		scene(t, replies(agenttest.Say("ok")), func(st *stage) {
			st.opts.Window = 3000
			notes := st.summarised(slices.Repeat(replies(agenttest.Say("Short.")), 20)...)
			st.past = turns(n, 110)
			evs := st.play(func(ev agent.Event) bool {
				if is[agent.SessionOpened](ev) {
					st.send(agent.Compact{})
				}
				return !is[agent.TurnEnded](ev)
			})
			asked := len(notes.Requests())
			if end := st.ended(evs); end.Reason == agent.Broken {
				contains(t, "error", end.Err, "cannot be summarised in so little room")
				want(t, "asked, and refused", asked, 0)
				refused++
			}
			most = max(most, asked)
		})
	}
	if most != 16 || refused == 0 {
		t.Errorf("%d requests at most, %d refused", most, refused)
	}
}
