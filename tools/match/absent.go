package match

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"aye/tools/near"
	"aye/tools/text"
)

// Limits of the search for what the model may have meant. It only makes an
// error better, so it must never take long.
const (
	maxCompared = 200_000 // lines of the file
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
					at+1, at+len(want), variant.name, text.Numbered(have, at, at+len(want), maxShown))
			}
		}
	}
	if at := near.Lines(have, want); at >= 0 {
		return fmt.Errorf("old was not found; it must be exactly the text of the file. The nearest lines are:\n%s",
			text.Numbered(have, max(0, at-1), min(len(have), at+len(want)+1), maxShown))
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
	{"indentation and blanks", text.FoldBlanks},
	{"upper and lower case", strings.ToLower},
	{"case and blanks", func(s string) string { return strings.ToLower(text.FoldBlanks(s)) }},
	{"quotes, dashes or other look-alikes", text.FoldTwins},
}

// foldNumber takes off what read puts before a line.
func foldNumber(s string) string {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return s
	}
	return numbered.ReplaceAllString(s, "")
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
