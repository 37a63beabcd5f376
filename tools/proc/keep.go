package proc

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// A keeper holds the head and the tail of a text of any length in bounded
// memory. The text it is given is whole runes.
type keeper struct {
	max   int // bytes held of each end
	head  []byte
	tail  []byte // holds up to 2*max; the older half goes when it is full
	bytes int    // in all
	lines int    // line ends in all
}

// keep adds text.
func (k *keeper) keep(text []byte) {
	k.bytes += len(text)
	k.lines += bytes.Count(text, []byte{'\n'})
	if room := k.max - len(k.head); room > 0 {
		n := min(room, len(text))
		k.head = append(k.head, text[:n]...)
		text = text[n:]
	}
	if over := len(text) - k.max; over > 0 {
		text = text[over:]
		k.tail = k.tail[:0]
	}
	if len(k.tail)+len(text) > 2*k.max {
		n := copy(k.tail, k.tail[len(k.tail)-k.max:])
		k.tail = k.tail[:n]
	}
	k.tail = append(k.tail, text...)
}

// text returns what is held. Where something is missing, both ends are cut at
// a line end, or where lines are too long for that at a rune, and a line of
// its own says how much it is.
func (k *keeper) text() string {
	if k.bytes <= 2*k.max {
		return string(k.head) + string(k.tail)
	}
	tail := k.tail
	if over := len(tail) - k.max; over > 0 {
		tail = tail[over:]
	}
	head := cutHead(k.head)
	tail = cutTail(tail)
	missing := k.bytes - len(head) - len(tail)
	lines := k.lines - bytes.Count(head, []byte{'\n'}) - bytes.Count(tail, []byte{'\n'})
	out := string(head)
	if len(head) > 0 && head[len(head)-1] != '\n' {
		out += "\n"
	}
	note := fmt.Sprintf("[… %s bytes left out …]\n", thousands(missing))
	if lines > 0 {
		note = fmt.Sprintf("[… %s lines, %s bytes left out …]\n", thousands(lines), thousands(missing))
	}
	return out + note + string(tail)
}

// cutHead drops the end of b that is no whole line, or when that is more than
// half, no whole rune.
func cutHead(b []byte) []byte {
	if i := bytes.LastIndexByte(b, '\n') + 1; i > len(b)/2 {
		return b[:i]
	}
	// b was cut from whole runes: its last one is whole or a beginning.
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-n:]) {
				return b[:len(b)-n]
			}
			break
		}
	}
	return b
}

// cutTail drops the beginning of b that is no whole line or rune.
func cutTail(b []byte) []byte {
	if i := bytes.IndexByte(b, '\n') + 1; i > 0 && i < len(b)/2 {
		return b[i:]
	}
	for len(b) > 0 && !utf8.RuneStart(b[0]) {
		b = b[1:]
	}
	return b
}

// thousands writes n with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
