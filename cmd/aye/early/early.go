// Package early keeps a terminal from being asked for its colours before main.
//
// Bubble Tea does so while it is initialised, and waits five seconds for a
// terminal that does not answer, whatever the command was. The question is not
// asked once an answer is known, and Go initialises packages that are ready in
// the order of their import paths: this path sorts before github.com. Who
// renames the module is told by this package's test.
//
// The value is only a default: the screen asks by itself, without waiting.
package early

import "github.com/charmbracelet/lipgloss"

func init() { lipgloss.SetHasDarkBackground(true) }
