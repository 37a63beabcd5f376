package tools

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits of what one result tells the model.
const (
	maxText  = 16_000 // characters
	maxLines = 200    // lines of a file, names of a glob
)

// clip makes text at most about limit characters long: its beginning and its
// end, cut at the ends of lines where there are any near, with a line between
// them that says how much is missing. Shorter text stays as it is.
func clip(text string, limit int) string {
	if len(text) <= limit || utf8.RuneCountInString(text) <= limit {
		return text
	}
	head := text[:byteAt(text, limit/2)]
	tail := text[len(text)-byteAtEnd(text, limit-limit/2):]
	if n := strings.LastIndexByte(head, '\n'); n >= len(head)/2 {
		head = head[:n+1]
	}
	if n := strings.IndexByte(tail, '\n'); n >= 0 && n < len(tail)/2 {
		tail = tail[n+1:]
	}
	missing := text[len(head) : len(text)-len(tail)]
	before := ""
	if !strings.HasSuffix(head, "\n") {
		before = "\n"
	}
	return fmt.Sprintf("%s%s[… %d lines, %d characters left out …]\n%s", head, before,
		strings.Count(missing, "\n"), utf8.RuneCountInString(missing), tail)
}

// clipEnd makes text at most limit characters long by leaving out lines, or
// half a line, at its end, and says how many characters are left out.
func clipEnd(text string, limit int) (kept string, missing int) {
	if len(text) <= limit || utf8.RuneCountInString(text) <= limit {
		return text, 0
	}
	kept = text[:byteAt(text, limit)]
	if n := strings.LastIndexByte(kept, '\n'); n >= len(kept)/2 {
		kept = kept[:n+1]
	}
	return kept, utf8.RuneCountInString(text[len(kept):])
}

// byteAt is where the character number n begins.
func byteAt(s string, n int) int {
	for at := range s {
		if n == 0 {
			return at
		}
		n--
	}
	return len(s)
}

// byteAtEnd is how many bytes the last n characters have.
func byteAtEnd(s string, n int) int {
	at := len(s)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return len(s) - at
}

// plural is "1 line", "2 lines".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
