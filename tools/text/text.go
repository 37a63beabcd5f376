package text

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// BOM is the byte order mark that some programs write before UTF-8.
const BOM = "\ufeff"

// SniffLen is how many bytes of a file's start [Sniff] looks at, at most.
const SniffLen = 8000

// A Kind says what bytes are.
type Kind int

const (
	UTF8    Kind = iota // text in UTF-8, ASCII included
	Legacy              // text, but not UTF-8
	UTF16LE             // text in UTF-16, little endian, with a byte order mark
	UTF16BE             // text in UTF-16, big endian, with a byte order mark
	Binary              // no text
)

// String names a kind for people.
func (k Kind) String() string {
	switch k {
	case UTF8:
		return "UTF-8"
	case Legacy:
		return "not UTF-8"
	case UTF16LE:
		return "UTF-16 (little endian)"
	case UTF16BE:
		return "UTF-16 (big endian)"
	case Binary:
		return "binary"
	}
	return fmt.Sprintf("Kind(%d)", int(k))
}

// Sniff says what b is: by a byte order mark, by NUL bytes near its start,
// then by whether all of it is UTF-8. b may be the beginning of a file: a
// character that is cut at its end does no harm when whole is false.
func Sniff(b []byte, whole bool) Kind {
	head := b[:min(len(b), SniffLen)]
	switch {
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		return UTF16LE
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return UTF16BE
	case bytes.IndexByte(head, 0) >= 0:
		return Binary
	}
	if !whole {
		b = b[:len(b)-cutRune(b)]
	}
	if !utf8.Valid(b) {
		return Legacy
	}
	return UTF8
}

// cutRune is the length of the unfinished character at the end of b.
func cutRune(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		c := b[len(b)-n]
		if utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

// TrimBOM takes a UTF-8 byte order mark off b and says whether there was one.
func TrimBOM(b []byte) ([]byte, bool) { return bytes.CutPrefix(b, []byte(BOM)) }

// A Line is one line of a file. Text has no line end in it.
type Line struct {
	Text []byte
	End  string // "\n", "\r\n", "\r", or "" for a last line that has none
}

// Split cuts b into lines. The lines share b's memory. An empty b has none.
func Split(b []byte) []Line {
	lines := make([]Line, 0, bytes.Count(b, []byte{'\n'})+1)
	for len(b) > 0 {
		var line Line
		line, b = cut(b)
		lines = append(lines, line)
	}
	return lines
}

// cut takes the first line off b.
func cut(b []byte) (line Line, rest []byte) {
	n := bytes.IndexAny(b, "\r\n")
	switch {
	case n < 0:
		return Line{b, ""}, nil
	case b[n] == '\n':
		return Line{b[:n], "\n"}, b[n+1:]
	case n+1 < len(b) && b[n+1] == '\n':
		return Line{b[:n], "\r\n"}, b[n+2:]
	}
	return Line{b[:n], "\r"}, b[n+1:]
}

// Join puts lines together again.
func Join(lines []Line) []byte {
	var b bytes.Buffer
	for _, line := range lines {
		b.Write(line.Text)
		b.WriteString(line.End)
	}
	return b.Bytes()
}

// Ends counts line ends by their form.
type Ends struct {
	LF, CRLF, CR int
	Missing      bool // the last line has none
}

// Count counts the line ends of lines.
func Count(lines []Line) Ends {
	var e Ends
	for _, line := range lines {
		e.Add(line.End)
	}
	return e
}

// Lines is how many lines were counted.
func (e Ends) Lines() int {
	n := e.LF + e.CRLF + e.CR
	if e.Missing {
		n++
	}
	return n
}

// Add counts one more line end.
func (e *Ends) Add(end string) {
	switch end {
	case "\n":
		e.LF++
	case "\r\n":
		e.CRLF++
	case "\r":
		e.CR++
	case "":
		e.Missing = true
	}
}

// Note says what line ends there are when they are not all LF: "CRLF line
// ends", "mixed line ends: 3 CRLF, 1 LF"; else "".
func (e Ends) Note() string {
	var parts []string
	for _, part := range []struct {
		n    int
		name string
	}{{e.CRLF, "CRLF"}, {e.LF, "LF"}, {e.CR, "CR"}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.name))
		}
	}
	switch {
	case len(parts) > 1:
		return "mixed line ends: " + strings.Join(parts, ", ")
	case e.CRLF > 0:
		return "CRLF line ends"
	case e.CR > 0:
		return "CR line ends"
	}
	return ""
}

// Normalize makes every line end of s "\n".
func Normalize(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// Show makes b a string that can be shown: bytes that are not UTF-8, and NUL,
// become \xNN. clean says that nothing had to be changed.
func Show(b []byte) (s string, clean bool) {
	if utf8.Valid(b) && bytes.IndexByte(b, 0) < 0 {
		return string(b), true
	}
	var out strings.Builder
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if (r == utf8.RuneError && n == 1) || r == 0 {
			fmt.Fprintf(&out, `\x%02X`, b[0])
		} else {
			out.Write(b[:n])
		}
		b = b[n:]
	}
	return out.String(), false
}

// Unshow undoes Show in s, as far as b has it: each \xNN becomes the byte it
// stands for, if that byte is one in b that Show does not show as it is.
func Unshow(s string, b []byte) string {
	if !strings.Contains(s, `\x`) {
		return s
	}
	hidden := strays(b)
	if bytes.IndexByte(b, 0) >= 0 {
		hidden = append(hidden, 0)
	}
	if len(hidden) == 0 {
		return s
	}
	var pairs []string
	for _, c := range slices.Compact(slices.Sorted(slices.Values(hidden))) {
		pairs = append(pairs, fmt.Sprintf(`\x%02X`, c), string([]byte{c}))
	}
	return strings.NewReplacer(pairs...).Replace(s)
}
