package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"aye/agent"
	"aye/llm"
	"aye/llm/llmtest"
	"aye/tools"
	"aye/tui/term"
)

func notes(items string) llmtest.Reply {
	return llmtest.Reply{Calls: []llm.ToolCall{{Name: "todo", Args: `{"items":[` + items + `]}`}}}
}

const threeTodos = `{"text":"read the parser","status":"completed"},{"text":"写一个测试","status":"in_progress"},{"text":"run all tests"}`

// The plan is on the screen without a question, above the composer as long as
// something is left, and /todos shows it again (M25, W66).
func TestPlanOnTheScreen(t *testing.T) {
	script := llmtest.Steps(notes(threeTodos), says("Noted."), notes(`{"text":"all of it","status":"completed"}`), says("Done."))
	play(t, 80, 30, script, func(s *screen) {
		s.enter("/todos")
		s.shows("no todos")
		s.enter("plan it")
		s.shows("todo  1 of 3 done", "✓ read the parser", "▸ 写一个测试", "○ run all tests", "Noted.", "╶ ▸ 1/3 写一个测试 ╴──")
		s.enter("/todos")
		if n := strings.Count(s.text(), "○ run all tests"); n != 2 {
			t.Errorf("the plan is shown %d times, want twice:\n%s", n, s.text())
		}
		s.enter("go on")
		s.shows("Done.", "✓ all of it")
		s.lacks("╶ ▸")
		s.enter("/clear")
		s.enter("/todos")
		s.shows("no todos")
	})
}

// The line that names what is worked on is the rule above the composer: it
// takes no row of its own, and none where there is none.
func TestPlanCostsNoHeight(t *testing.T) {
	play(t, 44, 14, llmtest.Steps(notes(`{"text":"a very long thing to do that no small window can ever hold","status":"in_progress"}`), says("Noted.")), func(s *screen) {
		rows := func() (composer int) {
			lines := strings.Split(s.text(), "\n")
			for i, line := range lines {
				if strings.Contains(line, "› ") {
					composer = i
				}
				if term.Width(line) > 44 {
					t.Errorf("a row of %d cells: %q", term.Width(line), line)
				}
			}
			return composer
		}
		before := rows()
		s.enter("plan it")
		s.shows("╶ ▸ 0/1 a very long thing to do that … ╴──")
		if after := rows(); after != before {
			t.Errorf("the composer moved from row %d to %d:\n%s", before, after, s.text())
		}
		for _, h := range []int{6, 8, 10} {
			s.emu.Resize(20, h)
			s.send(tea.WindowSizeMsg{Width: 20, Height: h})
			s.shows("› ")
		}
	})
}

// What turns take is said at their end, in the status line and by /cost; what
// it costs where that is known (M67, M68, W55).
func TestMoneyOnTheScreen(t *testing.T) {
	reply := func(text string, in, cached, out int) llmtest.Reply {
		return llmtest.Reply{Text: text, Usage: llm.Usage{Input: in, Cached: cached, Output: out}}
	}
	price := llm.Price{Rates: llm.Rates{Input: 1, Cached: 0.1, Output: 10}}
	for _, known := range []bool{true, false} {
		set := func(o *Options) {
			o.Price = func(model, endpoint string) (llm.Price, bool) {
				return price, known && model == "script" && endpoint == "http://model.test"
			}
		}
		playWith(t, 120, 40, llmtest.Steps(reply("One.", 12_400, 8000, 340), reply("Two.", 13_000, 12_400, 60)), set, func(s *screen) {
			s.enter("/cost")
			s.shows("Nothing was spent yet.")
			s.enter("one")
			s.enter("two")
			s.enter("/cost")
			if known {
				s.shows("12.4k in (8k cached), 340 out · $0.0086", "13k in (12.4k cached), 60 out · $0.0024", "↑25.4k ↓400 $0.011", "12.4k │", "$0.011", "script costs $1 in, $0.1 cached, $10 out a million tokens")
			} else {
				s.shows("12.4k in (8k cached), 340 out\n", "↑25.4k ↓400", "is not known")
				s.lacks("$")
			}
		})
	}
}

// /history and /context say what the conversation is made of (M26).
func TestReportsOnTheScreen(t *testing.T) {
	script := llmtest.Steps(notes(threeTodos), llmtest.Reply{Text: "Noted.", Usage: llm.Usage{Input: 64_000, Output: 10}})
	set := func(o *Options) {
		o.Info.Overhead = 900
		o.Info.Skills = []Skill{{Name: "pdf", Description: "fill forms", Path: "/w/pdf/SKILL.md"}, {Path: "bad/SKILL.md", Problem: "no front matter"}}
	}
	playWith(t, 100, 60, script, set, func(s *screen) {
		s.enter("plan it")
		s.enter("/HISTORY")
		s.shows("4 messages in the conversation: 1 to the model, 2 from it, 1 with results of calls", "1 call: todo 1", "1 turn, 2 requests:")
		s.enter("/context")
		s.shows("64k of 128k tokens, 50 %", "system prompt and tools", "tool results", "░░░")
		s.enter("/skills")
		s.shows("pdf: fill forms (/w/pdf/SKILL.md)", "Not used", "bad/SKILL.md: no front matter")
		s.enter("/help")
		for _, name := range []string{"/compact [focus]", "/cost", "/context", "/skills", "/todos", "/history"} {
			s.shows(name)
		}
	})
}

// heard is a port that keeps what it is sent.
type heard struct {
	port
	cmds chan agent.Command
}

// /compact goes to the session with its focus, and waits for no turn: while
// one runs it says why it cannot be (M27, T46).
func TestCompactIsSent(t *testing.T) {
	to := heard{cmds: make(chan agent.Command, 1)}
	m := New(t.Context(), Options{Session: to, Info: Info{Model: "m", Workspace: "/w"}}, mute{})
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	run(m.compact("the Parser"))
	if got := <-to.cmds; got != (agent.Compact{Focus: "the Parser"}) {
		t.Errorf("sent %+v", got)
	}
	m.Update(events{list: []agent.Event{agent.TurnStarted{Turn: 1}, agent.Waiting{For: agent.ForSummary}}})
	if cmd := m.compact(""); cmd != nil {
		t.Error("it is sent while a turn runs")
	}
	m.stale = true
	if got := strings.Join(rowsOf(m), "\n"); !strings.Contains(got, "cannot be compacted while a turn runs") || !strings.Contains(got, "compacting the context") {
		t.Error(got)
	}
}

func (h heard) Send(_ context.Context, cmd agent.Command) error {
	h.cmds <- cmd
	return nil
}

// A session that goes on shows its plan, its thoughts folded, what was
// compacted and what was spent.
func TestResumedScreen(t *testing.T) {
	past := []agent.Event{
		agent.SessionOpened{ID: "s", Mode: agent.Ask, Model: "script", Endpoint: "http://model.test"},
		agent.PromptQueued{ID: 1, Text: "hi"}, agent.TurnStarted{Turn: 1}, agent.PromptAccepted{ID: 1, Text: "hi"},
		agent.Compacted{Summary: "the goal is a parser", Dropped: 48, Before: 92_000, After: 11_000},
		agent.Replied{Message: llm.Message{Role: llm.Assistant, Blocks: []llm.Block{llm.Thinking{Text: "deep in thought"}, llm.Text{Text: "Hello."}}}, Usage: llm.Usage{Input: 100, Output: 10}},
		agent.TurnEnded{Turn: 1, Reason: agent.Finished, Rounds: 1},
	}
	playWith(t, 100, 30, llmtest.Steps(), func(o *Options) { o.Past = past }, func(s *screen) {
		s.shows("thought ▸", "compacted: 48 messages → summary, 92k → 11k tokens", "100 in, 10 out", "↑100 ↓10")
		s.lacks("deep in thought", "the goal is a parser")
		s.press("ctrl+o")
		s.shows("thought ▾", "deep in thought", "the goal is a parser")
	})
}

// run does what a command does, all of a batch.
func run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if batch, ok := cmd().(tea.BatchMsg); ok {
		for _, c := range batch {
			run(c)
		}
	}
}

// What is drawn fits at every size, with a plan in any state.
func TestRulerFits(t *testing.T) {
	m := New(t.Context(), Options{Session: port{}, Info: Info{Model: "m", Workspace: "/w"}}, mute{})
	m.Update(events{list: []agent.Event{}})
	for _, text := range []string{"", "短", strings.Repeat("很长的任务", 40), "\x1b[31mred\nlines", strings.Repeat("x", 300)} {
		for _, list := range []string{">", " ", "x ", "?"} {
			m.state.Todos = nil
			for _, s := range list {
				m.state.Todos = append(m.state.Todos, todo(text, s))
			}
			for w := 16; w < 130; w++ {
				if line := m.ruler(w); term.Width(line) != w || strings.ContainsAny(line, "\n") {
					t.Fatalf("%q %q: %d cells at %d: %q", text, list, term.Width(line), w, line)
				}
			}
		}
	}
	if done, current := progress(nil); done != 0 || current != "" {
		t.Error(fmt.Sprint(done, current))
	}
}

func todo(text string, status rune) tools.Todo {
	return tools.Todo{Text: text, Status: map[rune]tools.TodoStatus{'x': tools.Completed, '>': tools.InProgress, ' ': tools.Pending, '?': "paused"}[status]}
}
