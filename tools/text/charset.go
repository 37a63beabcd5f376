package text

import (
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/transform"
)

// A charset is a legacy encoding as tables. Bytes below 0x80 are ASCII in all
// of them, but for the second and later bytes of a character. A character has
// only one form in it: the one that encoding it gives. So what was decoded
// always becomes the same bytes again.
type charset struct {
	form             form
	decoder, encoder transform.Transformer // without state
	one              [256]rune             // characters of one byte, or bad
	two              []rune                // of two, by pair, or bad
	weight           []int8                // of the same, how well it fits into a text
}

// charsets are the legacy encodings, by form, each made when it is needed.
var charsets = [...]func() *charset{
	sync.OnceValue(func() *charset { return newCharset(formGB18030, simplifiedchinese.GB18030) }),
	sync.OnceValue(func() *charset { return newCharset(formShiftJIS, japanese.ShiftJIS) }),
	sync.OnceValue(func() *charset { return newCharset(formEUCJP, japanese.EUCJP) }),
	sync.OnceValue(func() *charset { return newCharset(formEUCKR, korean.EUCKR) }),
	sync.OnceValue(func() *charset { return newCharset(formBig5, traditionalchinese.Big5) }),
	sync.OnceValue(func() *charset { return newCharset(formWindows1252, charmap.Windows1252) }),
}

// pair is the place of two bytes in a table; the first is 0x80 or more.
func pair(lead, trail byte) int { return int(lead-0x80)<<8 | int(trail) }

func newCharset(f form, enc encoding.Encoding) *charset {
	c := &charset{form: f, decoder: enc.NewDecoder().Transformer, encoder: enc.NewEncoder().Transformer}
	for b := range 256 {
		c.one[b] = c.decode([]byte{byte(b)})
	}
	if f == formWindows1252 {
		return c
	}
	c.two, c.weight = make([]rune, 128<<8), make([]int8, 128<<8)
	frequent := frequentIn(f)
	for n := range c.two {
		b := []byte{byte(n>>8) + 0x80, byte(n)}
		c.two[n] = bad
		if c.one[b[0]] == bad {
			c.two[n] = c.decode(b)
		}
		if r := c.two[n]; r != bad {
			c.weight[n] = weigh(f, b[0], b[1], r, frequent)
		}
	}
	return c
}

// decode is the one character that b is, if encoding it gives b again.
func (c *charset) decode(b []byte) rune {
	var dst [4 * utf8.UTFMax]byte
	n, used, err := c.decoder.Transform(dst[:], b, true)
	r, size := utf8.DecodeRune(dst[:n])
	if err != nil || used != len(b) || size != n || r < utf8.RuneSelf && len(b) > 1 {
		return bad
	}
	var back [8]byte
	n, _, err = c.encoder.Transform(back[:], dst[:size], true)
	if err != nil || string(back[:n]) != string(b) {
		return bad
	}
	return r
}

// next is the first character of b as Encoding.next has it.
func (c *charset) next(b []byte) (r rune, n int) {
	if r := c.one[b[0]]; r != bad {
		return r, 1
	}
	if c.two == nil {
		return bad, 1
	}
	if len(b) < 2 {
		return bad, 0
	}
	if r := c.two[pair(b[0], b[1])]; r != bad {
		return r, 2
	}
	long := c.long(b)
	if long == 0 {
		return bad, 1
	}
	if len(b) < long {
		return bad, 0
	}
	if r := c.decode(b[:long]); r != bad {
		return r, long
	}
	return bad, 1
}

// long is the length of the character of more than two bytes that b may begin
// with, else 0.
func (c *charset) long(b []byte) int {
	switch {
	case c.form == formGB18030 && b[0] > 0x80 && b[0] < 0xff && b[1] >= '0' && b[1] <= '9':
		return 4
	case c.form == formEUCJP && b[0] == 0x8f && b[1] > 0xa0:
		return 3
	}
	return 0
}

// appendRune encodes r onto b, if it is a character of c: one that decoding
// gives again.
func (c *charset) appendRune(b []byte, r rune) ([]byte, bool) {
	if r < utf8.RuneSelf {
		return append(b, byte(r)), true
	}
	var src [utf8.UTFMax]byte
	var dst [8]byte
	n, _, err := c.encoder.Transform(dst[:], src[:utf8.EncodeRune(src[:], r)], true)
	if err != nil || n == 0 {
		return b, false
	}
	if back, size := c.next(dst[:n]); back != r || size != n {
		return b, false
	}
	return append(b, dst[:n]...), true
}
