package md

import (
	"strings"

	extast "github.com/yuin/goldmark/extension/ast"

	"aye/tui/term"
)

const (
	columnGap = " │ "
	minColumn = 4 // the least width of a column: with less, rows are shown as lists
)

// table lays a table out in columns that fit the width, their cells wrapped.
// Where there is no room for columns, each row becomes a list of its cells.
func (l *layout) table(t *extast.Table) {
	l.leaf = leaf{}
	var rows [][]string
	for r := t.FirstChild(); r != nil; r = r.NextSibling() {
		v := body
		if r.Kind() == extast.KindTableHeader {
			v = strong
		}
		var cells []string
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			cells = append(cells, l.inline(c, v))
		}
		rows = append(rows, cells)
	}
	if len(rows) == 0 || len(rows[0]) == 0 {
		return
	}
	columns := len(rows[0])
	room := l.width - (columns-1)*term.Width(columnGap)
	if room < columns*minColumn {
		l.records(rows)
		return
	}
	widths := fit(natural(rows, columns), room)
	for i, cells := range rows {
		l.tableRow(cells, widths, t.Alignments)
		if i == 0 {
			lines := make([]string, columns)
			for j, w := range widths {
				lines[j] = strings.Repeat("─", w)
			}
			l.emit(l.r.dim.Draw(strings.Join(lines, "─┼─")))
		}
	}
}

// natural is how wide the columns would like to be.
func natural(rows [][]string, columns int) []int {
	widths := make([]int, columns)
	for _, cells := range rows {
		for j := range min(columns, len(cells)) {
			widths[j] = max(widths[j], term.Width(cells[j]), 1)
		}
	}
	return widths
}

// fit takes from the widest columns until all have room.
func fit(widths []int, room int) []int {
	total := 0
	for _, w := range widths {
		total += w
	}
	for total > room {
		widest, second := 0, 0 // the widest, and the width of those below it
		for _, w := range widths {
			if w > widest {
				widest, second = w, widest
			} else if w < widest && w > second {
				second = w
			}
		}
		var at []int
		for j, w := range widths {
			if w == widest {
				at = append(at, j)
			}
		}
		take := min(max(total-room, 1), max(1, (widest-second)*len(at)))
		for i := range take {
			widths[at[i%len(at)]]--
		}
		total -= take
	}
	return widths
}

func (l *layout) tableRow(cells []string, widths []int, aligned []extast.Alignment) {
	wrapped := make([][]string, len(widths))
	height := 1
	for j, w := range widths {
		if j < len(cells) {
			wrapped[j] = term.Wrap(cells[j], w)
			height = max(height, len(wrapped[j]))
		}
	}
	gap := " " + l.r.dim.Draw("│") + " "
	for i := range height {
		var row strings.Builder
		for j, w := range widths {
			cell := ""
			if i < len(wrapped[j]) {
				cell = strings.TrimRight(wrapped[j][i], " ")
			}
			if j > 0 {
				row.WriteString(gap)
			}
			row.WriteString(align(cell, w, aligned, j))
		}
		l.emit(strings.TrimRight(row.String(), " "))
	}
}

func align(cell string, w int, aligned []extast.Alignment, column int) string {
	free := w - term.Width(cell)
	if column >= len(aligned) || free <= 0 {
		return term.Pad(cell, w)
	}
	switch aligned[column] {
	case extast.AlignRight:
		return strings.Repeat(" ", free) + cell
	case extast.AlignCenter:
		return term.Pad(strings.Repeat(" ", free/2)+cell, w)
	case extast.AlignLeft, extast.AlignNone:
	}
	return term.Pad(cell, w)
}

// records shows each row as "header: cell" lines.
func (l *layout) records(rows [][]string) {
	for i, cells := range rows[1:] {
		if i > 0 {
			l.emit("")
		}
		for j, cell := range cells {
			if j < len(rows[0]) && rows[0][j] != "" {
				cell = rows[0][j] + ": " + cell
			}
			l.text(cell)
		}
	}
	if len(rows) == 1 {
		l.text(strings.Join(rows[0], columnGap))
	}
	l.leaf = leaf{}
}
