package dialog

import (
	"fmt"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"aye/tools"
	"aye/tui/term"
	"aye/tui/theme"
)

// Jobs lists the background jobs on the whole screen, and stops the one that is
// chosen. While it is seen it asks anew every second.
type Jobs struct {
	th   theme.Theme
	list func() tea.Cmd
	stop func(id int) tea.Cmd

	jobs   []tools.JobInfo // those that run first
	listed bool            // there was an answer
	chosen int             // the id
	shown  int             // how often the dialog came to the top
	said   string          // above the keys: why a key did nothing
	page   page
}

const lookEvery = time.Second

// lookAgain is the message that a second has passed.
type lookAgain struct {
	in    *Jobs
	shown int
}

// NewJobs returns a list that is still empty. list asks for the answer that
// [Stack.ListJobs] brings, stop has a job ended.
func NewJobs(th theme.Theme, list func() tea.Cmd, stop func(id int) tea.Cmd) *Jobs {
	return &Jobs{th: th, list: list, stop: stop}
}

// ListJobs brings how all jobs are doing to the lists that are open.
func (s *Stack) ListJobs(jobs []tools.JobInfo) {
	for _, d := range s.open {
		if j, ok := d.(*Jobs); ok {
			j.take(jobs)
		}
	}
}

// take orders jobs: those that run by number, then the others, the latest
// first.
func (j *Jobs) take(jobs []tools.JobInfo) {
	j.jobs, j.listed = slices.Clone(jobs), true
	slices.SortFunc(j.jobs, func(a, b tools.JobInfo) int {
		switch {
		case a.Running != b.Running && a.Running:
			return -1
		case a.Running != b.Running:
			return 1
		case a.Running:
			return a.ID - b.ID
		}
		return b.ID - a.ID
	})
	i := j.index()
	if i < 0 || !j.jobs[i].Running {
		j.said = ""
	}
	if i < 0 {
		j.chosen = 0
		if len(j.jobs) > 0 {
			j.chosen = j.jobs[0].ID
		}
	}
}

// index is where the chosen job is in the list, -1 when it is not there.
func (j *Jobs) index() int {
	return slices.IndexFunc(j.jobs, func(one tools.JobInfo) bool { return one.ID == j.chosen })
}

// Update moves the choice; s stops the chosen job, q and Esc close.
func (j *Jobs) Update(msg tea.Msg) (Outcome, tea.Cmd) {
	switch msg := msg.(type) {
	case theme.Theme:
		j.th = msg
	case Shown:
		j.shown++
		return Kept, j.look()
	case lookAgain:
		if msg.in == j && msg.shown == j.shown {
			return Kept, tea.Batch(j.list(), j.look())
		}
	case Wheel:
		j.move(max(-1, min(int(msg), 1)))
	case tea.KeyMsg:
		return j.key(msg.String())
	}
	return Kept, nil
}

func (j *Jobs) look() tea.Cmd {
	again := lookAgain{j, j.shown}
	return tea.Tick(lookEvery, func(time.Time) tea.Msg { return again })
}

func (j *Jobs) key(key string) (Outcome, tea.Cmd) {
	j.said = ""
	switch key {
	case "q", "esc":
		j.shown++ // no tick that is on its way counts any more
		return Closed, nil
	case "ctrl+c":
		return Ignored, nil
	case "up", "k":
		j.move(-1)
	case "down", "j":
		j.move(+1)
	case "home", "g", "pgup":
		j.move(-len(j.jobs))
	case "end", "G", "pgdown":
		j.move(+len(j.jobs))
	case "s":
		return Kept, j.stopChosen()
	}
	return Kept, nil
}

func (j *Jobs) move(n int) {
	if i := j.index(); i >= 0 {
		j.chosen = j.jobs[max(0, min(i+n, len(j.jobs)-1))].ID
	}
}

func (j *Jobs) stopChosen() tea.Cmd {
	i := j.index()
	switch {
	case i < 0:
		return nil
	case !j.jobs[i].Running:
		j.said = fmt.Sprintf("job %d has ended", j.chosen)
		return nil
	}
	j.said = fmt.Sprintf("stopping job %d …", j.chosen)
	return tea.Batch(j.stop(j.chosen), j.list())
}

// View draws the list with the chosen job in sight.
func (j *Jobs) View(width, maxRows int) []string {
	w := term.Inner(width)
	keys := hints(j.th, []hint{{"↑↓", "choose"}, {"s", "stop"}, {"q", "back"}}, w, false)
	if len(keys) > 1 && maxRows < 8 {
		keys = keys[:1]
	}
	if j.said != "" {
		keys = append([]string{j.th.Ask.Render(term.Cut(j.said, w))}, keys...)
		if maxRows < 5 {
			keys = keys[:1]
		}
	}
	rows, from, upTo := j.rows(w)
	room := max(0, maxRows-1-len(keys))
	j.page.from = min(max(j.page.from, upTo-room), from)
	body := j.page.show(rows, room, nil)
	out := append([]string{rule(j.th, j.th.Accent, j.th.Bold.Render("jobs"), j.about(), j.page.where(w), w)}, body...)
	for len(out) < maxRows-len(keys) {
		out = append(out, "")
	}
	return dock(append(out, keys...), width, maxRows)
}

func (j *Jobs) about() string {
	if !j.listed {
		return ""
	}
	running := 0
	for _, one := range j.jobs {
		if one.Running {
			running++
		}
	}
	return fmt.Sprintf("%d running", running)
}

// rows lays out the jobs, and tells which rows are the chosen one's.
func (j *Jobs) rows(w int) (rows []string, from, upTo int) {
	if j.listed && len(j.jobs) == 0 {
		return []string{j.th.Dim.Render(term.Cut("  none since aye was opened", w))}, 0, 0
	}
	for _, one := range j.jobs {
		lead, chosen := "  ", one.ID == j.chosen
		if chosen {
			lead, from = j.th.Accent.Render("▸ "), len(rows)
		}
		rows = append(rows, lead+j.line(one, w-2))
		if one.Last != "" {
			rows = append(rows, "     "+j.th.Dim.Render(term.Cut(term.Line(one.Last), max(1, w-5))))
		}
		if chosen {
			upTo = len(rows)
		}
	}
	return rows, from, upTo
}

// line is a job's first row: its number, its command, and at the right how it
// is doing.
func (j *Jobs) line(one tools.JobInfo, w int) string {
	how, style := one.Summary, j.th.Dim
	switch {
	case one.Running:
		how, style = "running "+term.Seconds(one.Took), j.th.Text
		if w < 30 {
			how = term.Seconds(one.Took)
		}
	case one.Failed:
		style = j.th.Err
	}
	number := fmt.Sprintf("%d  ", one.ID)
	how = term.Cut(how, max(1, w/2))
	command := term.Cut(term.Line(one.Command), max(1, w-term.Width(number)-term.Width(how)-2))
	gap := max(1, w-term.Width(number)-term.Width(command)-term.Width(how))
	return number + command + fmt.Sprintf("%*s", gap, "") + style.Render(how)
}

// Full is true: the list takes the screen.
func (j *Jobs) Full() bool { return true }
