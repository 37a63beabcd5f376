// Package text knows how the bytes of a text file become characters and
// lines, and those the same bytes again.
//
// # The way through
//
// [Decode] makes a [Doc] of a file's bytes: its [Encoding], its text in UTF-8,
// and the way back: [Doc.Splice] changes a place in it, [Doc.Encode] all of
// it. [Check] is for the text of a new file. [Split] cuts text into lines that
// keep their own line ends, [Join] puts them together. For files that are too
// large to hold a [Decoder] is their text as a stream, and a [Scanner] the
// lines of a stream. [Show] makes what has no characters visible, [Numbered]
// shows lines. [FoldBlanks] and [FoldTwins] make lines that look alike the
// same.
//
// # Promises
//
// Encode(Text()) is the file, to the byte, and Splice leaves every byte
// outside its place: for any bytes. What an encoding has no bytes for is an
// error that names the character, never a replacement. Which encoding a file
// is taken for is told in [Detect]; it is certain for UTF-8 and for UTF-16,
// which needs a byte order mark, and inferred for GB18030, Shift-JIS, EUC-JP,
// EUC-KR, Big5 and Windows-1252. A wrong inference shows wrong characters and
// harms no byte. Encodings with shift states, such as ISO-2022-JP, are ASCII
// to this package.
//
// Join(Split(b)) is b, for every b. A line end is "\n", "\r\n" or a lone "\r",
// each line its own; nothing else ends a line, no form feed and no U+2028. The
// memory of a Scanner and of a Decoder does not depend on the file or on the
// length of its lines.
//
// # Who may call what
//
// Everything here is a pure function or a value of one goroutine. Nothing
// touches the disk.
package text
