// Package texttest has files in many encodings, and edits of them, for tests of
// whatever changes files.
//
// # The way through
//
// [Variants] lists the kinds of files. [Variant.File] is one as bytes,
// [Variant.Edits] are changes of it, and [Variant.Edited] is what such a change
// must leave on the disk, byte for byte.
//
// # Promises
//
// The bytes come from the encoders of golang.org/x/text, never from package
// text, which is under test. Nothing here is part of the product.
package texttest
