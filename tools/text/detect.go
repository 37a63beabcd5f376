package text

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode/utf8"
)

// sampleLen is how many bytes decide on an encoding, counted from the first
// one that is not ASCII. Reading a file whole and reading it as a stream look
// at the same ones.
const sampleLen = 32 << 10

// Detect says how b is encoded: the beginning of a file, or the whole of it.
//
// A byte order mark decides. A NUL byte among the first SniffLen is an error,
// a [*NotText]. What has no byte above 0x7F is UTF-8, and so is what
// has few wrong bytes in UTF-8 beside characters of several bytes that are
// right. For the rest the sample, which is sampleLen bytes from the first byte
// above 0x7F on, must be right to the last byte and read like text. When that
// is true of no encoding the file is UTF-8 with bytes that are no characters.
func Detect(b []byte, whole bool) (Encoding, error) {
	enc, marked, err := opening(b, whole)
	if err != nil || marked {
		return enc, err
	}
	at := firstHigh(b)
	if at == len(b) {
		return Encoding{}, nil
	}
	sample := b[at:min(len(b), at+sampleLen)]
	return judge(sample, before(b, at), whole && len(sample) < sampleLen), nil
}

// NotText is the error for bytes that are not shown as text. It completes a
// sentence that begins with a file's name.
type NotText struct {
	What string // "binary", "UTF-32", "broken UTF-16LE"
	why  string
}

func (e *NotText) Error() string { return "is " + e.What + ": " + e.why }

// before is the byte before a place.
func before(b []byte, at int) byte {
	if at == 0 {
		return '\n'
	}
	return b[at-1]
}

// opening looks at the first bytes of a file.
func opening(b []byte, whole bool) (enc Encoding, marked bool, err error) {
	head := b[:min(len(b), SniffLen)]
	switch {
	case bytes.HasPrefix(head, []byte{0xff, 0xfe, 0, 0}), bytes.HasPrefix(head, []byte{0, 0, 0xfe, 0xff}):
		return enc, false, &NotText{"UTF-32", "which is not supported"}
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		enc = Encoding{formUTF16LE, true}
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		enc = Encoding{formUTF16BE, true}
	case bytes.IndexByte(head, 0) >= 0:
		return enc, false, &NotText{"binary", fmt.Sprintf("a NUL byte at %d", bytes.IndexByte(head, 0))}
	case bytes.HasPrefix(head, []byte(BOM)):
		return Encoding{formUTF8, true}, true, nil
	default:
		return enc, false, nil
	}
	for at := 2; at < len(head); {
		r, n := enc.next(head[at:])
		switch {
		case n == 0 && (!whole || len(head) == SniffLen):
			return enc, true, nil
		case r == bad:
			return enc, false, &NotText{"broken " + enc.Name(), fmt.Sprintf("half a character at byte %d", at)}
		case r == 0:
			return enc, false, &NotText{"binary", fmt.Sprintf("a NUL character at byte %d", at)}
		}
		at += n
	}
	return enc, true, nil
}

// firstHigh is the place of the first byte above 0x7F, or len(b).
func firstHigh(b []byte) int {
	n := 0
	for ; n+8 <= len(b); n += 8 {
		if binary.LittleEndian.Uint64(b[n:])&0x8080808080808080 != 0 {
			break
		}
	}
	for n < len(b) && b[n] < utf8.RuneSelf {
		n++
	}
	return n
}

// judge says how a sample is encoded, which begins with a byte above 0x7F;
// prev is the byte before it, and whole says that the file ends with it.
func judge(sample []byte, prev byte, whole bool) Encoding {
	right, wrong, control := survey(sample, whole)
	if right >= 4*wrong || control {
		return Encoding{}
	}
	best, most := formUTF8, 0
	if latin, ok := likeLatin(sample, prev); ok && right < wrong {
		best, most = formWindows1252, max(latin, enough-1)
	}
	for f := formGB18030; f < formWindows1252; f++ {
		if fit, ok := fits(Encoding{form: f}.legacy(), sample, whole); ok && fit >= enough && fit > most {
			best, most = f, fit
		}
	}
	return Encoding{form: best}
}

// survey counts characters of several bytes that are right in UTF-8, and
// bytes that are wrong; control says that there are control characters that
// no text has.
func survey(b []byte, whole bool) (right, wrong int, control bool) {
	for len(b) > 0 {
		if b[0] < utf8.RuneSelf {
			control = control || b[0] < ' ' && !(b[0] >= '\t' && b[0] <= '\r') && b[0] != 0x1b
			b = b[1:]
			continue
		}
		r, n := utf8.DecodeRune(b)
		switch {
		case r != utf8.RuneError || n > 1:
			right++
		case !whole && !utf8.FullRune(b):
			return right, wrong, control
		default:
			wrong++
		}
		b = b[n:]
	}
	return right, wrong, control
}
