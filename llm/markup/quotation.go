package markup

import (
	"strings"

	"aye/llm"
)

// A quotation follows a text that may be repeated from the conversation: what
// stands in a file or in a person's message is not the model's own call.
// Blanks do not count, nor does what tools put before the lines of a file:
// numbers, and the signs of a diff; nor that it stands in JSON.
type quotation struct {
	rest  []string // what follows each place that is the same so far
	spare []string
}

// maxPlaces bounds the work; a conversation with more places is about markup.
const maxPlaces = 4096

// quote finds where the conversation has the beginning of a text. Unless it was
// read, it will be read once more.
func quote(req llm.Request, begin string, read bool) quotation {
	var q quotation
	q.find(req.System, begin, read) // the project's instructions are in it
	for _, m := range req.Messages {
		if m.Role != llm.User {
			continue
		}
		for _, b := range m.Blocks {
			switch b := b.(type) {
			case llm.Text:
				q.find(b.Text, begin, read)
			case llm.ToolResult:
				q.find(b.Text, begin, read)
			case llm.Thinking, llm.Image, llm.ToolCall:
			}
		}
	}
	return q
}

func (q *quotation) find(text, begin string, read bool) {
	for len(q.rest) < maxPlaces {
		i := strings.Index(text, begin)
		if i < 0 {
			return
		}
		after := text[i+len(begin):]
		if read {
			q.rest = append(q.rest, after)
		} else {
			q.rest = append(q.rest, text[i:])
		}
		text = after
	}
}

// holds reports whether all so far stands in the conversation.
func (q *quotation) holds() bool { return len(q.rest) > 0 }

// read goes on with s.
func (q *quotation) read(s string) {
	for i := 0; i < len(s) && len(q.rest) > 0; i++ {
		if isBlank(s[i]) {
			continue
		}
		same := q.spare[:0]
		for _, r := range q.rest {
			plain, newLine := skipBlanks(r)
			if plain != "" && plain[0] == s[i] {
				same = append(same, plain[1:])
			}
			other := skipEscape(plain)
			if newLine && other == plain {
				other = skipMark(plain)
			}
			if other != plain && other != "" && other[0] == s[i] && len(same) < maxPlaces {
				same = append(same, other[1:])
			}
		}
		q.rest, q.spare = same, q.rest
	}
}

// skipBlanks leaves out blanks, and says whether a line ended in them.
func skipBlanks(s string) (rest string, newLine bool) {
	rest, n := skipBlank(s)
	return rest, strings.IndexByte(s[:n], '\n') >= 0
}

// skipEscape leaves out what a text has when it stands in JSON: the backslash
// before a quote, and line ends that are written as two characters.
func skipEscape(s string) string {
	for len(s) > 1 && s[0] == '\\' && strings.IndexByte("nrt", s[1]) >= 0 {
		s, _ = skipBlank(s[2:])
	}
	if len(s) > 1 && s[0] == '\\' && strings.IndexByte(`"\/`, s[1]) >= 0 {
		s = s[1:]
	}
	return s
}

// skipMark leaves out what tools put before a line: its number, a sign of a
// diff, or both.
func skipMark(s string) string {
	if after := strings.TrimLeft(s, "0123456789"); len(after) < len(s) {
		if after != "" && strings.IndexByte(":-|\t", after[0]) >= 0 {
			s = after[1:]
		}
	} else if s != "" && strings.IndexByte("+-|>", s[0]) >= 0 {
		s = s[1:]
	}
	rest, _ := skipBlank(s)
	return rest
}

// about reports whether the conversation speaks of mark.
func (r *reply) about(mark string) bool {
	speaks, known := r.spoken[mark]
	if !known {
		q := quote(r.req, mark, true)
		speaks = q.holds()
		if r.spoken == nil {
			r.spoken = map[string]bool{}
		}
		r.spoken[mark] = speaks
	}
	return speaks
}
