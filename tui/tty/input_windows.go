package tty

import (
	"context"
	"os"

	tea "github.com/charmbracelet/bubbletea"
)

// An input on Windows is the console, which Bubble Tea reads and restores.
type input struct {
	file *os.File
}

func (in *input) open(file *os.File) error {
	in.file = file
	return nil
}

func (in *input) forTea() tea.ProgramOption {
	return func(p *tea.Program) {
		tea.WithInput(in.file)(p)
		tea.WithMouseCellMotion()(p) // how Bubble Tea asks the console for the wheel
	}
}

func (in *input) start(context.Context, func(tea.Msg), func()) {}

func (in *input) pause()   {}
func (in *input) resume()  {}
func (in *input) makeRaw() {}
func (in *input) restore() {}
func (in *input) close()   {}
