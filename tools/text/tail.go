package text

import (
	"errors"
	"io"
)

// Tail finds where the last n lines of the first size bytes of r begin. It
// reads backwards, in blocks, no more than it needs. lines is how many lines
// there are from start on: fewer than n when all of them are, and start is 0.
//
// Bytes "\r" and "\n" end lines wherever they are, so it is for UTF-8 and for
// the legacy encodings, in which they are no part of other characters, not for
// UTF-16.
func Tail(r io.ReaderAt, size int64, n int) (start int64, lines int, err error) {
	if size <= 0 || n <= 0 {
		return max(size, 0), 0, nil
	}
	block := make([]byte, chunk)
	ends := 0       // passed, but for that of the last line
	next := byte(0) // the byte after the block
	for at := size; at > 0; {
		from := max(0, at-chunk)
		b := block[:at-from]
		if got, err := r.ReadAt(b, from); got < len(b) {
			if err == nil || errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF // it became shorter
			}
			return 0, 0, err
		}
		if at == size {
			b, next = lastEnd(b)
		}
		here := countEnds(b)
		if len(b) > 0 && b[len(b)-1] == '\r' && next == '\n' {
			here-- // half of an end that was counted with the block after it
		}
		if ends+here >= n {
			return from + int64(nthEnd(b, next, n-ends)), n, nil
		}
		ends += here
		if at = from; len(b) > 0 {
			next = b[0]
		}
	}
	return 0, ends + 1, nil
}

// lastEnd takes the line end off the end of b, if b has one there, and returns
// its first byte.
func lastEnd(b []byte) (rest []byte, end byte) {
	n := len(b)
	switch {
	case b[n-1] == '\n' && n > 1 && b[n-2] == '\r':
		return b[:n-2], '\r'
	case b[n-1] == '\n' || b[n-1] == '\r':
		return b[:n-1], b[n-1]
	}
	return b, 0
}

// nthEnd is the place after the nth line end from the end of b, which is
// followed by next and has as many.
func nthEnd(b []byte, next byte, n int) int {
	i := len(b) - 1
	for ; i >= 0; i-- {
		if b[i] == '\n' || b[i] == '\r' && next != '\n' {
			if n--; n == 0 {
				break
			}
		}
		next = b[i]
	}
	return i + 1
}
