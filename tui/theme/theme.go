// Package theme holds the colours of the screen. A colour means something or
// is not there: the accent is the person and the focus, green and red are
// what a change adds and takes, yellow is a question, dim may be skipped.
//
// # The way through
//
// The screen calls [New] for what the background is thought to be, and again when
// the terminal has told it; every part of it is given the Theme. Where many small pieces are drawn, a [Pen] made from a
// style is cheaper than the style.
//
// # Promises
//
// Nothing here asks the terminal anything. With NO_COLOR or a terminal
// without colours the styles draw plain text, so no meaning may hang on colour
// alone. On a light background all colours have a contrast of at least 4.5
// against white, on a dark one against black, dim ones included.
//
// # Who may call what when
//
// A Theme is a value and never changes; it may be copied and used anywhere.
//
// # How to add one
//
// A new colour is a field here with its meaning, and a pair of numbers of the
// 256-colour palette that the contrast test accepts.
package theme

import (
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// A Theme is one set of styles. Styles never carry padding, margins, borders
// or widths: layout is the caller's.
type Theme struct {
	Dark    bool
	Profile termenv.Profile // how many colours there are

	Text   lipgloss.Style // ordinary text: the terminal's own colour
	Bold   lipgloss.Style
	Dim    lipgloss.Style // may be skipped
	Accent lipgloss.Style // the person, the focus
	Add    lipgloss.Style // added lines
	Del    lipgloss.Style // removed lines
	Ask    lipgloss.Style // a question
	Err    lipgloss.Style // a failure
	OK     lipgloss.Style // a success
	Key    lipgloss.Style // a key to press, in hints

	Heading lipgloss.Style // headings in an answer
	Link    lipgloss.Style // an address in an answer
	Code    Code
}

// Code holds the colours of program text. What is not named here has the
// terminal's own colour.
type Code struct {
	Span    lipgloss.Style // code inside a sentence
	Keyword lipgloss.Style
	Name    lipgloss.Style // what is defined or called: functions, types, tags
	String  lipgloss.Style
	Number  lipgloss.Style // numbers and other constants
	Comment lipgloss.Style
}

// New returns the theme for a dark or a light background on standard output.
func New(dark bool) Theme { return For(lipgloss.DefaultRenderer(), dark) }

// For returns the theme for a dark or a light background that draws with r.
func For(r *lipgloss.Renderer, dark bool) Theme {
	pick := func(onDark, onLight string) lipgloss.Style {
		if dark {
			return r.NewStyle().Foreground(lipgloss.Color(onDark))
		}
		return r.NewStyle().Foreground(lipgloss.Color(onLight))
	}
	return Theme{
		Dark:    dark,
		Profile: r.ColorProfile(),
		Text:    r.NewStyle(),
		Bold:    r.NewStyle().Bold(true),
		Dim:     pick("245", "243"),
		Accent:  pick("75", "26"),
		Add:     pick("114", "28"),
		Del:     pick("210", "160"),
		Ask:     pick("221", "130"),
		Err:     pick("203", "160"),
		OK:      pick("114", "28"),
		Key:     pick("252", "236").Bold(true),
		Heading: r.NewStyle().Bold(true),
		Link:    pick("75", "26").Underline(true),
		Code: Code{
			Span:    pick("180", "94"),
			Keyword: pick("176", "91"),
			Name:    pick("75", "26"),
			String:  pick("150", "28"),
			Number:  pick("215", "130"),
			Comment: pick("245", "243"),
		},
	}
}
