package tools

import "strings"

// nearest is the candidate most like word, "" when none is like it: at most a
// third of the letters differ, or one begins with the other.
func nearest(word string, candidates []string) string {
	word = strings.ToLower(word)
	best, found := len(word)/3+1, ""
	for _, candidate := range candidates {
		lower := strings.ToLower(candidate)
		d := distance(word, lower)
		if len(word) > 2 && (strings.HasPrefix(word, lower) || strings.HasPrefix(lower, word) || strings.HasSuffix(word, lower)) {
			d = min(d, 1)
		}
		if d < best || (d == best && found == "") {
			best, found = d, candidate
		}
	}
	return found
}

// distance is the number of letters to add, drop or change to make b of a.
// Words longer than any name are not worth it.
func distance(a, b string) int {
	if len(a) > 100 || len(b) > 100 {
		return max(len(a), len(b))
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
