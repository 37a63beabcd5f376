// Package text knows how the bytes of a text file become lines, and lines the
// same bytes again.
//
// # The way through
//
// [Sniff] says what a file's first bytes are. [Split] cuts a whole file into
// lines that keep their own line ends, [Join] puts them together. A [Scanner]
// does the same for files that are too large to hold. [FoldBlanks] and
// [FoldTwins] make lines that look alike the same, [Numbered] shows some.
//
// # Promises
//
// Join(Split(b)) is b, for every b. A line end is "\n", "\r\n" or a lone "\r",
// each line its own; nothing else ends a line, no form feed and no U+2028. A
// Scanner's memory does not depend on the file or on the length of its lines.
//
// # Who may call what
//
// Everything here is a pure function or a value of one goroutine. Nothing
// touches the disk.
package text
