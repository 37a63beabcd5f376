package md

import (
	"github.com/charmbracelet/glamour/ansi"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"aye/tui/theme"
)

// A voice is how the text around inline content is drawn.
type voice uint8

const (
	body voice = iota
	strong
	title    // a heading of the first level
	subtitle // one of the second
	minor    // one below
	voices
)

// inlineStyles says our styles in glamour's terms. Only what stands inside a
// line has one there: blocks are laid out by this package.
func inlineStyles(th theme.Theme, v voice) ansi.StyleConfig {
	around := map[voice]lipgloss.Style{
		body:     th.Text,
		strong:   th.Bold,
		title:    th.Heading.Underline(true),
		subtitle: th.Heading,
		minor:    th.Heading.Italic(true),
	}[v]
	styles := ansi.StyleConfig{
		Text:          primitive(around),
		Emph:          primitive(around.Italic(true)),
		Strong:        primitive(around.Bold(true)),
		Strikethrough: primitive(around.Strikethrough(true)),
		LinkText:      primitive(th.Link.Inherit(around)),
		Code:          ansi.StyleBlock{StylePrimitive: primitive(th.Code.Span.Inherit(around))},
	}
	if th.Profile == termenv.Ascii { // no sequences at all: the marks stay instead
		styles.Text, styles.LinkText = ansi.StylePrimitive{}, ansi.StylePrimitive{}
		styles.Emph = ansi.StylePrimitive{Prefix: "*", Suffix: "*"}
		styles.Strong = ansi.StylePrimitive{Prefix: "**", Suffix: "**"}
		styles.Strikethrough = ansi.StylePrimitive{Prefix: "~~", Suffix: "~~"}
		styles.Code = ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Prefix: "`", Suffix: "`"}}
	}
	return styles
}

// primitive says a style in glamour's terms.
func primitive(s lipgloss.Style) ansi.StylePrimitive {
	var p ansi.StylePrimitive
	if c, ok := s.GetForeground().(lipgloss.Color); ok {
		name := string(c)
		p.Color = &name
	}
	set := func(on bool) *bool {
		if !on {
			return nil
		}
		return &on
	}
	p.Bold, p.Italic, p.Underline = set(s.GetBold()), set(s.GetItalic()), set(s.GetUnderline())
	p.CrossedOut = set(s.GetStrikethrough())
	return p
}
