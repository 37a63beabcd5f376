package dialog

import (
	"fmt"
	"regexp"
	"strings"

	"aye/tools"
	"aye/tools/change"
	"aye/tui/diff"
	"aye/tui/term"
)

// effectRows lays out exactly what would happen. Only whole, long runs of
// blanks are folded, with their number in their place; in full, not even they.
// It is made from what the call holds and from nothing the model says about it.
// titled: the title above names the file and counts its lines.
func (a *Approval) effectRows(w int, full, titled bool) []string {
	rows := a.warnings(w)
	v := a.Preview
	switch v.Kind {
	case tools.Command:
		rows = append(rows, a.command(v.Text, w, full)...)
	case tools.Diff:
		rows = append(rows, a.diff(w, titled)...)
	case tools.Code:
		rows = append(rows, a.th.Bold.Render(term.Cut(term.Line(v.Path), w)))
		rows = append(rows, a.text(v.Text, w, full)...)
	case tools.Plain, tools.Output: // a word about the effects: they come first
		rows = append(rows, a.untold(w, full)...)
		return a.withRule(append(rows, a.text(v.Text, w, full)...), w, full)
	case tools.Plan:
		for _, t := range v.Todos {
			rows = append(rows, a.text(string(t.Status)+": "+t.Text, w, full)...)
		}
	case tools.None:
		if len(a.Effects) == 0 || full {
			rows = append(rows, a.text(a.Title, w, full)...)
		}
	}
	return a.withRule(append(rows, a.untold(w, full)...), w, full)
}

// untold lays out the effects that the view does not show.
func (a *Approval) untold(w int, full bool) []string {
	var rows []string
	for _, e := range a.Effects {
		if !told(a.Preview, e) {
			rows = append(rows, a.text(string(e.Kind)+" "+e.Target, w, full)...)
		}
	}
	return rows
}

// withRule adds, in full, the rule that "a" adds.
func (a *Approval) withRule(rows []string, w int, full bool) []string {
	if !full || a.Rule == "" {
		return rows
	}
	return append(append(rows, ""), term.Fold("a always: "+term.Line(a.Rule), w)...)
}

// diff draws the change. What the title has said is not said twice.
func (a *Approval) diff(w int, titled bool) []string {
	if titled {
		return diff.Untitled(a.th, a.Preview.Diffs[0], w)
	}
	return diff.Lines(a.th, a.Preview.Diffs, w)
}

// told tells whether the view shows e already.
func told(v tools.View, e tools.Effect) bool {
	switch e.Kind {
	case tools.Exec:
		return v.Kind == tools.Command && v.Text == e.Target
	case tools.Write:
		for _, d := range v.Diffs {
			if v.Kind == tools.Diff && d.Path == e.Target {
				return true
			}
		}
		return v.Kind == tools.Code && v.Path == e.Target
	case tools.Read:
		for _, d := range v.Diffs { // to change a file is to read it
			if v.Kind == tools.Diff && d.Path == e.Target {
				return true
			}
		}
	}
	return false
}

// warnings says why to look twice.
func (a *Approval) warnings(w int) []string {
	var rows []string
	said := map[string]bool{}
	for _, e := range a.Effects {
		if e.Risk != "" && !said[e.Risk] {
			said[e.Risk] = true
			text := term.Line(e.Risk)
			if a.Rule == "" { // which is why "always" is missing
				text += "; asked every time"
			}
			rows = append(rows, a.warning(text, w)...)
		}
	}
	if n := a.hidden(); n > 0 {
		text := fmt.Sprintf("%d hidden characters, shown as <U+…>", n)
		if n == 1 {
			text = "1 hidden character, shown as <U+…>"
		}
		rows = append(rows, a.warning(text, w)...)
	}
	return rows
}

func (a *Approval) warning(text string, w int) []string {
	rows := term.Wrap(text, max(1, w-2))
	for i, row := range rows {
		lead := "  "
		if i == 0 {
			lead = "! "
		}
		rows[i] = a.th.Err.Render(lead + row)
	}
	return rows
}

// hidden counts the characters that would not show by themselves.
func (a *Approval) hidden() int {
	n := term.Hidden(a.Preview.Text) + term.Hidden(a.Preview.Path)
	if a.Preview.Kind == tools.None {
		n += term.Hidden(a.Title)
	}
	for _, e := range a.Effects {
		if !told(a.Preview, e) {
			n += term.Hidden(e.Target)
		}
	}
	for _, d := range a.Preview.Diffs {
		n += term.Hidden(d.Path) + hiddenLines(d.Hunks)
	}
	return n
}

// hiddenLines counts in what a change adds: what was there before is not its
// doing.
func hiddenLines(hunks []change.Hunk) int {
	n := 0
	for _, h := range hunks {
		for _, l := range h.Lines {
			if l.Op == "+" {
				n += term.Hidden(l.Text)
			}
		}
	}
	return n
}

// command lays out a command line whole. A row that goes on within a line of
// the command begins with ↪, so that only real line ends look like some.
func (a *Approval) command(text string, w int, full bool) []string {
	var rows []string
	lead := a.th.Ask.Render("$ ")
	for _, line := range a.lines(text, full) {
		for i, row := range term.Fold(line, max(1, w-4)) {
			if i > 0 {
				lead = a.th.Dim.Render("↪ ")
			}
			rows = append(rows, "  "+lead+row)
		}
		lead = "  "
	}
	return rows
}

// text lays out text whole, indented.
func (a *Approval) text(text string, w int, full bool) []string {
	var rows []string
	for _, line := range a.lines(text, full) {
		for _, row := range term.Fold(line, max(1, w-2)) {
			rows = append(rows, "  "+row)
		}
	}
	return rows
}

const (
	foldBlanks = 40 // blanks in a row from which they are folded
	foldLines  = 5  // empty lines
)

var blanks = regexp.MustCompile(fmt.Sprintf(" {%d,}", foldBlanks))

// lines returns the visible lines of text. Long runs of blanks, whose only use
// is to push the rest out of sight, are replaced by their number.
func (a *Approval) lines(text string, full bool) []string {
	lines := strings.Split(term.Visible(text), "\n")
	if full {
		return lines
	}
	var folded []string
	empty := 0
	flush := func() {
		if empty >= foldLines {
			folded = append(folded, a.th.Ask.Render(fmt.Sprintf("⟨%d empty lines⟩", empty)))
		} else {
			folded = append(folded, make([]string, empty)...)
		}
		empty = 0
	}
	for _, line := range lines {
		if strings.TrimSpace(line) == "" && len(line) < foldBlanks {
			empty++
			continue
		}
		flush()
		folded = append(folded, blanks.ReplaceAllStringFunc(line, func(run string) string {
			return a.th.Ask.Render(fmt.Sprintf("⟨%d blanks⟩", len(run)))
		}))
	}
	flush()
	return folded
}
