package chat

import (
	"strings"
	"time"

	"aye/agent"
	"aye/tui/term"
)

// An item is one thing that happened, as people see it.
type item interface {
	// rows lays the item out: rows of at most lk.width cells, without the
	// margin. None: there is nothing to show.
	rows(lk *look) []string
	// guess estimates how many rows that will be, without laying it out.
	guess(width int) int
}

const promptRows = 12 // of a prompt before the rest is folded

// A prompt is what the person said.
type prompt struct {
	id   int
	text string
}

func (p *prompt) rows(lk *look) []string {
	rows := lk.fold(term.Wrap(term.Clean(strings.TrimRight(p.text, "\n")), lk.width-1), promptRows, head)
	return barred(lk.th.Accent.Render("▍"), rows)
}

func (p *prompt) guess(width int) int { return 1 + len(p.text)/width }

// barred says who speaks: a thin bar in front of every row.
func barred(bar string, rows []string) []string {
	spoken := make([]string, len(rows))
	for i, row := range rows {
		spoken[i] = bar + row
	}
	return spoken
}

// A queue is the prompts that wait for the turn's next step. It is always the
// last thing in the conversation.
type queue struct{ prompts []prompt }

func (q *queue) rows(lk *look) []string {
	var rows []string
	for _, p := range q.prompts {
		text := lk.fold(term.Wrap(term.Clean(strings.TrimRight(p.text, "\n")), lk.width-1), 3, head)
		rows = append(rows, barred(lk.th.Dim.Render("▍"), paint(lk.th.Dim, text))...)
	}
	if len(rows) > 0 {
		rows = append(rows, lk.th.Dim.Render(term.Cut("queued: taken at the next step", lk.width)))
	}
	return rows
}

func (q *queue) guess(int) int { return 0 }

func (q *queue) remove(id int) {
	for i, p := range q.prompts {
		if p.id == id {
			q.prompts = append(q.prompts[:i:i], q.prompts[i+1:]...)
			return
		}
	}
}

// A thought is the model's reasoning, folded to one line.
type thought struct {
	text     strings.Builder
	began    time.Time
	took     time.Duration
	finished bool
}

func (t *thought) rows(lk *look) []string {
	line := "thinking"
	if t.finished {
		line = "thought"
		if t.took >= time.Second {
			line += " for " + seconds(t.took)
		}
	}
	if lk.open {
		line += " ▾"
	} else if strings.TrimSpace(t.text.String()) != "" {
		line += " ▸"
	}
	line = strings.Repeat(" ", lk.step()) + line
	rows := []string{lk.th.Dim.Italic(true).Render(term.Cut(line, lk.width))}
	if lk.open {
		text := term.Wrap(term.Clean(strings.TrimSpace(hold(t.text.String()))), lk.width-lk.body())
		rows = append(rows, term.Indent(paint(lk.th.Dim, text), lk.body())...)
	}
	return rows
}

func (t *thought) guess(int) int { return 1 }

// A note is a sentence of aye's own.
type note struct {
	level agent.Level
	text  string
}

func (n *note) rows(lk *look) []string {
	st, mark := lk.th.Dim, "· "
	switch n.level {
	case agent.Warn:
		st, mark = lk.th.Ask, "! "
	case agent.Fail:
		st, mark = lk.th.Err, "✗ "
	case agent.Info:
	}
	rows := term.Wrap(term.Clean(strings.TrimSpace(n.text)), lk.width-2)
	for i, row := range rows {
		lead := "  "
		if i == 0 {
			lead = mark
		}
		rows[i] = st.Render(lead + row)
	}
	return lk.fold(rows, promptRows, head)
}

func (n *note) guess(width int) int { return 1 + len(n.text)/width }
