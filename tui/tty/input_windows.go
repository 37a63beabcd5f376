package tty

import (
	"context"
	"os"

	tea "github.com/charmbracelet/bubbletea"
)

// An input on Windows is the console, which Bubble Tea reads and restores.
type input struct {
	file *os.File
	send func(tea.Msg)
}

func (in *input) open(file *os.File) error {
	in.file = file
	return nil
}

func (in *input) forTea() *os.File { return in.file }

func (in *input) start(_ context.Context, send func(tea.Msg), _ func()) { in.send = send }

func (in *input) pause()   {}
func (in *input) resume()  {}
func (in *input) makeRaw() {}
func (in *input) restore() {}
func (in *input) close()   {}
