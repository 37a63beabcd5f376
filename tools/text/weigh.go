package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// How well characters fit into a text, in percent. Text in the right encoding
// has 60 to 100 on average, in a wrong one less than 50.
const (
	usual   = 100 // among the few hundred that make up most texts
	likely  = 50  // in the part of the table for everyday words
	sign    = 60  // punctuation
	rare    = 10
	strange = -50
	enough  = 35 // on average, for a file to be taken for something
)

// weigh says how well one character of two bytes fits into a text.
func weigh(f form, lead, trail byte, r rune, frequent map[rune]bool) int8 {
	kana := unicode.In(r, unicode.Hiragana, unicode.Katakana)
	upper := trail >= 0xa1 // in the oldest part of an EUC-like table
	switch {
	case frequent[r]:
		return usual
	case isSign(r):
		return sign
	}
	common, second, japanese := false, false, false
	switch f {
	case formGB18030:
		common, second = upper && lead >= 0xb0 && lead <= 0xd7, upper && lead >= 0xa1 && lead <= 0xf7
	case formShiftJIS:
		common, second, japanese = lead >= 0x88 && lead <= 0x97, lead <= 0xea, true
	case formEUCJP:
		common, second, japanese = lead >= 0xb0 && lead <= 0xcf, lead >= 0xa1 && lead <= 0xf4, true
	case formEUCKR:
		common, second = upper && lead >= 0xb0 && lead <= 0xc8, upper && lead >= 0xa1
	case formBig5:
		common, second = lead >= 0xa4 && lead <= 0xc6, lead >= 0xa1 && lead <= 0xf9
	case formUTF8, formUTF16LE, formUTF16BE, formWindows1252:
	}
	switch {
	case kana && japanese:
		return usual
	case kana:
		return -rare
	case common, f == formGB18030 && unicode.Is(unicode.Latin, r):
		return likely
	case second:
		return rare
	}
	return strange
}

// isSign says whether r is punctuation of East Asian texts.
func isSign(r rune) bool {
	return r >= 0x3000 && r <= 0x3002 || r >= 0x3008 && r <= 0x3011 || r >= 0xff01 && r <= 0xff5e || strings.ContainsRune("—…“”‘’·・「」『』", r)
}

// fits says how well a sample reads in an encoding; ok is false when there is
// anything in it that is no character. Signs alone are no text.
func fits(c *charset, sample []byte, whole bool) (percent int, ok bool) {
	sum, count, words := 0, 0, 0
	for len(sample) > 0 {
		if sample[0] < utf8.RuneSelf {
			sample = sample[1:]
			continue
		}
		r, n := c.next(sample)
		if n == 0 && !whole && count > 0 {
			break
		}
		if r == bad {
			return 0, false
		}
		weight := c.weightOf(sample[:n], r)
		sum += weight
		count++
		if weight >= likely && weight != sign {
			words++
		}
		sample = sample[n:]
	}
	if words == 0 {
		return 0, count > 0
	}
	return sum / count, true
}

// weightOf says how well a character fits into a text, which is b in bytes.
func (c *charset) weightOf(b []byte, r rune) int {
	switch {
	case len(b) == 1:
		return rare // halfwidth kana
	case len(b) == 2:
		return int(c.weight[pair(b[0], b[1])])
	case unicode.IsGraphic(r):
		return 2 * usual // digits or a lead byte in their places: hardly by chance
	}
	return strange
}

// likeLatin says how well a sample reads in Windows-1252; ok is false when
// there are bytes in it that are undefined there.
func likeLatin(sample []byte, prev byte) (percent int, ok bool) {
	sum, count := 0, 0
	for n, c := range sample {
		next := byte('\n')
		if n+1 < len(sample) {
			next = sample[n+1]
		}
		switch {
		case c < utf8.RuneSelf:
		case strings.IndexByte("\x81\x8d\x8f\x90\x9d", c) >= 0:
			return 0, false
		default:
			count++
			sum += latin(prev, c, next)
		}
		prev = c
	}
	return sum / max(1, count), true
}

// latin says how well one byte above 0x7F fits between two others.
func latin(prev, c, next byte) int {
	r := Encoding{form: formWindows1252}.legacy().one[c]
	word, follows := isAlnum(prev), isAlnum(next)
	switch {
	case unicode.IsLetter(r) && (word || follows):
		return 80
	case unicode.IsLetter(r):
		return 20
	case r == '’' && word, (r == '“' || r == '‘' || r == '„') && !word && follows, (r == '”' || r == '…' || r == '™') && !follows:
		return usual
	case prev >= utf8.RuneSelf || next >= utf8.RuneSelf:
		return rare
	}
	return likely
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}
