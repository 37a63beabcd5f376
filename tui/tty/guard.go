package tty

import (
	"reflect"

	tea "github.com/charmbracelet/bubbletea"
)

// guard is the model as the program sees it: a panic in it, or in one of its
// commands, becomes the reason why the program ends.
type guard struct {
	tea.Model
	t *Terminal
}

// continued says that somebody stopped us without our knowing, and it is over.
type continued struct{}

func (g guard) Init() (cmd tea.Cmd) {
	defer g.t.catch()
	return g.watched(g.Model.Init())
}

func (g guard) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	next = g
	defer g.t.catch()
	if _, ok := msg.(continued); ok {
		g.t.input.makeRaw()
		g.t.screen.again()
		return g, tea.ClearScreen
	}
	m, cmd := g.Model.Update(translate(msg))
	return guard{m, g.t}, g.watched(cmd)
}

func (g guard) View() (view string) {
	defer g.t.catch()
	return g.Model.View()
}

var cmdType = reflect.TypeFor[tea.Cmd]()

// watched is cmd with its panics caught. Batches and sequences are lists of
// commands, the second of a type without a name to us.
func (g guard) watched(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer g.t.catch()
		msg = cmd()
		if list := reflect.ValueOf(msg); list.Kind() == reflect.Slice && list.Type().Elem() == cmdType {
			for i := range list.Len() {
				item := list.Index(i)
				item.Set(reflect.ValueOf(g.watched(item.Interface().(tea.Cmd))))
			}
		}
		return msg
	}
}

// translate gives what Bubble Tea read itself the shape of what we read.
func translate(msg tea.Msg) tea.Msg {
	switch m := msg.(type) {
	case tea.KeyMsg:
		if m.Paste {
			return Paste(plainNewline.Replace(string(m.Runes)))
		}
	case tea.MouseMsg:
		switch m.Button {
		case tea.MouseButtonWheelUp:
			return Wheel{Delta: -1, X: m.X, Y: m.Y}
		case tea.MouseButtonWheelDown:
			return Wheel{Delta: 1, X: m.X, Y: m.Y}
		}
	}
	return msg
}
