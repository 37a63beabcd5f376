// Package patch reads the patches that models write, and finds what they mean
// in a text.
//
// # The way through
//
// [Parse] takes a patch, in the apply_patch form or as a unified diff, and
// gives its sections, one a file. [Apply] finds the place of each [Hunk] of a
// section in a file's text and gives the edits; [Find] only finds the places.
//
// # Promises
//
// What a parser does not understand is an error that names the line, never
// left out. Around a patch there may be prose, a Markdown fence or a here
// document; line ends, blanks at the end of a header, an empty context line
// without its blank, line numbers that are wrong do no harm.
//
// Context and removed lines are compared as whole lines: as they are, then
// without the blanks at their ends, then with all blanks counted as one, then
// with typographic characters counted as plain ones. The first of these in
// which there is any place decides: there must be exactly one, else there is
// no edit. Lines after "@@" say behind which line, and in whose indented
// block, the place is. Line numbers are never used, nor is the order of hunks:
// a hunk may stand before another whose place is further down. Bytes that are no
// characters may be named as they are shown, \xNN, where the file has no such
// lines as they stand.
//
// A line that is not removed keeps its bytes. An added line gets the line end
// of what it replaces or of the line before. The end of the last line stays as
// it is unless the patch speaks of it ("\ No newline at end of file").
//
// # Who may call what
//
// Pure functions; nothing touches the disk.
package patch
