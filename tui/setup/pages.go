package setup

import (
	"errors"
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"
)

// rows is how many lines the start page lets the person pick from: the
// servers, then the tour, then the form. With no server and nothing prepared,
// Enter is the tour.
func (m *Model) rows() int { return len(m.servers) + 2 }

func (m *Model) startKey(key string) tea.Cmd {
	switch key {
	case "up", "k", "shift+tab":
		m.move(-1, m.rows())
	case "down", "j", "tab":
		m.move(+1, m.rows())
	case "e":
		m.open(form)
	case "t":
		return m.connect(Choice{Tour: true})
	case "r":
		m.probing = true
		return m.Init()
	case "enter":
		return m.take(m.cursor)
	default:
		if n, err := strconv.Atoi(key); err == nil && n >= 1 && n <= len(m.servers) {
			return m.take(n - 1)
		}
	}
	return nil
}

// take acts on a row of the start page.
func (m *Model) take(row int) tea.Cmd {
	switch {
	case row < len(m.servers):
		return m.pick(row)
	case row == len(m.servers):
		return m.connect(Choice{Tour: true})
	default:
		m.open(form)
		return nil
	}
}

// pick chooses a server: at once when it has one model, else by its list; a
// server that names none goes to the form, with its URL filled in.
func (m *Model) pick(i int) tea.Cmd {
	s := m.servers[i]
	switch len(s.Models) {
	case 0:
		m.open(form)
		m.fields.fill(s.URL, m.fields.value(FieldModel))
		m.fields.focus(FieldModel)
	case 1:
		return m.connect(Choice{BaseURL: s.URL, Model: s.Models[0]})
	default:
		m.picked = i
		m.open(models)
		m.cursor = max(0, slices.Index(s.Models, m.opts.Known.Model))
	}
	return nil
}

func (m *Model) modelsKey(key string) tea.Cmd {
	s := m.servers[m.picked]
	switch key {
	case "up", "k":
		m.move(-1, len(s.Models))
	case "down", "j":
		m.move(+1, len(s.Models))
	case "pgup":
		m.move(-min(10, m.cursor), len(s.Models))
	case "pgdown":
		m.move(min(10, len(s.Models)-1-m.cursor), len(s.Models))
	case "esc", "left", "q":
		m.open(start)
		m.cursor = m.picked
	case "enter":
		return m.connect(Choice{BaseURL: s.URL, Model: s.Models[m.cursor]})
	}
	return nil
}

func (m *Model) formKey(k tea.KeyMsg) tea.Cmd {
	switch k.String() {
	case "esc":
		m.open(start)
	case "enter":
		return m.enter()
	case "tab", "down":
		m.step(+1)
	case "shift+tab", "up":
		m.step(-1)
	default:
		m.err = ""
		m.fields.key(k)
	}
	return nil
}

// step goes to another field.
func (m *Model) step(by Field) {
	if m.fields.at == FieldURL {
		_ = m.fields.complete(m.opts.Complete) // Enter says what is wrong
	}
	m.fields.step(by)
}

// enter goes on where the field is right, and connects at the last one.
func (m *Model) enter() tea.Cmd {
	m.err = ""
	last := m.fields.last()
	if m.fields.at == FieldURL || last {
		if err := m.fields.complete(m.opts.Complete); err != nil {
			m.fail(err)
			return nil
		}
	}
	if !last {
		m.fields.step(+1)
		return nil
	}
	c, err := m.fields.choice()
	if err != nil {
		m.fail(err)
		return nil
	}
	return m.connect(c)
}

// fail says what is wrong, in the form with the field it is in. A server that
// was picked and wants a key gets it there.
func (m *Model) fail(err error) {
	fault := (*Fault)(nil)
	found := errors.As(err, &fault)
	if found && fault.Field == FieldKey && m.page != form {
		m.open(form)
		m.fields.fill(m.tried.BaseURL, m.tried.Model)
	}
	if found && m.page == form {
		m.fields.focus(fault.Field)
	}
	m.err = err.Error()
}

func (m *Model) open(p page) { m.page, m.cursor, m.err = p, 0, "" }

func (m *Model) move(by, of int) { m.cursor = (m.cursor + by + of) % of }
