package match

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"aye/tools/text"
)

// Limits of the search for what the model may have meant. It only makes an
// error better, so it must never take long.
const (
	maxCompared = 200_000 // lines of the file
	maxLine     = 300     // bytes of a line
	maxShown    = 12      // lines
)

// numbered is what read puts before a line.
var numbered = regexp.MustCompile(`^\d+: ?`)

// absent is the error for a text that is not in the file: it shows the lines
// that are most like it, and says how they differ when that is easily said.
func absent(file []byte, old string) error {
	body, _ := text.TrimBOM(file)
	lines := text.Split(body)
	if len(lines) == 0 {
		return errors.New("old was not found: the file is empty; use write")
	}
	want := strings.Split(strings.Trim(text.Normalize(old), "\n"), "\n")
	have := plainLines(lines)
	if strings.TrimSpace(old) != "" {
		for _, variant := range variants {
			if at := find(have, want, variant.fold); at >= 0 {
				return fmt.Errorf("old was not found, but lines %d–%d differ from it only in %s; copy them exactly:\n%s",
					at+1, at+len(want), variant.name, show(have, at, at+len(want)))
			}
		}
	}
	if at := nearest(have, want); at >= 0 {
		return fmt.Errorf("old was not found; it must be exactly the text of the file. The nearest lines are:\n%s",
			show(have, max(0, at-1), min(len(have), at+len(want)+1)))
	}
	return fmt.Errorf("old was not found in any of the %d lines, nor anything like it; read the file again", len(lines))
}

// plainLines are the texts of lines, as far as they are compared.
func plainLines(lines []text.Line) []string {
	plain := make([]string, 0, min(len(lines), maxCompared))
	for _, line := range lines[:min(len(lines), maxCompared)] {
		s, _ := text.Show(line.Text)
		plain = append(plain, s)
	}
	return plain
}

// A variant is one way in which models get a text wrong.
var variants = []struct {
	name string
	fold func(string) string
}{
	{"the line ends before or after them", func(s string) string { return s }},
	{"the line numbers, which are no part of the file", foldNumber},
	{"blanks at the ends of lines", func(s string) string { return strings.TrimRight(s, " \t") }},
	{"indentation and blanks", foldBlanks},
	{"upper and lower case", strings.ToLower},
	{"case and blanks", func(s string) string { return strings.ToLower(foldBlanks(s)) }},
	{"quotes, dashes or other look-alikes", foldLookalikes},
}

// foldNumber takes off what read puts before a line.
func foldNumber(s string) string {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return s
	}
	return numbered.ReplaceAllString(s, "")
}

// foldBlanks leaves one blank between words and none around them.
func foldBlanks(s string) string { return strings.Join(strings.Fields(s), " ") }

// foldLookalikes makes typographic characters plain ones.
func foldLookalikes(s string) string {
	if plain(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch r {
		case '‘', '’', '‚', '′':
			return '\''
		case '“', '”', '„', '″':
			return '"'
		case '–', '—', '‐', '‑', '−':
			return '-'
		}
		if unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, s)
}

// plain says whether s has neither look-alikes nor blanks other than spaces.
func plain(s string) bool {
	for n := range len(s) {
		if s[n] < ' ' || s[n] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// find says at which line want stands when both are folded: whole lines, but
// for the first, which may begin, and the last, which may end inside one.
func find(have, want []string, fold func(string) string) int {
	folded := make([]string, len(want))
	for n, line := range want {
		folded[n] = fold(line)
	}
	if strings.TrimSpace(strings.Join(folded, "")) == "" {
		return -1
	}
	last := len(folded) - 1
	for at := 0; at+last < len(have); at++ {
		first := fold(have[at])
		if !strings.HasSuffix(first, folded[0]) && (last > 0 || !strings.Contains(first, folded[0])) {
			continue
		}
		n := 1
		for n < last && fold(have[at+n]) == folded[n] {
			n++
		}
		if n >= last && (last == 0 || strings.HasPrefix(fold(have[at+last]), folded[last])) {
			return at
		}
	}
	return -1
}

// nearest says which line of have is most like the most telling line of want,
// less that line's place in want; -1 when none is like it.
func nearest(have, want []string) int {
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

// show writes lines [from, to) with their numbers.
func show(lines []string, from, to int) string {
	var b strings.Builder
	for n := from; n < to; n++ {
		if n == from+maxShown {
			fmt.Fprintf(&b, "[%d more lines]\n", to-n)
			break
		}
		line := lines[n]
		if len(line) > maxLine {
			line = strings.ToValidUTF8(line[:maxLine], "") + " […]"
		}
		fmt.Fprintf(&b, "%d: %s\n", n+1, line)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
