// Package agenttest is what tests of a session and of its front ends need.
//
// # The way through
//
// [Options] gives a session's options around a scripted [Model], [Play] runs
// the session and shows each event to the test, [Check] holds the events
// against the order that every session keeps.
//
// # Promises
//
// Nothing here sleeps but through package time, so that everything runs on
// virtual time inside testing/synctest. Nothing touches disk or network.
package agenttest
