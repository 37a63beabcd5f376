// Package search finds the lines of a workspace's files that match a pattern.
//
// # The way through
//
// [Compile] makes a [Pattern] of a regular expression or a plain text; its
// error says where the mistake is. [Run] walks the workspace, looks through
// every file that is not passed by, several at the same time, and returns a
// [Report].
//
// A pattern is looked for in two steps. A piece of text that every match must
// have in it, when there is one, is found at the speed of memory; only lines
// with it are looked at by a machine made from the expression, state by state
// as the text asks for them. The machine knows only whether a line matches,
// which is all that is asked.
//
// # Promises
//
// A line matches when Go's regexp finds a match in it without its line end,
// which is "\n", "\r\n" or a lone "\r". Time grows with the text, for no
// pattern faster. A run ends at once with its context. The report does not
// depend on which file was looked at first. Memory depends neither on the
// files nor on their lines: a line of more than a megabyte is searched in
// pieces. Nothing outside the workspace is read, no link is followed, and
// files that may hold keys are not searched: even the number of matches would
// give them away, bit by bit.
//
// # Who may call what
//
// A Pattern may be used by any number of goroutines, and so may Run.
package search
