// Package match finds the one place in a file that an edit means.
//
// # The way through
//
// [Replace] takes a file's bytes and the text an edit names, old, and gives
// the [Edit] that puts new in its place. [Edit.Apply] makes the new bytes.
//
// # Promises
//
// old is looked for as it is; if it is not there, with all line ends counted
// as the same. It must occur exactly once, places that overlap counted, else
// there is no edit: never a guess. Bytes outside the place are not touched,
// and the lines in it that old and new have in common keep their own line
// ends. An error is a sentence that tells the model what is in the file
// instead.
//
// # Who may call what
//
// Pure functions; nothing touches the disk.
package match
