package dialog

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"

	"aye/tui/term"
	"aye/tui/theme"
)

// An Item is one thing to choose.
type Item struct{ Label, Detail string }

// A Choose lets the person pick one item of a list; typing filters it.
type Choose struct {
	th     theme.Theme
	title  string
	items  []Item
	pick   func(i int) tea.Cmd
	filter field
	hits   []int // indexes of items that match, best first
	at     int   // in hits
	caret  [2]int
}

// NewChoose shows items; pick is called with the index of the chosen one.
func NewChoose(th theme.Theme, title string, items []Item, pick func(i int) tea.Cmd) *Choose {
	c := &Choose{th: th, title: title, items: items, pick: pick}
	c.match()
	return c
}

// SetItems replaces the list, as when more were found. The filter and, where
// it can, the mark stay.
func (c *Choose) SetItems(items []Item) {
	var marked Item
	if len(c.hits) > 0 {
		marked = c.items[c.hits[c.at]]
	}
	c.items = items
	c.match()
	for n, i := range c.hits {
		if items[i] == marked {
			c.at = n
		}
	}
}

// match finds the items that fit the filter.
func (c *Choose) match() {
	c.hits, c.at = nil, 0
	if c.filter.text() == "" {
		for i := range c.items {
			c.hits = append(c.hits, i)
		}
		return
	}
	for _, m := range fuzzy.FindFrom(c.filter.text(), labels(c.items)) {
		c.hits = append(c.hits, m.Index)
	}
}

type labels []Item

func (l labels) String(i int) string { return l[i].Label + " " + l[i].Detail }
func (l labels) Len() int            { return len(l) }

// Update moves and filters; Enter picks, Esc clears the filter, then closes.
func (c *Choose) Update(msg tea.Msg) (Outcome, tea.Cmd) {
	switch msg := msg.(type) {
	case theme.Theme:
		c.th = msg
	case Paste:
		c.filter.insert(string(msg))
		c.match()
	case tea.KeyMsg:
		return c.key(msg)
	}
	return Kept, nil
}

func (c *Choose) key(k tea.KeyMsg) (Outcome, tea.Cmd) {
	switch k.String() {
	case "ctrl+c":
		return Ignored, nil
	case "esc":
		if c.filter.text() == "" {
			return Closed, nil
		}
		c.filter = field{}
		c.match()
	case "enter":
		if len(c.hits) > 0 {
			return Closed, c.pick(c.hits[c.at])
		}
	case "up", "ctrl+p", "shift+tab":
		c.move(-1)
	case "down", "ctrl+n", "tab":
		c.move(1)
	case "pgup":
		c.at = max(0, c.at-8)
	case "pgdown":
		c.at = max(0, min(len(c.hits)-1, c.at+8))
	default:
		if c.filter.key(k) {
			c.match()
		}
	}
	return Kept, nil
}

// move goes round at the ends.
func (c *Choose) move(n int) {
	if len(c.hits) > 0 {
		c.at = (c.at + n + len(c.hits)) % len(c.hits)
	}
}

// View draws the list around the marked item.
func (c *Choose) View(width, maxRows int) []string {
	w := inner(width)
	text, x := c.filter.view(w - 2)
	if c.filter.text() == "" {
		text = c.th.Dim.Render(term.Cut("type to filter", w-2))
	}
	c.caret = [2]int{term.Margin(width) + 2 + x, 1}
	rows := []string{
		rule(c.th, c.th.Accent, c.th.Bold.Render(term.Line(c.title)), "", "", w),
		c.th.Accent.Render("› ") + text,
	}
	keys := hints(c.th, []hint{{"↑↓", "move"}, {"enter", "choose"}, {"esc", "back"}}, w, false)
	if maxRows < len(c.hits)+len(rows)+len(keys) && maxRows < 8 {
		keys = nil
	}
	if maxRows < 4 { // the list matters most
		rows, c.caret[1] = rows[:0], 0
	}
	n := min(max(1, maxRows-len(rows)-len(keys)), max(1, len(c.hits)))
	from := max(0, min(c.at-n/2, len(c.hits)-n))
	if len(c.hits) == 0 {
		rows = append(rows, c.th.Dim.Render(term.Cut("nothing matches", w)))
	}
	for i := from; i < min(from+n, len(c.hits)); i++ {
		rows = append(rows, c.row(i, w))
	}
	return dock(append(rows, keys...), width, maxRows)
}

func (c *Choose) row(n, w int) string {
	it := c.items[c.hits[n]]
	label, mark := term.Cut(term.Line(it.Label), w-2), "  "
	detail := ""
	if room := w - 4 - term.Width(label); it.Detail != "" && room > 4 {
		detail = "  " + c.th.Dim.Render(term.Cut(term.Line(it.Detail), room))
	}
	if n == c.at {
		mark, label = c.th.Accent.Render("▸ "), c.th.Accent.Bold(true).Render(label)
	}
	return mark + strings.TrimRight(label, " ") + detail
}

// Cursor returns the caret of the filter.
func (c *Choose) Cursor() (x, y int, ok bool) { return c.caret[0], c.caret[1], true }

// Help says what the keys do.
func (c *Choose) Help() string { return "↑ ↓ move · type to filter · Enter choose · Esc back" }
