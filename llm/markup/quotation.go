package markup

import (
	"strings"

	"aye/llm"
)

// A quotation follows a text that may be repeated from the conversation: what
// stands in a file or in a person's message is not the model's own call.
// Blanks do not count, nor do the numbers that reading a file puts before its
// lines.
type quotation struct{ rest []string } // what follows each place that is the same so far

// maxPlaces bounds the work; a conversation with more places is about markup.
const maxPlaces = 4096

// quote finds where the conversation has the beginning of a text. Unless it was
// read, it will be read once more.
func quote(req llm.Request, begin string, read bool) quotation {
	var q quotation
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
		same := q.rest[:0]
		for _, r := range q.rest {
			if r = skipLines(r); r != "" && r[0] == s[i] {
				same = append(same, r[1:])
			}
		}
		q.rest = same
	}
}

// skipLines leaves out blanks, and after a line end the line's number.
func skipLines(s string) string {
	for s != "" && isBlank(s[0]) {
		newLine := s[0] == '\n'
		s = s[1:]
		if !newLine {
			continue
		}
		if after := strings.TrimLeft(s, "0123456789"); len(after) < len(s) && strings.HasPrefix(after, ": ") {
			s = after[2:]
		}
	}
	return s
}

// about reports whether the conversation speaks of mark.
func (r *reply) about(mark string) bool {
	speaks, known := r.spoken[mark]
	if !known {
		q := quote(r.req, mark, true)
		speaks = strings.Contains(r.req.System, mark) || q.holds()
		if r.spoken == nil {
			r.spoken = map[string]bool{}
		}
		r.spoken[mark] = speaks
	}
	return speaks
}
