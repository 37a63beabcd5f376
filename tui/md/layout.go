package md

import (
	"strconv"
	"strings"

	"github.com/muesli/termenv"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"aye/tui/term"
)

// minWidth is the least room for text within quotes and lists: below it they
// are not indented any more.
const minWidth = 8

// maxDepth is how many quotes and lists may stand in each other; what is
// deeper is shown as its source.
const maxDepth = 12

// A layout makes rows of one block.
type layout struct {
	r     *Renderer
	in    inlines
	start int // the number of the outermost list's first item; 0: as the source says

	rows        []string
	first, rest string // what stands before the next row, and before those after
	width       int    // cells left for text
	depth       int
	leaf        leaf
}

// A leaf is the text that the rows end with, if they end with text: as long
// as a block grows by plain words, they can be put there without parsing.
type leaf struct {
	known       bool
	first, rest string // what stands before the last row, and before new ones
	text        string // of the last row, styled, with the blanks that may have fallen off
	width       int
}

// block renders one block.
func (r *Renderer) block(b block, refs references) layout {
	r.prepare()
	l := layout{r: r, width: r.width, start: b.number, in: inlines{source: []byte(b.text)}}
	if isCostly(b.text) {
		l.text(b.text)
		return l
	}
	ctx := parser.NewContext()
	refs.addTo(ctx)
	doc := r.parser.Parser().Parse(text.NewReader(l.in.source), parser.WithContext(ctx))
	l.children(doc, true)
	return l
}

// children lays out the blocks in n; apart: with a blank row between, else
// only where the source has one.
func (l *layout) children(n ast.Node, apart bool) {
	before := len(l.rows)
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling()
		if rows := len(l.rows); rows > before && (apart || c.HasBlankPreviousLines()) {
			l.emit("")
			l.one(c)
			if len(l.rows) == rows+1 { // nothing to see: no gap either
				l.rows = l.rows[:rows]
			}
		} else {
			l.one(c)
		}
		c = next
	}
}

// one lays out the block n.
func (l *layout) one(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		marks := ""
		if l.r.th.Profile == termenv.Ascii {
			marks = strings.Repeat("#", n.Level) + " "
		}
		l.text(marks + l.inline(n, []voice{title, subtitle, minor}[min(n.Level, 3)-1]))
	case *ast.Paragraph, *ast.TextBlock:
		l.text(l.inline(n, body))
	case *ast.Blockquote:
		bar := l.r.dim.Draw("│") + " "
		l.within(bar, bar, func() { l.children(n, false) })
	case *ast.List:
		l.list(n)
	case *ast.FencedCodeBlock:
		l.code(string(n.Language(l.in.source)), n)
	case *ast.CodeBlock:
		l.code("", n)
	case *ast.ThematicBreak:
		l.leaf = leaf{}
		l.emit(l.r.dim.Draw(strings.Repeat("─", min(l.width, 40))))
	case *extast.Table:
		l.table(n)
	}
}

func (l *layout) inline(n ast.Node, v voice) string {
	root := l.in.detach(n)
	return unguard.Replace(l.r.draw(l.in.source, root, v))
}

// text lays out styled text.
func (l *layout) text(s string) {
	if s == "" {
		return
	}
	l.lines(term.Wrap(s, l.width), s)
}

// lines puts out the rows that text was wrapped to.
func (l *layout) lines(rows []string, text string) {
	for i, row := range rows {
		row = strings.TrimRight(row, " ")
		if i == len(rows)-1 {
			blanks := text[len(strings.TrimRight(text, " ")):]
			l.leaf = leaf{known: true, first: l.first, rest: l.rest, text: row + blanks, width: l.width}
		}
		before := len(l.rows)
		l.emit(row)
		l.leaf.known = l.leaf.known && len(l.rows) == before+1
	}
}

// extend puts text at the end of the rows as it is. The layout itself stays
// as it is.
func (l *layout) extend(text string) layout {
	longer := *l
	longer.rows = append(make([]string, 0, len(l.rows)+4), l.rows...)
	if l.leaf.known {
		longer.rows = longer.rows[:len(l.rows)-1]
		longer.first, longer.rest, longer.width = l.leaf.first, l.leaf.rest, l.leaf.width
		text = l.leaf.text + text
	} else {
		text = strings.TrimLeft(text, "\n")
	}
	longer.lines(term.Wrap(text, longer.width), text)
	return longer
}

func (l *layout) code(language string, n ast.Node) {
	l.leaf = leaf{}
	code := strings.TrimRight(string(n.Lines().Value(l.in.source)), "\n")
	for _, row := range codeRows(l.r.code.paint(language, code), l.width) {
		l.emit(row)
	}
}

func (l *layout) list(n *ast.List) {
	number := n.Start
	if l.start > 0 {
		number, l.start = l.start, 0
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.PreviousSibling() != nil && c.HasBlankPreviousLines() {
			l.emit("")
		}
		marker := "• "
		if n.IsOrdered() {
			marker = strconv.Itoa(number) + ". "
			number++
		}
		if box := checkBox(c); box != nil {
			if marker = "[ ] "; box.IsChecked {
				marker = "[✓] "
			}
		}
		l.within(l.r.dim.Draw(marker), strings.Repeat(" ", term.Width(marker)), func() {
			l.children(c, false)
		})
	}
}

// checkBox returns the box that a list item begins with, if it is a task.
func checkBox(item ast.Node) *extast.TaskCheckBox {
	if item.FirstChild() == nil {
		return nil
	}
	box, _ := item.FirstChild().FirstChild().(*extast.TaskCheckBox)
	return box
}

// within lays out what body does with first before its first row and rest
// before the others. There is at least one.
func (l *layout) within(first, rest string, body func()) {
	was := *l
	l.first += first
	l.rest += rest
	l.depth++
	if w := term.Width(rest); l.width-w >= minWidth && l.depth <= maxDepth {
		l.width -= w
	} else { // no room to go further in
		l.rest = was.rest
		l.width = max(l.width-term.Width(first), 1)
	}
	rows := len(l.rows)
	body()
	if len(l.rows) == rows {
		l.emit("")
	}
	l.first, l.rest, l.width, l.depth = was.rest, was.rest, was.width, was.depth
}

// emit puts out a row.
func (l *layout) emit(row string) {
	if row = l.first + row; row == l.first {
		row = strings.TrimRight(row, " ")
	}
	l.first = l.rest
	if term.Width(row) > l.r.width { // markers alone can be too wide
		l.rows = append(l.rows, term.Fold(row, l.r.width)...)
		return
	}
	l.rows = append(l.rows, row)
}
