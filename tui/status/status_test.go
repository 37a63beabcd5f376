package status

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"aye/agent"
	"aye/llm"
	"aye/tui/term"
	"aye/tui/theme"
)

var began = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

func facts() Facts {
	return Facts{Workspace: "/home/u/src/app", Home: "/home/u", Branch: "main*", Model: "qwen3-coder", Window: 128_000, Hint: "? keys"}
}

// colours is all that may reach the terminal besides text.
var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// at draws the line, checks what it promises of any, and returns it plain.
func at(t *testing.T, m *Model, w int, now time.Time) string {
	t.Helper()
	line := m.View(w, now)
	if strings.Contains(line, "\n") || term.Width(line) > w {
		t.Fatalf("%d cells where %d are allowed: %q", term.Width(line), w, line)
	}
	plain := colours.ReplaceAllString(line, "")
	for _, r := range plain {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			t.Fatalf("control character %U in %q", r, plain)
		}
	}
	return plain
}

func usage(in, out int) agent.Replied {
	return agent.Replied{Usage: llm.Usage{Input: in, Output: out}}
}

func TestWords(t *testing.T) {
	t.Parallel()
	start := agent.TurnStarted{Turn: 1}
	for _, test := range []struct {
		name string
		evs  []agent.Event
		want string // after 12 s
		busy bool
	}{
		{"idle", nil, "? keys", false},
		{"turn", []agent.Event{start}, "waiting for the model 12 s", true},
		{"model", []agent.Event{start, agent.Waiting{For: agent.ForModel}}, "waiting for the model 12 s", true},
		{"thinking", []agent.Event{start, agent.ThoughtStreamed{Text: "hm"}}, "thinking 12 s", true},
		{"answering", []agent.Event{start, agent.Waiting{For: agent.ForAnswer}, agent.TextStreamed{Text: "a"}}, "answering 12 s", true},
		{"a call", []agent.Event{start, agent.Waiting{For: agent.ForCall, Detail: "edit"}, agent.CallStreamed{CallID: "a", Tool: "edit", Bytes: 2100}}, "writing a call: edit 2.1 KB 12 s", true},
		{"two calls", []agent.Event{start, agent.CallStreamed{CallID: "a", Tool: "edit", Bytes: 500}, agent.CallStreamed{CallID: "b", Tool: "read", Bytes: 20}}, "writing 2 calls: read 520 B 12 s", true},
		{"a tool", []agent.Event{start, agent.Waiting{For: agent.ForTool, Detail: "shell go test ./..."}}, "running shell go test ./... 12 s", true},
		{"asked", []agent.Event{start, agent.ApprovalAsked{CallID: "a"}, agent.Waiting{For: agent.ForApproval}}, "? waiting for your answer 12 s", true},
		{"retry", []agent.Event{start, agent.Waiting{For: agent.ForRetry, Detail: "rate limit (attempt 2 of 4)", Until: began.Add(20 * time.Second)}}, "retry in 8 s: rate limit (attempt 2 of 4)", true},
		{"retry over", []agent.Event{start, agent.Waiting{For: agent.ForRetry, Detail: "busy", Until: began.Add(2 * time.Second)}}, "retry: busy", true},
		{"ended", []agent.Event{start, agent.TurnEnded{Turn: 1}}, "? keys", false},
		{"late text", []agent.Event{start, agent.TurnEnded{Turn: 1}, agent.TextStreamed{Text: "late"}}, "? keys", false},
		{"a command", []agent.Event{agent.CommandStarted{ID: "1", Command: "git status"}}, "running git status 12 s", true},
		{"a command ended", []agent.Event{agent.CommandStarted{ID: "1", Command: "a"}, agent.CommandStarted{ID: "2", Command: "b"}, agent.CommandFinished{ID: "2"}}, "running a 12 s", true},
	} {
		m := New(theme.New(true), facts())
		for _, ev := range test.evs {
			m.Apply(ev, began)
		}
		if got := at(t, m, 160, began.Add(12*time.Second)); !strings.Contains(got, test.want+"  ") {
			t.Errorf("%s: no %q in %q", test.name, test.want, got)
		}
		if m.Busy() != test.busy {
			t.Errorf("%s: busy is %v", test.name, m.Busy())
		}
	}
}

// When and why come first, so that a narrow line cuts only the sentence.
func TestRetryOnANarrowLine(t *testing.T) {
	t.Parallel()
	m := New(theme.New(true), facts())
	m.Apply(agent.TurnStarted{Turn: 1}, began)
	m.Apply(agent.Waiting{For: agent.ForRetry, Detail: "rate limit: " + strings.Repeat("slow down, ", 20), Until: began.Add(20 * time.Second)}, began)
	if got := at(t, m, 80, began); !strings.Contains(got, "retry in 20 s: rate limit: slow") {
		t.Error(got)
	}
}

// The clock tells how long the present phase lasts; more of the same goes on.
func TestClock(t *testing.T) {
	t.Parallel()
	m := New(theme.New(true), facts())
	m.Apply(agent.TurnStarted{Turn: 1}, began)
	for s := range 90 {
		m.Apply(agent.TextStreamed{Text: "x"}, began.Add(time.Duration(5+s)*time.Second))
	}
	if got := at(t, m, 160, began.Add(95*time.Second)); !strings.Contains(got, "answering 1 m 30 s") {
		t.Error(got)
	}
	m.Apply(agent.Waiting{For: agent.ForTool, Detail: "read a"}, began.Add(95*time.Second))
	m.Apply(agent.Waiting{For: agent.ForTool, Detail: "read b"}, began.Add(99*time.Second))
	if got := at(t, m, 160, began.Add(100*time.Second)); !strings.Contains(got, "running read b 1 s") {
		t.Error(got)
	}
}

func TestRight(t *testing.T) {
	t.Parallel()
	m := New(theme.New(true), facts())
	if got := at(t, m, 120, began); !strings.HasSuffix(got, "~/src/app main*   ask   qwen3-coder") {
		t.Errorf("before anything was said: %q", got)
	}
	m.Apply(usage(12_000, 400), began)
	m.Apply(usage(13_000, 100), began)
	m.Apply(agent.ModeSet{Mode: agent.Full}, began)
	if got := at(t, m, 120, began); !strings.HasSuffix(got, "~/src/app main*   full   qwen3-coder   13.1k/128k 10 %   ↑25k ↓500") {
		t.Errorf("%q", got)
	}
	m.Apply(agent.Replied{Usage: llm.Usage{Input: 90_000, Output: 10_000, Estimated: true}}, began)
	m.SetFacts(Facts{Model: "m"})
	if got := at(t, m, 120, began); !strings.Contains(got, "m   ~100k   ") {
		t.Errorf("estimated, of an unknown window: %q", got)
	}
	m.Apply(agent.Cleared{}, began)
	if got := at(t, m, 120, began); strings.Contains(got, "~100k") {
		t.Errorf("a cleared conversation still fills the context: %q", got)
	}
}

// What fits less is left out, least important first; the mode never.
func TestPriorities(t *testing.T) {
	t.Parallel()
	m := New(theme.New(true), facts())
	m.Apply(usage(12_000, 400), began)
	m.Apply(agent.TurnStarted{Turn: 1}, began)
	m.Apply(agent.Waiting{For: agent.ForApproval}, began)
	now := began.Add(12 * time.Second)
	have := []string{"waiting", "ask", "9 %", "qwen3-coder", "~/src/app", "↑12k"}
	last := len(have)
	for w := 130; w > 0; w-- {
		line := at(t, m, w, now)
		n := 0
		for n < len(have) && strings.Contains(line, have[n]) {
			n++
		}
		for _, part := range have[n:] {
			if w > 30 && strings.Contains(line, part) {
				t.Errorf("at width %d %q is there, %q is not: %q", w, part, have[n], line)
			}
		}
		if n > last && w != 47 { // where the margin ends
			t.Errorf("at width %d there is more than at %d: %q", w, w+1, line)
		}
		last = n
		if w >= 3 && !strings.Contains(line, "ask") {
			t.Errorf("at width %d the mode is not there: %q", w, line)
		}
		if w >= 36 && !strings.Contains(line, "12 s") {
			t.Errorf("at width %d the seconds are not there: %q", w, line)
		}
	}
	if last > 2 {
		t.Errorf("%d parts in one cell", last)
	}
}

func TestPlace(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ path, home, branch, want string }{
		{"/home/u", "/home/u", "", "~"},
		{"/home/u/x", "/home/u", "", "~/x"},
		{"/home/user2/x", "/home/u", "", "/home/user2/x"},
		{"/srv/x", "", "main", "/srv/x main"},
		{"/a/very/long/path/to/some/workspace/app", "", "", "…/path/to/some/workspace/app"},
		{"/a/very/long/path/to/some/workspace/app", "", "main", "…/to/some/workspace/app main"},
		{"/a-folder-with-a-name-that-is-longer-than-all-there-is", "", "", "a-folder-with-a-name-that-is-lo…"},
		{"/x", "", "a-branch-with-a-very-long-name", "/x a-branch-with-a…"},
	} {
		m := New(theme.New(true), Facts{Workspace: test.path, Home: test.home, Branch: test.branch})
		if got := m.place(); got != test.want {
			t.Errorf("%s: %q, want %q", test.path, got, test.want)
		}
	}
}

func TestSpinnerMoves(t *testing.T) {
	t.Parallel()
	m := New(theme.New(true), facts())
	if at(t, m, 80, began) != at(t, m, 80, began.Add(Beat)) {
		t.Error("an idle line moves")
	}
	m.Apply(agent.TurnStarted{Turn: 1}, began)
	seen := map[string]bool{}
	for i := range 8 {
		seen[at(t, m, 80, began.Add(time.Duration(i)*Beat))] = true
	}
	if len(seen) != 8 {
		t.Errorf("%d different frames in 8 beats", len(seen))
	}
}

// Any event, any bytes, any width: one row within its bounds.
func FuzzView(f *testing.F) {
	f.Add("go test", "main", 80)
	f.Add("\x1b]52;c;x\a\u202e\nrm", "宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽宽", 33)
	f.Fuzz(func(t *testing.T, text, name string, w int) {
		if w < 0 || w > 400 || len(text)+len(name) > 4000 {
			return
		}
		m := New(theme.New(true), Facts{Workspace: "/" + text, Home: name, Branch: name, Model: text, Window: len(text)})
		for i, ev := range []agent.Event{
			agent.SessionOpened{Workspace: text, Model: name, Mode: agent.Mode(text)}, agent.CommandStarted{ID: name, Command: text},
			agent.TurnStarted{Turn: 1}, agent.CallStreamed{CallID: text, Tool: name, Bytes: len(text)}, usage(len(text)*1000, w),
			agent.Waiting{For: agent.ForTool, Detail: text}, agent.Waiting{For: agent.ForRetry, Detail: text, Until: began.Add(time.Hour)},
			agent.Waiting{For: agent.Phase(name)}, agent.ApprovalAsked{CallID: text}, agent.TurnEnded{Turn: 1}, agent.CommandFinished{ID: name},
		} {
			m.Apply(ev, began)
			at(t, m, w, began.Add(time.Duration(i)*time.Minute))
		}
	})
}

func ExampleModel_View() {
	m := New(theme.New(true), Facts{Workspace: "/home/u/src/app", Home: "/home/u", Branch: "main*", Model: "qwen3-coder", Window: 128_000})
	m.Apply(agent.TurnStarted{Turn: 1}, began)
	m.Apply(usage(12_000, 400), began)
	m.Apply(agent.ApprovalAsked{CallID: "a"}, began)
	fmt.Println(ansi.Strip(m.View(96, began.Add(12*time.Second))))
	// Output:
	// ? waiting for your answer 12 s          ~/src/app main*   ask   qwen3-coder   12.4k/128k 9 %
}

// Whoever waits learns how to stop it, where there is room; at a question Esc
// is an answer.
func TestStop(t *testing.T) {
	t.Parallel()
	m := New(theme.New(true), Facts{Model: "m", Stop: "esc stops"})
	m.Apply(agent.TurnStarted{Turn: 1}, began)
	now := began.Add(12 * time.Second)
	for _, w := range []int{120, 80, 44} {
		if got := at(t, m, w, now); strings.Contains(got, "12 s  esc stops ") != (w > 44) {
			t.Errorf("at width %d: %q", w, got)
		}
	}
	m.Apply(agent.ApprovalAsked{CallID: "a"}, began)
	m.Apply(agent.Waiting{For: agent.ForApproval}, began)
	if got := at(t, m, 120, now); strings.Contains(got, "esc") {
		t.Errorf("at a question: %q", got)
	}
	m.Apply(agent.TurnEnded{Turn: 1}, began)
	if got := at(t, m, 120, now); strings.Contains(got, "esc") {
		t.Errorf("idle: %q", got)
	}
}

// What aye takes out of the conversation is no longer in the context.
func TestCompactionEmptiesTheContext(t *testing.T) {
	t.Parallel()
	for _, ev := range []agent.Event{agent.Pruned{Before: 92_000, After: 11_000}, agent.Compacted{Before: 92_000, After: 11_000}, agent.Compacted{Before: 92_000, After: 11_000, Usage: llm.Usage{Input: 8000, Output: 100, Estimated: true}}} {
		m := New(theme.New(true), facts())
		m.Apply(usage(92_000, 400), began)
		m.Apply(ev, began)
		spent := "↑92k ↓400"
		if c, ok := ev.(agent.Compacted); ok && c.Usage.Input > 0 { // the summary was asked for too
			spent = "↑~100k ↓~500"
		}
		if got := at(t, m, 120, began); !strings.Contains(got, "~11k/128k 8 %   "+spent) {
			t.Errorf("after %T: %q", ev, got)
		}
	}
}

// Jobs are counted at the right, and are left out where it is narrow: before
// the place, after what was spent, which is no news.
func TestJobs(t *testing.T) {
	t.Parallel()
	m := New(theme.New(true), facts())
	m.Apply(usage(12_000, 400), began)
	for _, step := range []struct {
		ev   agent.Event
		want string
	}{
		{agent.JobStarted{ID: 1, Command: "npm run dev"}, "  1 job   ~"},
		{agent.JobStarted{ID: 2, Command: "make"}, "  2 jobs   ~"},
		{agent.JobEnded{ID: 1}, "  1 job   ~"},
		{agent.JobEnded{ID: 1}, "  1 job   ~"},
		{agent.JobEnded{ID: 2}, "? keys     "},
	} {
		m.Apply(step.ev, began)
		if got := at(t, m, 120, began); !strings.Contains(got, step.want) {
			t.Errorf("after %#v: %q", step.ev, got)
		}
		if m.Busy() {
			t.Error("jobs let the line spin")
		}
	}
	m.Apply(agent.JobStarted{ID: 3}, began)
	gone := false
	for w := 120; w > 10; w-- {
		line := at(t, m, w, began)
		shown := strings.Contains(line, "1 job")
		if shown && (gone || !strings.Contains(line, "app main*")) || !shown && strings.Contains(line, "↑12k") {
			t.Fatalf("at %d cells: %q", w, line)
		}
		gone = gone || !shown
	}
	if !gone {
		t.Error("it is never left out")
	}
}

// What a summary took is part of the total.
func TestTotalIsOfAllRequests(t *testing.T) {
	t.Parallel()
	m := New(theme.New(true), facts())
	meter := &agent.Meter{}
	m.Watch(meter)
	for _, ev := range []agent.Event{usage(92_000, 400), agent.Compacted{Before: 92_000, After: 11_000, Usage: llm.Usage{Input: 50_000, Output: 600}}} {
		meter.Apply(ev)
		m.Apply(ev, began)
	}
	if got := at(t, m, 120, began); !strings.Contains(got, "↑142k ↓1k") {
		t.Errorf("%q", got)
	}
}
