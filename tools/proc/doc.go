// Package proc runs one command line for aye: bounded in time and memory,
// away from the person's terminal, and gone when it is over.
//
// # The way through
//
// [Find] picks the shell once, [Env] makes the environment once, [Shell.Run] runs a
// command in them. Output comes through one pipe, is read as a terminal would
// show it (cleaner), handed on as it comes (live) and kept as head and tail
// (keeper). All three belong to the goroutine that called Run.
//
// # Promises
//
//   - A command has a session of its own, no terminal and an empty input: what
//     wants to ask a person fails at once instead of waiting or drawing over
//     the screen.
//   - Output is held in bounded memory, never in a file; what is missing is
//     said, in lines and bytes.
//   - When Run returns, nothing that the command started is alive. What could
//     not be ended (another user's, by sudo) is in Outcome.Alive.
//   - At the time limit everything gets SIGTERM, [TermGrace] later SIGKILL.
//     When ctx ends the grace is 30 ms, so that Run is back within 100 ms:
//     the person's interruption is worth more than the command's tidying up.
//     Background processes that outlive their command get 200 ms.
//
// # How a tree is found
//
// On Linux everything in /proc that is in the command's session, or descends
// from something that is, or carries the mark that Run puts into the
// environment (AYE_COMMAND), or writes to Run's pipe. A process is missed only
// if it did all of: own session, orphaned, environment cleared, output
// redirected. On other Unixes: process group and descendants, by ps. On
// Windows: a job object, in which the shell is before it runs.
//
// If aye dies without a word (SIGKILL), Windows ends the whole job. On Unix a
// guard does it: a shell with the script guard.sh that waits beside each
// command for the end of a pipe that only aye holds, and then ends what it
// finds in the same way.
//
// # Windows
//
// Commands run in the bash of Git for Windows where it is installed, MSYS2's or
// Cygwin's where one is in PATH, with their programs before PATH and without
// the person's profile; else in cmd.exe. Lines of output that are not UTF-8 are
// read in the console's character set, on Unix in the locale's.
//
// # Who may call what when
//
// Everything may be called from any goroutine, at the same time. Run blocks;
// Spec.Progress is called from the goroutine of Run and never after it.
package proc
