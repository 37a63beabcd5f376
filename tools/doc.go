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
// File changes are change sets, checked again when they are committed.
//
// # Adding a tool
//
// One file that calls [Define], one line in catalog.go. No screen code, no
// permission code.
package tools
