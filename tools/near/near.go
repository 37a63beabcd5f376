// Package near finds the word that a mistyped one was meant to be, and the
// lines: for "did you mean" in every error that has one, a model's or a
// person's.
//
// # The way through
//
// [Word] picks from what is known. [Slips] counts how far two words are apart,
// for a caller that has to be stricter. [Lines] finds where in a file lines
// that are not in it were meant to be.
//
// # Promises
//
// Upper and lower case do not matter. Whatever the words are, an answer takes
// no longer than comparing short ones. Pure functions, for any goroutine.
package near

import (
	"math"
	"slices"
	"strings"
)

// maxWord is the longest word, in bytes, whose slips are counted: names are
// shorter, and counting takes the product of both lengths.
const maxWord = 100

// Word returns the known word that word was most likely meant to be, "" when
// none is like it: a third of the letters may be wrong, or one of the two holds
// the other whole, which counts as one wrong letter. Of equals the one with
// fewer slips is taken, then the one closer in length, then the first.
func Word(word string, known []string) string {
	w := strings.ToLower(word)
	best, least := "", []int{(len(w) + 1) / 3, math.MaxInt, 0}
	for _, name := range known {
		k := strings.ToLower(name)
		n := slips(w, k)
		apart := []int{n, n, max(len(w)-len(k), len(k)-len(w))}
		if shares(w, k) {
			apart[0] = min(n, 1)
		}
		if slices.Compare(apart, least) < 0 {
			best, least = name, apart
		}
	}
	return best
}

// shares tells whether word begins known, or one holds the other.
func shares(word, known string) bool {
	return len(word) > 1 && strings.HasPrefix(known, word) || holds(word, known) || holds(known, word)
}

func holds(long, part string) bool { return len(part) > 2 && strings.Contains(long, part) }

// Slips counts the letters to put in, take out, replace or swap with their
// neighbour to make b of a. Of very long words it is the length.
func Slips(a, b string) int { return slips(strings.ToLower(a), strings.ToLower(b)) }

func slips(a, b string) int {
	if len(a) > maxWord || len(b) > maxWord {
		return max(len(a), len(b))
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
