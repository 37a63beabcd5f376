package tui

import (
	"context"
	"fmt"
	"slices"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"aye/agent"
)

// A recorder is a session that notes what it is told.
type recorder struct{ got []agent.Command }

func (r *recorder) Send(_ context.Context, cmd agent.Command) error {
	r.got = append(r.got, cmd)
	return nil
}

func (r *recorder) Events() <-chan agent.Event { return nil }

// Whichever command Bubble Tea happens to run first, the session hears things
// in the order in which they were said.
func TestCommandsArriveInOrder(t *testing.T) {
	t.Parallel()
	session := &recorder{}
	m := New(t.Context(), Options{Session: session}, mute{})
	var want []agent.Command
	var cmds []tea.Cmd
	for i := range 5 {
		want = append(want, agent.Prompt{Text: fmt.Sprint(i)})
		cmds = append(cmds, m.send(want[i]))
	}
	for len(cmds) > 0 {
		last := len(cmds) - 1
		cmd := cmds[last]
		cmds = cmds[:last]
		if cmd == nil {
			continue
		}
		if msg := cmd(); msg != nil {
			_, more := m.Update(msg)
			cmds = append(cmds, more)
		}
	}
	if !slices.Equal(session.got, want) {
		t.Errorf("the session heard %v, want %v", session.got, want)
	}
}

// A draft that is being saved when the program ends does not come after the
// last one, and one that was not begun does not come at all.
func TestTheLastDraftIsTheLast(t *testing.T) {
	t.Parallel()
	for name, begun := range map[string]bool{"being saved": true, "not begun": false} {
		store := &slowStore{entered: make(chan struct{}), goOn: make(chan struct{})}
		m := New(t.Context(), Options{Session: &recorder{}, Store: store}, mute{})
		m.compose.SetText("old")
		save := m.saveDraft()
		m.compose.SetText("new")
		over := make(chan tea.Msg)
		if begun {
			go func() { over <- save() }()
			<-store.entered
		}
		ended := make(chan error)
		go func() { ended <- m.saveLast() }()
		if begun {
			close(store.goOn)
			<-over
		}
		if err := <-ended; err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !begun {
			save()
		}
		if n := len(store.drafts); n == 0 || store.drafts[n-1] != "new" {
			t.Errorf("%s: saved %q", name, store.drafts)
		}
	}
}

// A slowStore takes its time over the draft "old".
type slowStore struct {
	drafts        []string
	entered, goOn chan struct{}
}

func (s *slowStore) AddHistory(string) error { return nil }

func (s *slowStore) SaveDraft(text string) error {
	if text == "old" {
		close(s.entered)
		<-s.goOn
	}
	s.drafts = append(s.drafts, text)
	return nil
}
