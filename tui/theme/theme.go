// Package theme holds the colours of the screen. A colour means something or
// is not there: the accent is the person and the focus, green and red are
// what a change adds and takes, yellow is a question, dim may be skipped.
package theme

import "github.com/charmbracelet/lipgloss"

// A Theme is one set of styles. Styles never carry padding, margins, borders
// or widths: layout is the caller's.
type Theme struct {
	Dark bool

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
}

// New returns the theme for a dark or a light background.
func New(dark bool) Theme {
	pick := func(onDark, onLight string) lipgloss.Style {
		if dark {
			return lipgloss.NewStyle().Foreground(lipgloss.Color(onDark))
		}
		return lipgloss.NewStyle().Foreground(lipgloss.Color(onLight))
	}
	return Theme{
		Dark:   dark,
		Text:   lipgloss.NewStyle(),
		Bold:   lipgloss.NewStyle().Bold(true),
		Dim:    pick("245", "243"),
		Accent: pick("75", "26"),
		Add:    pick("114", "28"),
		Del:    pick("210", "160"),
		Ask:    pick("221", "130"),
		Err:    pick("203", "160"),
		OK:     pick("114", "28"),
		Key:    pick("252", "236").Bold(true),
	}
}
