package chat

import (
	"strings"

	"aye/agent"
	"aye/tui/term"
)

// A remark is what aye did to the conversation by itself, in one line; the
// text that took part in it is shown while everything is open.
type remark struct{ line, text string }

// reminded says that the model was told something no person said.
func reminded(ev agent.Reminded) *remark {
	why := ev.Why
	if strings.TrimSpace(why) == "" {
		why = "see what the model was told"
	}
	return &remark{"reminded: " + why, hold(ev.Text)}
}

func pruned(ev agent.Pruned) *remark {
	return &remark{count(len(ev.CallIDs), "old output") + " removed" + shrunk(ev.Before, ev.After), ""}
}

func compacted(ev agent.Compacted) *remark {
	line := "compacted"
	if ev.Why != "" {
		line += ", because " + ev.Why
	}
	return &remark{line + ": " + count(ev.Dropped, "message") + " → summary" + shrunk(ev.Before, ev.After), hold(ev.Summary)}
}

// shrunk says how much smaller the next request is.
func shrunk(before, after int) string {
	if before <= 0 {
		return ""
	}
	return ", " + term.Tokens(before) + " → " + term.Tokens(max(0, after)) + " tokens"
}

func (r *remark) rows(lk *look) []string {
	line := term.Line(r.line)
	if r.text != "" && !lk.open {
		line += " · ctrl+o"
	}
	rows := barred("  ", paint(lk.th.Dim, term.Wrap(line, lk.width-2)))
	rows[0] = lk.th.Dim.Render("· ") + strings.TrimPrefix(rows[0], "  ")
	if r.text != "" && lk.open {
		text := term.Wrap(term.Clean(strings.TrimSpace(r.text)), lk.width-lk.body())
		rows = append(rows, term.Indent(paint(lk.th.Dim, text), lk.body())...)
	}
	return rows
}

func (r *remark) guess(int) int { return 1 }
