package markup

import (
	"slices"
	"strings"
)

// maxGap is how many blanks may stand between the marks of a turn's end.
const maxGap = 64

// lookTurn finds the end of the model's turn: a mark that ends the reply, or
// that is followed by another, or by somebody's name. In a sentence it is a
// word; so it is where the conversation speaks of it.
func (r *reply) lookTurn(rest string, i int, eof bool) (func(), match) {
	if len(r.calls) > 0 && r.nothingBefore(i) {
		if _, m := begins(rest, []string{"<tool_response>", "<tool_result>"}, eof); m != no {
			return r.endTurn, m
		}
	}
	mark, m := begins(rest, turnEnds, eof)
	if m != yes {
		return nil, m
	}
	m = r.endsTurn(mark, rest[len(mark):], eof)
	if m == yes && r.about(mark) {
		return nil, no
	}
	return r.endTurn, m
}

func (r *reply) endTurn() {
	r.beside()
	r.mode = ended
}

// endsTurn judges what stands behind a mark.
func (r *reply) endsTurn(mark, rest string, eof bool) match {
	opens := slices.Contains(turnStarts, mark)
	after, gap := skipBlank(rest)
	switch {
	case gap > maxGap:
		return no
	case after == "":
		if eof {
			return yes
		}
		return maybe
	}
	if _, m := begins(after, nextTurns, eof); m != no {
		return m
	}
	newLine := strings.Contains(rest[:gap], "\n")
	if gap > 0 && !newLine && !opens {
		return no
	}
	return role(after, newLine || opens, eof)
}

// role reports whether rest begins with the name of one who speaks: a line of
// its own, or with a colon.
func role(rest string, line, eof bool) match {
	n := 0
	for n < len(rest) && n < 12 && isNameByte(rest[n]) && rest[n] != ':' {
		n++
	}
	word := strings.ToLower(rest[:n])
	if n == len(rest) && !eof {
		if slices.ContainsFunc(roles, func(r string) bool { return strings.HasPrefix(r, word) }) {
			return maybe
		}
		return no
	}
	if !slices.Contains(roles, word) {
		return no
	}
	if n == len(rest) || rest[n] == ':' || line && (rest[n] == '\n' || rest[n] == '\r' || rest[n] == '<') {
		return yes
	}
	return no
}
