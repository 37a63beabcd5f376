// Package match finds the one place in a file that an edit means.
//
// # The way through
//
// [Replace] takes a file's text, as a text.Doc has it, and the text an edit
// names, old, and gives the edit that puts new in its place: text.Splice makes
// it in the text, the Doc's Splice in the bytes of the file.
//
// # Promises
//
// old is looked for as it is; if it is not there, with all line ends counted
// as the same; if it is not there either, with \xNN for bytes that are no
// characters, which is how they are shown. It must occur exactly once, places
// that overlap counted, else there is no edit: never a guess. Bytes outside the
// place are not touched, and the lines in it that old and new have in common
// keep their own line ends. An error is a sentence that tells the model what is
// in the file instead.
//
// # Who may call what
//
// Pure functions; nothing touches the disk.
package match
