// Package prompt writes the system prompt.
//
// # The way through
//
// [System] puts [Facts] into a fixed text, then the project's instructions,
// then the list of skills. It is called once a session, so that the prompt
// stays the same from request to request and servers can cache it.
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
