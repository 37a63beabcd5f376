package tty

import (
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"
)

// Modifier bits, as xterm and kitty send them (less one). Lock keys are above
// them and do not matter.
const (
	shift = 1 << iota
	alt
	ctrl
	super
)

// Codes of the Unicode key protocol that have names.
const (
	codeTab       = 9
	codeEnter     = 13
	codeEscape    = 27
	codeBackspace = 127
	codeKeypad    = 57399 // keypad 0, the first of keypadKeys
)

// forms is what one key is called with each pair of modifiers that Bubble Tea
// tells apart; Alt is a flag of its own.
type forms struct{ plain, shift, ctrl, ctrlShift tea.KeyType }

func only(k tea.KeyType) forms { return forms{k, k, k, k} }

var (
	up     = forms{tea.KeyUp, tea.KeyShiftUp, tea.KeyCtrlUp, tea.KeyCtrlShiftUp}
	down   = forms{tea.KeyDown, tea.KeyShiftDown, tea.KeyCtrlDown, tea.KeyCtrlShiftDown}
	right  = forms{tea.KeyRight, tea.KeyShiftRight, tea.KeyCtrlRight, tea.KeyCtrlShiftRight}
	left   = forms{tea.KeyLeft, tea.KeyShiftLeft, tea.KeyCtrlLeft, tea.KeyCtrlShiftLeft}
	home   = forms{tea.KeyHome, tea.KeyShiftHome, tea.KeyCtrlHome, tea.KeyCtrlShiftHome}
	end    = forms{tea.KeyEnd, tea.KeyShiftEnd, tea.KeyCtrlEnd, tea.KeyCtrlShiftEnd}
	pgUp   = forms{tea.KeyPgUp, tea.KeyPgUp, tea.KeyCtrlPgUp, tea.KeyCtrlPgUp}
	pgDown = forms{tea.KeyPgDown, tea.KeyPgDown, tea.KeyCtrlPgDown, tea.KeyCtrlPgDown}
	insert = only(tea.KeyInsert)
	del    = only(tea.KeyDelete)
	tab    = forms{tea.KeyTab, tea.KeyShiftTab, tea.KeyTab, tea.KeyShiftTab}
)

// function returns the n-th function key, n from 1; shifted ones follow F12.
func function(n int) forms {
	at := func(n int) tea.KeyType { return tea.KeyF1 - tea.KeyType(n-1) } // Bubble Tea counts down
	if n > 8 {
		return only(at(n))
	}
	return forms{at(n), at(n + 12), at(n), at(n + 12)}
}

// letterKeys are CSI 1;m X and SS3 X.
var letterKeys = map[byte]forms{
	'A': up, 'B': down, 'C': right, 'D': left, 'H': home, 'F': end, 'Z': only(tea.KeyShiftTab),
	'P': function(1), 'Q': function(2), 'R': function(3), 'S': function(4),
}

// tildeKeys are CSI n;m ~.
var tildeKeys = map[int]forms{
	1: home, 2: insert, 3: del, 4: end, 5: pgUp, 6: pgDown, 7: home, 8: end,
	11: function(1), 12: function(2), 13: function(3), 14: function(4), 15: function(5),
	17: function(6), 18: function(7), 19: function(8), 20: function(9), 21: function(10),
	23: function(11), 24: function(12), 25: function(13), 26: function(14), 28: function(15),
	29: function(16), 31: function(17), 32: function(18), 33: function(19), 34: function(20),
}

// keypadText is what the keypad types, in the order of its codes.
const keypadText = "0123456789./*-+\r=,"

// keypadKeys are the keypad's other keys, following keypadText.
var keypadKeys = []forms{left, right, up, down, pgUp, pgDown, home, end, insert, del}

// key picks the form of a key that fits mods.
func (f forms) key(mods int) tea.KeyMsg {
	k := f.plain
	switch mods & (shift | ctrl) {
	case shift:
		k = f.shift
	case ctrl:
		k = f.ctrl
	case shift | ctrl:
		k = f.ctrlShift
	}
	return tea.KeyMsg{Type: k, Alt: mods&alt != 0}
}

// control is the key of a control byte; ESC and the space are not among them.
func control(b byte, withAlt bool) tea.KeyMsg {
	return tea.KeyMsg{Type: tea.KeyType(b), Alt: withAlt}
}

func runeKey(r rune, withAlt bool) tea.KeyMsg {
	if r == ' ' {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}, Alt: withAlt}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: withAlt}
}

// coded is the key of a code point with modifiers, as kitty's protocol and
// xterm's modifyOtherKeys send it; ok is false for keys that have no meaning
// here (a media key, anything with Super).
func coded(code, shifted, mods int) (k tea.KeyMsg, ok bool) {
	if mods&super != 0 {
		return k, false
	}
	withAlt := mods&alt != 0
	switch code {
	case codeTab:
		return tab.key(mods), true
	case codeEnter:
		return tea.KeyMsg{Type: tea.KeyEnter, Alt: mods != 0}, true
	case codeEscape:
		return tea.KeyMsg{Type: tea.KeyEscape}, true
	case codeBackspace:
		return tea.KeyMsg{Type: tea.KeyBackspace, Alt: mods&(alt|ctrl) != 0}, true
	}
	if i := code - codeKeypad; i >= 0 && i < len(keypadText)+len(keypadKeys) {
		if i < len(keypadText) {
			return coded(int(keypadText[i]), 0, mods)
		}
		return keypadKeys[i-len(keypadText)].key(mods), true
	}
	private := code >= 0xe000 && code <= 0xf8ff // kitty's names for keys that type nothing
	if code < ' ' || code > unicode.MaxRune || private || !unicode.IsPrint(rune(code)) {
		return k, false
	}
	r := rune(code)
	if mods&shift != 0 {
		if r = unicode.ToUpper(r); shifted > ' ' && shifted <= unicode.MaxRune {
			r = rune(shifted)
		}
	}
	if mods&ctrl != 0 {
		return controlled(r, withAlt)
	}
	return runeKey(r, withAlt), true
}

// controlled is Ctrl with a character: what a terminal without the protocol
// sends for it, if anything.
func controlled(r rune, withAlt bool) (k tea.KeyMsg, ok bool) {
	r = unicode.ToLower(r)
	if i := strings.IndexRune("2345678/-?", r); i >= 0 {
		r = rune(`@[\]^_?__?`[i])
	}
	switch {
	case r == '[':
		return tea.KeyMsg{Type: tea.KeyEscape}, true
	case r == '?':
		return control(codeBackspace, withAlt), true
	case r >= 'a' && r <= 'z', r >= '\\' && r <= '_', r == '@':
		return control(byte(r)&0x1f, withAlt), true
	case r == ' ':
		return control(0, withAlt), true
	}
	return k, false
}
