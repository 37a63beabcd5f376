package dialog

import (
	"aye/tools/change"
	"aye/tui/term"
	"aye/tui/theme"
)

// The lines of package diff until its branch has landed.
func diffLines(th theme.Theme, diffs []change.FileDiff, width int) []string {
	var rows []string
	for _, d := range diffs {
		rows = append(rows, term.Cut(term.Line(d.Path), width))
		for _, h := range d.Hunks {
			for _, l := range h.Lines {
				rows = append(rows, term.Fold(l.Op+" "+term.Line(l.Text), width)...)
			}
		}
	}
	return rows
}
