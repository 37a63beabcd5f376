// Package setup is the screen that a start without a model opens on: the
// local servers that answer, the tour, and a form for an endpoint.
//
// # The way through
//
// [Model.Init] looks for servers. The person picks one, and one of its models
// where it has several, or fills in the form, or takes the tour. The choice
// goes to [Options].Connect, whose message the caller gets when it worked;
// when it did not, its error stands on the screen and the choice is open
// again.
//
// # Promises
//
// Probe and Connect run off the UI goroutine, and end with the context that
// New was given. A key is never drawn. Everything a server says is cleaned.
package setup
