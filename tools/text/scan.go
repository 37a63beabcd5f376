package text

import (
	"bytes"
	"io"
)

// chunk is how much a Scanner reads at a time, in bytes.
const chunk = 64 << 10

// A Scanner reads the lines of a stream in memory that depends neither on the
// stream nor on its lines. It is for one goroutine.
type Scanner struct {
	r    io.Reader
	buf  []byte // what was read and not yet used
	full []byte // buf's whole array
	err  error  // what the reader said last
	keep int
}

// NewScanner returns a Scanner of r that keeps at most keep bytes of each
// line's beginning and as many of its end.
func NewScanner(r io.Reader, keep int) *Scanner {
	return &Scanner{r: r, full: make([]byte, chunk), keep: keep}
}

// A Scanned is one line, long ones without their middle.
type Scanned struct {
	Head    []byte // the beginning, or the whole line
	Tail    []byte // the end, when bytes are left out
	Omitted int64  // bytes between Head and Tail
	End     string // as in Line
}

// more reads on until there is something in buf that was not there before.
// An unused rest is moved to the front; it is at most one byte.
func (s *Scanner) more() bool {
	if s.err != nil {
		return false
	}
	n := copy(s.full, s.buf)
	for {
		var m int
		m, s.err = s.r.Read(s.full[n:])
		s.buf = s.full[:n+m]
		if m > 0 || s.err != nil {
			return m > 0
		}
	}
}

// failed is the reader's error when it was not the end.
func (s *Scanner) failed() error {
	if s.err == io.EOF {
		return nil
	}
	return s.err
}

// Next returns the next line, or io.EOF. Its bytes are the caller's.
func (s *Scanner) Next() (Scanned, error) {
	var line collector
	line.keep = s.keep
	seen := false
	for len(s.buf) > 0 || s.more() {
		seen = true
		n := bytes.IndexAny(s.buf, "\r\n")
		if n < 0 {
			line.add(s.buf)
			s.buf = s.buf[:0]
			continue
		}
		line.add(s.buf[:n])
		end := string(s.buf[n : n+1])
		s.buf = s.buf[n+1:]
		if end == "\r" && s.skipLF() {
			end = "\r\n"
		}
		return line.done(end), nil
	}
	if err := s.failed(); err != nil {
		return Scanned{}, err
	}
	if !seen {
		return Scanned{}, io.EOF
	}
	return line.done(""), nil
}

// skipLF takes a "\n" that comes next.
func (s *Scanner) skipLF() bool {
	if (len(s.buf) > 0 || s.more()) && s.buf[0] == '\n' {
		s.buf = s.buf[1:]
		return true
	}
	return false
}

// Skip passes over n lines, or over all there are, and says how many. It does
// not look at what is in them, so it is as fast as the disk.
func (s *Scanner) Skip(n int) (skipped int, err error) {
	open := false // in a line that has begun
	for skipped < n && (len(s.buf) > 0 || s.more()) {
		b := s.buf
		if last := len(b) - 1; b[last] == '\r' { // perhaps half of a CRLF
			if last == 0 && s.more() {
				continue
			} else if last > 0 {
				b = b[:last]
			}
		}
		ends := countEnds(b)
		if skipped+ends >= n {
			for ; skipped < n; skipped++ {
				_, s.buf = cut(s.buf)
			}
			return skipped, nil
		}
		skipped += ends
		open = !bytes.HasSuffix(b, []byte{'\n'}) && !bytes.HasSuffix(b, []byte{'\r'})
		s.buf = s.buf[len(b):]
	}
	if open && skipped < n {
		skipped++ // the last line, which has no end
	}
	return skipped, s.failed()
}

// Count passes over all lines that are left and says how many there were.
func (s *Scanner) Count() (int, error) { return s.Skip(int(^uint(0) >> 1)) }

// countEnds counts the line ends in b.
func countEnds(b []byte) int {
	n := bytes.Count(b, []byte{'\n'})
	if cr := bytes.Count(b, []byte{'\r'}); cr > 0 {
		n += cr - bytes.Count(b, []byte("\r\n"))
	}
	return n
}

// A collector keeps the first and the last keep bytes of what it is given.
type collector struct {
	keep    int
	head    []byte
	tail    []byte // up to twice keep bytes, of which the last keep count
	omitted int64
}

func (c *collector) add(b []byte) {
	if room := c.keep - len(c.head); room > 0 {
		n := min(room, len(b))
		c.head = append(c.head, b[:n]...)
		b = b[n:]
	}
	if len(b) > c.keep {
		c.omitted += int64(len(b) - c.keep)
		b = b[len(b)-c.keep:]
	}
	c.tail = append(c.tail, b...)
	if len(c.tail) > 2*c.keep {
		c.trim()
	}
}

func (c *collector) trim() {
	if over := len(c.tail) - c.keep; over > 0 {
		c.omitted += int64(over)
		c.tail = append(c.tail[:0], c.tail[over:]...)
	}
}

// done is the line: in one piece when nothing is left out of it.
func (c *collector) done(end string) Scanned {
	c.trim()
	if c.omitted == 0 {
		return Scanned{Head: append(c.head, c.tail...), End: end}
	}
	head := c.head[:len(c.head)-cutRune(c.head)]
	tail := c.tail
	for n := 0; n < 3 && len(tail) > 0 && tail[0]&0xc0 == 0x80; n++ {
		tail = tail[1:]
	}
	left := len(c.head) - len(head) + len(c.tail) - len(tail)
	return Scanned{Head: head, Tail: tail, Omitted: c.omitted + int64(left), End: end}
}
