package tui

import (
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"aye/tui/tty"
)

// storeFailed says that something typed could not be kept.
type storeFailed struct {
	what string
	err  error
}

func (s storeFailed) Error() string {
	return fmt.Sprintf("The %s could not be saved: %v. It goes on in memory.", s.what, s.err)
}

// remember adds an entry to the history on disk; the composer has its own.
func (m *Model) remember(draft string) tea.Cmd {
	store := m.opts.Store
	if store == nil || draft == "" {
		return nil
	}
	return m.storing.add(func() tea.Msg {
		if err := store.AddHistory(draft); err != nil {
			return storeFailed{"history", err}
		}
		return nil
	})
}

// draftPause is how long typing may go on before the draft is saved.
const draftPause = time.Second

type draftDue struct{}

// keepDraft has the draft saved soon, if it changed.
func (m *Model) keepDraft() tea.Cmd {
	if m.opts.Store == nil || m.saving || m.setup != nil || m.compose.Draft() == m.saved {
		return nil
	}
	m.saving = true
	return tea.Tick(draftPause, func(time.Time) tea.Msg { return draftDue{} })
}

func (m *Model) saveDraft() tea.Cmd {
	store, text := m.opts.Store, m.compose.Draft()
	m.saving, m.saved = false, text
	return m.storing.add(func() tea.Msg {
		if err := store.SaveDraft(text); err != nil {
			return storeFailed{"draft", err}
		}
		return nil
	})
}

func pasteCut(p tty.PasteCut) string {
	return fmt.Sprintf("The paste was too long: its first %d bytes were taken, %d left out.", p.Kept, p.Dropped)
}

// saveLast saves the draft when the program is over, however it ended. An older
// one that is just being saved does not come after it; and one that was saved
// before may have been taken away since, by another aye in the same folder.
func (m *Model) saveLast() error {
	m.storing.end()
	if m.opts.Store == nil || m.setup != nil || m.compose.Draft() == "" && m.saved == "" {
		return nil
	}
	if err := m.opts.Store.SaveDraft(m.compose.Draft()); err != nil {
		return storeFailed{"draft", err}
	}
	return nil
}
