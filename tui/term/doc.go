// Package term is the border between foreign bytes and the person's terminal.
// Model text, tool output, file names and error messages pass one of its
// cleaning functions before they are drawn; what leaves them holds no control
// character but LF, so nothing a stranger wrote can move the cursor, hide
// text, ask the terminal a question or change its modes. It also measures and
// breaks text by cells.
//
// # The way through
//
// Conversation text: [Clean], or a [Cleaner] for text that comes in pieces;
// output of commands first through [Collapse], which keeps what overwriting
// leaves. What is asked about: [Visible], or [Line] where there is one row;
// [Hidden] counts what would otherwise not be seen. Then styles are put on,
// and then [Wrap], [Fold], [Cut] and [Pad] lay it out; these understand
// colour sequences and nothing else.
//
// # Promises
//
// Clean and Visible return valid UTF-8 without ESC, C0 or C1 besides LF,
// whatever they are given; doing it twice changes nothing; a Cleaner gives for
// pieces what Clean gives for the whole. Text after a control sequence is
// kept. Wrap and Fold return no line wider than asked. Widths are those of
// grapheme clusters as x/ansi counts them, which is what the tests' emulator
// draws; a test pins them.
//
// # Who may call what when
//
// All functions are pure and may be called from anywhere; a Cleaner belongs
// to one stream.
//
// # How to add one
//
// A character that must not pass unseen is a range in runes.go.
package term
