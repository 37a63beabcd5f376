package proc

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// codePages are those that Windows uses for consoles, and for programs.
var codePages = map[uint32]encoding.Encoding{
	437: charmap.CodePage437, 850: charmap.CodePage850, 852: charmap.CodePage852, 855: charmap.CodePage855, 858: charmap.CodePage858,
	860: charmap.CodePage860, 862: charmap.CodePage862, 863: charmap.CodePage863, 865: charmap.CodePage865, 866: charmap.CodePage866,
	874: charmap.Windows874, 932: japanese.ShiftJIS, 936: simplifiedchinese.GBK, 949: korean.EUCKR, 950: traditionalchinese.Big5,
	1250: charmap.Windows1250, 1251: charmap.Windows1251, 1252: charmap.Windows1252, 1253: charmap.Windows1253, 1254: charmap.Windows1254,
	1255: charmap.Windows1255, 1256: charmap.Windows1256, 1257: charmap.Windows1257, 1258: charmap.Windows1258, 54936: simplifiedchinese.GB18030,
}

// localeCharset is the character set that a Unix locale names, as
// "de_DE.ISO-8859-1@euro" does; nil for UTF-8, for none, for an unknown one.
func localeCharset(env func(string) string) encoding.Encoding {
	locale := ""
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale = env(name); locale != "" {
			break
		}
	}
	_, name, _ := strings.Cut(locale, ".")
	name, _, _ = strings.Cut(strings.ToLower(name), "@")
	if rest, ok := strings.CutPrefix(name, "euc"); ok { // glibc's eucJP and eucKR
		name = "euc-" + strings.TrimPrefix(rest, "-")
	}
	e, err := htmlindex.Get(name)
	if canonical, _ := htmlindex.Name(e); err != nil || canonical == "utf-8" {
		return nil
	}
	return e
}

// A decoder turns a command's output into UTF-8, line by line: a line that is
// UTF-8 stays, any other is read in the system's character set. Programs of
// both kinds meet in one command on Windows: git writes UTF-8, dir does not.
type decoder struct {
	charset encoding.Encoding // nil: nothing is turned
	out     func([]byte)
	held    []byte // of the open line: from its first byte that is not ASCII
}

// maxHeld bounds a line that is held; a longer one is decided on in pieces.
const maxHeld = 4 << 10

func (d *decoder) write(p []byte) {
	if d.charset == nil {
		d.out(p)
		return
	}
	for len(p) > 0 {
		if len(d.held) == 0 {
			n := ascii(p)
			if n > 0 {
				d.out(p[:n])
			}
			if p = p[n:]; len(p) == 0 {
				return
			}
		}
		n := bytes.IndexAny(p, "\r\n") + 1
		whole := n > 0
		if !whole {
			n = len(p)
		}
		if room := maxHeld - len(d.held); n > room {
			n, whole = room, false
		}
		d.held = append(d.held, p[:n]...)
		p = p[n:]
		if whole || len(d.held) >= maxHeld {
			d.flush(whole)
		}
	}
}

// finish hands on what is still held.
func (d *decoder) finish() {
	if len(d.held) > 0 {
		d.flush(true)
	}
}

// flush decides on what is held. If that is not whole, a character at its end
// that has not come whole stays held.
func (d *decoder) flush(whole bool) {
	end := len(d.held)
	if !whole {
		end -= brokenOff(d.held)
	}
	if utf8.Valid(d.held[:end]) {
		d.out(d.held[:end])
		d.held = append(d.held[:0], d.held[end:]...)
		return
	}
	// No character needs more than four bytes, and a decoder makes at most
	// three of one.
	text := make([]byte, 4*len(d.held)+16)
	made, used, _ := d.charset.NewDecoder().Transform(text, d.held, whole)
	d.out(text[:made])
	d.held = append(d.held[:0], d.held[used:]...)
}

// brokenOff counts the bytes at the end of b that begin a UTF-8 character.
func brokenOff(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if tail := b[len(b)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return n
			}
			return 0
		}
	}
	return 0
}

// ascii counts the bytes at the start of p that mean the same everywhere.
func ascii(p []byte) int {
	for i, b := range p {
		if b >= utf8.RuneSelf {
			return i
		}
	}
	return len(p)
}
