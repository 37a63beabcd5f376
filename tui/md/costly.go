package md

import "strings"

// Reading some texts as Markdown takes time or space that grows with the
// square of their length, and shows nothing a reader could use. Nobody writes
// them by accident; they are shown as they are.
const (
	maxOpenings = 100     // quotes, items, brackets opened without a word between
	maxCells    = 20_000  // of a table, those counted that its rows leave out
	maxUnclosed = 4 << 20 // unclosed link targets, each times the length of the text
	maxStarred  = 4_000   // * and _ that are not next to each other
	maxRefs     = 400     // link definitions of an answer; further ones define nothing
)

func isCostly(s string) bool {
	if unclosed := strings.Count(s, "](") - strings.Count(s, ")"); unclosed > 0 && unclosed*len(s) > maxUnclosed {
		return true
	}
	return opensTooMuch(s) || starred(s) > maxStarred || cells(s) > maxCells
}

// starred counts the runs of characters that may begin or end emphasis.
func starred(s string) int {
	n := 0
	for i := range len(s) {
		if c := s[i]; (c == '*' || c == '_') && (i == 0 || s[i-1] != c) {
			n++
		}
	}
	return n
}

func opensTooMuch(s string) bool {
	run := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '>', c == '[', c == '!', c == '(',
			(c == '-' || c == '+' || c == '*') && i+1 < len(s) && s[i+1] == ' ':
			if run++; run > maxOpenings {
				return true
			}
		case c != ' ':
			run = 0
		}
	}
	return false
}

// cells is how many a table in s would have.
func cells(s string) int {
	columns := 0
	for line := range strings.Lines(s) {
		if strings.Trim(line, "|:- \n") == "" {
			columns = max(columns, strings.Count(line, "|"))
		}
	}
	return columns * strings.Count(s, "\n")
}
