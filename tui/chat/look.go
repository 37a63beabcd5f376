package chat

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"

	"aye/tui/md"
	"aye/tui/term"
	"aye/tui/theme"
)

const (
	nameWidth = 6  // of a call's name, with the blank after it
	narrow    = 48 // cells; below, indents shrink
	least     = 12 // cells; narrower windows show the left of what this gives
)

// A look is all that an item's rows depend on besides the item itself.
type look struct {
	th    theme.Theme
	width int  // cells for an item's rows, the margin not counted
	open  bool // outputs and thoughts are shown whole
	md    *md.Renderer
	now   time.Time
}

// step returns the indent of calls, body that of what they printed.
func (lk *look) step() int {
	if lk.width < narrow {
		return 0
	}
	return 2
}

func (lk *look) body() int {
	if lk.width < narrow {
		return 2
	}
	return lk.step() + nameWidth
}

// paint styles each row by itself: a style over several rows would pad them.
func paint(st lipgloss.Style, rows []string) []string {
	pen, painted := theme.PenOf(st), make([]string, len(rows))
	for i, row := range rows {
		painted[i] = pen.Draw(row)
	}
	return painted
}

// flush puts right at the right end of a row of width cells that begins with
// left.
func flush(left, right string, width int) string {
	if right == "" {
		return left
	}
	return left + strings.Repeat(" ", max(1, width-term.Width(left)-term.Width(right))) + right
}

// An excerpt keeps some of many rows.
type excerpt int

const (
	head excerpt = iota // the first rows
	tail                // the last rows
)

// fold keeps n of rows and says how many more there are, unless everything is
// open. One row more than n is shown rather than announced.
func (lk *look) fold(rows []string, n int, keep excerpt) []string {
	if lk.open || len(rows) <= n+1 {
		return rows
	}
	more := lk.th.Dim.Render(term.Cut("… "+count(len(rows)-n, "more row")+" · ctrl+o", lk.width-lk.body()))
	if keep == tail {
		return append([]string{more}, rows[len(rows)-n:]...)
	}
	return append(rows[:n:n], more)
}

// count returns n things in words: "1 row", "1,234 rows".
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits + " " + thing
}

// seconds returns d as people say it: "0.4 s", "12 s", "2 m 05 s".
func seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return term.Seconds(d)
}

// plusMinus returns the size of a change: "+3 −1".
func plusMinus(added, removed int) string { return fmt.Sprintf("+%d −%d", added, removed) }

const (
	keptText = 128 << 10 // bytes kept of one text that is not an answer
	keptTail = 64 << 10  // bytes kept of a running command's output
)

// hold bounds what is kept of one text: its beginning and its end. Both parts
// are copies, so that the whole can go.
func hold(text string) string {
	if len(text) <= keptText {
		return text
	}
	first, last := text[:keptText/2], text[len(text)-keptText/2:]
	left := len(text) - len(first) - len(last)
	return strings.ToValidUTF8(first, "") + "\n[… " + count(left, "byte") + " not shown here …]\n" + strings.ToValidUTF8(last, "")
}
