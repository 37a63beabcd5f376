// Package md turns Markdown into rows for the terminal, at once or while it
// is still being written.
package md
