package compose

import (
	"strings"

	"github.com/sahilm/fuzzy"
)

// A Command is a slash command that Tab completes.
type Command struct{ Name, Doc string } // Name without the slash

// SetCommands sets the slash commands, in the order they are offered.
func (m *Model) SetCommands(commands []Command) {
	m.menu.commands = commands
	m.menu.names = nil
	for _, c := range commands {
		m.menu.names = append(m.menu.names, c.Name)
	}
	m.refreshMenu()
}

// SetFiles sets the paths that @ completes; it answers WantFiles.
func (m *Model) SetFiles(paths []string) {
	m.menu.files = paths
	m.menu.listed = true
	m.refreshMenu()
}

type menuKind int

const (
	closed menuKind = iota
	forCommands
	forFiles
)

// A menu offers ways to finish the word before the caret.
type menu struct {
	commands []Command
	names    []string
	files    []string
	listed   bool // files were set

	kind   menuKind
	items  []Command
	chosen int  // -1: none, and Enter sends
	hidden bool // the person closed it: it stays so while the word lasts
}

const menuRows = 8

func (n *menu) close() {
	n.kind, n.items, n.chosen = closed, nil, -1
}

// word is what stands before the caret, back to a blank, and where it begins.
func (m *Model) word() (word string, from pos) {
	text := m.lines[m.at.line].text[:m.at.off]
	from = pos{m.at.line, strings.LastIndexAny(text, " \t") + 1}
	return text[from.off:], from
}

// refreshMenu makes the menu fit the word before the caret. Files are offered
// while the word is typed, not when the caret comes by.
func (m *Model) refreshMenu() {
	n := &m.menu
	word, from := m.word()
	asked, chosen := n.kind, n.chosen
	n.close()
	m.view = nil
	switch {
	case m.maxRows < 2: // what cannot be seen cannot be chosen
	case from == pos{} && strings.HasPrefix(word, "/") && len(m.lines) == 1:
		if !n.hidden {
			n.kind, n.items = forCommands, n.matchCommands(word[1:])
		}
	case strings.HasPrefix(word, "@") && (asked == forFiles || m.typing || n.hidden):
		if !n.hidden {
			n.kind, n.items = forFiles, n.matchFiles(word[1:])
		}
	default:
		n.hidden = false
	}
	if asked == n.kind && chosen >= 0 {
		n.chosen = max(0, min(chosen, len(n.items)-1))
	}
	if len(n.items) == 0 && (n.kind != forFiles || n.listed) {
		n.close()
	}
}

func (n *menu) matchCommands(word string) (items []Command) {
	for _, c := range n.commands {
		if strings.HasPrefix(c.Name, word) {
			items = append(items, c)
		}
	}
	if items == nil {
		for _, hit := range fuzzy.Find(word, n.names) {
			items = append(items, n.commands[hit.Index])
		}
	}
	return items
}

// maxItems bounds what a menu holds; nobody scrolls further.
const maxItems = 100

func (n *menu) matchFiles(word string) (items []Command) {
	if word == "" {
		for _, p := range n.files[:min(len(n.files), maxItems)] {
			items = append(items, Command{Name: p})
		}
		return items
	}
	for _, hit := range fuzzy.Find(word, n.files) {
		if items = append(items, Command{Name: hit.Str}); len(items) == maxItems {
			break
		}
	}
	return items
}

// tab completes the word before the caret, or opens the menu for it.
func (m *Model) tab() Event {
	n := &m.menu
	switch word, _ := m.word(); {
	case len(n.items) > 0 && (n.chosen >= 0 || len(n.items) == 1 || n.kind == forFiles):
		m.accept()
	case n.kind != closed: // files may still be on their way
		n.chosen = 0
	case n.kind == closed && strings.HasPrefix(word, "@"):
		n.kind, n.chosen, n.hidden = forFiles, 0, false
		m.refreshMenu()
		return Event{Kind: WantFiles}
	case n.kind == closed && n.hidden:
		n.hidden = false
		if m.refreshMenu(); len(n.items) == 1 {
			m.accept()
		}
	default:
		return Event{}
	}
	m.view = nil
	return Event{Kind: Used}
}

// accept puts the chosen item, or the only one, in the place of the word.
func (m *Model) accept() {
	n := &m.menu
	item := n.items[max(0, n.chosen)]
	word, from := m.word()
	m.typing = false
	m.replace(from, m.at, word[:1]+item.Name+" ")
	n.close()
}

// choose moves the choice in an open menu; it reports false when none is open.
func (m *Model) choose(by int) bool {
	n := &m.menu
	if len(n.items) == 0 {
		return false
	}
	n.chosen += by
	if n.chosen < 0 {
		n.chosen = len(n.items) - 1
	}
	n.chosen %= len(n.items)
	m.view = nil
	return true
}
