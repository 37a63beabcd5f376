// Package workspace is the one door to the files of the folder aye works in.
//
// # The way through
//
// [Open] opens the folder once. [Dir.Resolve] turns a path that a model wrote
// into the real one, relative to the folder, links followed; all other methods
// take such a path. Reading goes through [Dir.OpenFile], [Dir.ReadFile],
// [Dir.ReadDir], [Dir.Walk] and [Dir.Folders]; writing through [Dir.Beside], a file that lies
// beside its target until it takes its place, by the moves of package change.
// These keep a [Record] meanwhile, in the folder that [OpenWith] is given.
//
// # Promises
//
// Nothing outside the folder is read or written, whatever a path or a link
// says and whoever swaps a folder for a link at the wrong moment: every access
// goes through os.Root. Only regular files are opened, and opening never
// blocks. Errors are sentences that say what is wrong with which path; those
// about a missing path match fs.ErrNotExist.
//
// A record lies outside the workspace, in a folder of the user's own, so that
// no project can bring one along; one of another user is refused. It is locked
// by the process that made it: only what a dead process left is ever found.
//
// # Who may call what
//
// A Dir may be used by any number of goroutines. Whoever opened it closes it.
//
// # Adding a protected path
//
// One line in the tables of risk.go.
package workspace
