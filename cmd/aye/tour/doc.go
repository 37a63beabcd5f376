// Package tour is the guided demo: a scripted model, served over real HTTP on
// this machine, and a scratch copy of a tiny project with a failing test.
//
// # The way through
//
// [Start] copies the project and starts the server. The caller opens an
// ordinary session on [Tour.Dir] and [Tour.URL] and closes the tour when the
// session has ended. What the model says next follows from the conversation
// alone ([next]), so that every answer a person may give has its reply.
//
// # Promises
//
// The model says that it is a script. Nothing outside the scratch folder is
// touched, and Close removes it. No request leaves the machine.
//
// # Adding a step
//
// A place in [progress], a line in [progress.step], a text in words.go.
package tour
