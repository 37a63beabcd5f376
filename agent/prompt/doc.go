// Package prompt writes the system prompt.
//
// # The way through
//
// [System] puts [Facts] into a fixed text, then the person's and the project's
// instructions, then the list of skills. The same facts give the same prompt
// from request to request, so that servers can cache it. [Nested] is what the
// model is told when it comes to a folder that has an AGENTS.md of its own.
//
// # Promises
//
// Without instructions and skills it is under 1,600 bytes: every request
// carries it. Nothing in it is dated or random: the same facts give the same
// text. What a repository brings in is bounded, and without characters that
// a person would not see.
//
// It may be called from any goroutine.
package prompt
