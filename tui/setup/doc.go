// Package setup is the screen that a start without a model opens on: the
// local servers that answer, the tour, and a form for an endpoint.
//
// # The way through
//
// [Model.Init] looks for servers. The person picks one, and one of its models
// where it has several, or fills in the form, or takes the tour. What is
// [Configured] already stands in the form, and what is missing is named. A base
// URL is completed when its field is left, and shown as it will be used. The choice
// goes to [Options].Connect, whose message the caller gets when it worked;
// when it did not, its error stands on the screen and the choice is open
// again, with the focus in the field at [Fault].
//
// # Promises
//
// Probe and Connect run off the UI goroutine, and end with the context that
// New was given. A key is never drawn. Everything a server says is cleaned.
package setup
