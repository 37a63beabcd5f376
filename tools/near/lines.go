package near

import (
	"bytes"
	"strings"
)

// maxLine is how much of a line is compared, in bytes.
const maxLine = 300

// Lines says which line of have is most like the most telling line of want,
// less that line's place in want: where want was most likely meant to be. It is
// -1 when none is like it.
func Lines(have, want []string) int {
	if len(want) == 0 {
		return -1
	}
	telling := 0
	for n, line := range want {
		if len(strings.TrimSpace(line)) > len(strings.TrimSpace(want[telling])) {
			telling = n
		}
	}
	pairs := pairsOf(want[telling])
	best, at := 0.4, -1
	for n, line := range have {
		if score := likeness(pairs, line); score > best {
			best, at = score, n
		}
	}
	if at < 0 {
		return -1
	}
	return max(0, at-telling)
}

// pairsOf is the set of neighbouring bytes in a line, blanks left out, in
// lower case.
func pairsOf(line string) map[[2]byte]bool {
	b := squeeze(line)
	pairs := make(map[[2]byte]bool, len(b))
	for n := 1; n < len(b); n++ {
		pairs[[2]byte{b[n-1], b[n]}] = true
	}
	return pairs
}

func squeeze(line string) []byte {
	line = line[:min(len(line), maxLine)]
	return bytes.ToLower(bytes.Join(bytes.Fields([]byte(line)), nil))
}

// likeness is the share of pairs that two lines have in common, from 0 to 1.
func likeness(pairs map[[2]byte]bool, line string) float64 {
	b := squeeze(line)
	if len(b) < 2 || len(pairs) == 0 {
		return 0
	}
	common := 0
	for n := 1; n < len(b); n++ {
		if pairs[[2]byte{b[n-1], b[n]}] {
			common++
		}
	}
	return 2 * float64(common) / float64(len(pairs)+len(b)-1)
}
