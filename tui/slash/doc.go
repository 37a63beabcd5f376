// Package slash reads what a person types besides messages: /commands and
// their own shell commands, !command.
//
// # The way through
//
// [Parse] turns one entry of the composer into an [Action], a plain value; the
// screen does it. [Commands] is the table that completion and /help show.
//
// # Promises
//
// Nothing here does anything. What is no command is a prompt; what looks like
// one and is not is an [Unknown] with a sentence that says what was meant.
//
// # Adding a command
//
// An action in action.go, a line in table.go, and a file where it has logic.
package slash
