package match

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"aye/tools/text"
)

// Limits of what is said about an ambiguous text.
const (
	maxPlaces  = 5    // that an error names
	maxCounted = 1000 // that are counted
)

// Replace finds old in file and makes the edit that puts new in its place.
// file is text in UTF-8, as a [text.Doc] has it.
//
// Bytes that are no characters may be named in old as they are shown, \xNN,
// and then in new too. A "\n" in new is a line end: it takes the form that line
// ends have there. Where old or new speaks of "\r" itself, new is taken as it
// is.
func Replace(file []byte, old, new string) (text.Edit, error) {
	old, new = literal(file, old, new)
	switch {
	case old == "":
		return text.Edit{}, errors.New("old is empty: give the text to be replaced; to fill an empty file use write")
	case old == new:
		return text.Edit{}, errors.New("there is nothing to change: old and new are the same")
	}
	start, end, err := locate(file, old)
	if err != nil {
		return text.Edit{}, err
	}
	edit := text.Edit{Start: start, End: end, New: []byte(new)}
	if !strings.Contains(old, "\r") && !strings.Contains(new, "\r") {
		edit.New = withEnds(file, start, end, new)
	}
	if bytes.Equal(edit.New, file[start:end]) {
		return text.Edit{}, errors.New("there is nothing to change: the file has new there already")
	}
	return edit, nil
}

// literal is old and new as bytes of the file: without a byte order mark,
// which is no part of the text, and with the bytes for which \xNN stands.
func literal(file []byte, old, new string) (string, string) {
	if bare, ok := strings.CutPrefix(old, text.BOM); ok && !bytes.Contains(file, []byte(text.BOM)) {
		old, new = bare, strings.TrimPrefix(new, text.BOM)
	}
	if raw := text.Unshow(old, file); raw != old && !occurs(file, old) && occurs(file, raw) {
		return raw, text.Unshow(new, []byte(raw))
	}
	return old, new
}

// occurs says whether s is in file, all line ends counted as the same.
func occurs(file []byte, s string) bool {
	plain, _ := normalize(file)
	return bytes.Contains(plain, []byte(text.Normalize(s)))
}

// locate finds the one place of old.
func locate(file []byte, old string) (start, end int, err error) {
	at := places(file, []byte(old))
	if len(at) == 1 && !(old[0] == '\n' && endsIn(file[:at[0]], '\r')) { // not from the middle of a CRLF
		return at[0], at[0] + len(old), nil
	}
	if len(at) > 1 {
		return 0, 0, ambiguous(file, at)
	}
	plain, origin := normalize(file)
	want := []byte(text.Normalize(old))
	at = places(plain, want)
	switch len(at) {
	case 0:
		return 0, 0, absent(file, old)
	case 1:
		return origin.of(at[0]), origin.of(at[0] + len(want)), nil
	}
	for n := range at {
		at[n] = origin.of(at[n])
	}
	return 0, 0, ambiguous(file, at)
}

// places lists where want begins in b, overlapping places too, up to the
// number that is worth counting.
func places(b, want []byte) []int {
	var at []int
	for from := 0; from+len(want) <= len(b) && len(at) < maxCounted; {
		n := bytes.Index(b[from:], want)
		if n < 0 {
			break
		}
		at = append(at, from+n)
		from += n + 1
	}
	return at
}

// An origin tells where bytes of a normalised text were before.
type origin []int // places in the normalised text after which one byte was dropped

// of is the place before normalisation. The end of a text that ends in a line
// end is behind the whole line end.
func (o origin) of(place int) int {
	lo, hi := 0, len(o)
	for lo < hi {
		if mid := (lo + hi) / 2; o[mid] < place {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return place + lo
}

// normalize makes every line end "\n".
func normalize(file []byte) ([]byte, origin) {
	if bytes.IndexByte(file, '\r') < 0 {
		return file, nil
	}
	plain := make([]byte, 0, len(file))
	var dropped origin
	for n := 0; n < len(file); n++ {
		c := file[n]
		if c == '\r' {
			c = '\n'
			if n+1 < len(file) && file[n+1] == '\n' {
				dropped = append(dropped, len(plain))
				n++
			}
		}
		plain = append(plain, c)
	}
	return plain, dropped
}

// withEnds writes new with the line ends of the place it takes. Lines that
// the place and new have in common, at the beginning and at the end, are
// taken from the file, line ends included.
func withEnds(file []byte, start, end int, new string) []byte {
	was, want := text.Split(file[start:end]), text.Split([]byte(new))
	head := 0
	for head < len(was) && head < len(want) && sameLine(was[head], want[head]) {
		head++
	}
	tail := 0
	for tail < len(was)-head && tail < len(want)-head && sameLine(was[len(was)-1-tail], want[len(want)-1-tail]) {
		tail++
	}
	last := endBefore(file, start)
	if head > 0 {
		last = was[head-1].End
	}
	lines := append([]text.Line{}, was[:head]...)
	for n, line := range want[head : len(want)-tail] {
		if at := head + n; at < len(was)-tail && was[at].End != "" {
			last = was[at].End
		} else if last == "" {
			last = endAfter(file, end)
		}
		if line.End != "" {
			line.End = last
		}
		lines = append(lines, line)
	}
	lines = append(lines, was[len(was)-tail:]...)
	return text.Join(apart(file, start, end, lines))
}

// apart makes "\r\n" of line ends where a lone "\r" and a "\n" would meet, in
// the lines or at the edges of their place: the two would become one.
func apart(file []byte, start, end int, lines []text.Line) []text.Line {
	afterCR := endsIn(file[:start], '\r')
	for n, line := range lines {
		if afterCR && len(line.Text) == 0 && line.End == "\n" {
			lines[n].End = "\r\n"
		}
		afterCR = line.End == "\r"
	}
	if len(lines) > 0 && afterCR && end < len(file) && file[end] == '\n' {
		lines[len(lines)-1].End = "\r\n"
	}
	return lines
}

// endsIn says whether the last byte of b is c.
func endsIn(b []byte, c byte) bool { return len(b) > 0 && b[len(b)-1] == c }

// sameLine compares two lines, line ends counted as the same.
func sameLine(a, b text.Line) bool {
	return bytes.Equal(a.Text, b.Text) && (a.End == "") == (b.End == "")
}

// endBefore is the nearest line end before a place, "" if there is none.
func endBefore(file []byte, place int) string {
	n := bytes.LastIndexAny(file[:place], "\r\n")
	switch {
	case n < 0:
		return ""
	case file[n] == '\r':
		return "\r"
	case n > 0 && file[n-1] == '\r':
		return "\r\n"
	}
	return "\n"
}

// endAfter is the nearest line end after a place, "\n" if there is none.
func endAfter(file []byte, place int) string {
	if lines := text.Split(firstLine(file[place:])); len(lines) > 0 && lines[0].End != "" {
		return lines[0].End
	}
	return "\n"
}

// firstLine is b up to and with its first line end.
func firstLine(b []byte) []byte {
	n := bytes.IndexAny(b, "\r\n")
	if n < 0 {
		return nil
	}
	return b[:min(n+2, len(b))]
}

// ambiguous is the error for a text that occurs more than once.
func ambiguous(file []byte, at []int) error {
	var lines []string
	for _, place := range at[:min(len(at), maxPlaces)] {
		lines = append(lines, fmt.Sprint(lineOf(file, place)))
	}
	times, more := fmt.Sprint(len(at)), ""
	if len(at) > maxPlaces {
		more = ", …"
	}
	if len(at) == maxCounted {
		times = "at least " + times
	}
	return fmt.Errorf("old occurs %s times, at lines %s%s; add lines around it until it occurs once", times, strings.Join(lines, ", "), more)
}

// lineOf is the number of the line that a place is in, from 1.
func lineOf(file []byte, place int) int {
	n := 1
	for _, line := range text.Split(file[:place]) {
		if line.End != "" {
			n++
		}
	}
	return n
}
