package tty

import (
	"io"
	"os/exec"

	tea "github.com/charmbracelet/bubbletea"
)

// Exec runs c on the terminal, as an editor wants it, while the program stands
// still; done makes a message of how that ended.
func (t *Terminal) Exec(c *exec.Cmd, done func(error) tea.Msg) tea.Cmd {
	c.Stdin, c.Stdout, c.Stderr = t.in, t.out, t.out
	return tea.Exec(lent{t, c.Run}, done)
}

// Suspend stops the program as Ctrl+Z does in a shell. The model gets a
// tea.ResumeMsg when it goes on. Where there is no such thing it is nil.
func (t *Terminal) Suspend() tea.Cmd {
	if !canStop {
		return nil
	}
	return tea.Exec(lent{t, stopProcess}, func(error) tea.Msg { return tea.ResumeMsg{} })
}

// lent is what happens while another has the terminal. Bubble Tea has left the
// alternate screen before, and enters it again after.
type lent struct {
	t  *Terminal
	do func() error
}

func (l lent) Run() error {
	l.t.input.pause()
	l.t.lent.Store(true)
	l.t.input.restore()
	defer func() {
		l.t.lent.Store(false)
		_, _ = l.t.screen.Write([]byte(clean))
		l.t.input.resume()
	}()
	return l.do()
}

// The files were chosen by Exec: Bubble Tea's own are not the terminal.
func (lent) SetStdin(io.Reader)  {}
func (lent) SetStdout(io.Writer) {}
func (lent) SetStderr(io.Writer) {}
