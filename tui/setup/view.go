package setup

import (
	"fmt"
	"strconv"
	"strings"

	"aye/tui/term"
)

// View returns at most rows lines of at most width cells.
func (m *Model) View(width, rows int) []string {
	p := sheet{m: m, width: max(1, width-2*term.Margin(width))}
	switch m.page {
	case start:
		m.startPage(&p)
	case models:
		m.modelPage(&p, rows)
	case form:
		m.formPage(&p)
	case waiting:
		p.prose("Connecting…", m.theme.Dim)
		p.add("")
		p.hints("esc", "back")
	}
	lines := p.fit(rows)
	for i, l := range lines {
		lines[i] = strings.Repeat(" ", term.Margin(width)) + term.Cut(l, p.width)
	}
	return lines
}

func (m *Model) startPage(p *sheet) {
	p.prose("aye needs a model to talk to.", m.theme.Bold)
	if m.opts.Missing != "" {
		p.prose(m.opts.Missing, m.theme.Ask)
	}
	p.add("")
	switch {
	case m.probing:
		p.prose("Looking for model servers on this machine…", m.theme.Dim)
		p.add("")
	case len(m.servers) == 0:
		p.prose("No model server answers on this machine (Ollama, LM Studio, llama.cpp, vLLM).", m.theme.Dim)
		p.add("")
	default:
		p.prose("Found on this machine", m.theme.Dim)
	}
	name := 10
	for _, s := range m.servers {
		name = max(name, len(s.Name))
	}
	for i, s := range m.servers {
		what := "no models loaded"
		if n := len(s.Models); n == 1 {
			what = s.Models[0]
		} else if n > 1 {
			what = fmt.Sprintf("%s and %d more", s.Models[0], n-1)
		}
		p.row(i, strconv.Itoa(i+1), fmt.Sprintf("%-*s %s", name, s.Name, term.Line(what)))
	}
	if len(m.servers) > 0 {
		p.add("")
	}
	n := len(m.servers)
	p.row(n, "t", "Take the tour: offline, a scripted model, nothing of yours is touched")
	p.row(n+1, "e", m.formRow())
	p.failure()
	p.add("")
	p.hints("↑↓ enter", "choose", "r", "look again", "ctrl+c", "leave")
	if m.opts.Missing != "" { // which is more to the point
		return
	}
	p.add("")
	p.prose("To start with a model next time, set API_BASE_URL, API_MODEL and, where the endpoint wants one, API_KEY.", m.theme.Dim)
}

// formRow says what the form is for.
func (m *Model) formRow() string {
	known := strings.TrimSpace(m.opts.Known.BaseURL + " " + m.opts.Known.Model)
	if known == "" {
		return "Enter an endpoint: base URL, key, model"
	}
	return "Complete what is configured: " + term.Line(known)
}

func (m *Model) modelPage(p *sheet, rows int) {
	s := m.servers[m.picked]
	p.add(m.theme.Bold.Render(s.Name) + m.theme.Dim.Render("  "+term.Line(s.URL)))
	p.add("")
	room := max(rows-5, 1)
	from := max(0, min(m.cursor-room/2, len(s.Models)-room))
	for i := from; i < min(from+room, len(s.Models)); i++ {
		p.row(i, "", term.Line(s.Models[i]))
	}
	p.failure()
	p.add("")
	p.hints("↑↓ enter", "choose", "esc", "back", "", fmt.Sprintf("%d of %d", m.cursor+1, len(s.Models)))
}

func (m *Model) formPage(p *sheet) {
	p.prose("An endpoint that speaks OpenAI's Chat Completions", m.theme.Bold)
	p.add("")
	names := [fieldCount]string{"Base URL", "Key", "Model"}
	if p.width < 30 {
		names[FieldURL] = "URL"
	}
	label := max(len(names[FieldURL]), len(names[FieldModel]))
	for i := range m.fields.inputs {
		in := m.fields.inputs[i]
		in.Width = max(p.width-label-4, 4)
		if Field(i) == FieldKey {
			in.Placeholder = m.keyHint()
		}
		style := m.theme.Dim
		if Field(i) == m.fields.at {
			style = m.theme.Accent
			p.at = len(p.lines)
		}
		p.add(style.Render(fmt.Sprintf("%-*s", label, names[i])) + "  " + in.View())
	}
	p.failure()
	p.add("")
	p.hints("enter", "next, at the end connect", "tab shift+tab", "fields", "esc", "back")
	p.add("")
	p.prose("The key stays in memory and goes only to this base URL.", m.theme.Dim)
}

// keyHint says what an empty key means.
func (m *Model) keyHint() string {
	if from := m.opts.KeyFrom(m.fields.value(FieldURL)); from != "" {
		return "empty: the key in " + from
	}
	return "empty where none is needed"
}
