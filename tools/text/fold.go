package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// FoldBlanks leaves one blank between words and none around them.
func FoldBlanks(s string) string { return strings.Join(strings.Fields(s), " ") }

// FoldTwins makes typographic characters the plain ones that they look like:
// quotes, dashes, blanks that do not break, dots.
func FoldTwins(s string) string {
	if isASCII(s) || !utf8.ValidString(s) {
		return s
	}
	return strings.ReplaceAll(strings.Map(func(r rune) rune {
		switch r {
		case '‘', '’', '‚', '‛', '′':
			return '\''
		case '“', '”', '„', '‟', '″', '«', '»':
			return '"'
		case '–', '—', '―', '‐', '‑', '‒', '−':
			return '-'
		}
		if unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, s), "…", "...")
}

func isASCII(s string) bool {
	for n := range len(s) {
		if s[n] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// maxNumbered is how many bytes of a line [Numbered] shows.
const maxNumbered = 300

// Numbered writes lines [from, to) with their numbers, at most limit of them,
// without a line end after the last.
func Numbered(lines []string, from, to, limit int) string {
	var b strings.Builder
	for n := from; n < to; n++ {
		if n == from+limit {
			fmt.Fprintf(&b, "[%d more lines]\n", to-n)
			break
		}
		line := lines[n]
		if len(line) > maxNumbered {
			line = strings.ToValidUTF8(line[:maxNumbered], "") + " […]"
		}
		fmt.Fprintf(&b, "%d: %s\n", n+1, line)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
