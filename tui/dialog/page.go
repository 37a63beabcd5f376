package dialog

import "fmt"

// A page is a window onto rows of which more may exist than fit.
type page struct {
	from  int  // the first row in sight
	upTo  int  // the row after the last one that goes on from there
	total int  // of the last show
	size  int  // rows of the last show
	step  int  // what a page key moves
	seen  bool // the window has been at the end
}

// tailRows returns how many of n rows keep the end of a long text in sight,
// below what scrolls.
func tailRows(n int) int {
	switch {
	case n < 3:
		return 0
	case n < 8:
		return 1
	}
	return 2
}

// show returns what n rows show of rows. Where it can, the end stays in sight
// below a row that says how much is between.
func (p *page) show(rows []string, n int, between func(hidden int) string) []string {
	p.total, p.size = len(rows), max(n, 0)
	last := len(rows) - p.size
	p.from = max(0, min(p.from, last))
	p.upTo = min(p.from+p.size, p.total)
	p.step = max(1, p.size-1)
	if p.size == 0 {
		return nil
	}
	if last <= 0 {
		p.seen = true
		return rows
	}
	if p.from == last {
		p.seen = true
		return rows[last:]
	}
	below := tailRows(n)
	if between == nil || below == 0 {
		return rows[p.from : p.from+n]
	}
	end := p.from + n - below - 1
	p.upTo = end
	p.step = max(1, end-p.from-1)
	shown := append([]string{}, rows[p.from:end]...)
	shown = append(shown, between(len(rows)-below-end))
	return append(shown, rows[len(rows)-below:]...)
}

// long tells whether not all rows fit.
func (p *page) long() bool { return p.total > p.size }

// where says which rows are in sight, "rows 1–12 of 40", where w is narrow
// "1–12/40"; "" when all are.
func (p *page) where(w int) string {
	if !p.long() {
		return ""
	}
	if w < 40 {
		return fmt.Sprintf("%d–%d/%d", min(p.from+1, p.upTo), p.upTo, p.total)
	}
	if p.size == 0 {
		return fmt.Sprintf("%d rows", p.total)
	}
	return fmt.Sprintf("rows %d–%d of %d", p.from+1, p.upTo, p.total)
}

// scroll moves the window by the key; false: it is none that does.
func (p *page) scroll(key string) bool {
	switch key {
	case "up", "k":
		p.move(-1)
	case "down", "j":
		p.move(+1)
	case "pgup":
		p.move(-p.step)
	case "pgdown":
		p.move(+p.step)
	case "home":
		p.move(-p.total)
	case "end":
		p.move(+p.total)
	default:
		return false
	}
	return true
}

// move moves the window n rows down, up when n is negative.
func (p *page) move(n int) { p.from = max(0, min(p.from+n, p.total-p.size)) }
