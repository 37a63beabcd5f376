package near

import "strings"

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
	var buf [maxLine]byte
	for n, line := range have {
		if score := pairs.likeness(squeeze(buf[:0], line)); score > best {
			best, at = score, n
		}
	}
	if at < 0 {
		return -1
	}
	return max(0, at-telling)
}

// pairs is a set of pairs of neighbouring bytes.
type pairs struct {
	has   [1 << 10]uint64 // a bit for each
	count int
}

// pairsOf is the set of pairs in a line, blanks left out, in lower case.
func pairsOf(line string) *pairs {
	p := new(pairs)
	b := squeeze(nil, line)
	for n := 1; n < len(b); n++ {
		if word, bit := place(b[n-1], b[n]); p.has[word]&bit == 0 {
			p.has[word] |= bit
			p.count++
		}
	}
	return p
}

// place is where a pair is in a set.
func place(a, b byte) (word int, bit uint64) { return int(a)<<2 | int(b>>6), 1 << (b & 63) }

// squeeze appends a line to b without blanks and in lower case, as far as it
// is compared.
func squeeze(b []byte, line string) []byte {
	for n := range min(len(line), maxLine) {
		switch c := line[n]; {
		case c == ' ' || c >= '\t' && c <= '\r':
		case c >= 'A' && c <= 'Z':
			b = append(b, c+'a'-'A')
		default:
			b = append(b, c)
		}
	}
	return b
}

// likeness is the share of pairs that a set and a squeezed line have in
// common, from 0 to 1.
func (p *pairs) likeness(b []byte) float64 {
	if len(b) < 2 || p.count == 0 {
		return 0
	}
	common := 0
	for n := 1; n < len(b); n++ {
		if word, bit := place(b[n-1], b[n]); p.has[word]&bit != 0 {
			common++
		}
	}
	return 2 * float64(common) / float64(p.count+len(b)-1)
}
