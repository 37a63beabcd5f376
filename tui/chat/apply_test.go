package chat

import (
	"strings"
	"testing"
	"time"

	"aye/agent"
	"aye/llm"
	"aye/tools"
)

func durationOf(ms int) time.Duration { return time.Duration(ms) * time.Millisecond }

// What was streamed and what was said in the end are one thing, shown once;
// without the streaming it looks the same.
func TestStreamedAndWholeAreTheSame(t *testing.T) {
	t.Parallel()
	whole := agent.Replied{Message: llm.Message{Role: llm.Assistant, Blocks: []llm.Block{
		llm.Thinking{Text: "let me see"}, llm.Text{Text: "First."}, llm.Thinking{Text: "hm"}, llm.Text{Text: "Second."}}}}
	live := newScript(60, 20)
	live.do(agent.TurnStarted{Turn: 1}, agent.ThoughtStreamed{Text: "let me"}, agent.ThoughtStreamed{Text: " see"},
		agent.TextStreamed{Text: "  \n"}, agent.TextStreamed{Text: "Fir"}, agent.TextStreamed{Text: "st."},
		agent.Noted{Level: agent.Info, Text: "by the way"},
		agent.ThoughtStreamed{Text: "hm"}, agent.TextStreamed{Text: "Second."})
	screen(t, live.m)
	live.do(whole)
	got := screen(t, live.m)
	for _, want := range []string{"First.", "Second.", "by the way"} {
		if strings.Count(got, want) != 1 {
			t.Errorf("%q is there %d times:\n%s", want, strings.Count(got, want), got)
		}
	}
	replayed := newScript(60, 20)
	replayed.do(agent.TurnStarted{Turn: 1}, whole)
	if view := screen(t, replayed.m); strings.Count(view, "thought") != 2 || !strings.Contains(view, "First.") {
		t.Errorf("replayed:\n%s", view)
	}
}

// The reply's own words win over what was streamed.
func TestReplyCorrectsTheStream(t *testing.T) {
	t.Parallel()
	s := newScript(60, 10)
	s.do(agent.TextStreamed{Text: "half a sen"})
	screen(t, s.m)
	s.do(said("A whole sentence."))
	if got := screen(t, s.m); strings.Contains(got, "half") || !strings.Contains(got, "A whole sentence.") {
		t.Error(got)
	}
}

func TestBlankTextIsNotShown(t *testing.T) {
	t.Parallel()
	s := newScript(60, 10)
	s.do(agent.TextStreamed{Text: "\n\n"}, said("\n\n"), reads("a", "a.go", ""), ended("a", "read", tools.OK, tools.View{Summary: "3 lines"}, ""),
		agent.TextStreamed{Text: " \n"}, said(" "), reads("b", "b.go", ""), ended("b", "read", tools.OK, tools.View{Summary: "4 lines"}, ""))
	if got := screen(t, s.m); !strings.Contains(got, "read  a.go · b.go") || !strings.Contains(got, "2 files") {
		t.Errorf("reads of two rounds without a word between do not share a line:\n%s", got)
	}
}

func TestCallLines(t *testing.T) {
	t.Parallel()
	ok := func(v tools.View, text string) agent.CallFinished { return ended("a", "shell", tools.OK, v, text) }
	tests := []struct {
		name string
		evs  []agent.Event
		want []string
		not  []string
	}{
		{"running", []agent.Event{runs("a", "make")}, []string{"shell make", "…"}, nil},
		{"asked", []agent.Event{runs("a", "make"), agent.ApprovalAsked{CallID: "a"}}, []string{"waiting for you"}, nil},
		{"done", []agent.Event{runs("a", "make"), ok(printed("exit 0", "built\n", false), "")}, []string{"exit 0", "built"}, nil},
		{"the last rows", []agent.Event{runs("a", "make"), ok(printed("exit 0", strings.Repeat("row\n", 20)+"last\n", false), "")}, []string{"… 16 more rows", "last"}, nil},
		{"one row too many is no fold", []agent.Event{runs("a", "make"), ok(printed("exit 0", strings.Repeat("row\n", 6), false), "")}, nil, []string{"more"}},
		{"no view: the text", []agent.Event{runs("a", "x"), ok(tools.View{}, "three files match")}, []string{"three files match"}, nil},
		{"summary alone", []agent.Event{runs("a", "x"), ok(tools.View{Summary: "12 lines"}, "the text")}, []string{"12 lines"}, []string{"the text"}},
		{"failed", []agent.Event{runs("a", "x"), ended("a", "shell", tools.Failed, tools.View{}, "There is no file x; try y.")}, []string{"failed", "There is no file x; try y."}, nil},
		{"failed with a summary", []agent.Event{runs("a", "x"), ended("a", "shell", tools.Failed, tools.View{Summary: "no such file"}, "There is no file x; try y.")}, []string{"no such file", "try y."}, nil},
		{"never prepared", []agent.Event{
			agent.Replied{Message: llm.Message{Role: llm.Assistant, Blocks: []llm.Block{llm.ToolCall{ID: "a", Name: "shel", Args: `{"cmd":"ls"}`}}}},
			ended("a", "shel", tools.Failed, tools.View{}, "There is no tool shel.")}, []string{`shel  ls `, "failed", "There is no tool shel."}, nil},
		{"denied", []agent.Event{runs("a", "x"), agent.ApprovalAsked{CallID: "a"}, agent.ApprovalSettled{CallID: "a", Choice: agent.Deny, Note: "too slow"},
			ended("a", "shell", tools.Denied, tools.View{}, "The user denied this call: too slow")}, []string{"denied", "too slow"}, []string{"The user"}},
		{"interrupted", []agent.Event{runs("a", "x"), agent.CallProgress{CallID: "a", Text: "so far\n"}, ended("a", "shell", tools.Interrupted, printed("", "so far\n", false), "")}, []string{"interrupted", "so far"}, nil},
		{"a rule was added", []agent.Event{runs("a", "x"), agent.ApprovalSettled{CallID: "a", Choice: agent.Always, Rule: "shell(x*)"}, ok(tools.View{Summary: "exit 0"}, "")}, []string{"from now on in this session: shell(x*)"}, nil},
		{"a diff", []agent.Event{edits("a", parserDiff), ended("a", "edit", tools.OK, tools.View{Summary: "+3 −1"}, "done")}, []string{"edit  parser.go", "+3 −1", "depth > 0"}, []string{"done"}},
		{"the turn ended without a result", []agent.Event{agent.TurnStarted{Turn: 1}, runs("a", "x"), agent.TurnEnded{Turn: 1, Reason: agent.Cancelled}}, []string{"interrupted"}, nil},
		{"an id of no call", []agent.Event{agent.CallProgress{CallID: "?", Text: "lost"}, agent.ApprovalAsked{CallID: "?"}}, nil, []string{"lost"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newScript(80, 30)
			s.do(test.evs...)
			got := screen(t, s.m)
			for _, want := range test.want {
				if !strings.Contains(got, want) {
					t.Errorf("no %q in\n%s", want, got)
				}
			}
			for _, not := range test.not {
				if strings.Contains(got, not) {
					t.Errorf("%q in\n%s", not, got)
				}
			}
		})
	}
}

func TestJoinedReads(t *testing.T) {
	t.Parallel()
	s := newScript(80, 20)
	s.do(reads("a", "a.go", ""), reads("b", "b.go", ""), reads("c", "c.go", ""))
	if got := screen(t, s.m); !strings.Contains(got, "read  a.go · b.go · c.go") {
		t.Errorf("while they run:\n%s", got)
	}
	s.do(ended("b", "read", tools.Failed, tools.View{}, "There is no file b.go."),
		ended("a", "read", tools.OK, tools.View{Summary: "1 line"}, ""), ended("c", "read", tools.OK, tools.View{Summary: "2 lines"}, ""))
	got := screen(t, s.m)
	for _, want := range []string{"read  a.go", "1 line", "read  b.go", "There is no file b.go.", "read  c.go", "2 lines"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestQueue(t *testing.T) {
	t.Parallel()
	s := newScript(60, 20)
	s.do(agent.PromptQueued{ID: 1, Text: "one"}, agent.PromptQueued{ID: 2, Text: "two"}, said("An answer."))
	got := screen(t, s.m)
	if strings.Index(got, "An answer.") > strings.Index(got, "▍one") || !strings.Contains(got, "queued") {
		t.Errorf("what waits is not last:\n%s", got)
	}
	s.do(agent.PromptWithdrawn{ID: 1}, agent.PromptAccepted{ID: 2, Text: "two"})
	got = screen(t, s.m)
	if strings.Contains(got, "one") || strings.Contains(got, "queued") || strings.Count(got, "▍two") != 1 {
		t.Error(got)
	}
}

func TestTurnEnds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		ev   agent.TurnEnded
		want string
	}{
		{agent.TurnEnded{Reason: agent.Finished, Rounds: 2}, ""},
		{agent.TurnEnded{Reason: agent.Cancelled}, "interrupted"},
		{agent.TurnEnded{Reason: agent.Limited, Rounds: 5, Err: "stopped: the model repeated itself"}, "stopped: the model repeated itself"},
		{agent.TurnEnded{Reason: agent.Limited, Rounds: 25}, `stopped at the limit after 24 rounds; say "go on" for more`},
		{agent.TurnEnded{Reason: agent.Broken, Err: "The server at 127.0.0.1 closed the connection."}, "✗ The server at 127.0.0.1 closed the connection."},
		{agent.TurnEnded{Reason: agent.Broken}, "✗ The turn failed."},
	} {
		s := newScript(80, 5)
		s.do(agent.TurnStarted{Turn: 1}, test.ev)
		if got := strings.TrimSpace(screen(t, s.m)); got != test.want {
			t.Errorf("%v: %q", test.ev, got)
		}
	}
}

func TestClear(t *testing.T) {
	t.Parallel()
	s := newScript(60, 10)
	work(s)
	screen(t, s.m)
	s.m.Page(-1)
	s.do(agent.Cleared{})
	if got := strings.TrimSpace(screen(t, s.m)); got != "" || !s.m.following {
		t.Errorf("left after Clear: %q", got)
	}
	s.do(said("Anew."))
	if got := screen(t, s.m); !strings.Contains(got, "Anew.") {
		t.Error(got)
	}
}

// What a command prints is bounded while it runs, and after.
func TestOutputIsBounded(t *testing.T) {
	t.Parallel()
	s := newScript(80, 20)
	s.do(runs("a", "yes"))
	c := s.m.calls["a"].call
	chunk := strings.Repeat("a row of output\n", 512)
	for i := range 1000 {
		s.do(agent.CallProgress{CallID: "a", Text: chunk})
		if i%100 == 0 {
			screen(t, s.m)
		}
		if cap(c.live.kept) > 8*keptTail {
			t.Fatalf("%d bytes are held of a running command", cap(c.live.kept))
		}
	}
	if got := screen(t, s.m); !strings.Contains(got, "… 511,995 rows above") {
		t.Error(got)
	}
	s.do(ended("a", "shell", tools.OK, printed("exit 0", strings.Repeat(chunk, 300), false), strings.Repeat("x", 3<<20)))
	if n := len(c.result.View.Text) + len(c.result.Text); n > 2*keptText+200 {
		t.Errorf("%d bytes are held of a finished command", n)
	}
	screen(t, s.m)
}

// How a command of the person's ended is said, its time limit too (W33).
func TestCommandsOfThePersonEnd(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		result tools.Result
		want   []string
	}{
		{tools.Result{Status: tools.OK, View: printed("exit 0", "done\n", false)}, []string{"exit 0", "done"}},
		{tools.Result{Status: tools.OK, View: printed("exit 3", "bad\n", true)}, []string{"exit 3", "bad"}},
		{tools.Result{Status: tools.Failed, Text: "exit_code=-15\n[time limit of 60 s reached]\nso far\n", View: printed("time limit · 60.0 s", "[time limit of 60 s reached]\nso far\n", true)}, []string{"time limit", "so far"}},
		{tools.Result{Status: tools.Interrupted, View: printed("interrupted · 2.0 s", "so far\n", true)}, []string{"interrupted", "so far"}},
	} {
		s := newScript(80, 12)
		s.do(agent.CommandStarted{ID: "!1", Command: "make all"}, agent.CommandFinished{ID: "!1", Result: test.result})
		got := screen(t, s.m)
		for _, want := range append(test.want, "make all") {
			if !strings.Contains(got, want) {
				t.Errorf("no %q in\n%s", want, got)
			}
		}
	}
}

// A command is broken only where the screen makes it: what stands at the right
// end gets a row of its own before the command is cut in two. What is folded
// away says in whole words how to see it.
func TestCommandIsNotBrokenForItsStatus(t *testing.T) {
	t.Parallel()
	s := newScript(44, 14)
	s.do(runs("a", "git push origin main --force"), agent.ApprovalAsked{CallID: "a"})
	if got := screen(t, s.m); !strings.Contains(got, "shell git push origin main --force") || !strings.Contains(got, "waiting for you") {
		t.Errorf("the command is broken:\n%s", got)
	}
	s = newScript(44, 14)
	s.do(runs("a", strings.Repeat("echo step\n", 9)+"echo last"), agent.ApprovalAsked{CallID: "a"})
	if got := screen(t, s.m); !strings.Contains(got, "… 7 more rows · ctrl+o") || !strings.Contains(got, "waiting for you") {
		t.Errorf("the fold is not named whole:\n%s", got)
	}
}
