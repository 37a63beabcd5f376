// Package workspace is the one door to the files of the folder aye works in.
//
// # The way through
//
// [Open] opens the folder once. [Dir.Resolve] turns a path that a model wrote
// into the real one, relative to the folder, links followed; all other methods
// take such a path. Reading goes through [Dir.OpenFile], [Dir.ReadFile],
// [Dir.ReadDir] and [Dir.Walk]; writing through [Dir.Stage], which puts new
// bytes beside their target, and the moves of package change.
//
// # Promises
//
// Nothing outside the folder is read or written, whatever a path or a link
// says and whoever swaps a folder for a link at the wrong moment: every access
// goes through os.Root. Only regular files are opened, and opening never
// blocks. Errors are sentences that say what is wrong with which path; those
// about a missing path match fs.ErrNotExist.
//
// # Who may call what
//
// A Dir may be used by any number of goroutines. Whoever opened it closes it.
//
// # Adding a protected path
//
// One line in the tables of risk.go.
package workspace
