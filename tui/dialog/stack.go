package dialog

import (
	tea "github.com/charmbracelet/bubbletea"

	"aye/tui/theme"
)

// A Dialog asks the person something, or shows a page.
type Dialog interface {
	// Update takes a key, a [Paste], a [Wheel], a [Shown], a theme.Theme, or a
	// message of a command it returned before.
	Update(msg tea.Msg) (Outcome, tea.Cmd)
	// View returns at most maxRows rows of at most width cells.
	View(width, maxRows int) []string
}

// Outcome says what became of a message.
type Outcome int

const (
	Ignored Outcome = iota // it is someone else's: a key is the composer's
	Kept
	Closed // the dialog is done
)

type (
	// Shown says that a dialog has just come to the top. The owner of the
	// stack says it too when the screen was away, as after a suspension.
	Shown struct{}
	// Paste is pasted text. It never counts as keys.
	Paste string
	// Wheel is rows that the mouse wheel scrolls; negative is up.
	Wheel int
)

// filler is a dialog that at times needs the whole screen.
type filler interface{ Full() bool }

// typer is a dialog that at times has a caret.
type typer interface {
	// Cursor returns the caret's cell in the rows of the last View.
	Cursor() (x, y int, ok bool)
}

// holder is a dialog that may find out late that a key was not for it.
type holder interface {
	TakeBack() (k tea.KeyMsg, ok bool)
}

// A Stack is the open dialogs; the last one pushed is seen. The zero Stack is
// empty.
type Stack struct{ open []Dialog }

// Push opens d on top of the others.
func (s *Stack) Push(d Dialog) tea.Cmd {
	s.open = append(s.open, d)
	return s.show()
}

// Top returns the dialog that is seen, or nil.
func (s *Stack) Top() Dialog {
	if len(s.open) == 0 {
		return nil
	}
	return s.open[len(s.open)-1]
}

// show tells the top dialog that it is seen now.
func (s *Stack) show() tea.Cmd {
	if s.Top() == nil {
		return nil
	}
	_, cmd := s.Top().Update(Shown{})
	return cmd
}

// Update gives msg to the top dialog.
func (s *Stack) Update(msg tea.Msg) (Outcome, tea.Cmd) {
	top := s.Top()
	if top == nil {
		return Ignored, nil
	}
	outcome, cmd := top.Update(msg)
	if outcome != Closed {
		return outcome, cmd
	}
	return Closed, tea.Batch(cmd, s.remove(top))
}

// Settle closes the approval of a call, as when its question was settled by
// something else.
func (s *Stack) Settle(callID string) tea.Cmd {
	for _, d := range s.open {
		if a, ok := d.(*Approval); ok && a.CallID == callID {
			return s.remove(a)
		}
	}
	return nil
}

// remove takes d away; the one below comes to light if d was the top.
func (s *Stack) remove(d Dialog) tea.Cmd {
	for i, o := range s.open {
		if o != d {
			continue
		}
		s.open = append(s.open[:i:i], s.open[i+1:]...)
		if i == len(s.open) {
			return s.show()
		}
		break
	}
	return nil
}

// SetTheme changes the colours of all dialogs.
func (s *Stack) SetTheme(th theme.Theme) {
	for _, d := range s.open {
		d.Update(th)
	}
}

// View draws the top dialog.
func (s *Stack) View(width, maxRows int) []string {
	if s.Top() == nil || width < 1 || maxRows < 1 {
		return nil
	}
	return s.Top().View(width, maxRows)
}

// Full tells whether the top dialog wants all rows of the screen.
func (s *Stack) Full() bool {
	f, ok := s.Top().(filler)
	return ok && f.Full()
}

// Cursor returns the cell of the top dialog's caret, in its rows.
func (s *Stack) Cursor() (x, y int, ok bool) {
	if t, is := s.Top().(typer); is {
		return t.Cursor()
	}
	return 0, 0, false
}

// TakeBack returns, once, the key that the top dialog had kept and that belongs
// before the message it has just ignored.
func (s *Stack) TakeBack() (k tea.KeyMsg, ok bool) {
	if h, is := s.Top().(holder); is {
		return h.TakeBack()
	}
	return k, false
}
