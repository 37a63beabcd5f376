// Package llm is the vocabulary every model provider shares: messages,
// requests, the events of a reply, and the errors callers act on.
//
// # The way through
//
// A caller ranges over [Client].Stream, gets deltas as they arrive and one
// [Done] at the end. A wire (package openai, on package sse)
// implements Client; [Retry] wraps one, and so does markup, which reads what
// models write as text in place of calls and reasoning; llmtest holds a scripted one and the
// test that every Client passes. Estimate guesses tokens where no server has
// counted them.
//
// # Promises
//
// Nothing in here starts a goroutine that outlives the loop over Stream.
// Values are plain and immutable once made. No key appears in an error.
//
// # Adding a wire
//
// A folder with New(Options) that returns a Client and passes
// llmtest.Conform.
package llm
