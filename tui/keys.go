package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"aye/agent"
)

// A binding is one line of the key table.
type binding struct {
	keys []string // as tea.KeyMsg prints them
	name string   // for people
	does string
	// run acts and reports whether the key was taken; a key not taken goes on
	// to the composer.
	run func(m *Model) (taken bool, cmd tea.Cmd)
}

// always wraps an action that takes its key in every case.
func always(do func(m *Model) tea.Cmd) func(*Model) (bool, tea.Cmd) {
	return func(m *Model) (bool, tea.Cmd) { return true, do(m) }
}

// onEmpty wraps an action that takes its key only while the composer is empty.
func onEmpty(do func(m *Model) tea.Cmd) func(*Model) (bool, tea.Cmd) {
	return func(m *Model) (bool, tea.Cmd) {
		if !m.compose.Empty() {
			return false, nil
		}
		return true, do(m)
	}
}

// bindings is the key table of the chat; what the composer and the dialogs do
// with a key is theirs. /help and ? are drawn from it.
func bindings() []binding {
	return []binding{
		{[]string{"esc"}, "Esc", "close what is open, else interrupt the turn", always((*Model).interrupt)},
		{[]string{"ctrl+c"}, "Ctrl+C", "interrupt; with a draft: clear it into the history; twice on an empty line: leave", always((*Model).breakKey)},
		{[]string{"ctrl+d"}, "Ctrl+D", "leave, on an empty line", onEmpty((*Model).leave)},
		{[]string{"shift+tab"}, "Shift+Tab", "next mode: plan, ask, edit", always((*Model).nextMode)},
		{[]string{"pgup"}, "PgUp PgDn", "scroll a page; the wheel scrolls lines", always(scroll(func(m *Model) { m.chat.Page(-1) }))},
		{[]string{"pgdown"}, "", "", always(scroll(func(m *Model) { m.chat.Page(+1) }))},
		{[]string{"home"}, "Home End", "first and last line, on an empty line; at the end the view follows", onEmpty(scroll(func(m *Model) { m.chat.Home() }))},
		{[]string{"end"}, "", "", onEmpty(scroll(func(m *Model) { m.chat.End() }))},
		{[]string{"ctrl+home"}, "", "", always(scroll(func(m *Model) { m.chat.Home() }))},
		{[]string{"ctrl+end"}, "", "", always(scroll(func(m *Model) { m.chat.End() }))},
		{[]string{"ctrl+o"}, "Ctrl+O", "open or fold tool output", always(scroll(func(m *Model) { m.chat.ToggleOutput() }))},
		{[]string{"ctrl+g"}, "Ctrl+G", "write in $EDITOR", always((*Model).openEditor)},
		{[]string{"ctrl+l"}, "Ctrl+L", "redraw", always(func(*Model) tea.Cmd { return tea.ClearScreen })},
		{[]string{"ctrl+z"}, "Ctrl+Z", "suspend", always((*Model).suspend)},
		{[]string{"?"}, "?", "all keys, on an empty line", onEmpty((*Model).showHelp)},
	}
}

func scroll(do func(*Model)) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		do(m)
		return nil
	}
}

// key runs the table on k.
func (m *Model) key(k tea.KeyMsg) (taken bool, cmd tea.Cmd) {
	name := k.String()
	for _, b := range m.bindings {
		for _, key := range b.keys {
			if key == name {
				return b.run(m)
			}
		}
	}
	return false, nil
}

// interrupt is Esc with no dialog that wants it.
func (m *Model) interrupt() tea.Cmd {
	if !m.working() {
		return nil
	}
	return m.send(agent.Cancel{})
}

// leaveWindow is how soon a second Ctrl+C must follow to leave.
const leaveWindow = 2 * time.Second

// breakKey is Ctrl+C: interrupt, else clear the draft, else leave at the
// second press.
func (m *Model) breakKey() tea.Cmd {
	switch {
	case m.working():
		return m.send(agent.Cancel{})
	case !m.compose.Empty():
		return m.remember(m.compose.Clear())
	case time.Since(m.lastBreak) < leaveWindow:
		return m.leave()
	}
	m.lastBreak = time.Now()
	m.hint = "press Ctrl+C again to leave"
	return tea.Tick(leaveWindow, func(time.Time) tea.Msg { return hintOver{} })
}

// hintOver takes the hint about the second Ctrl+C away.
type hintOver struct{}

func (m *Model) leave() tea.Cmd { return tea.Quit }

// working reports whether there is something to interrupt.
func (m *Model) working() bool { return m.state.Busy || len(m.state.Running) > 0 }

func (m *Model) nextMode() tea.Cmd {
	next := map[agent.Mode]agent.Mode{agent.Plan: agent.Ask, agent.Ask: agent.Edit}[m.state.Mode]
	if next == "" {
		next = agent.Plan
	}
	return m.send(agent.SetMode{Mode: next})
}
