package search

import "bytes"

// A finder finds the matching lines of a text. It is for one goroutine.
type finder struct {
	p     *Pattern
	m     *machine
	seeks []seeker
}

// begin prepares for another text.
func (f *finder) begin() {
	f.seeks = f.seeks[:0]
	for _, l := range f.p.need {
		f.seeks = append(f.seeks, seeker{l, -1})
	}
}

// A place is a line: where its text begins and ends, and where the next line
// begins.
type place struct{ from, to, next int }

// next finds the first matching line at or behind from, where a line begins.
func (f *finder) next(b []byte, from int) (line place, ok bool) {
	for from < len(b) {
		at := from
		switch {
		case f.p.every:
		case f.p.need != nil:
			if at = f.seek(b, from); at == len(b) {
				return line, false
			}
		default:
			if at = f.m.find(b, from); at < 0 {
				return line, false
			}
		}
		line = lineAt(b, from, at)
		switch {
		case line.from == line.to && line.from > 0 && line.to < len(b) && b[line.to] == '\n' && b[line.from-1] == '\r':
			// Between the two halves of a CRLF there is no line.
		case f.p.need == nil || f.p.exact || f.p.every || f.m.find(b[line.from:line.to], 0) >= 0:
			return line, true
		}
		from = line.next
	}
	return line, false
}

// seek finds what every match needs.
func (f *finder) seek(b []byte, from int) int {
	at := len(b)
	for n := range f.seeks {
		at = min(at, f.seeks[n].seek(b, from))
	}
	return at
}

// lineAt is the line in which at is; it does not begin before from.
func lineAt(b []byte, from, at int) (line place) {
	line.from = at
	for line.from > from && !isEnd(rune(b[line.from-1])) {
		line.from--
	}
	line.to = len(b)
	if n := bytes.IndexByte(b[at:], '\n'); n >= 0 {
		line.to = at + n
	}
	if n := bytes.IndexByte(b[at:line.to], '\r'); n >= 0 {
		line.to = at + n
	}
	line.next = min(line.to+1, len(b))
	if line.next < len(b) && b[line.to] == '\r' && b[line.next] == '\n' {
		line.next++
	}
	return line
}

// before is where the line begins that ends where b does, with its end.
func before(b []byte) int {
	n := len(b)
	if n > 0 && b[n-1] == '\n' {
		n--
	}
	if n > 0 && b[n-1] == '\r' {
		n--
	}
	for n > 0 && !isEnd(rune(b[n-1])) {
		n--
	}
	return n
}

// countLines counts the lines of b, which ends where a line does.
func countLines(b []byte) int {
	n := bytes.Count(b, []byte{'\n'})
	if bytes.IndexByte(b, '\r') >= 0 {
		n += bytes.Count(b, []byte{'\r'}) - bytes.Count(b, []byte("\r\n"))
	}
	return n
}
