package chat

import (
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"

	"aye/tools"
	"aye/tui/term"
)

// A call is one run of a tool, or one command of the person's.
type call struct {
	name    string // the tool's
	title   string
	effects []tools.Effect
	preview tools.View
	sign    string // of the person's own command: "!" or "!!"

	state   state
	began   time.Time
	seconds int // it has been running, as of the last Tick
	live    output
	result  tools.Result
	took    time.Duration
	note    string // why it was denied
	rule    string // what the person allowed from now on
	changed string // "+3 −1", of what was committed
	folded  bool   // a plan that a later one has replaced
}

// state is where a call stands; once finished, its result's status says more.
type state int

const (
	running state = iota
	asked
	finished
)

// onlyReads tells whether c may share a line with its neighbours.
func (c *call) onlyReads() bool {
	for _, e := range c.effects {
		if e.Kind != tools.Read {
			return false
		}
	}
	return len(c.effects) > 0 && c.preview.Kind == tools.None
}

// quiet tells whether c's line says all there is to say.
func (c *call) quiet() bool {
	switch c.state {
	case running:
		return c.onlyReads() && c.live.empty()
	case asked:
	case finished:
		return c.onlyReads() && c.result.Status == tools.OK && c.result.View.Kind == tools.None && c.result.View.Summary != ""
	}
	return false
}

// status returns what the right end of the call's line says.
func (c *call) status(lk *look) string {
	th := lk.th
	switch c.state {
	case asked:
		return th.Ask.Render("waiting for you")
	case running:
		if d := lk.now.Sub(c.began); d >= time.Second {
			return th.Dim.Render(term.Seconds(d))
		}
		return th.Dim.Render("…")
	case finished:
	}
	summary := term.Cut(term.Line(c.result.View.Summary), max(8, lk.width/2))
	switch c.result.Status {
	case tools.Denied:
		return th.Ask.Render("denied")
	case tools.Interrupted:
		return th.Ask.Render("interrupted")
	case tools.Failed:
		if summary == "" {
			summary = "failed"
		}
		return th.Err.Render(summary)
	case tools.OK:
	}
	switch {
	case c.result.View.Failed:
		return th.Err.Render(summary)
	case summary != "":
		return th.Dim.Render(summary)
	case c.changed != "":
		return th.Dim.Render(c.changed)
	case c.took >= time.Second:
		return th.Dim.Render(seconds(c.took))
	}
	return ""
}

const titleRows = 4 // of a long command before the rest is folded

// line lays out the call's own rows: its name, what it is about, how it stands.
func (c *call) line(lk *look) []string {
	title := c.title
	if c.preview.Kind == tools.Command && c.preview.Text != "" {
		title = c.preview.Text
	}
	title = term.Visible(hold(strings.TrimSpace(title)))
	if c.showsPlan(lk) {
		return lk.headline(lk.lead(c), term.Line(c.result.View.Summary), "")
	}
	if c.folded {
		return []string{c.oneLine(lk, title)}
	}
	if c.sign != "" {
		lead := lk.th.Accent.Render("▍" + c.sign + " ")
		return lk.headline(lead, title, c.status(lk))
	}
	return lk.headline(lk.lead(c), title, c.status(lk))
}

// oneLine lays the call out in one row, whatever does not fit.
func (c *call) oneLine(lk *look, title string) string {
	lead, status := lk.lead(c), c.status(lk)
	room := lk.width - term.Width(lead) - term.Width(status) - 2
	if room < min(8, term.Width(title)) {
		return lead + term.Cut(term.Line(c.result.View.Summary), max(1, lk.width-term.Width(lead)))
	}
	return flush(lead+term.Cut(term.Line(title), room), status, lk.width)
}

// lead draws what a call's line begins with: its tool's name.
func (lk *look) lead(c *call) string {
	name := term.Cut(term.Line(c.name), min(20, lk.width/2))
	return strings.Repeat(" ", lk.step()) + lk.nameStyle(c).Render(name) + strings.Repeat(" ", max(1, nameWidth-term.Width(name)))
}

// nameStyle colours a call's name by how it stands.
func (lk *look) nameStyle(c *call) lipgloss.Style {
	switch {
	case c.state == asked:
		return lk.th.Ask
	case c.state == running:
		return lk.th.Accent
	case c.result.Status == tools.Failed || c.result.View.Failed:
		return lk.th.Err
	case c.result.Status == tools.Denied || c.result.Status == tools.Interrupted:
		return lk.th.Dim
	}
	return lk.th.Bold
}

// headline puts title between lead and status; a long title goes on below,
// and a status that would squeeze it too much, or break it where it need not
// break, gets a row of its own.
func (lk *look) headline(lead, title, status string) []string {
	leadWidth := term.Width(lead)
	room := max(1, lk.width-leadWidth)
	rows, own := term.Fold(title, room), false
	if status != "" {
		left := room - term.Width(status) - 2
		if own = left < min(16, term.Width(title)); !own {
			beside := term.Fold(title, left)
			if own = len(beside) > len(rows); !own {
				rows = beside
			}
		}
	}
	if len(rows) > titleRows && !lk.open {
		more := lk.th.Dim.Render(term.Cut("… "+count(len(rows)-titleRows+1, "more row")+" · ctrl+o", room))
		rows = append(rows[:titleRows-1:titleRows-1], more)
	}
	pad := strings.Repeat(" ", leadWidth)
	for i, row := range rows {
		if i == 0 {
			rows[i] = lead + row
			continue
		}
		rows[i] = pad + row
	}
	if !own {
		rows[0] = flush(rows[0], status, lk.width)
	} else if status != "" {
		rows = append(rows, flush("", term.Cut(status, lk.width), lk.width))
	}
	return rows
}

// details lays out what stands below the call's line.
func (c *call) details(lk *look) []string {
	inset := c.inset(lk)
	width := lk.width - inset
	var rows []string
	switch {
	case c.state == running:
		rows = c.live.rows(lk, width)
	case c.state == asked:
		return nil
	case c.result.Status == tools.Denied:
		if c.note != "" {
			rows = lk.fold(paint(lk.th.Dim, term.Wrap(term.Clean(c.note), width)), outputRows, head)
		}
		if lk.open {
			rows = append(rows, viewRows(lk, c.preview, "", width, false)...)
		}
	case c.result.View.Kind == tools.Plan && !c.showsPlan(lk):
		return nil
	default:
		rows = viewRows(lk, c.shown(), c.result.Text, width, c.result.Status == tools.Failed)
	}
	if c.rule != "" {
		rows = append(rows, paint(lk.th.Dim, term.Wrap("from now on in this session: "+term.Line(c.rule), width))...)
	}
	return term.Indent(rows, inset)
}

// showsPlan tells whether a list of things to do stands below the call's line:
// the latest does, earlier ones only while everything is open.
func (c *call) showsPlan(lk *look) bool {
	return c.state == finished && c.result.View.Kind == tools.Plan && c.result.Status == tools.OK && (!c.folded || lk.open)
}

// inset returns the cells that the details are indented by.
func (c *call) inset(lk *look) int {
	if c.sign != "" {
		return 4
	}
	return lk.body()
}

// shown returns the view of a finished call: its own or, of a change, what the
// person saw before it happened.
func (c *call) shown() tools.View {
	v := c.result.View
	if v.Kind == tools.None && c.result.Status == tools.OK && c.preview.Kind == tools.Diff {
		return c.preview
	}
	return v
}

func (c *call) settle(r tools.Result, took time.Duration) {
	r.Text = hold(r.Text)
	r.View.Text = hold(r.View.Text)
	c.state, c.result, c.took, c.live = finished, r, took, output{}
}
