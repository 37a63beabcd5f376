package chat

import (
	"fmt"

	"aye/tools"
	"aye/tui/term"
)

// A plan is a list of things to do that the person asked to see.
type plan struct{ list []tools.Todo }

func (p *plan) rows(lk *look) []string { return planRows(lk, p.list, lk.width) }

func (p *plan) guess(int) int { return len(p.list) }

const (
	planMost = 12 // things that a plan shows before some are folded
	todoRows = 2  // of one thing
)

// planRows lays out a list of things to do: ✓ what is done, ▸ what is worked
// on, ○ what is left. Of a long one, what is done becomes one row.
func planRows(lk *look, list []tools.Todo, width int) []string {
	if lk.open || len(list) <= planMost {
		return todosRows(lk, list, width)
	}
	var done, rest []tools.Todo
	for _, t := range list {
		if t.Status == tools.Completed {
			done = append(done, t)
		} else {
			rest = append(rest, t)
		}
	}
	var rows []string
	if len(done) > 0 {
		rows = append(rows, lk.th.Dim.Render(term.Cut(fmt.Sprintf("✓ %d done · ctrl+o", len(done)), width)))
	}
	left := 0
	if len(rest) > planMost {
		left = len(rest) - planMost + 1
		from := min(working(rest), left)
		rest = rest[from : from+planMost-1]
	}
	rows = append(rows, todosRows(lk, rest, width)...)
	if left > 0 {
		rows = append(rows, lk.th.Dim.Render(term.Cut(fmt.Sprintf("… %d more to do · ctrl+o", left), width)))
	}
	return rows
}

// working is the place of what is worked on.
func working(list []tools.Todo) int {
	for i, t := range list {
		if t.Status == tools.InProgress {
			return i
		}
	}
	return 0
}

func todosRows(lk *look, list []tools.Todo, width int) []string {
	var rows []string
	for _, t := range list {
		mark, st := "○ ", lk.th.Text
		switch t.Status {
		case tools.Pending:
		case tools.InProgress:
			mark, st = "▸ ", lk.th.Accent
		case tools.Completed:
			mark, st = "✓ ", lk.th.Dim
		}
		text := term.Wrap(term.Line(hold(t.Text)), max(1, width-2))
		if len(text) > todoRows && !lk.open {
			text = append(text[:todoRows-1:todoRows-1], term.Cut(text[todoRows-1]+" "+text[todoRows], max(1, width-2)))
		}
		for i, row := range text {
			if i == 0 {
				row = mark + row
			} else {
				row = "  " + row
			}
			rows = append(rows, st.Render(term.Cut(row, width)))
		}
	}
	return rows
}
