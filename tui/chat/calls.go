package chat

import (
	"strings"

	"aye/tools"
	"aye/tui/term"
)

// calls is one call, or neighbours that only read and share lines.
type calls struct{ list []*call }

// joins tells whether c may be added.
func (g *calls) joins(c *call) bool {
	return g.list[0].name == c.name && g.list[0].onlyReads() && c.onlyReads()
}

func (g *calls) rows(lk *look) []string {
	var rows []string
	for i := 0; i < len(g.list); {
		n := g.run(i)
		if n > 1 && !lk.open {
			rows = append(rows, joined(lk, g.list[i:i+n])...)
			i += n
			continue
		}
		rows = append(rows, g.list[i].line(lk)...)
		rows = append(rows, g.list[i].details(lk)...)
		i++
	}
	return rows
}

func (g *calls) guess(int) int { return 1 }

// run counts the calls from i on that one line can say together.
func (g *calls) run(i int) int {
	n := 0
	for _, c := range g.list[i:] {
		if !c.quiet() {
			break
		}
		n++
	}
	return n
}

// joined lays out several calls as one line: "read a.go · b.go    2 files".
func joined(lk *look, list []*call) []string {
	var titles []string
	targets := map[string]bool{}
	last := list[0]
	for _, c := range list {
		titles = append(titles, term.Line(c.title))
		for _, e := range c.effects {
			targets[e.Target] = true
		}
		if c.state == running {
			last = c
		}
	}
	status := last.status(lk)
	if last.state != running {
		what := count(len(list), "call")
		if len(targets) == len(list) {
			what = count(len(list), "file")
		}
		status = lk.th.Dim.Render(what)
	}
	one := *last
	one.title = strings.Join(titles, " · ")
	one.preview = tools.View{}
	lead := lk.lead(&one)
	room := lk.width - term.Width(lead) - term.Width(status) - 2
	if room < 8 {
		return lk.headline(lead, one.title, status)
	}
	return []string{flush(lead+term.Cut(one.title, room), status, lk.width)}
}
