// Package status is the line at the bottom: what aye waits for and since when,
// where it works, what may happen unasked, which model, how full its context.
//
// # The way through
//
// [Model.Apply] folds events; [Model.View] draws one row for a width and a
// time. What does not fit is left out, least important first; what aye waits
// for and the mode stay.
//
// # Promises
//
// One row, never wider than asked. No clock and no timer of its own: while
// [Model.Busy], the owner draws again every [Beat].
//
// # Adding a part
//
// A line in parts, at the place its importance gives it.
package status
