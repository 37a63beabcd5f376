package text

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// An Encoding says how the bytes of a file stand for characters. The zero
// Encoding is UTF-8 without a byte order mark. Encodings can be compared.
type Encoding struct {
	form form
	bom  bool // the file begins with a byte order mark
}

// A form is an encoding but for the byte order mark.
type form uint8

const (
	formUTF8 form = iota
	formUTF16LE
	formUTF16BE
	formGB18030
	formShiftJIS
	formEUCJP
	formEUCKR
	formBig5
	formWindows1252
)

// Name names an encoding for people and models.
func (e Encoding) Name() string {
	name := ""
	switch e.form {
	case formUTF8:
		name = "UTF-8"
	case formUTF16LE:
		name = "UTF-16LE"
	case formUTF16BE:
		name = "UTF-16BE"
	case formGB18030:
		name = "GB18030"
	case formShiftJIS:
		name = "Shift-JIS"
	case formEUCJP:
		name = "EUC-JP"
	case formEUCKR:
		name = "EUC-KR"
	case formBig5:
		name = "Big5"
	case formWindows1252:
		name = "Windows-1252"
	}
	if e.bom {
		return name + " with BOM"
	}
	return name
}

// String is Name.
func (e Encoding) String() string { return e.Name() }

// Note says what a file's encoding is when it is not plain UTF-8, and whether
// that was inferred: "UTF-16LE with BOM", "taken for GB18030"; else "".
func (e Encoding) Note() string {
	switch {
	case e == Encoding{}:
		return ""
	case e.legacy() != nil:
		return "taken for " + e.Name()
	}
	return e.Name()
}

// UTF8 says whether it is UTF-8, with or without a byte order mark.
func (e Encoding) UTF8() bool { return e.form == formUTF8 }

// BOM says whether the file begins with a byte order mark.
func (e Encoding) BOM() bool { return e.bom }

// legacy is the table of an encoding that has one, else nil.
func (e Encoding) legacy() *charset {
	if e.form < formGB18030 {
		return nil
	}
	return charsets[e.form-formGB18030]()
}

// mark is the byte order mark that a file in e begins with.
func (e Encoding) mark() []byte {
	switch {
	case !e.bom:
		return nil
	case e.form == formUTF16LE:
		return []byte{0xff, 0xfe}
	case e.form == formUTF16BE:
		return []byte{0xfe, 0xff}
	}
	return []byte(BOM)
}

// bad is what next says instead of a character.
const bad rune = -1

// next decodes the first character of b, which is not empty. n is 0 when the
// character goes on behind the end of b. What is no character is bad, and one
// byte long, in UTF-16 one unit.
func (e Encoding) next(b []byte) (r rune, n int) {
	switch e.form {
	case formUTF8:
		if r, n = utf8.DecodeRune(b); r == utf8.RuneError && n == 1 {
			if !utf8.FullRune(b) {
				return bad, 0
			}
			return bad, 1
		}
		return r, n
	case formUTF16LE, formUTF16BE:
		return next16(b, e.form == formUTF16BE)
	case formGB18030, formShiftJIS, formEUCJP, formEUCKR, formBig5, formWindows1252:
		return e.legacy().next(b)
	}
	return bad, 1
}

// next16 is next for UTF-16.
func next16(b []byte, big bool) (r rune, n int) {
	if len(b) < 2 {
		return bad, 0
	}
	unit := func(at int) rune {
		if big {
			return rune(b[at])<<8 | rune(b[at+1])
		}
		return rune(b[at]) | rune(b[at+1])<<8
	}
	const high, low, after = 0xd800, 0xdc00, 0xe000
	switch r = unit(0); {
	case r < high || r >= after:
		return r, 2
	case r >= low:
		return bad, 2
	case len(b) < 4:
		return bad, 0
	}
	if l := unit(2); l >= low && l < after {
		return (r-high)<<10 | (l - low) + 0x10000, 4
	}
	return bad, 2
}

// appendText decodes b, which begins with a whole character, onto text. It
// says how many bytes it used: when b is not all there is, not those of a
// character that is cut at the end; and how many places were no character.
// Those stay the bytes they are; in UTF-16 they become U+FFFD.
func (e Encoding) appendText(text, b []byte, whole bool) (_ []byte, used, wrong int) {
	legacy := e.legacy()
	if legacy == nil {
		return e.appendWide(text, b, whole)
	}
	for used < len(b) {
		rest := b[used:]
		if rest[0] < utf8.RuneSelf {
			n := firstHigh(rest)
			text = append(text, rest[:n]...)
			used += n
			continue
		}
		r, n := legacy.next(rest)
		switch {
		case n == 0 && !whole:
			return text, used, wrong
		case r != bad:
			text = utf8.AppendRune(text, r)
			used += n
		default:
			text = append(text, rest[0])
			used++
			wrong++
		}
	}
	return text, used, wrong
}

// appendWide is appendText for UTF-16.
func (e Encoding) appendWide(text, b []byte, whole bool) (_ []byte, used, wrong int) {
	big := e.form == formUTF16BE
	for used < len(b) {
		r, n := next16(b[used:], big)
		switch {
		case n == 0 && !whole:
			return text, used, wrong
		case r == bad:
			r = utf8.RuneError
			wrong++
		}
		text = utf8.AppendRune(text, r)
		used = min(used+max(2, n), len(b))
	}
	return text, used, wrong
}

// appendRune encodes r onto b; ok is false when e has no bytes for it.
func (e Encoding) appendRune(b []byte, r rune) (_ []byte, ok bool) {
	switch e.form {
	case formUTF8:
		return utf8.AppendRune(b, r), true
	case formUTF16LE, formUTF16BE:
		return append16(b, r, e.form == formUTF16BE), true
	case formGB18030, formShiftJIS, formEUCJP, formEUCKR, formBig5, formWindows1252:
		return e.legacy().appendRune(b, r)
	}
	return b, false
}

func append16(b []byte, r rune, big bool) []byte {
	unit := func(u rune) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	if r < 0x10000 {
		unit(r)
		return b
	}
	unit(0xd800 + (r-0x10000)>>10)
	unit(0xdc00 + (r-0x10000)&0x3ff)
	return b
}

// encode encodes s, which replaces was. What is no character may only stay
// where it was, and so may U+FFFD, which stands for what someone could not
// read and has no place in a file.
func (e Encoding) encode(s string, was []byte) ([]byte, error) {
	if lost := strings.Count(s, "\ufffd"); lost > bytes.Count(was, []byte("\ufffd")) {
		return nil, fmt.Errorf("the new text has U+FFFD \ufffd in line %d, the sign for a character that was lost: give the real character, or an escape such as \\ufffd where the language has one",
			lineOf(s, strings.Index(s, "\ufffd")))
	}
	if e.form == formUTF8 && utf8.ValidString(s) {
		return []byte(s), nil
	}
	out := make([]byte, 0, 2*len(s))
	for at := 0; at < len(s); {
		r, n := utf8.DecodeRuneInString(s[at:])
		if r == utf8.RuneError && n == 1 {
			if !slices.Contains(strays(was), s[at]) {
				return nil, fmt.Errorf("the new text is not valid UTF-8: byte 0x%02X in line %d; give whole characters", s[at], lineOf(s, at))
			}
			out = append(out, s[at])
			at++
			continue
		}
		var ok bool
		if out, ok = e.appendRune(out, r); !ok {
			return nil, fmt.Errorf("the file is in %s, which has no U+%04X %c (line %d of the new text): use characters it has, or convert the whole file to UTF-8 first, if the user wants that",
				e.Name(), r, r, lineOf(s, at))
		}
		at += n
	}
	return out, nil
}

// strays are the bytes of b that are no characters.
func strays(b []byte) []byte {
	var found []byte
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			found = append(found, b[0])
		}
		b = b[n:]
	}
	return found
}

// lineOf is the number of the line in s that a place is in, from 1.
func lineOf(s string, place int) int { return 1 + strings.Count(s[:place], "\n") }

// Check says why s cannot be the content of a new file in UTF-8, if so.
func Check(s string) error {
	_, err := Encoding{}.encode(s, nil)
	return err
}
