package chat

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"aye/agent"
	"aye/llm"
	"aye/tools"
	"aye/tools/change"
	"aye/tui/term"
	"aye/tui/theme"
	"aye/tui/tuitest"
)

// began is when every scenario begins.
var began = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

// A script plays events into a model, some time apart.
type script struct {
	m   *Model
	now time.Time
}

func newScript(w, h int) *script {
	m := New(theme.New(true))
	m.Resize(w, h)
	return &script{m, began}
}

func (s *script) do(evs ...agent.Event) {
	for _, ev := range evs {
		s.m.Apply(ev, s.now)
		s.now = s.now.Add(100 * time.Millisecond)
	}
}

func said(text string) agent.Replied {
	return agent.Replied{Message: llm.Message{Role: llm.Assistant, Blocks: []llm.Block{llm.Text{Text: text}}}}
}

func effects(kind tools.EffectKind, target string) []tools.Effect {
	return []tools.Effect{{Kind: kind, Target: target}}
}

func reads(id, path, lines string) agent.CallPrepared {
	return agent.CallPrepared{CallID: id, Tool: "read", Title: path + lines, Effects: effects(tools.Read, path)}
}

func runs(id, command string) agent.CallPrepared {
	return agent.CallPrepared{CallID: id, Tool: "shell", Title: term.Cut(command, 60),
		Effects: effects(tools.Exec, command), Preview: tools.View{Kind: tools.Command, Text: command}}
}

func edits(id string, diff change.FileDiff) agent.CallPrepared {
	return agent.CallPrepared{CallID: id, Tool: "edit", Title: diff.Path, Effects: effects(tools.Write, diff.Path),
		Preview: tools.View{Kind: tools.Diff, Diffs: []change.FileDiff{diff}}}
}

func ended(id, tool string, status tools.Status, view tools.View, text string) agent.CallFinished {
	return agent.CallFinished{CallID: id, Tool: tool, Result: tools.Result{Status: status, Text: text, View: view}}
}

func printed(summary, text string, failed bool) tools.View {
	return tools.View{Kind: tools.Output, Summary: summary, Text: text, Failed: failed}
}

var parserDiff = change.FileDiff{Path: "parser.go", Kind: change.Changed, Added: 3, Removed: 1, Hunks: []change.Hunk{{Old: 40, New: 40, Lines: []change.Line{
	{Op: " ", Text: "for i := range s {"},
	{Op: "-", Text: "\tif s[i] == ')' { depth-- }"},
	{Op: "+", Text: "\tif s[i] == ')' && depth > 0 {"},
	{Op: "+", Text: "\t\tdepth--"},
	{Op: "+", Text: "\t}"},
	{Op: " ", Text: "}"},
}}}}

// work is a turn with all that commonly happens in one.
func work(s *script) {
	const task = "fix the failing test in the parser, 并说明原因"
	s.do(agent.SessionOpened{ID: "1", Workspace: "/w", Model: "m", Mode: agent.Ask},
		agent.PromptQueued{ID: 1, Text: task}, agent.TurnStarted{Turn: 1}, agent.PromptAccepted{ID: 1, Text: task},
		agent.ThoughtStreamed{Text: "The test says that "}, agent.ThoughtStreamed{Text: "an unclosed list is no error."})
	s.now = s.now.Add(12 * time.Second)
	s.do(agent.Replied{Message: llm.Message{Role: llm.Assistant, Blocks: []llm.Block{
		llm.Thinking{Text: "The test says that an unclosed list is no error."},
		llm.ToolCall{ID: "a", Name: "read", Args: `{"path":"parser.go"}`},
		llm.ToolCall{ID: "b", Name: "read", Args: `{"path":"parser_test.go"}`}}}},
		reads("a", "parser.go", " 1–120"), reads("b", "parser_test.go", " 1–60"),
		ended("a", "read", tools.OK, tools.View{Summary: "120 lines"}, "package parser"),
		ended("b", "read", tools.OK, tools.View{Summary: "60 lines"}, "package parser"),
		runs("c", "go test ./parser"), agent.ApprovalAsked{CallID: "c", Rule: "shell(go test*)"},
		agent.ApprovalSettled{CallID: "c", Choice: agent.Always, Rule: "shell(go test*)"},
		ended("c", "shell", tools.OK, printed("exit 1 · 2.3 s", strings.Repeat("ok\n", 30)+"--- FAIL: TestUnclosed (0.00s)\n    parser_test.go:41: want error, got nil\nFAIL\n", true), ""))
	const answer = "The scanner returns at the end of input **without** checking `depth`.\n\n- 它在输入结束时返回,没有检查深度,所以没有关闭的列表不会被发现。\n- I will report where the list was opened.\n"
	s.do(agent.TextStreamed{Text: "\n\nThe scanner returns at the end "}, agent.TextStreamed{Text: "of input **without** checking"}, said(answer),
		edits("d", parserDiff), agent.ApprovalAsked{CallID: "d"}, agent.ApprovalSettled{CallID: "d", Choice: agent.Allow},
		agent.ChangeCommitted{CallID: "d", Files: []agent.ChangedFile{{Path: "parser.go", Kind: change.Changed, Added: 3, Removed: 1}}},
		ended("d", "edit", tools.OK, tools.View{}, "edited parser.go"),
		runs("e", "rm -rf build"), agent.ApprovalAsked{CallID: "e"},
		agent.ApprovalSettled{CallID: "e", Choice: agent.Deny, Note: "keep it, it is slow to make"},
		ended("e", "shell", tools.Denied, tools.View{}, "The user denied this call."),
		ended("f", "raed", tools.Failed, tools.View{}, "There is no tool raed; the nearest is read."),
		said("It passes now."), agent.TurnEnded{Turn: 1, Reason: agent.Finished, Rounds: 4})
}

// more is what may stand at the end: a command of the person's, a running
// call, a prompt that waits.
func more(s *script) {
	s.do(agent.CommandStarted{ID: "!1", Command: "git status --short", Share: true},
		agent.CommandFinished{ID: "!1", Result: tools.Result{Status: tools.OK, View: printed("exit 0", " M parser.go\n", false)}},
		agent.Noted{Level: agent.Warn, Text: "the journal could not be written: no space left on the disk; aye goes on when there is"},
		agent.PromptQueued{ID: 2, Text: "and run the linter"}, agent.TurnStarted{Turn: 2}, agent.PromptAccepted{ID: 2, Text: "and run the linter"},
		runs("g", "golangci-lint run"), agent.CallProgress{CallID: "g", Text: "linting\n"}, agent.CallProgress{CallID: "g", Text: "parser.go:3: unused\n"},
		agent.PromptQueued{ID: 3, Text: "then commit it\nwith a good message"})
	s.m.Tick(s.now.Add(4 * time.Second))
}

// screen returns the window without colours, and fails where it breaks what
// Model promises of every frame.
func screen(t *testing.T, m *Model) string {
	t.Helper()
	view := m.View()
	rows := strings.Split(view, "\n")
	if len(rows) != max(1, m.h) {
		t.Fatalf("%d rows, want %d", len(rows), m.h)
	}
	for _, row := range rows {
		if w := term.Width(row); w > m.w {
			t.Fatalf("a row of %d cells in a window of %d: %q", w, m.w, row)
		}
	}
	for i, row := range rows {
		if all := colours.FindAllString(row, -1); len(all) > 0 && all[len(all)-1] != "\x1b[0m" && all[len(all)-1] != "\x1b[m" {
			t.Fatalf("a row leaves its colour on: %q", row)
		}
		rows[i] = strings.TrimRight(colours.ReplaceAllString(row, ""), " ")
		for _, r := range rows[i] {
			if r < ' ' || r >= 0x7f && r < 0xa0 {
				t.Fatalf("control character %U on the screen: %q", r, row)
			}
		}
	}
	return strings.Join(rows, "\n") + "\n"
}

// colours is all that may reach the terminal besides text.
var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

func TestScreens(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 40}, {80, 24}, {44, 14}, {20, 6}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			s := newScript(size[0], size[1])
			work(s)
			name := fmt.Sprintf("%dx%d", size[0], size[1])
			tuitest.Golden(t, "testdata/work-"+name+".golden", screen(t, s.m))
			more(s)
			tuitest.Golden(t, "testdata/more-"+name+".golden", screen(t, s.m))
			s.m.Page(-1)
			tuitest.Golden(t, "testdata/up-"+name+".golden", screen(t, s.m))
			s.m.ToggleOutput()
			s.m.Home()
			tuitest.Golden(t, "testdata/open-"+name+".golden", screen(t, s.m))
		})
	}
}

func TestWideScreen(t *testing.T) {
	t.Parallel()
	s := newScript(300, 60)
	work(s)
	more(s)
	for _, row := range strings.Split(screen(t, s.m), "\n") {
		if w := term.Width(row); w > term.TextWidth+2 {
			t.Errorf("%d cells of text on a wide screen: %q", w, row)
		}
	}
}
