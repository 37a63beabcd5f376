package chat

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"aye/agent"
	"aye/tui/term"
)

// A turnEnd says how a turn ended, and what it took. One that the answer above
// it ended well, in little time, needs no word about that.
type turnEnd struct {
	reason agent.Reason
	rounds int
	err    string
	took   time.Duration
	usage  string // what it took, in words; "": nobody knows
}

const briefTurn = 10 * time.Second // not worth a word

func (t *turnEnd) rows(lk *look) []string {
	th := lk.th
	spent := count(t.rounds, "round")
	if t.took >= time.Second {
		spent = seconds(t.took) + " · " + spent
	}
	switch t.reason {
	case agent.Finished:
		if t.took < briefTurn {
			return t.also(lk, nil)
		}
		return paint(th.Dim, term.Wrap(join("done in "+spent, t.usage), lk.width))
	case agent.Cancelled:
		return t.also(lk, []string{th.Ask.Render(term.Cut("interrupted", lk.width))})
	case agent.Limited:
		if t.err != "" {
			return t.also(lk, paint(th.Ask, term.Wrap(t.err, lk.width)))
		}
		return t.also(lk, paint(th.Ask, term.Wrap("stopped at the limit after "+spent+"; say \"go on\" for more", lk.width)))
	case agent.Broken:
	}
	text := strings.TrimSpace(t.err)
	if text == "" {
		text = "the turn failed"
	}
	return t.also(lk, (&note{level: agent.Fail, text: sentence(text)}).rows(lk))
}

// sentence makes one of an error's text, but for a name that it begins with,
// as hosts and files do.
func sentence(text string) string {
	first, _, _ := strings.Cut(text, " ")
	if first != "" && !strings.ContainsFunc(first, func(r rune) bool { return !unicode.IsLower(r) }) {
		r, n := utf8.DecodeRuneInString(text)
		text = string(unicode.ToUpper(r)) + text[n:]
	}
	if r, n := utf8.DecodeLastRuneInString(text); n > 0 && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == ')') {
		text += "."
	}
	return text
}

// also adds what the turn took below what is said of its end.
func (t *turnEnd) also(lk *look, rows []string) []string {
	if t.usage == "" {
		return rows
	}
	return append(rows, paint(lk.th.Dim, term.Wrap(t.usage, lk.width))...)
}

func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " · ")
}

func (t *turnEnd) guess(int) int { return 1 }
