// Package chat is the conversation on the screen: a fold over a session's
// events that keeps one item for each thing that happened, and a window onto
// them.
//
// # The way through
//
// [Model.Apply] folds an event into an item: a prompt, an answer, a thought, a
// group of calls, a note, the end of a turn. [Model.View] draws the rows that
// are visible, and only those: each item keeps its rows for the present width,
// theme and folding, and lays them out again when it changed or they did.
//
// # Promises
//
// A frame costs what is visible, not what was said before. View gives the same
// string until something in it may have changed. Where the reader scrolled to
// stays on top while text arrives below, while items fold and when the window
// changes its size; only at the very bottom does the view follow. Every row is
// at most as wide as the window. All text of a model, a tool or a file passes
// term.Clean, term.Visible or term.Line before it is laid out. What is held
// of one output is bounded.
//
// # Who may call what when
//
// One goroutine owns a Model, Bubble Tea's. Nothing here does I/O, waits, or
// reads the clock: the time comes in with Apply and [Model.Tick].
//
// # Adding an item
//
// A type with rows and guess, and the event that makes it in apply.go.
package chat
