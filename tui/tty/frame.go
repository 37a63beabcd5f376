package tty

import (
	"bytes"
	"unicode/utf8"
)

// Framing: where the first item of a stream of input bytes ends. Nothing here
// looks at what an item means.
//
//	rune          one UTF-8 sequence, or one byte that is none
//	ESC item      Alt with the item
//	ESC [ ...     CSI, with the three irregular ones below
//	ESC O x       SS3
//	ESC ] ...     OSC, ends with BEL or ST; DCS (P), APC (_), PM (^), SOS (X) with ST
//
// Irregular: ESC [ M and three bytes (X10 mouse), ESC [ [ x (Linux console),
// ESC [ digits $ (urxvt).

const esc = 0x1b

// frame returns the length of the first item of b, or 0 while its end has not
// come yet. b is not empty.
func frame(b []byte) int {
	if b[0] != esc {
		return runeLen(b)
	}
	if len(b) == 1 {
		return 0
	}
	switch b[1] {
	case '[':
		return csiLen(b)
	case 'O':
		return ss3Len(b)
	case ']', 'P', '_', '^', 'X':
		return stringLen(b)
	case esc:
		return escEscLen(b)
	}
	return after(1, runeLen(b[1:]))
}

// after adds the n bytes of a prefix to the length of what follows it.
func after(n, length int) int {
	if length == 0 {
		return 0
	}
	return n + length
}

func runeLen(b []byte) int {
	if !utf8.FullRune(b) {
		return 0
	}
	_, n := utf8.DecodeRune(b)
	return n
}

// escEscLen tells Alt with a named key (ESC ESC [ A) from Escape typed before
// something else: then only the first ESC is an item.
func escEscLen(b []byte) int {
	if len(b) == 2 {
		return 0
	}
	switch b[2] {
	case '[':
		return after(1, csiLen(b[1:]))
	case 'O':
		return after(1, ss3Len(b[1:]))
	}
	return 1
}

func csiLen(b []byte) int {
	if len(b) == 2 {
		return 0
	}
	switch b[2] {
	case 'M':
		return whole(b, 6)
	case '[':
		return whole(b, 4)
	}
	digits := true
	for i := 2; i < len(b); i++ {
		c := b[i]
		switch {
		case c == '$' && digits && i > 2, c >= 0x40 && c <= 0x7e:
			return i + 1
		case c < 0x20 || c > 0x7e: // not part of it: cut short, or Alt+[ when nothing came
			return i
		}
		digits = digits && c >= '0' && c <= '9'
	}
	return 0
}

func ss3Len(b []byte) int {
	for i := 2; i < len(b); i++ {
		switch c := b[i]; {
		case c >= '0' && c <= '9':
		case c >= 0x40 && c <= 0x7e:
			return i + 1
		default:
			return i
		}
	}
	return 0
}

func whole(b []byte, n int) int {
	if len(b) < n {
		return 0
	}
	return n
}

// stringLen frames a control string. CAN, SUB and an ESC that does not begin
// ST cut it short.
func stringLen(b []byte) int {
	i := bytes.IndexAny(b[2:], "\a\x18\x1a\x1b")
	for off := 2; i >= 0; i = bytes.IndexAny(b[off:], "\a\x18\x1a\x1b") {
		i += off
		switch {
		case b[i] == '\a' && b[1] != ']':
			off = i + 1
			continue
		case b[i] != esc:
			return i + 1
		case i+1 == len(b):
			return 0
		case b[i+1] == '\\':
			return i + 2
		}
		return i
	}
	return 0
}
