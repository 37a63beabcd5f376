// Package sse reads Server-Sent Events, the format model servers stream in.
//
// # The way through
//
// [Frames] takes a reader and yields one [Frame] for each event in it.
//
// # Promises
//
// Lines may end in LF, CRLF or CR, and a line is taken when its end arrives:
// the reader is never asked for more than the event needs. Where the bytes
// happen to be split by the network makes no difference. A byte order mark at
// the start is skipped, comments and fields other than event and data as well.
// The last event needs no blank line when the stream ends cleanly; it is
// dropped when the stream breaks off. An event may hold [MaxEvent] bytes.
// Time and memory are linear in the bytes read.
//
// # Who may call what when
//
// Frames runs on the caller's goroutine and starts none. A frame's data is
// valid until the next frame is asked for.
package sse
