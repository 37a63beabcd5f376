// Package journal keeps a session's lines in a file.
//
// # The way through
//
// [Create] begins a file, [Open] reads one and goes on with it; either holds
// it alone until Close. Append adds a line. What the lines say is the agent's.
//
// # Promises
//
// A line is one write, so a killed process leaves at worst a torn last line.
// Open keeps every whole record whatever is around it: it skips what is none,
// says what it skipped, and cuts only a torn end, of which it leaves a copy
// beside the file. A write that fails leaves no half line behind, and the next
// one may succeed. Files are 0600, folders 0700, from the moment they exist.
//
// # Who may call what when
//
// A Journal is for one goroutine at a time.
package journal
