// Package compose is the editor in which a person writes to the model: several
// lines, history, completion, and pastes of any size.
//
// # The way through
//
// Key and Paste change a Model, View draws it. A Model does no I/O and keeps no
// time: what it needs from outside (history, commands, file names) is set, what
// happened is returned as an Event.
//
// The text is a slice of lines. Every change goes through one method,
// Model.replace, which also remembers how to undo it. A line knows where its
// rows begin at the current width; a change wraps again only from the row it
// touches, and View wraps only what it shows, so that a key costs the same in a
// long text as in a short one.
//
// A big paste is a chip: one character of the text, drawn as
// [paste 1 · 812 lines], whose content is kept beside it and put back by Text.
//
// # Promises
//
//   - What was typed or pasted is not lost: walking the history, searching it,
//     sending something else or clearing keeps the draft or makes it history.
//   - Text is what was pasted, byte for byte; only line ends become LF, and
//     bytes that are no UTF-8 become U+FFFD where they are not in a chip.
//   - A line of View is at most the width (or 8, if that is less) and holds no
//     control sequence but colours. What has no looks of its own, a control or
//     an invisible character, is shown as a sign or its code point.
//   - The caret is in a cell of View.
//
// # Who may call what when
//
// One goroutine. Resize before the first View. While Open reports true the
// composer sees every key first, Escape too; one that it ignores goes on to
// whoever has it otherwise, Ctrl+C for one.
//
// # Adding a key
//
// A row in the table in keys.go.
package compose
