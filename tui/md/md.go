package md

import (
	"bufio"
	"strings"
	"time"

	"github.com/charmbracelet/glamour/ansi"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"aye/tui/theme"
)

// A Renderer turns Markdown into rows of at most a width. It belongs to one
// goroutine.
type Renderer struct {
	th    theme.Theme
	width int
	now   func() time.Time // for the time that colouring code may take

	// Made when first needed:
	parser goldmark.Markdown
	inline [voices]renderer.Renderer
	writer *bufio.Writer // for inline content
	code   *painter
	dim    theme.Pen
}

// New returns a Renderer for rows of at most width cells, at least 1. It is
// cheap: parser, glamour and colours are made by the first text.
func New(th theme.Theme, width int) *Renderer {
	return &Renderer{th: th, width: max(width, 1), now: time.Now}
}

// Render renders finished Markdown: rows without LF, colours closed in each.
func (r *Renderer) Render(src string) []string {
	s := r.Stream()
	s.Write(src)
	return s.Finish()
}

// prepare makes what the first text needs.
func (r *Renderer) prepare() {
	if r.parser != nil {
		return
	}
	r.parser = newParser()
	r.writer = bufio.NewWriterSize(nil, 512)
	r.code = newPainter(r.th, r.now)
	r.dim = theme.PenOf(r.th.Dim)
}

// newParser returns GitHub's Markdown without HTML: a tag in an answer is
// something its author wants to be read.
func newParser() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithParser(parser.NewParser(
			parser.WithBlockParsers(
				util.Prioritized(parser.NewSetextHeadingParser(), 100),
				util.Prioritized(parser.NewThematicBreakParser(), 200),
				util.Prioritized(parser.NewListParser(), 300),
				util.Prioritized(parser.NewListItemParser(), 400),
				util.Prioritized(parser.NewCodeBlockParser(), 500),
				util.Prioritized(parser.NewATXHeadingParser(), 600),
				util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
				util.Prioritized(parser.NewBlockquoteParser(), 800),
				util.Prioritized(parser.NewParagraphParser(), 1000),
			),
			parser.WithInlineParsers(
				util.Prioritized(parser.NewCodeSpanParser(), 100),
				util.Prioritized(parser.NewLinkParser(), 200),
				util.Prioritized(parser.NewAutoLinkParser(), 300),
				util.Prioritized(parser.NewEmphasisParser(), 500),
			),
			parser.WithParagraphTransformers(
				util.Prioritized(parser.LinkReferenceParagraphTransformer, 100),
			),
		)),
		goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify, extension.TaskList),
	)
}

// draw renders inline content.
func (r *Renderer) draw(source []byte, n ast.Node, v voice) string {
	var out strings.Builder
	r.writer.Reset(&out)
	_ = r.glamour(v).Render(r.writer, source, n) // fails only where the Builder does: never
	_ = r.writer.Flush()
	return strings.Trim(out.String(), "\n")
}

// glamour returns the renderer of inline content within text of a voice.
func (r *Renderer) glamour(v voice) renderer.Renderer {
	if r.inline[v] == nil {
		r.inline[v] = renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(ansi.NewRenderer(ansi.Options{
			ColorProfile:     r.th.Profile,
			Styles:           inlineStyles(r.th, v),
			PreserveNewLines: true,
			InlineTableLinks: true,
			// No WordWrap: glamour breaks no CJK text and pads each row with
			// a sequence a cell; rows are made by term.Wrap.
		}), 1000)))
	}
	return r.inline[v]
}
