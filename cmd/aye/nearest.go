package main

// nearest is the known word that a mistyped one was meant to be, "" when none
// is near.
func nearest(word string, known []string) string {
	best, least := "", 2 // slips of one edit; of two in long words
	if len(word) > 5 {
		least = 3
	}
	for _, k := range known {
		d := distance(word, k)
		if d < least || d == least && best != "" && len(k) == len(word) {
			best, least = k, d
		}
	}
	return best
}

// didYouMean ends a sentence about a word that is not known.
func didYouMean(prefix, word string, known []string) string {
	if n := nearest(word, known); n != "" {
		return "; did you mean " + prefix + n + "?"
	}
	return "."
}

// distance counts the edits from a to b: a byte put in, taken out, replaced,
// or swapped with its neighbour.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
