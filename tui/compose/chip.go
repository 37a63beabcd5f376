package compose

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// A chip in a line is chipMark, which no UTF-8 has, and two runes: which paste
// it is, from 1, and how many cells it takes, both above chipBase.
const (
	chipMark = 0xff
	chipBase = 0x100
)

// A paste is a chip when it has more than this.
const (
	chipLines = 50
	chipBytes = 4 << 10
)

// A draft tells pastes from typed text as a terminal does.
const (
	pasteOpen  = "\x1b[200~"
	pasteClose = "\x1b[201~"
)

var newlines = strings.NewReplacer("\r\n", "\n")

// inline returns text as it may stand in lines.
func (m *Model) inline(text string) string {
	return newlines.Replace(strings.ToValidUTF8(text, "\ufffd"))
}

// pasted returns what stands in the lines for pasted text.
func (m *Model) pasted(text string) string {
	if len(text) <= chipBytes && lineCount(text) <= chipLines || strings.Contains(text, pasteClose) {
		return m.inline(text)
	}
	m.chips = append(m.chips, newlines.Replace(text))
	id := len(m.chips)
	return string([]byte{chipMark}) + string(rune(chipBase+id)) + string(rune(chipBase+ansi.StringWidth(m.label(id))))
}

// chip reads the chip at the start of s; size is its length there.
func chip(s string) (id, width, size int) {
	a, n := utf8.DecodeRuneInString(s[1:])
	b, k := utf8.DecodeRuneInString(s[1+n:])
	return int(a) - chipBase, int(b) - chipBase, 1 + n + k
}

func lineCount(text string) int { return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1 }

// label is how a chip is drawn.
func (m *Model) label(id int) string {
	text := m.chips[id-1]
	if lines := lineCount(text); lines > 1 {
		return fmt.Sprintf("[paste %d · %d lines]", id, lines)
	}
	return fmt.Sprintf("[paste %d · %.1f KB]", id, float64(len(text))/1024)
}

// expand returns raw with each chip replaced by its paste.
func (m *Model) expand(raw string) string {
	return m.parts(raw, func(text string) string { return text }, func(text string) string { return text })
}

// encode returns raw as a draft.
func (m *Model) encode(raw string) string { return m.parts(raw, typedDraft, pastedDraft) }

func pastedDraft(text string) string { return pasteOpen + text + pasteClose }

// typedDraft is typed text as a draft. What only looks like the start of a
// paste is written as a paste of itself.
func typedDraft(text string) string {
	return strings.ReplaceAll(text, pasteOpen, pastedDraft(pasteOpen))
}

// parts puts raw together again from its typed text and its pastes.
func (m *Model) parts(raw string, typed, paste func(string) string) string {
	i := strings.IndexByte(raw, chipMark)
	if i < 0 {
		return typed(raw)
	}
	var b strings.Builder
	for ; i >= 0; i = strings.IndexByte(raw, chipMark) {
		id, _, size := chip(raw[i:])
		b.WriteString(typed(raw[:i]))
		b.WriteString(paste(m.chips[id-1]))
		raw = raw[i+size:]
	}
	b.WriteString(typed(raw))
	return b.String()
}

// decode returns a draft as it stands in the lines.
func (m *Model) decode(draft string) string {
	var b strings.Builder
	for {
		typed, rest, found := strings.Cut(draft, pasteOpen)
		b.WriteString(m.inline(typed))
		if !found {
			return b.String()
		}
		text, rest, _ := strings.Cut(rest, pasteClose)
		b.WriteString(m.pasted(text))
		draft = rest
	}
}
