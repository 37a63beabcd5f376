// Command aye is a full-screen coding agent for the terminal.
//
// # The way through
//
// [main] parses the command line (args.go), settles the configuration from
// flags and environment (config.go), and hands over to one of the commands
// (command.go): the screen (screen.go), one task without it (run.go, with its
// front end in headless.go), the tour (folder tour), the version. open.go
// wires a session from its parts and takes it apart again; keeper.go is its
// journal, sessions.go finds earlier ones, store.go keeps what was typed.
//
// # Promises
//
// Only this package reads flags, environment and the home folder. Nothing is
// read from the network, parsed or created before the first frame that can
// wait until after it. Every way out ends every goroutine and every child
// process first. A key is never printed.
//
// # Adding a command
//
// A function, a row in the table of command.go, and its flags in args.go.
package main
