package markup

import (
	"fmt"
	"strings"
)

// A value follows one JSON value byte by byte and keeps its text, mended.
type value struct {
	text    strings.Builder
	open    []byte // closing brackets to come, in reverse
	begun   bool
	quoted  bool
	escaped bool
}

func (v *value) step(c byte) verdict {
	if v.quoted {
		return v.inString(c)
	}
	if v.begun && len(v.open) == 0 && (c == ',' || c == '}' || c == ']' || isBlank(c)) {
		return before
	}
	v.begun = true
	switch c {
	case '"':
		v.quoted = true
	case '{':
		v.open = append(v.open, '}')
	case '[':
		v.open = append(v.open, ']')
	case '}', ']':
		if len(v.open) > 0 {
			v.open = v.open[:len(v.open)-1]
		}
		v.text.WriteByte(c)
		if len(v.open) == 0 {
			return over
		}
		return goOn
	}
	v.text.WriteByte(c)
	return goOn
}

// inString reads c inside a string. A backslash is written with what follows it.
func (v *value) inString(c byte) verdict {
	switch {
	case v.escaped:
		v.escaped = false
		v.escape(c)
	case c == '\\':
		v.escaped = true
	case c < ' ':
		v.control(c)
	default:
		v.text.WriteByte(c)
		if c == '"' {
			v.quoted = false
			if len(v.open) == 0 {
				return over
			}
		}
	}
	return goOn
}

// escape writes what stands after a backslash. What JSON does not know is the
// character itself for a quote, and for anything else a backslash that should
// have been two, as in a pattern: \d.
func (v *value) escape(c byte) {
	switch {
	case strings.IndexByte(`"\/bfnrtu`, c) >= 0:
		v.text.WriteByte('\\')
		v.text.WriteByte(c)
	case c == '\'' || c == '`':
		v.text.WriteByte(c)
	case c < ' ':
		v.text.WriteString(`\\`)
		v.control(c)
	default:
		v.text.WriteString(`\\`)
		v.text.WriteByte(c)
	}
}

func (v *value) control(c byte) { v.text.WriteString(escapeControl(c)) }

func escapeControl(c byte) string {
	switch c {
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	return fmt.Sprintf(`\u%04x`, c)
}

// close ends a value that lacks its last brackets although the call was closed.
func (v *value) close() {
	for i := len(v.open) - 1; i >= 0; i-- {
		v.text.WriteByte(v.open[i])
	}
	v.open = nil
}

// quoteJSON writes s as the inside of a JSON string. It works on bytes, so that
// pieces of a text can be written one after another.
func quoteJSON(s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && s[i] >= ' ' && s[i] != '"' && s[i] != '\\'
	}
	if plain {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ':
			b.WriteString(escapeControl(c))
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
