// Package lock holds files that one process at a time writes, and knows whose
// they are.
//
// # The way through
//
// A file that was opened with the flag [Append] is taken with [Take] and let go
// with [Release], or with [Remove] when it has served.
//
// # Promises
//
// A lock lasts until it is let go or its process has died, however that died.
// On a disk that knows no locks, as some in networks, taking one does nothing
// and succeeds: better to work without than not at all.
//
// # Who may call what when
//
// Any goroutine; a file is for one of them.
package lock
