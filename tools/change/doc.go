// Package change is the one currency of file change: a [Set] holds, for each
// path, the bytes before and the bytes after. The same value is shown as a
// diff, approved, checked again against the disk, and committed all or
// nothing. What was shown is what is written, because it is the same value.
//
// # The way through
//
// A tool makes a Set with [New]. [Set.Diff] is what a person sees of it,
// [Set.Commit] makes it true, [Set.Inverse] is the way back. Whoever opens a
// workspace calls [Recover] first.
//
// # Promises
//
// Commit writes only if the disk still is what the set says was before: else
// it is a [*Stale] error and nothing has changed. When anything fails on the
// way, what was done is taken back. New bytes are on the disk before they take
// a name. While a commit lasts, a record outside the workspace says which files
// it is about, by their hashes and by the names of what lies beside them, and
// whether they take their places already; so a commit that dies, at whatever
// moment, is all old or all new after the next Recover, with nothing left
// beside it. Nothing is cleared away that no record names, and no file is
// overwritten or removed that somebody else has changed: it is said instead,
// and both versions stay. Without a folder for records (a scratch workspace)
// only errors are taken back, not death. A diff shows every change there is, or says in a note what it does
// not show.
//
// # Who may call what
//
// Sets are values that nobody changes; any goroutine may use one. Two commits
// to the same file at the same time are told apart by the check, not by a
// lock: one of them is stale.
package change
