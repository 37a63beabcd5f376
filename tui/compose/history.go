package compose

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

const maxHistory = 1000

// A history is what was sent or cleared, as drafts, and what the person made of
// it while walking through. The place behind the last entry is the draft.
type history struct {
	entries []string
	at      int
	changed map[int]string
}

// add appends an entry and goes back to the draft.
func (h *history) add(entry string) {
	if n := len(h.entries); strings.TrimSpace(entry) != "" && (n == 0 || h.entries[n-1] != entry) {
		h.entries = append(h.entries, entry)
		h.entries = h.entries[max(0, len(h.entries)-maxHistory):]
	}
	h.leave()
}

func (h *history) leave() {
	h.at = len(h.entries)
	h.changed = nil
}

// get is the text at a place, as the person left it.
func (h *history) get(i int) string {
	if text, ok := h.changed[i]; ok {
		return text
	}
	if i < len(h.entries) {
		return h.entries[i]
	}
	return ""
}

func (h *history) keep(text string) {
	if h.changed == nil {
		h.changed = map[int]string{}
	}
	h.changed[h.at] = text
}

// draftOf is the newest entry that says text.
func (h *history) draftOf(text string) string {
	for _, entry := range slices.Backward(h.entries) {
		if unmarked.Replace(entry) == text {
			return entry
		}
	}
	return typedDraft(text)
}

// unmarked takes the marks of pastes out of a draft.
var unmarked = strings.NewReplacer(pasteOpen, "", pasteClose, "")

// waiting is the draft that was left for an entry; "" when there is none.
func (h *history) waiting() string {
	if h.at == len(h.entries) {
		return ""
	}
	return h.get(len(h.entries))
}

// recall goes to a place of the history; it reports false where there is none.
func (m *Model) recall(i int) bool {
	h := &m.history
	if i < 0 || i > len(h.entries) || i == h.at {
		return false
	}
	h.keep(m.Draft())
	h.at = i
	m.load(h.get(i))
	m.menu.hidden = true // Up and Down are for the history
	m.menu.close()
	return true
}

// finish makes the text history and goes back to the draft that waits for it.
func (m *Model) finish() (draft string) {
	draft = m.Draft()
	waiting := m.history.waiting()
	m.history.add(draft)
	m.load(waiting)
	return draft
}

// A search is Ctrl+R: what it finds is shown as the text.
type search struct {
	query string
	from  int // where in the history it began
	found bool
}

func (m *Model) startSearch() {
	m.menu.close()
	m.search = &search{from: m.history.at, found: true}
	m.view = nil
}

// searchFor looks for query in the newest entry.
func (m *Model) searchFor(query string) {
	m.search.query = query
	m.view = nil
	m.searchOn(len(m.history.entries), -1)
}

// searchOn looks for the next entry from start in a direction.
func (m *Model) searchOn(start, by int) {
	s := m.search
	m.view = nil
	query := strings.ToLower(s.query)
	for i := start + by; i >= 0 && i < len(m.history.entries); i += by {
		if strings.Contains(strings.ToLower(m.history.get(i)), query) {
			s.found = true
			m.recall(i)
			return
		}
	}
	s.found = query == ""
}

// searchKey is Key while a search is open.
func (m *Model) searchKey(k tea.KeyMsg) Event {
	s := m.search
	switch k.String() {
	case "ctrl+r", "up", "ctrl+p":
		m.searchOn(m.history.at, -1)
	case "ctrl+s", "down", "ctrl+n":
		m.searchOn(m.history.at, +1)
	case "esc", "ctrl+c", "ctrl+g":
		m.endSearch(s.from)
	case "enter", "tab", "right", "left":
		if s.found {
			m.endSearch(m.history.at)
		} else {
			m.endSearch(s.from)
		}
	case "backspace", "ctrl+h":
		if s.query != "" {
			m.searchFor(s.query[:len(s.query)-back(s.query)])
		}
	case "ctrl+u":
		m.searchFor("")
	default:
		if !types(k) {
			return Event{}
		}
		m.searchFor(s.query + string(k.Runes))
	}
	m.view = nil
	return Event{Kind: Used}
}

// endSearch closes the search at a place of the history. The menu takes up
// from there: what is typed next is no more the history's.
func (m *Model) endSearch(at int) {
	m.search = nil
	m.recall(at)
	m.refreshMenu()
}

// line is what stands above the text while the search is open.
func (s *search) line() (label, hint string) {
	label = "history: " + s.query
	hint = "Ctrl+R older · Enter take · Esc back"
	if !s.found {
		hint = fmt.Sprintf("nothing with %q · Esc back", s.query)
	}
	return label, hint
}
