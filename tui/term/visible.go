package term

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Visible is Clean for what a person must be able to trust: nothing is
// dropped, and every character that would be invisible, change how its
// neighbours look, or pass for another one where it stands is shown as its
// code point, "<U+202E>". Line ends stay, CR LF included as "<U+000D>" and
// LF; tabs become blanks. A byte that is no UTF-8 shows as "<0xFF>".
func Visible(s string) string {
	if isPlain(s) {
		return s
	}
	v, _ := expose(s)
	return v
}

// Hidden counts the characters that [Visible] shows as code points.
func Hidden(s string) int {
	if isPlain(s) {
		return 0
	}
	_, n := expose(s)
	return n
}

// Line is Visible in one line: line ends become "⏎".
func Line(s string) string { return strings.ReplaceAll(Visible(s), "\n", "⏎") }

// expose returns s with the hidden shown, and their number.
func expose(s string) (string, int) {
	var out strings.Builder
	out.Grow(len(s) + len(s)/8)
	hidden, marks := 0, 0
	column, counted := 0, 0        // cells of the line in out before counted, for tab stops
	prev, base := rune(0), rune(0) // base: the last rune that is no full-width sign
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		next, _ := utf8.DecodeRuneInString(s[i+n:])
		switch {
		case r == '\n':
			out.WriteByte('\n')
			column, counted, marks = 0, out.Len(), 0
		case r == '\t':
			column += ansi.StringWidth(out.String()[counted:])
			out.WriteString("    "[:tabStop-column%tabStop])
			column += tabStop - column%tabStop
			counted, marks = out.Len(), 0
		case r == utf8.RuneError && n == 1:
			out.WriteString(badByte(s[i]))
			hidden++
			marks = 0
		case isMark(r) && marks < maxMarks && prev != 0 && prev != '\n':
			marks++
			out.WriteRune(r)
		case isMark(r), r >= 0x7f && isHidden(r, prev, base, next), r < 0x20 || r == 0x7f, !inWord(s, i, n, r):
			out.WriteString(codePoint(r))
			hidden++
		default:
			out.WriteRune(r)
			marks = 0
		}
		if prev = r; !isFullwidth(r) {
			base = r
		}
		i += n
	}
	return out.String(), hidden
}

func badByte(b byte) string {
	const hex = "0123456789ABCDEF"
	return "<0x" + string([]byte{hex[b>>4], hex[b&15]}) + ">"
}

// isHidden reports whether r is invisible, or false, between its neighbours.
// base is prev, or what stands before a run of full-width signs.
func isHidden(r, prev, base, next rune) bool {
	switch {
	case r < 0xa0:
		return true
	case r == 0x200d:
		return !isEmoji(prev) || !isEmoji(next)
	case r == 0xfe0e, r == 0xfe0f:
		keycap := prev >= '0' && prev <= '9' || prev == '#' || prev == '*'
		return !(isEmoji(prev) && !isSelector(prev)) && !(keycap && next == 0x20e3)
	case isSelector(r):
		return !unicode.Is(unicode.Han, prev)
	case r == 0x3000:
		return !isCJK(prev) && !isCJK(next)
	case isFullwidth(r), strings.ContainsRune(falseSigns, r):
		return !isWideScript(base) && !isWideScript(next)
	}
	return unicode.Is(hiddenRunes, r) || unicode.Is(unicode.Cf, r)
}

// isWideScript reports text around which full-width signs are at home.
func isWideScript(r rune) bool { return isCJK(r) && !isFullwidth(r) }

// inWord reports whether the rune r of n bytes at s[i] belongs to the word it
// stands in: a look-alike letter does not belong to a word with Latin letters.
func inWord(s string, i, n int, r rune) bool {
	if r < 0x370 || r > 0x52f || !strings.ContainsRune(lookAlikes, r) {
		return true
	}
	for j := i; j > 0; {
		p, m := utf8.DecodeLastRuneInString(s[:j])
		if !unicode.IsLetter(p) {
			break
		}
		if p < 0x80 {
			return false
		}
		j -= m
	}
	for j := i + n; j < len(s); {
		p, m := utf8.DecodeRuneInString(s[j:])
		if !unicode.IsLetter(p) {
			break
		}
		if p < 0x80 {
			return false
		}
		j += m
	}
	return true
}
