package tui

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"aye/agent"
	"aye/tui/dialog"
	"aye/tui/slash"
	"aye/tui/term"
)

// showJobs opens the list of background jobs. The session fills it.
func (m *Model) showJobs() tea.Cmd {
	m.chat.End()
	if m.state.LastJob == 0 {
		m.chat.Note(agent.Info, slash.NoJobs)
		return nil
	}
	list := func() tea.Cmd { return m.send(agent.ListJobs{}) }
	stop := func(id int) tea.Cmd { return m.send(agent.StopJob{ID: id}) }
	return tea.Batch(m.dialogs.Push(dialog.NewJobs(m.theme, list, stop)), list())
}

// stopJob ends a job. That it has ended is an event; until then there is a word
// of it, for a job may take its time.
func (m *Model) stopJob(id int) tea.Cmd {
	m.chat.End()
	i := slices.IndexFunc(m.state.Jobs, func(j agent.JobStarted) bool { return j.ID == id })
	if i < 0 {
		text := slash.WhichJob(m.state.Jobs)
		if id > 0 && len(m.state.Jobs) > 0 {
			text = fmt.Sprintf("No job %d is running. %s", id, text)
		}
		m.chat.Note(agent.Warn, text)
		return nil
	}
	m.chat.Note(agent.Info, fmt.Sprintf("stopping job %d: %s", id, term.Cut(term.Line(m.state.Jobs[i].Command), term.TextWidth)))
	return m.send(agent.StopJob{ID: id})
}
