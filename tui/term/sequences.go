package term

import "github.com/aymanbagabas/go-osc52/v2"

// A Mux is a program between aye and the terminal that passes on only what is
// wrapped for it.
type Mux int

const (
	Direct Mux = iota
	Tmux
	Screen
)

// Clipboard returns the sequence that asks the terminal to put text on the
// system clipboard (OSC 52). Terminals never answer it, and some ignore it or
// take no more than about 75 KB: it cannot be said that it worked.
func Clipboard(text string, through Mux) string {
	seq := osc52.New(text)
	switch through {
	case Direct:
	case Tmux:
		seq = seq.Tmux()
	case Screen:
		seq = seq.Screen()
	}
	return seq.String()
}

// Reset returns the sequence that puts the terminal back, whatever aye had
// switched on. Sending it twice does no harm. Leaving the alternate screen
// puts the cursor back, so last words are printed after it.
func Reset() string {
	return "\x1b[?2026l" + // show what was drawn
		"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l" + // mouse
		"\x1b[?1004l" + // focus reports
		"\x1b[?2004l" + // bracketed paste
		"\x1b[=0u\x1b[>4;0m" + // kitty and xterm key reports
		"\x1b[?1l\x1b>" + // cursor and keypad keys
		"\x1b[?1049l" + // alternate screen
		"\x1b[?7h\x1b[?25h" + // wrap at the edge, cursor shown
		"\x1b(B\x0f\x1b[0m" // ASCII, no colours
}
