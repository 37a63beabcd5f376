package dialog

import (
	"fmt"

	"aye/tools"
	"aye/tools/change"
	"aye/tui/term"
)

// cached is rows laid out for a width.
type cached struct {
	rows  []string
	width int
	top   bool // a title stands above them
}

// View draws the approval: its title, what would happen, the keys. The keys
// and the end of what would happen are in sight at any size.
func (a *Approval) View(width, maxRows int) []string {
	if a.pager != nil {
		a.pager.dim, a.pager.said = !a.ready, ""
		a.pager.keys = a.pagerKeys(term.Inner(width))
		if a.hurried {
			a.pager.said = "see it to its end first: ↓ or End"
		}
		return a.pager.View(width, maxRows)
	}
	w := term.Inner(width)
	foot := a.foot(w, maxRows)
	top := 1
	if maxRows < len(foot)+2 {
		top = 0
	}
	if a.effect.rows == nil || a.effect.width != w || a.effect.top != (top == 1) {
		a.effect = a.layOut(w, top == 1)
	}
	body := a.page.show(a.effect.rows, maxRows-top-len(foot), func(hidden int) string {
		return a.th.Ask.Render(term.Cut(fmt.Sprintf("  ⋮ %d more rows: ↓, End or ?", hidden), w))
	})
	var rows []string
	if top == 1 {
		rows = append(rows, a.title(w))
	}
	rows = append(rows, body...)
	a.caret[0] += term.Margin(width)
	a.caret[1] = len(rows) + len(foot) - 1
	return dock(append(rows, foot...), width, maxRows)
}

// layOut lays out what would happen. A title above it that names the one
// changed file whole spares the row that would say it again.
func (a *Approval) layOut(w int, top bool) cached {
	if top && a.named(w) {
		rows := a.effectRows(w, false, true)
		rest := page{total: len(rows), from: len(rows) - 1, upTo: len(rows), size: 1} // at its widest
		if term.Width(a.heading(w))+term.Width(rest.where(w))+frameCells <= w {
			return cached{rows, w, top}
		}
	}
	return cached{a.effectRows(w, false, false), w, top}
}

// frameCells is what stands beside a title and the rows in sight in a rule.
const frameCells = 7 // "╶ " before, " ╴ " between, " ╴" after

// title draws the first row.
func (a *Approval) title(w int) string {
	return rule(a.th, a.th.Ask, a.heading(w), effectWords(a.Effects), a.page.where(w), w)
}

// heading draws what the first row begins with.
func (a *Approval) heading(w int) string {
	th := a.th
	title := th.Ask.Bold(true).Render(term.Cut(term.Line(a.Tool), 24))
	if a.Preview.Kind == tools.Command && a.Preview.Summary != "" { // "in the background"
		title += " " + th.Ask.Render(term.Cut(term.Line(a.Preview.Summary), 24))
	}
	if a.Preview.Kind != tools.Command {
		title += " " + term.CutLeft(term.Line(a.Title), max(8, w/2))
	}
	if added, removed := sum(a.Preview.Diffs); a.Preview.Kind == tools.Diff {
		title += "  " + th.Add.Render(fmt.Sprintf("+%d", added)) + " " + th.Del.Render(fmt.Sprintf("−%d", removed))
	}
	return title
}

// named tells whether the heading, in w cells, names the one changed file whole.
func (a *Approval) named(w int) bool {
	diffs := a.Preview.Diffs
	return a.Preview.Kind == tools.Diff && len(diffs) == 1 && diffs[0].Path == a.Title &&
		term.Width(term.Line(a.Title)) <= max(8, w/2)
}

func sum(diffs []change.FileDiff) (added, removed int) {
	for _, d := range diffs {
		added, removed = added+d.Added, removed+d.Removed
	}
	return added, removed
}

// effectWords sums up what would be touched.
func effectWords(effects []tools.Effect) string {
	n := map[tools.EffectKind]int{}
	for _, e := range effects {
		n[e.Kind]++
	}
	words := ""
	add := func(n int, text string) {
		switch {
		case n == 0:
			return
		case words != "":
			words += ", "
		}
		words += text
	}
	add(n[tools.Exec], "runs a command")
	add(n[tools.Write], "writes "+files(n[tools.Write])+" in the workspace")
	add(n[tools.Read], "reads "+files(n[tools.Read]))
	return words
}

func files(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

// choices lists the keys that answer.
func (a *Approval) choices() []hint {
	list := []hint{{"y", "once"}}
	if a.Rule != "" {
		list = append(list, hint{"a", "always: " + term.Line(a.Rule)})
	}
	return append(list, hint{"n", "no"}, hint{"r", "no, because…"})
}

// foot draws what is below the effect: the keys, or the reason being typed.
// It leaves at least one row of maxRows to the effect, where it can.
func (a *Approval) foot(w, maxRows int) []string {
	if a.reason != nil {
		lead := "no, because: "
		if w < 32 {
			lead = "no: "
		}
		text, x := a.reason.view(w - term.Width(lead))
		a.caret[0] = term.Width(lead) + x
		if a.reason.text() == "" {
			text = a.th.Dim.Render(term.Cut("enter says no, esc goes back", max(1, w-term.Width(lead))))
		}
		return []string{a.th.Ask.Render(lead) + text}
	}
	keys := hints(a.th, append(a.choices(), hint{"?", "all"}), w, !a.ready)
	if a.hurried {
		notice := "see it to its end first: ↓, End or ?"
		keys = append([]string{a.th.Ask.Render(term.Cut(notice, w))}, keys...)
	}
	a.ruled = len(keys) <= max(1, min(max(keyRows, maxRows/4), maxRows/2))
	switch {
	case a.ruled:
		return keys
	case a.hurried:
		return keys[:1]
	}
	// No room to name the rule that "a" adds: it is not on offer here.
	all := "all"
	if a.Rule != "" {
		all = "all, always…"
	}
	for _, keys := range [][]hint{{{"y", "once"}, {"n", "no"}, {"r", "no, because…"}, {"?", all}}, {{"y", ""}, {"n", ""}, {"r", ""}, {"?", all}}} {
		if rows := hints(a.th, keys, w, !a.ready); len(rows) == 1 {
			return rows
		}
	}
	return hints(a.th, []hint{{"y", ""}, {"n", ""}, {"r", ""}, {"?", "all"}}, w, !a.ready)[:1]
}

// keyRows is how many rows the keys may always take; on a large screen they
// may take a quarter of it. What would happen is to be read first.
const keyRows = 3

// pagerKeys lists the keys below everything, w cells wide. A rule that is too
// long to stand there stands at the end of the page.
func (a *Approval) pagerKeys(w int) []hint {
	keys := a.choices()
	for n, k := range keys {
		if k.key == "a" && term.Width("a "+k.does) > min(longRule, w) {
			keys[n].does = "always: the rule at the end"
		}
	}
	return append(keys, hint{"q", "back"})
}

const longRule = 60 // cells
