package chat

import (
	"encoding/json"
	"strings"

	"aye/tui/term"
)

// subject says in a line what a call was about of which there are only the
// arguments: its path or else its first text, if that is one line. Arguments
// that are no object stand for themselves.
func subject(args string) string {
	args = hold(args)
	dec := json.NewDecoder(strings.NewReader(args))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return term.Cut(term.Line(args), term.TextWidth)
	}
	first, found := "", false
	for dec.More() {
		key, err := dec.Token()
		var value any
		if err != nil || dec.Decode(&value) != nil {
			return term.Cut(term.Line(args), term.TextWidth)
		}
		text, ok := value.(string)
		switch {
		case !ok:
		case key == "path":
			return term.Cut(term.Line(text), term.TextWidth)
		case !found:
			first, found = text, true
		}
	}
	if strings.Contains(strings.TrimSpace(first), "\n") {
		return ""
	}
	return term.Cut(term.Line(first), term.TextWidth)
}
