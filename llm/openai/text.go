package openai

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// encoding/json replaces whatever is not whole characters by U+FFFD, for each
// string alone. But servers cut tokens, not characters: a delta may end within
// the bytes of one, or between the two halves of a \u pair. So strings are
// unquoted here to the bytes they hold, a half pair to the three bytes UTF-8
// would have for it, and a joiner puts neighbours together.

// unquote returns the bytes of a JSON string, which is valid but for its
// characters.
func unquote(quoted []byte) string {
	body := quoted[1 : len(quoted)-1]
	i := 0
	for i < len(body) && body[i] != '\\' {
		i++
	}
	if i == len(body) {
		return string(body)
	}
	out := append(make([]byte, 0, len(body)), body[:i]...)
	for i < len(body) {
		if body[i] != '\\' {
			out = append(out, body[i])
			i++
			continue
		}
		if body[i+1] != 'u' {
			out = append(out, unescape(body[i+1]))
			i += 2
			continue
		}
		r := hex4(body[i+2:])
		i += 6
		if i+6 <= len(body) && body[i] == '\\' && body[i+1] == 'u' {
			if whole := utf16.DecodeRune(r, hex4(body[i+2:])); whole != utf8.RuneError {
				r = whole
				i += 6
			}
		}
		out = appendRune(out, r)
	}
	return string(out)
}

func unescape(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c // " \ /
}

// hex4 reads the four digits of a \u escape, which the JSON scanner has checked.
func hex4(s []byte) rune {
	r, err := strconv.ParseUint(string(s[:4]), 16, 32)
	if err != nil {
		return utf8.RuneError
	}
	return rune(r)
}

// appendRune is utf8.AppendRune that also writes half pairs.
func appendRune(out []byte, r rune) []byte {
	if utf16.IsSurrogate(r) {
		return append(out, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(out, r)
}

// half reads a half pair at the start of s, as appendRune wrote it.
func half(s string) (rune, bool) {
	if len(s) < 3 || s[0] != 0xED || s[1] < 0xA0 || s[1] > 0xBF || s[2]&0xC0 != 0x80 {
		return 0, false
	}
	return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), true
}

// A joiner takes text in pieces that may be cut anywhere and gives it back in
// pieces of whole characters: a last one that is not complete is held back,
// six bytes at the most. Bytes that are no text become U+FFFD.
type joiner struct{ held string }

func (j *joiner) add(piece string) string {
	if j.held == "" && utf8.ValidString(piece) {
		return piece
	}
	s := j.held + piece
	j.held = ""
	var out strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r != utf8.RuneError || size > 1 {
			out.WriteString(s[i : i+size])
			i += size
			continue
		}
		high, isHalf := half(s[i:])
		if isHalf {
			if i+3 == len(s) && high < 0xDC00 {
				j.held = s[i:]
				break
			}
			low, _ := half(s[i+3:])
			r, size = utf16.DecodeRune(high, low), 3
			if r != utf8.RuneError {
				size = 6
			}
		} else if !utf8.FullRuneInString(s[i:]) {
			j.held = s[i:]
			break
		}
		out.WriteRune(r)
		i += size
	}
	return out.String()
}

// end gives back what add held back.
func (j *joiner) end() string {
	if j.held == "" {
		return ""
	}
	j.held = ""
	return string(utf8.RuneError)
}
