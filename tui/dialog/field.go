package dialog

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/rivo/uniseg"

	"aye/tui/term"
)

const fieldMax = 64 << 10 // bytes in one field

// A field is one line of text being typed. It moves and deletes by what people
// see as one character. The zero field is empty.
type field struct {
	chars []string // grapheme clusters
	at    int      // the caret stands before chars[at]
	from  int      // the first char in sight
}

func (f *field) text() string { return strings.Join(f.chars, "") }

// oneLine makes typed or pasted text fit a field.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case r < ' ' || r == 0x7f:
			return -1
		}
		return r
	}, text)
	return text[:min(len(text), fieldMax)]
}

func clusters(text string) []string {
	var chars []string
	g := uniseg.NewGraphemes(text)
	for g.Next() {
		chars = append(chars, g.Str())
	}
	return chars
}

func (f *field) insert(text string) {
	before, after := strings.Join(f.chars[:f.at], "")+oneLine(text), strings.Join(f.chars[f.at:], "")
	if len(before)+len(after) > fieldMax {
		return
	}
	f.chars = clusters(before + after)
	f.at = len(clusters(before))
	f.at = min(f.at, len(f.chars))
}

// key edits the field; false: k means nothing here.
func (f *field) key(k tea.KeyMsg) bool {
	switch k.String() {
	case "left", "ctrl+b":
		f.at = max(0, f.at-1)
	case "right", "ctrl+f":
		f.at = min(len(f.chars), f.at+1)
	case "home", "ctrl+a":
		f.at = 0
	case "end", "ctrl+e":
		f.at = len(f.chars)
	case "backspace", "ctrl+h":
		f.drop(f.at-1, f.at)
	case "delete", "ctrl+d":
		f.drop(f.at, f.at+1)
	case "ctrl+u":
		f.drop(0, f.at)
	case "ctrl+k":
		f.drop(f.at, len(f.chars))
	case "ctrl+w", "alt+backspace":
		f.drop(f.word(), f.at)
	case " ":
		f.insert(" ")
	default:
		if k.Type != tea.KeyRunes || k.Alt && !k.Paste {
			return false
		}
		f.insert(string(k.Runes))
	}
	return true
}

func (f *field) drop(from, to int) {
	from, to = max(0, from), min(to, len(f.chars))
	if from < to {
		f.chars = append(f.chars[:from:from], f.chars[to:]...)
		f.at = from
	}
}

// word returns where the word before the caret begins.
func (f *field) word() int {
	i := f.at
	for i > 0 && f.chars[i-1] == " " {
		i--
	}
	for i > 0 && f.chars[i-1] != " " {
		i--
	}
	return i
}

// view returns what w cells show of the field, and the caret's cell.
func (f *field) view(w int) (string, int) {
	w = max(w, 1)
	first, used := f.at, 1 // the caret takes a cell
	for first > 0 && used+f.cells(first-1, first) <= w {
		first--
		used += f.cells(first, first+1)
	}
	f.from = max(min(f.from, f.at), first)
	var b strings.Builder
	cells := 0
	for _, c := range f.chars[f.from:] {
		shown := term.Line(c)
		if cells+term.Width(shown) > w {
			break
		}
		cells += term.Width(shown)
		b.WriteString(shown)
	}
	return b.String(), min(f.cells(f.from, f.at), w-1)
}

func (f *field) cells(from, to int) int {
	n := 0
	for _, c := range f.chars[from:to] {
		n += term.Width(term.Line(c))
	}
	return n
}
