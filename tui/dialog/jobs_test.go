package dialog

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"aye/tools"
	"aye/tui/term"
	"aye/tui/theme"
)

func someJobs() []tools.JobInfo {
	return []tools.JobInfo{
		{ID: 1, Command: "make", Took: 3 * time.Second, Summary: "exit 2 · 3.0 s", Failed: true, Last: "make: *** No rule"},
		{ID: 2, Command: "npm run dev", Running: true, Took: 34 * time.Second, Last: "Local: http://localhost:5173/ \x1b[2J宽"},
		{ID: 3, Command: "true", Took: time.Second, Summary: "exit 0 · 1.0 s"},
		{ID: 4, Command: "go test ./... -run " + strings.Repeat("x", 200), Running: true, Took: 2 * time.Minute},
	}
}

// Those that run come first; s stops the one that is chosen and nothing else.
func TestJobsAreStopped(t *testing.T) {
	t.Parallel()
	var said []string
	say := func(text string) tea.Cmd { said = append(said, text); return nil }
	j := NewJobs(theme.New(true), func() tea.Cmd { return say("list") }, func(id int) tea.Cmd { return say(fmt.Sprint("stop ", id)) })
	var s Stack
	s.Push(j)
	s.Update(key("s")) // nothing is listed yet
	s.ListJobs(someJobs())
	for _, step := range []struct{ key, want string }{
		{"s", "stop 2 list"}, {"down", ""}, {"s", "stop 4 list"}, {"j", ""}, {"s", ""}, {"end", ""}, {"s", ""},
		{"home", ""}, {"up", ""}, {"k", ""}, {"y", ""}, {"enter", ""}, {"s", "stop 2 list"},
	} {
		said = nil
		if outcome, _ := s.Update(key(step.key)); outcome != Kept {
			t.Errorf("%s is %v", step.key, outcome)
		}
		if got := strings.Join(said, " "); got != step.want {
			t.Errorf("%s: %q, want %q", step.key, got, step.want)
		}
	}
	if view := strings.Join(s.View(80, 24), "\n"); !strings.Contains(view, "stopping job 2 …") {
		t.Error(view)
	}
	ended := someJobs()
	ended[1].Running = false
	s.ListJobs(ended) // the choice stays with the job
	if view := strings.Join(s.View(80, 24), "\n"); strings.Contains(view, "stopping") || !strings.Contains(view, "▸") || j.chosen != 2 {
		t.Error(view)
	}
	s.ListJobs(nil)
	if view := strings.Join(s.View(80, 24), "\n"); !strings.Contains(view, "none since aye was opened") {
		t.Error(view)
	}
	if outcome, _ := s.Update(key("q")); outcome != Closed || s.Top() != nil {
		t.Error("q does not close")
	}
}

// While the list is seen it is asked for every second, once, however often it
// came to the top; afterwards not at all.
func TestJobsAreListedEverySecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		j := NewJobs(theme.New(true), func() tea.Cmd { asked++; return nil }, nil)
		_, one := j.Update(Shown{})
		_, two := j.Update(Shown{})
		for _, cmd := range []tea.Cmd{one, two} {
			j.Update(cmd())
		}
		if asked != 1 {
			t.Errorf("asked %d times", asked)
		}
		_, three := j.Update(Shown{})
		j.Update(key("q"))
		if _, cmd := j.Update(three()); cmd != nil || asked != 1 {
			t.Errorf("a closed list asked %d times", asked)
		}
	})
}

// The chosen job is in sight at any size.
func TestChosenJobIsInSight(t *testing.T) {
	t.Parallel()
	j := NewJobs(theme.New(true), nil, nil)
	var many []tools.JobInfo
	for id := range 40 {
		many = append(many, tools.JobInfo{ID: id + 1, Command: fmt.Sprintf("job-%d.", id+1), Running: true, Last: "up"})
	}
	j.take(many)
	for _, size := range [][2]int{{80, 24}, {44, 8}, {20, 4}, {20, 3}} {
		for _, k := range []string{"home", "down", "down", "end", "up", "up", "up", "up", "up", "up", "up", "up", "up", "up", "up", "up", "up", "home"} {
			j.Update(key(k))
			rows := j.View(size[0], size[1])
			if view := strings.Join(rows, "\n"); !strings.Contains(view, "▸") || !strings.Contains(view, fmt.Sprintf("%d  job", j.chosen)) || len(rows) > size[1] {
				t.Fatalf("%v, after %s, job %d:\n%s", size, k, j.chosen, view)
			}
			for _, row := range rows {
				if term.Width(row) > size[0] {
					t.Fatalf("%d cells: %q", term.Width(row), row)
				}
			}
		}
	}
}
