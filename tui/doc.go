// Package tui is the screen: it draws a session and turns keys into commands.
//
// # The way through
//
// [Run] owns the terminal. A [Port] brings the session's events in one
// ordered stream; listen.go takes them in batches, apply.go folds each batch
// into the parts of the screen, layout.go puts their lines together. A key
// goes to the top dialog, else to the key table in keys.go, else to the
// composer. What the person wants becomes an agent.Command; the screen
// changes when the events say so, not before.
//
// # Promises
//
// Update and View do no I/O and never wait: what takes time is a tea.Cmd. A
// frame costs what is visible. Everything foreign passed package term before
// it is drawn. The terminal is restored on every way out.
//
// # Adding to it
//
// A dialog is a file in tui/dialog; a slash command a file in tui/slash and a
// line in its table; a key a line in keys.go.
package tui
