package search

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"aye/tools/text"
)

// How much of a file is held.
const (
	chunk    = 256 << 10 // read at a time
	longest  = 1 << 20   // a line of more bytes is searched in pieces
	keptPast = 16 << 10  // bytes before a chunk, for the lines before a match
)

// A File is what was found in one file.
type File struct {
	Path    string
	Lines   []Line // the first matching lines and those around them
	Shown   int    // matching lines in Lines
	Matches int    // matching lines in all
	Binary  bool   // no text: Lines is empty, Matches at most 1
}

// A Line is a line of a file, shortened when it is long.
type Line struct {
	Number int
	Text   string
	Match  bool // it matches; else it is near one that does
}

// A scanner looks through files, one after the other. It is for one goroutine.
type scanner struct {
	ctx    context.Context
	finder finder
	around int // lines before and after a match

	file  *File
	limit int // matching lines that are kept
	r     io.Reader
	buf   []byte
	n     int  // of buf is filled
	from  int  // and from here on not yet searched: a line begins there
	end   bool // of the file

	number int  // of the line at from
	told   int  // of the last line in file.Lines
	owed   int  // lines still to be told after a match
	inLine bool // from is in a line of which a former piece matched
	mid    bool // from is in a line
}

func newScanner(ctx context.Context, p *Pattern, around int) *scanner {
	stop := func() bool { return ctx.Err() != nil }
	return &scanner{ctx: ctx, finder: finder{p: p, m: newMachine(p.program, stop)}, around: around, buf: make([]byte, chunk)}
}

// start prepares for another file.
func (s *scanner) start(file *File, r io.Reader, limit int) {
	s.file, s.r, s.limit = file, r, limit
	s.n, s.from, s.end = 0, 0, false
	s.number, s.told, s.owed, s.inLine, s.mid = 1, 0, 0, false, false
}

// scan looks through what r reads, of which size bytes are expected, and adds
// what it finds to file, up to limit matching lines.
func (s *scanner) scan(file *File, r io.Reader, size int64, limit int) error {
	s.start(file, r, limit)
	if err := s.fill(size); err != nil {
		return err
	}
	head := s.buf[:s.n]
	if isWide(head) || s.finder.p.program.wide && foreign(head) {
		return s.decode()
	}
	file.Binary = bytes.IndexByte(head[:min(s.n, text.SniffLen)], 0) >= 0
	if bytes.HasPrefix(head, []byte(text.BOM)) {
		s.from = len(text.BOM)
	}
	if s.end && !file.Binary {
		if s.lines(head); file.Matches > 0 && foreign(head) {
			return s.decode()
		}
		return s.ctx.Err()
	}
	if foreign(head) {
		return s.decode()
	}
	return s.rest()
}

// rest looks through buf and all that follows.
func (s *scanner) rest() error {
	for {
		if to := s.ready(); to > s.from || s.end {
			s.lines(s.buf[:to])
			if s.end || s.file.Binary && s.file.Matches > 0 {
				return s.ctx.Err()
			}
			s.mid = !isEnd(rune(s.buf[to-1]))
			s.shift(to)
		} else if s.n == len(s.buf) {
			s.buf = append(s.buf, make([]byte, len(s.buf))...)
		}
		if err := s.fill(0); err != nil {
			return err
		}
	}
}

// foreign says whether the beginning of a file is not UTF-8.
func foreign(head []byte) bool {
	return bytes.IndexByte(head[:min(len(head), text.SniffLen)], 0) < 0 && text.Sniff(head, false) == text.Legacy
}

// isWide says whether a file begins like one in UTF-16.
func isWide(head []byte) bool {
	return bytes.HasPrefix(head, []byte{0xff, 0xfe}) || bytes.HasPrefix(head, []byte{0xfe, 0xff})
}

// decode looks through the file once more, in UTF-8. Nothing of it but what is
// in buf has been read.
func (s *scanner) decode() error {
	d, err := text.NewDecoder(io.MultiReader(bytes.NewReader(bytes.Clone(s.buf[:s.n])), s.r))
	*s.file = File{Path: s.file.Path}
	var notText *text.NotText
	if errors.As(err, &notText) {
		s.file.Binary = true
		return nil
	} else if err != nil {
		return err
	}
	s.start(s.file, d, s.limit)
	if err := s.fill(0); err != nil {
		return err
	}
	return s.rest()
}

// fill reads on until buf is full. size is what the file has in all, as far as
// one knows: when that has been read, nothing more is asked for.
func (s *scanner) fill(size int64) error {
	for s.n < len(s.buf) {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		got, err := s.r.Read(s.buf[s.n:])
		s.n += got
		if err == io.EOF || err == nil && size > 0 && int64(s.n) == size {
			s.end = true
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// ready is up to where buf can be looked through: all lines of which the end
// has been seen, all there is at the file's end, and a piece of a line that is
// too long to be held.
func (s *scanner) ready() int {
	to := s.from + complete(s.buf[s.from:s.n])
	switch {
	case s.end:
		return s.n
	case to > s.from || s.n-s.from < longest:
		return to
	case s.buf[s.n-1] == '\r':
		return s.n - 1
	}
	return s.n
}

// complete is how many bytes of b are lines of which the end has been seen.
func complete(b []byte) int {
	if n := bytes.LastIndexByte(b, '\n'); n >= 0 {
		return n + 1
	}
	// A last "\r" may be half of a line end.
	return 1 + bytes.LastIndexByte(b[:max(len(b)-1, 0)], '\r')
}

// shift makes room in buf: only the lines before to that a match behind it may
// want are kept.
func (s *scanner) shift(to int) {
	keep := to
	for range s.around {
		keep = before(s.buf[:keep])
	}
	keep = max(keep, to-keptPast)
	copy(s.buf, s.buf[keep:s.n])
	s.n, s.from = s.n-keep, to-keep
}

// lines looks through b from s.from on.
func (s *scanner) lines(b []byte) {
	pos, found := s.from, false
	s.finder.begin()
	for s.ctx.Err() == nil {
		line, ok := s.finder.next(b, pos)
		if !ok {
			break
		}
		again := s.inLine && line.from == s.from
		found = found || line.next == len(b)
		if s.file.Binary {
			s.file.Matches = 1
			return
		}
		if s.file.Shown < s.limit && !again {
			s.match(b, pos, line)
		} else if s.limit > 0 {
			s.after(b, pos, line.from)
			s.number += countLines(b[pos:line.next])
			s.owed = 0
		}
		if !again {
			s.file.Matches++
		}
		pos = line.next
	}
	if s.end && s.owed == 0 {
		return
	}
	s.after(b, pos, len(b))
	s.number += countLines(b[pos:])
	s.inLine = (found || s.inLine && pos == s.from) && len(b) > 0 && !isEnd(rune(b[len(b)-1]))
}

// match tells of a match, with the lines around it; pos is where what was not
// yet told begins.
func (s *scanner) match(b []byte, pos int, line place) {
	at := s.number + countLines(b[pos:line.from])
	s.after(b, pos, line.from)
	begin, number := line.from, at
	for range s.around {
		if number-1 <= s.told || begin == 0 {
			break
		}
		begin = before(b[:begin])
		number--
	}
	for ; begin < line.from; number++ {
		near := lineAt(b, begin, begin)
		s.tell(number, b, near, false)
		begin = near.next
	}
	s.tell(at, b, line, true)
	s.file.Shown++
	s.owed = s.around
	s.number = at + countLines(b[line.from:line.next])
}

// after tells what is owed of the lines from pos to to. The number of the line
// at pos is s.number.
func (s *scanner) after(b []byte, pos, to int) {
	for number := s.number; s.owed > 0 && pos < to; number++ {
		line := lineAt(b, pos, pos)
		s.tell(number, b, line, false)
		s.owed--
		pos = line.next
	}
}

// tell adds a line to what is found.
func (s *scanner) tell(number int, b []byte, line place, match bool) {
	if number <= s.told {
		return
	}
	s.told = number
	words := s.finder.p.shorten(b[line.from:line.to], match)
	if s.mid && line.from == s.from && !strings.HasPrefix(words, "…") {
		words = "…" + words
	}
	s.file.Lines = append(s.file.Lines, Line{number, words, match})
}
