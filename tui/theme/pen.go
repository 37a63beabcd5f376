package theme

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// A Pen is a style worked out once: for drawing thousands of small pieces.
type Pen struct{ On, Off string }

// PenOf returns the pen that draws as style does.
func PenOf(style lipgloss.Style) Pen {
	on, off, _ := strings.Cut(style.Render("x"), "x")
	return Pen{On: on, Off: off}
}

// Draw puts the style around s, which is one line.
func (p Pen) Draw(s string) string {
	if s == "" {
		return ""
	}
	return p.On + s + p.Off
}
