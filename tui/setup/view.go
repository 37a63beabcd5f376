package setup

import (
	"fmt"
	"strconv"
	"strings"

	"aye/tui/term"
)

// View returns at most rows lines of at most width cells.
func (m *Model) View(width, rows int) []string {
	var lines []string
	switch m.page {
	case start:
		lines = m.startLines(width)
	case models:
		lines = m.modelLines(width, rows)
	case form:
		lines = m.formLines(width)
	case waiting:
		lines = []string{m.theme.Dim.Render("Connecting…"), "", m.hint("esc", "back")}
	}
	if m.err != "" {
		lines = append(lines, "")
		for _, l := range term.Wrap(term.Visible(m.err), max(width-2, 1)) {
			lines = append(lines, m.theme.Err.Render(l))
		}
	}
	for i, l := range lines {
		lines[i] = term.Cut(strings.Repeat(" ", term.Margin(width))+l, width)
	}
	return lines[:min(len(lines), rows)]
}

func (m *Model) startLines(width int) []string {
	lines := []string{m.theme.Bold.Render("aye needs a model to talk to."), ""}
	switch {
	case m.probing:
		lines = append(lines, m.theme.Dim.Render("Looking for model servers on this machine…"), "")
	case len(m.servers) == 0:
		lines = append(lines, m.theme.Dim.Render("No model server answers on this machine (Ollama, LM Studio, llama.cpp, vLLM)."), "")
	default:
		lines = append(lines, m.theme.Dim.Render("Found on this machine"))
	}
	for i, s := range m.servers {
		what := "no models loaded"
		if n := len(s.Models); n == 1 {
			what = s.Models[0]
		} else if n > 1 {
			what = fmt.Sprintf("%s and %d more", s.Models[0], n-1)
		}
		text := fmt.Sprintf("%-10s %s", s.Name, term.Line(what))
		lines = append(lines, m.row(i, strconv.Itoa(i+1), text))
	}
	if len(m.servers) > 0 {
		lines = append(lines, "")
	}
	n := len(m.servers)
	lines = append(lines,
		m.row(n, "e", "Enter an endpoint: URL, key, model"),
		m.row(n+1, "t", "Take the tour: offline, a scripted model, nothing of yours is touched"),
		"",
		m.hint("↑↓ enter", "choose")+"   "+m.hint("r", "look again")+"   "+m.hint("ctrl+c", "leave"),
		"",
	)
	const keep = "To start with a model next time, set API_BASE_URL, API_MODEL and, where the endpoint wants one, API_KEY."
	for _, l := range term.Wrap(keep, max(min(width, term.TextWidth)-4, 1)) {
		lines = append(lines, m.theme.Dim.Render(l))
	}
	return lines
}

func (m *Model) modelLines(width, rows int) []string {
	s := m.servers[m.picked]
	lines := []string{m.theme.Bold.Render(s.Name) + m.theme.Dim.Render("  "+term.Line(s.URL)), ""}
	room := max(rows-5, 1)
	from := max(0, min(m.cursor-room/2, len(s.Models)-room))
	for i := from; i < min(from+room, len(s.Models)); i++ {
		lines = append(lines, m.row(i, "", term.Line(s.Models[i])))
	}
	where := fmt.Sprintf("%d of %d", m.cursor+1, len(s.Models))
	return append(lines, "", m.hint("↑↓ enter", "choose")+"   "+m.hint("esc", "back")+"   "+m.theme.Dim.Render(where))
}

func (m *Model) formLines(width int) []string {
	lines := []string{m.theme.Bold.Render("An endpoint that speaks OpenAI's Chat Completions"), ""}
	names := [fieldCount]string{"URL", "Key", "Model"}
	for i := range m.fields.inputs {
		in := m.fields.inputs[i]
		in.Width = max(width-14, 4)
		name := m.theme.Dim.Render(fmt.Sprintf("%-6s", names[i]))
		if i == m.fields.at {
			name = m.theme.Accent.Render(fmt.Sprintf("%-6s", names[i]))
		}
		lines = append(lines, name+"  "+in.View())
	}
	return append(lines, "", m.hint("enter", "next, at the end connect")+"   "+m.hint("esc", "back"),
		"", m.theme.Dim.Render("The key stays in memory and goes only to this URL."))
}

// row is one line to pick from, with the key that picks it.
func (m *Model) row(i int, key, text string) string {
	mark, style := "  ", m.theme.Text
	if i == m.cursor {
		mark, style = m.theme.Accent.Render("› "), m.theme.Bold
	}
	if key != "" {
		key = m.theme.Key.Render(key) + "  "
	}
	return mark + key + style.Render(text)
}

func (m *Model) hint(key, does string) string {
	return m.theme.Key.Render(key) + m.theme.Dim.Render(" "+does)
}
