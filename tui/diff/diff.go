package diff

import (
	"slices"
	"strconv"
	"strings"

	"aye/tools/change"
	"aye/tui/term"
	"aye/tui/theme"
)

// Lines draws the changes as rows of at most width cells.
func Lines(th theme.Theme, diffs []change.FileDiff, width int) []string {
	d := newDrawing(th, width)
	for i, file := range diffs {
		if i > 0 {
			d.rows = append(d.rows, "")
		}
		d.file(file)
	}
	return d.rows
}

// Untitled draws the change of one file for a place that has said already which
// file it is and how much changes.
func Untitled(th theme.Theme, file change.FileDiff, width int) []string {
	d := newDrawing(th, width)
	if file.Kind != change.Changed && file.Kind != "" {
		d.rows = append(d.rows, term.Fold(d.dim.Draw("  "+string(file.Kind)), d.width)...)
	}
	d.body(file)
	return d.rows
}

// A drawing is the rows so far and what they are drawn with.
type drawing struct {
	width int
	rows  []string

	plain, bold, dim, add, del, addPart, delPart theme.Pen

	// Of the file being drawn:
	digits int  // width of the line numbers; 0: no room for them
	mixed  bool // its line ends differ
}

func newDrawing(th theme.Theme, width int) *drawing {
	return &drawing{
		width:   max(width, 4),
		plain:   theme.PenOf(th.Text),
		bold:    theme.PenOf(th.Bold),
		dim:     theme.PenOf(th.Dim),
		add:     theme.PenOf(th.Add),
		del:     theme.PenOf(th.Del),
		addPart: theme.PenOf(th.Add.Reverse(true)),
		delPart: theme.PenOf(th.Del.Reverse(true)),
	}
}

func (d *drawing) file(f change.FileDiff) {
	d.header(f)
	d.body(f)
}

// body is all but the header: the note, and the hunks.
func (d *drawing) body(f change.FileDiff) {
	if f.Note != "" {
		d.remark(f.Note)
	}
	if len(f.Hunks) == 0 && f.Note == "" {
		d.remark("no lines change")
	}
	d.measure(f)
	for i, h := range f.Hunks {
		if i > 0 {
			d.rows = append(d.rows, d.dim.Draw(strings.Repeat(" ", d.digits)+" ⋮"))
		}
		d.hunk(h)
	}
}

// header is the file's first row: path, counts, and what kind of change.
func (d *drawing) header(f change.FileDiff) {
	s := d.bold.Draw(term.Line(f.Path))
	if f.Added > 0 {
		s += "  " + d.add.Draw("+"+strconv.Itoa(f.Added))
	}
	if f.Removed > 0 {
		s += "  " + d.del.Draw("−"+strconv.Itoa(f.Removed))
	}
	if f.Kind != change.Changed && f.Kind != "" {
		s += d.dim.Draw("  " + string(f.Kind))
	}
	d.rows = append(d.rows, term.Fold(s, d.width)...)
}

// remark is a row about the file that is not of its text.
func (d *drawing) remark(s string) {
	for _, row := range term.Wrap(term.Line(s), max(d.width-2, 1)) {
		d.rows = append(d.rows, "  "+d.dim.Draw(row))
	}
}

// measure finds how wide the numbers are, and whether line ends differ.
func (d *drawing) measure(f change.FileDiff) {
	last, ends := 0, []string(nil)
	for _, h := range f.Hunks {
		last = max(last, h.Old+len(h.Lines), h.New+len(h.Lines))
		for _, l := range h.Lines {
			if l.End != "none" && !slices.Contains(ends, l.End) {
				ends = append(ends, l.End)
			}
		}
	}
	d.digits = max(4, len(strconv.Itoa(last)))
	if d.width < d.digits+16 {
		d.digits = 0
	}
	d.mixed = len(ends) > 1
}

// hunk draws lines, removed and added ones of equal number side by side to
// find what changed within them.
func (d *drawing) hunk(h change.Hunk) {
	before, after := h.Old, h.New
	for i := 0; i < len(h.Lines); {
		if h.Lines[i].Op == " " {
			d.line(h.Lines[i], after, part{})
			before++
			after++
			i++
			continue
		}
		removed := run(h.Lines[i:], "-")
		added := run(h.Lines[i+len(removed):], "+")
		if len(removed)+len(added) == 0 { // a sign there should not be
			d.line(h.Lines[i], after, part{})
			i++
			continue
		}
		var was, is []part
		if len(removed) == len(added) {
			was, is = compareAll(removed, added)
		}
		for j, l := range removed {
			d.line(l, before+j, at(was, j))
		}
		for j, l := range added {
			d.line(l, after+j, at(is, j))
		}
		before += len(removed)
		after += len(added)
		i += len(removed) + len(added)
	}
}

// run returns the lines with the given sign that lines begins with.
func run(lines []change.Line, op string) []change.Line {
	n := 0
	for n < len(lines) && lines[n].Op == op {
		n++
	}
	return lines[:n]
}

func at(parts []part, i int) part {
	if i < len(parts) {
		return parts[i]
	}
	return part{}
}
