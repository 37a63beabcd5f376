// Package risk says why a command line deserves a second look before a person
// lets it run: because it does what cannot be undone, or reaches out of the
// workspace.
//
// # The way through
//
// [Of] reads a command line, finds every command in it, those within others
// too (sh -c, env, find -exec), and looks each up in a table (programs.go,
// git.go). Words are followed as far as they can be without running anything:
// literals, ~, $HOME, $PWD, variables that the line sets itself, cd.
//
// # Promises
//
// It is a help for the eye, and no boundary: what a command does in the end no
// reading tells. It warns of what is written out, and does not cry wolf over
// everyday commands: building, testing, looking at git, deleting in the
// workspace. What cannot be read at all is said to be so. It does no I/O.
//
// # Adding a program
//
// A row in one of the tables, and two rows in risk_test.go: one that warns and
// one that does not.
//
// # Who may call what when
//
// Of is a pure function.
package risk
