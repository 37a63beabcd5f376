package search

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// maxWide is the largest file in UTF-16 that is searched, in bytes: it is
// decoded as a whole.
const maxWide = 8 << 20

// errWide is about a larger one.
var errWide = errors.New("too large to be decoded")

// wideOrder is the order of bytes in UTF-16, which a mark at its beginning
// tells; nil for anything else.
func wideOrder(b []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}):
		return binary.LittleEndian
	case bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		return binary.BigEndian
	}
	return nil
}

// wide looks through a file in UTF-16 of which the first part has been read.
func (s *scanner) wide(order binary.ByteOrder) error {
	all := bytes.Clone(s.buf[:s.n])
	if !s.end {
		more, err := io.ReadAll(io.LimitReader(s.r, maxWide-int64(s.n)+1))
		if err != nil {
			return err
		}
		if all = append(all, more...); len(all) > maxWide {
			return errWide
		}
	}
	s.from, s.end = 0, true
	s.lines(narrow(all[2:], order))
	return s.ctx.Err()
}

// narrow is UTF-16 in UTF-8.
func narrow(b []byte, order binary.ByteOrder) []byte {
	plain := make([]byte, 0, len(b))
	for ; len(b) >= 2; b = b[2:] {
		c := rune(order.Uint16(b))
		if utf16.IsSurrogate(c) && len(b) >= 4 {
			if both := utf16.DecodeRune(c, rune(order.Uint16(b[2:]))); both != utf8.RuneError {
				c, b = both, b[2:]
			}
		}
		plain = utf8.AppendRune(plain, c)
	}
	return plain
}
