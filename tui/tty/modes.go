package tty

import "github.com/charmbracelet/x/ansi"

// What aye asks of a terminal, and how it is taken back. Kitty keeps its key
// flags per screen, therefore ours go on after the alternate screen is entered
// and off before it is left. A terminal that takes "CSI > 4 ; 1 m" for colours
// is set right by the reset that follows.
const (
	keysOn  = "\x1b[>5u\x1b[>4;1m\x1b[m" // Shift+Enter is not Enter: kitty's flags 1 and 4, xterm's modifyOtherKeys
	keysOff = "\x1b[<u\x1b[>4m\x1b[m"

	focusOn  = "\x1b[?1004h"
	focusOff = "\x1b[?1004l"

	// Press and wheel only, in decimal. Motion would cost messages; and with
	// any mouse mode the terminal selects text only while Shift is held.
	mouseOn  = "\x1b[?1000h\x1b[?1006h"
	mouseOff = "\x1b[?1006l\x1b[?1000l"

	syncOn  = "\x1b[?2026h"
	syncOff = "\x1b[?2026l"
)

// What Bubble Tea writes to enter and to leave the alternate screen, and how
// each of its frames begins.
const (
	enterAlt   = ansi.SetModeAltScreenSaveCursor
	leaveAlt   = ansi.ResetModeAltScreenSaveCursor
	frameStart = ansi.CursorHomePosition
)

// clean takes back every mode that a program like this one may have set, the
// alternate screen excepted: leaving one that is not there moves the cursor. It
// is written before the start too, since another program may have crashed here.
const clean = syncOff + mouseOff + focusOff +
	"\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1015l" + // other mouse modes
	"\x1b[?2004l" + // bracketed paste
	"\x1b[?1l\x1b>" + // arrows and keypad as normal
	"\x1b[?7h" + // wrap at the margin
	"\x1b[>4m\x1b[m" + // modifyOtherKeys, colours
	"\x1b(B\x0f" + // ASCII
	"\x1b[?25h"

// questions ask for the background colour and whether pastes are bracketed;
// the last one every terminal answers, so that it tells when to stop waiting.
// They are asked where Bubble Tea clears the screen next: some terminals print
// what they do not know.
const questions = "\x1b]11;?\x1b\\" + "\x1b[?2004$p" + "\x1b[c"
