// Package diff draws file changes for the person who has to say yes to them.
//
// # The way through
//
// [Lines] takes what change.Set shows of itself and returns rows for the
// screen: per file a header, then the hunks, each row with its line number,
// its sign and its text. [Untitled] leaves out the header of one file.
//
// # Promises
//
// Everything is shown: long lines are folded onto more rows (marked "↳"),
// never cut; every text passes term.Visible, so hidden characters stand there
// as code points; blanks at the end of a changed line and changes of nothing but
// blanks are drawn as "·" ("␣" where a line holds a "·") and "→"; a line end that is not like the others, or is
// missing, is named. Text cannot imitate the frame: numbers, signs and marks
// stand in a margin that no text reaches. The sign alone tells added from
// removed; colour only helps. No row is wider than asked (at least 4). Time
// and space are linear in the size of the change.
//
// # Who may call what when
//
// Both functions are pure. A large change takes milliseconds (10,000 changed
// lines: about 12): callers keep its result per width.
package diff
