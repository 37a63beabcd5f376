package compose

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Kind says what became of a key.
type Kind int

const (
	Ignored   Kind = iota // the composer has no use for the key; nothing changed
	Used                  // the composer has used it
	Sent                  // Text is for the model; the composer has gone on to the next
	WantFiles             // the person writes an @word: list the files and call SetFiles
)

// An Event is what Key has to say.
type Event struct {
	Kind  Kind
	Text  string // of Sent: pastes in full
	Draft string // of Sent: the same for the history, see Draft
}

// Open reports whether something of the composer is open that Escape closes: a
// menu or the search.
func (m *Model) Open() bool { return m.search != nil || m.menu.kind != closed }

// types reports whether k is text.
func types(k tea.KeyMsg) bool {
	return !k.Alt && (k.Type == tea.KeyRunes || k.Type == tea.KeySpace)
}

// Key does what k means here.
func (m *Model) Key(k tea.KeyMsg) Event {
	if m.search != nil {
		return m.searchKey(k)
	}
	version, at, menu := m.version, m.at, m.menu.kind
	ev := m.press(k)
	if m.version != version || m.at != at {
		m.refreshMenu()
		if m.menu.kind == forFiles && menu != forFiles {
			return Event{Kind: WantFiles}
		}
	}
	return ev
}

func (m *Model) press(k tea.KeyMsg) Event {
	if types(k) {
		m.killing = false
		m.insert(m.inline(string(k.Runes)))
		m.typing = true
		return Event{Kind: Used}
	}
	do, ok := keys[k.String()]
	if !ok {
		return Event{}
	}
	m.typing = false
	m.killing = m.killing && killers[k.String()]
	return do(m)
}

// moves makes a key of a place to go to. While the text is empty the key may
// mean something to others.
func moves(to func(*Model) pos) func(*Model) Event {
	return func(m *Model) Event {
		if m.Empty() {
			return Event{}
		}
		m.move(to(m))
		return Event{Kind: Used}
	}
}

// deletes and cuts make a key of the other end of what is to go.
func deletes(to func(*Model) pos) func(*Model) Event { return removing(to, (*Model).remove) }
func cuts(to func(*Model) pos) func(*Model) Event    { return removing(to, (*Model).kill) }

func removing(to func(*Model) pos, remove func(m *Model, from, to pos)) func(*Model) Event {
	return func(m *Model) Event {
		if m.Empty() {
			return Event{}
		}
		if p := to(m); p.before(m.at) {
			remove(m, p, m.at)
		} else {
			remove(m, m.at, p)
		}
		return Event{Kind: Used}
	}
}

func (m *Model) remove(from, to pos) { m.replace(from, to, "") }

func does(f func(*Model)) func(*Model) Event {
	return func(m *Model) Event {
		f(m)
		return Event{Kind: Used}
	}
}

// killers are the keys that go on with what was just cut.
var killers = map[string]bool{"ctrl+k": true, "ctrl+u": true, "ctrl+w": true, "alt+backspace": true, "alt+d": true}

// keys is what each key does, by the name that tea.KeyMsg gives it.
var keys = map[string]func(*Model) Event{
	"enter":     (*Model).enter,
	"ctrl+j":    does((*Model).newline),
	"alt+enter": does((*Model).newline),
	"tab":       (*Model).tab,
	"shift+tab": func(m *Model) Event { return used(m.choose(-1)) },
	"esc":       (*Model).escape,

	"up":     func(m *Model) Event { return used(m.choose(-1) || m.moveRow(-1) || m.recall(m.history.at-1)) },
	"down":   func(m *Model) Event { return used(m.choose(+1) || m.moveRow(+1) || m.recall(m.history.at+1)) },
	"ctrl+p": func(m *Model) Event { return used(m.choose(-1) || m.recall(m.history.at-1)) },
	"ctrl+n": func(m *Model) Event { return used(m.choose(+1) || m.recall(m.history.at+1)) },
	"ctrl+r": does((*Model).startSearch),

	"left":       moves(func(m *Model) pos { return m.left(m.at) }),
	"right":      moves(func(m *Model) pos { return m.right(m.at) }),
	"ctrl+b":     moves(func(m *Model) pos { return m.left(m.at) }),
	"ctrl+f":     moves(func(m *Model) pos { return m.right(m.at) }),
	"alt+b":      moves(func(m *Model) pos { return m.wordLeft(m.at) }),
	"alt+f":      moves(func(m *Model) pos { return m.wordRight(m.at) }),
	"alt+left":   moves(func(m *Model) pos { return m.wordLeft(m.at) }),
	"alt+right":  moves(func(m *Model) pos { return m.wordRight(m.at) }),
	"ctrl+left":  moves(func(m *Model) pos { return m.wordLeft(m.at) }),
	"ctrl+right": moves(func(m *Model) pos { return m.wordRight(m.at) }),
	"home":       moves((*Model).lineStart),
	"end":        moves((*Model).lineEnd),
	"ctrl+a":     moves((*Model).lineStart),
	"ctrl+e":     moves((*Model).lineEnd),
	"ctrl+home":  moves(func(*Model) pos { return pos{} }),
	"ctrl+end":   moves((*Model).end),
	"alt+<":      moves(func(*Model) pos { return pos{} }),
	"alt+>":      moves((*Model).end),

	"backspace":     deletes(func(m *Model) pos { return m.left(m.at) }),
	"ctrl+h":        deletes(func(m *Model) pos { return m.left(m.at) }),
	"delete":        deletes(func(m *Model) pos { return m.right(m.at) }),
	"ctrl+d":        deletes(func(m *Model) pos { return m.right(m.at) }),
	"ctrl+k":        cuts((*Model).killEnd),
	"ctrl+u":        cuts((*Model).killStart),
	"ctrl+w":        cuts(func(m *Model) pos { return m.fieldLeft(m.at) }),
	"alt+backspace": cuts(func(m *Model) pos { return m.wordLeft(m.at) }),
	"alt+d":         cuts(func(m *Model) pos { return m.wordRight(m.at) }),
	"ctrl+y":        does(func(m *Model) { m.insert(m.decode(m.killed)) }),
	"ctrl+_":        does((*Model).undoEdit),
	"alt+_":         does((*Model).redoEdit),
}

func used(ok bool) Event {
	if ok {
		return Event{Kind: Used}
	}
	return Event{}
}

// killEnd is the end of the line, or the next line when the caret is there.
func (m *Model) killEnd() pos {
	if end := m.lineEnd(); end != m.at {
		return end
	}
	return m.right(m.at)
}

// killStart is the start of the line, or the line before when the caret is there.
func (m *Model) killStart() pos {
	if start := m.lineStart(); start != m.at {
		return start
	}
	return m.left(m.at)
}

// enter takes the choice of a menu, or breaks the line behind a backslash, or sends.
func (m *Model) enter() Event {
	if m.menu.kind != closed && m.menu.chosen >= 0 && len(m.menu.items) > 0 {
		m.accept()
		return Event{Kind: Used}
	}
	text := m.lines[m.at.line].text
	slashes := len(text) - len(strings.TrimRight(text, `\`))
	if m.at == m.lineEnd() && slashes%2 == 1 {
		m.replace(pos{m.at.line, m.at.off - 1}, m.at, "\n")
		return Event{Kind: Used}
	}
	sent := m.Text()
	if strings.TrimSpace(sent) == "" {
		return Event{Kind: Used}
	}
	return Event{Kind: Sent, Text: sent, Draft: m.finish()}
}

// escape closes the menu; otherwise it is somebody else's key.
func (m *Model) escape() Event {
	if m.menu.kind == closed {
		return Event{}
	}
	m.menu.hidden = true
	m.menu.close()
	m.view = nil
	return Event{Kind: Used}
}
