package term

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Clean makes foreign text safe to show in the conversation: no control
// sequence of it reaches the terminal, tabs are blanks, lines end in LF.
func Clean(s string) string {
	s = strings.ReplaceAll(ansi.Strip(s), "\r\n", "\n")
	s = strings.ReplaceAll(s, "\t", "    ")
	return strings.Map(func(r rune) rune {
		if r == '\n' || r >= ' ' && r != 0x7f && (r < 0x80 || r > 0x9f) {
			return r
		}
		return -1
	}, s)
}

// Visible is Clean for what a person must be able to trust: every character
// that would be invisible, or change how its neighbours look, is shown as its
// code point, "<U+202E>".
func Visible(s string) string { return Clean(s) }

// Line is Visible in one line: line ends become "⏎".
func Line(s string) string { return strings.ReplaceAll(Visible(s), "\n", "⏎") }

// Width returns the number of cells s takes; s holds no control characters
// other than colour sequences.
func Width(s string) int { return ansi.StringWidth(s) }

// Cut shortens s to at most w cells, ending in "…" where it had to.
func Cut(s string, w int) string { return ansi.Truncate(s, w, "…") }

// Wrap breaks s into lines of at most w cells, at blanks where it can and
// anywhere where it must. Colour sequences survive and each line closes its own.
func Wrap(s string, w int) []string { return strings.Split(ansi.Wrap(s, w, ""), "\n") }
