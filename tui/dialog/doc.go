// Package dialog holds what asks the person something or stands before the
// conversation: an approval, a page to read.
//
// # The way through
//
// Dialogs lie on a [Stack]; the top one sees each message first and says what
// became of it: [Ignored] goes on to the composer, [Kept] ends here, [Closed]
// ends the dialog too. What an answer means is a closure given to the
// constructor; a dialog itself changes nothing.
//
// # Promises
//
// A dialog is docked above the composer, in the rows it is given, each no
// wider than asked; one that needs more says so ([Stack.Full]). Nothing is
// preselected where it matters: Enter never approves. No key that was pressed
// before an approval had been on the screen and undisturbed for [Quiet], or
// for [Pause] by what is typed below it, answers it, nor a letter that another
// key follows within [Alone]; a paste never does, and it cannot be allowed before the end of
// what it is about was on the screen. What it shows is made from the bytes
// that will be used, with everything hidden in them made visible; nothing is
// left out without a word.
//
// # Who may call what when
//
// One goroutine owns the stack, Bubble Tea's. It hands the stack its keys,
// pastes as [Paste], and every message it does not know itself: those are of
// commands that dialogs returned. The clock is read in Update, to
// keep the time of quiet; nothing here does I/O or waits.
//
// # Adding a dialog
//
// A file with a type that implements [Dialog]; it gets [Shown] whenever it has
// come to the top, and theme.Theme when the colours change.
package dialog
