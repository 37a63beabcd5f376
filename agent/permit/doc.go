// Package permit judges what a call may do: it is the product's agent.Policy.
//
// # The way through
//
// [New] takes the rules of the person's flags. [Policy.Judge] looks at the
// effects of one prepared call, the mode and the rules granted in the session,
// in this order: a deny rule rejects; a call that only reads passes, unless the
// tool calls that risky (keys); mode plan rejects what does more than read;
// mode full passes; allow rules and grants pass what they cover; mode edit
// passes changes in the workspace; all else is asked.
//
// # Rules
//
//	edit, write        changing any file, by whichever tool
//	read               reading any file, by whichever tool
//	shell              running any command
//	NAME               any call of that tool
//	edit(docs/**)      of these files; a path of the workspace, with * ? [] {} **
//	shell(go test*)    of these commands
//
// A command rule without * covers exactly that command, byte for byte. In one
// with *, a * that is the last word, or ends the last word after a letter or
// digit, covers further arguments, or none: "git log*" covers "git log -p",
// not "git logout". Any other * covers a part of one word, without "/". In all
// rules \ takes the meaning of the next character away; \n is a line end.
//
// # Promises
//
//   - Deny wins over everything. It is read widely: "rm*" also finds the rm in
//     "cd x && sudo rm y"; where it cannot be told whether a deny rule covers a
//     command, the person is asked, in mode full too.
//   - Allow is read narrowly. A rule with * covers only one simple command of
//     literal words: nothing joined, redirected, expanded or assigned; nothing
//     that runs what its arguments say (sudo, env, xargs, eval, sh); and of
//     options that run or write something (find -exec, sort -o, git --output)
//     only those that the rule spells out. Failing to read it means asking.
//   - What the tool calls risky is covered by mode full or by its exact rule.
//   - A rule that the person is offered covers what they saw, nothing else.
//
// This is for not asking needlessly. It is no boundary: a program that may run
// can do what it likes.
//
// # Who may call what when
//
// A Policy does not change once made; everything may be called from any
// goroutine, and does no I/O.
package permit
