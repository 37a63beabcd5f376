package diff

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"aye/tools/change"
	"aye/tui/term"
	"aye/tui/theme"
)

// line draws one line of a file on as many rows as it takes.
func (d *drawing) line(l change.Line, number int, p part) {
	d.text(l, number, p)
	if l.End == "none" {
		margin := strings.Repeat(" ", d.digits+min(d.digits, 1))
		for _, row := range term.Wrap("no newline at the end", d.width-len(margin)-2) {
			d.rows = append(d.rows, margin+d.dim.Draw("\\ "+row))
		}
	}
}

func (d *drawing) text(l change.Line, number int, p part) {
	pen, emphasis, op := d.plain, d.plain, l.Op
	switch op {
	case " ":
	case "+":
		pen, emphasis = d.add, d.addPart
	case "-":
		pen, emphasis = d.del, d.delPart
	default: // not from this program
		op = "?"
	}
	text := p.text
	if !p.known {
		text = term.Line(l.Text)
	}
	s := paint(text, p, pen, emphasis, op != " ") + d.dim.Draw(d.end(l.End))
	margin := ""
	if d.digits > 0 {
		n := strconv.Itoa(number)
		margin = strings.Repeat(" ", max(0, d.digits-len(n))) + n + " "
	}
	room := d.width - len(margin) - 2
	sign := pen.Draw(op)
	lead := d.dim.Draw(margin) + sign + " "
	if term.Width(text)+2 <= room { // fits with any mark: the usual case
		d.rows = append(d.rows, lead+s)
		return
	}
	for _, row := range term.Fold(s, room) {
		d.rows = append(d.rows, lead+row)
		lead = strings.Repeat(" ", len(margin)) + sign + d.dim.Draw("↳")
	}
}

// end marks how a line ends where the lines' ends differ.
func (d *drawing) end(end string) string {
	switch {
	case !d.mixed, end == "none":
		return ""
	case end == "crlf":
		return "␍␊"
	case end == "cr":
		return "␍"
	}
	return "␊"
}

// paint puts the colours on a line that can be shown: of a changed line the
// part that changed stands out; where that is nothing but blanks, and at the
// end, blanks can be seen.
func paint(text string, p part, pen, emphasis theme.Pen, changed bool) string {
	if !changed {
		return pen.Draw(text)
	}
	body := strings.TrimRight(text, " ")
	from, to := min(p.from, len(body)), min(p.to, len(body))
	sign := p.blank
	if sign == "" {
		sign = blankSign(text)
	}
	tail := strings.Repeat(sign, len(text)-len(body))
	if from >= to && tail == "" {
		return pen.Draw(body)
	}
	part := body[from:to]
	if p.tabs || strings.Trim(part, " ") == "" {
		part = strings.ReplaceAll(part, " ", sign)
	}
	return pen.Draw(body[:from]) + emphasis.Draw(part) + pen.Draw(body[to:]) + emphasis.Draw(tail)
}

// A part is what of a line differs from its counterpart: text[from:to]. text
// is the line as it is shown.
type part struct {
	known    bool
	text     string
	from, to int
	blank    string // how blanks of the line are shown where they matter
	tabs     bool   // the lines differ in tabs and blanks alone
}

// blankSign is what blanks are drawn as: nothing that the lines hold themselves.
func blankSign(lines ...string) string {
	for _, l := range lines {
		if strings.Contains(l, "·") {
			return "␣"
		}
	}
	return "·"
}

// compareAll finds, line by line, what differs between two runs of the same
// length.
func compareAll(removed, added []change.Line) (was, is []part) {
	was, is = make([]part, len(removed)), make([]part, len(added))
	for i := range removed {
		was[i], is[i] = compare(removed[i].Text, added[i].Text)
	}
	return was, is
}

// compare finds the part in which two lines differ. Lines that have little in
// common have no such part.
func compare(before, after string) (was, is part) {
	a, b := term.Line(before), term.Line(after)
	blanks := a == b && before != after // tabs against blanks
	if blanks {
		a, b = term.Line(showTabs(before)), term.Line(showTabs(after))
	}
	sign := blankSign(a, b)
	was, is = part{known: true, text: a, blank: sign, tabs: blanks}, part{known: true, text: b, blank: sign, tabs: blanks}
	head := commonHead(a, b)
	tail := commonTail(a[head:], b[head:])
	for blanks && tail > 0 && a[len(a)-tail] == ' ' { // all that the tab covers
		tail--
	}
	same := head + tail
	if same*5 < min(len(a), len(b))*2 || strings.TrimSpace(a[:head]+a[len(a)-tail:]) == "" {
		return was, is
	}
	was.from, was.to = head, len(a)-tail
	is.from, is.to = head, len(b)-tail
	return was, is
}

func showTabs(s string) string { return strings.ReplaceAll(s, "\t", "→\t") }

// commonHead returns the length of the beginning that a and b share, not
// splitting a character from its marks.
func commonHead(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && (!startsCharacter(a[n:]) || !startsCharacter(b[n:])) {
		n--
	}
	return n
}

// commonTail is commonHead for the end.
func commonTail(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	for n > 0 && !startsCharacter(a[len(a)-n:]) {
		n--
	}
	return n
}

// startsCharacter reports whether s may be cut off from what stands before:
// it begins with a whole rune that is wide enough to stand alone.
func startsCharacter(s string) bool {
	if s == "" || s[0] < utf8.RuneSelf {
		return true
	}
	r, n := utf8.DecodeRuneInString(s)
	return (r != utf8.RuneError || n > 1) && term.Width(s[:n]) > 0
}
