// Package change is the one currency of file change: a [Set] holds, for each
// path, the bytes before and the bytes after. The same value is shown as a
// diff, approved, checked again against the disk, and committed all or
// nothing. What was shown is what is written, because it is the same value.
//
// # The way through
//
// A tool makes a Set with [New]. [Set.Diff] is what a person sees of it,
// [Set.Commit] makes it true, [Set.Inverse] is the way back.
//
// # Promises
//
// Commit writes only if the disk still is what the set says was before: else
// it is a [*Stale] error and nothing has changed. When anything fails on the
// way, what was done is taken back. New bytes are on the disk before they take
// a name. A diff shows every change there is, or says in a note what it does
// not show.
//
// # Who may call what
//
// Sets are values that nobody changes; any goroutine may use one. Two commits
// to the same file at the same time are told apart by the check, not by a
// lock: one of them is stale.
package change
