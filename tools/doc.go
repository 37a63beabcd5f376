// Package tools holds what the model may do to the world.
//
// # The way through
//
// A model's call goes through [Tool].Prepare, which checks it and returns an
// [Action]: what would happen, as effects to judge and a view to look at. The
// agent's gate lets it pass or not; then Action.Run does exactly that.
//
// # Promises
//
// A tool cannot ask and cannot act before it was allowed: Prepare only reads.
// File changes are change sets, checked again when they are committed. What is
// too long is cut at the ends of lines, and the result says what is missing and
// how to get it.
//
// What the model has not seen it does not overwrite: files are read before they
// are changed, whole before they are replaced. What was shown is known by the
// content's hash and the lines, so that no change by others is missed. A call
// that is refused for that shows the text it needed, which counts as read: the
// next try succeeds. Lines of files that may hold keys are shown only by calls
// whose effect says so, which the person is asked about.
//
// # Adding a tool
//
// One file that calls [Define] with a struct of its arguments, one line in
// catalog.go, whose order is the order in which the model sees the tools. No
// screen code, no permission code.
//
// # Who may call what
//
// The tools of a [Catalog] may be used by any goroutine; an Action is for one.
// Whoever makes [Jobs] closes them, after the last Action has returned. The
// news of them waits for [Jobs.Watch].
package tools
