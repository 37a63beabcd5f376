package chat

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"aye/agent"
	"aye/llm"
	"aye/tools"
	"aye/tui/tuitest"
)

func todos(statuses string, texts ...string) []tools.Todo {
	list := make([]tools.Todo, len(statuses))
	for i, s := range statuses {
		text := fmt.Sprintf("thing %d", i+1)
		if i < len(texts) {
			text = texts[i]
		}
		status := map[rune]tools.TodoStatus{'x': tools.Completed, '>': tools.InProgress, ' ': tools.Pending}[s]
		list[i] = tools.Todo{ID: fmt.Sprint(i + 1), Text: text, Status: status}
	}
	return list
}

// noted is a call of todo.
func noted(id string, list []tools.Todo) []agent.Event {
	done, title := 0, "all done"
	for _, t := range list {
		if t.Status == tools.Completed {
			done++
		}
		if t.Status == tools.InProgress {
			title = t.Text
		}
	}
	return []agent.Event{
		agent.CallPrepared{CallID: id, Tool: "todo", Title: title},
		ended(id, "todo", tools.OK, tools.View{Kind: tools.Plan, Summary: fmt.Sprintf("%d of %d done", done, len(list)), Todos: list}, "[ ] …"),
	}
}

// planned is a turn with a plan, and with all that aye does by itself.
func planned(s *script) {
	texts := []string{
		"read the parser and its tests",
		"让扫描器在输入结束时检查括号深度,并在错误信息里指出没有关闭的列表是在哪里打开的,包括嵌套的情况",
		"write a test for lists that are never closed, also inside of strings and of comments, where a bracket means nothing and must not be counted; and one for the very long line that made the old scanner slow",
		"运行全部测试",
	}
	s.do(agent.SessionOpened{ID: "1", Workspace: "/w", Model: "m", Mode: agent.Ask},
		agent.PromptQueued{ID: 1, Text: "修好解析器"}, agent.TurnStarted{Turn: 1}, agent.PromptAccepted{ID: 1, Text: "修好解析器"},
		agent.ThoughtStreamed{Text: "First I need a plan."})
	s.now = s.now.Add(8 * time.Second)
	s.do(agent.Replied{Message: llm.Message{Role: llm.Assistant, Blocks: []llm.Block{llm.Thinking{Text: "First I need a plan."}}}})
	s.do(noted("a", todos(">   ", texts...))...)
	s.do(reads("r", "parser.go", " 1–120"), ended("r", "read", tools.OK, tools.View{Summary: "120 lines"}, ""),
		agent.Pruned{CallIDs: []string{"1", "2", "3"}, Before: 80_000, After: 35_000},
		agent.Compacted{Summary: "Goal: 修好解析器.\nChanged: parser.go.\x1b[2J", Dropped: 48, Before: 92_000, After: 11_000, Why: "the context was full"},
		agent.Reminded{Text: "<reminder>Update your todos.</reminder>", Why: "the plan is old"})
	s.do(noted("b", todos("x>  ", texts...))...)
	s.do(said("The scanner checks the depth now."), agent.TurnEnded{Turn: 1, Reason: agent.Finished, Rounds: 4})
}

func TestPlanScreens(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 40}, {80, 24}, {44, 30}, {20, 40}} {
		name := fmt.Sprintf("%dx%d", size[0], size[1])
		t.Run(name, func(t *testing.T) {
			s := newScript(size[0], size[1])
			spending := agent.Meter{Price: func(string, string) (llm.Price, bool) {
				return llm.Price{Rates: llm.Rates{Input: 2, Output: 10}}, true
			}}
			spending.Apply(agent.SessionOpened{})
			spending.Apply(agent.TurnStarted{Turn: 1})
			spending.Apply(agent.Replied{Usage: llm.Usage{Input: 12_400, Cached: 8000, Output: 340}})
			s.m.Watch(&spending)
			planned(s)
			tuitest.Golden(t, "testdata/plan-"+name+".golden", screen(t, s.m))
			s.m.ToggleOutput()
			tuitest.Golden(t, "testdata/planopen-"+name+".golden", screen(t, s.m))
		})
	}
}

// Only the latest plan is open; those before it are one line each.
func TestOnlyTheLatestPlanIsOpen(t *testing.T) {
	t.Parallel()
	s := newScript(80, 30)
	s.do(noted("a", todos(">  ", "first thing"))...)
	if got := screen(t, s.m); !strings.Contains(got, "todo  0 of 3 done\n") || !strings.Contains(got, "▸ first thing\n") || !strings.Contains(got, "○ thing 3\n") {
		t.Errorf("the only plan:\n%s", got)
	}
	s.do(noted("b", todos("x> ", "first thing", "second thing"))...)
	got := screen(t, s.m)
	if strings.Count(got, "first thing") != 2 || !strings.Contains(got, "✓ first thing\n") || strings.Contains(got, "▸ first thing") || strings.Count(got, "thing 3") != 1 {
		t.Errorf("after another:\n%s", got)
	}
	s.do(agent.CallPrepared{CallID: "c", Tool: "todo"}, ended("c", "todo", tools.Failed, tools.View{}, "only one task can be in_progress"))
	if got := screen(t, s.m); !strings.Contains(got, "▸ second thing") || !strings.Contains(got, "only one task can be") {
		t.Errorf("a call that failed closes the plan:\n%s", got)
	}
	s.m.ToggleOutput()
	if got := screen(t, s.m); !strings.Contains(got, "▸ first thing") || strings.Count(got, "thing 3") != 2 {
		t.Errorf("everything open:\n%s", got)
	}
	s.do(agent.Cleared{})
	s.do(noted("d", todos(" "))...)
	if got := screen(t, s.m); !strings.Contains(got, "○ thing 1") {
		t.Errorf("after clear:\n%s", got)
	}
}

// A long plan shows what is worked on; the rest is counted.
func TestLongPlan(t *testing.T) {
	t.Parallel()
	s := newScript(80, 40)
	s.do(noted("a", todos(strings.Repeat("x", 20)+strings.Repeat(" ", 3)+">"+strings.Repeat(" ", 26)))...)
	got := screen(t, s.m)
	for _, want := range []string{"20 of 50 done", "✓ 20 done · ctrl+o\n", "▸ thing 24\n", "○ thing 34\n", "… 19 more to do · ctrl+o\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "thing 35") {
		t.Errorf("too much:\n%s", got)
	}
	s.m.ToggleOutput()
	if got := screen(t, s.m); !strings.Contains(got, "thing 50") {
		t.Errorf("open:\n%s", got)
	}
}

// A plan from an old or a broken journal is drawn, whatever is in it (X4).
func TestStrangePlan(t *testing.T) {
	t.Parallel()
	for _, w := range []int{1, 12, 20, 80} {
		s := newScript(w, 10)
		s.do(ended("a", "todo", tools.OK, tools.View{Kind: tools.Plan, Todos: []tools.Todo{{Text: "a\x1b[31m\nb", Status: "paused"}, {}, {Text: strings.Repeat("宽", 4000), Status: tools.InProgress}}}, ""))
		screen(t, s.m)
		s.m.Plan([]tools.Todo{{Text: "x", Status: "?"}})
		screen(t, s.m)
	}
}

func TestRemarks(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		ev   agent.Event
		want string
		open string
	}{
		{agent.Pruned{CallIDs: []string{"a"}, Before: 80_000, After: 35_000}, "· 1 old output removed from the context, 80k → 35k tokens", ""},
		{agent.Pruned{CallIDs: make([]string, 12)}, "· 12 old outputs removed from the context", ""},
		{agent.Compacted{Summary: "the goal is", Dropped: 48, Before: 92_000, After: 11_000}, "· compacted: 48 messages → summary, 92k → 11k tokens · ctrl+o", "the goal is"},
		{agent.Compacted{Dropped: 2, Before: 92_000, After: 11_000, Why: "the context was full"}, "· compacted, because the context was full: 2 messages → summary, 92k → 11k tokens", ""},
		{agent.Reminded{Text: "<reminder>x</reminder>", Why: "the plan is old"}, "· reminded: the plan is old · ctrl+o", "<reminder>x</reminder>"},
		{agent.Reminded{}, "· the model was reminded", ""},
	} {
		s := newScript(100, 6)
		s.do(test.ev)
		if got := strings.TrimSpace(screen(t, s.m)); got != test.want {
			t.Errorf("%+v: %q, want %q", test.ev, got, test.want)
		}
		s.m.ToggleOutput()
		if got := screen(t, s.m); !strings.Contains(got, test.open) || strings.Contains(got, "ctrl+o") {
			t.Errorf("%+v open:\n%s", test.ev, got)
		}
	}
}

// The end of each turn says what it took, however it ended.
func TestTurnsSayWhatTheyTook(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		ev    agent.TurnEnded
		usage llm.Usage
		known bool
		want  string
	}{
		{agent.TurnEnded{Reason: agent.Finished}, llm.Usage{Input: 1240, Output: 340}, true, "1.2k in, 340 out · $0.0059"},
		{agent.TurnEnded{Reason: agent.Finished}, llm.Usage{Input: 1240, Output: 340}, false, "1.2k in, 340 out"},
		{agent.TurnEnded{Reason: agent.Finished}, llm.Usage{Input: 1240, Output: 5, Estimated: true}, false, "1.2k in, 5 out (estimated)"},
		{agent.TurnEnded{Reason: agent.Finished}, llm.Usage{}, true, ""},
		{agent.TurnEnded{Reason: agent.Cancelled}, llm.Usage{Input: 9, Output: 1}, false, "interrupted\n  9 in, 1 out"},
		{agent.TurnEnded{Reason: agent.Broken, Err: "no network"}, llm.Usage{Input: 9, Output: 1}, false, "✗ No network.\n  9 in, 1 out"},
		{agent.TurnEnded{Reason: agent.Limited, Err: "it loops"}, llm.Usage{Input: 9, Output: 1}, false, "it loops\n  9 in, 1 out"},
	} {
		s := newScript(80, 6)
		m := agent.Meter{Price: func(string, string) (llm.Price, bool) {
			return llm.Price{Rates: llm.Rates{Input: 2, Output: 10}}, test.known
		}}
		s.m.Watch(&m)
		for _, ev := range []agent.Event{agent.SessionOpened{}, agent.TurnStarted{Turn: 1}, agent.Replied{Usage: test.usage}, test.ev} {
			m.Apply(ev)
			s.do(ev)
		}
		if got := strings.TrimSpace(screen(t, s.m)); got != test.want {
			t.Errorf("%+v: %q, want %q", test.ev, got, test.want)
		}
	}
}
