// Package tty is aye's own way in and out of the terminal: a reader in front
// of Bubble Tea's input, a writer behind its output, and one way back to the
// terminal as it was found.
//
// # The way through
//
// Open puts the terminal into raw mode (output processing stays on, so that a
// crash is readable at any moment). Run starts a reader, which takes bytes from
// the terminal, and a decoder, which makes whole keys, pastes and reports of
// them and hands them to the program in the order they were typed. Bubble Tea's
// own input stays silent: two ways in could swap a key and a paste. Frames go
// the other way, through one goroutine that owns the output file: it brackets
// each frame with synchronized update and puts the real cursor at the caret.
//
//	terminal ─► read ─► chunks ─► decode ─► Program.Send ─► Update
//	terminal ◄─ write ◄───────────────────── renderer ◄──── View, SetCursor
//
// On Windows Bubble Tea reads the console itself; the model sees the same
// messages.
//
// # Messages
//
// tea.KeyMsg (one key or rune each), tea.MouseMsg (clicks only), tea.FocusMsg
// and tea.BlurMsg, Paste, PasteCut, Wheel, Background; tea.ResumeMsg after a
// suspension. Shift+Enter, Ctrl+Enter and Alt+Enter all arrive as alt+enter.
//
// # Promises
//
//   - A sequence of the terminal is a message or nothing; it is never text.
//   - A paste is Paste, never keys, bracketed or not; no byte of it is lost
//     below the cap, and what is above it is counted in PasteCut.
//   - However the program ends (return, error, panic in Update, View or a
//     command, SIGINT, SIGTERM, SIGHUP, SIGQUIT, a terminal that is gone) the
//     modes set here are taken back, before anything is reported.
//   - SetCursor never blocks.
//
// # Who may call what when
//
// Open, then Run once, then nothing: Run closes. Close alone is for a program
// that opened and will not run; it may be called any number of times. Exec and
// Suspend return commands for Update to return.
//
// # Adding a key
//
// A row in keys.go. A new kind of report: a case in decoder.csi or decoder.osc.
package tty
