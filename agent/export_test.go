package agent

import "aye/llm"

// StateOf returns the state of a session whose Run has returned.
func StateOf(s *Session) State { return s.state }

// Repair lists what brings s to rest.
func Repair(s State) []Event { return s.repair() }

// RequestOf builds the next request of s, which does not run.
func RequestOf(s *Session) int { return len(s.request().Messages) }

// LedgerOf returns what a summary would carry.
func LedgerOf(s State, limit int) string { return s.ledgerText(limit) }

// CompactOf compacts s, which does not run, with a summary nobody wrote, and
// returns how many requests it would have taken.
func CompactOf(s *Session) int {
	l := s.full()
	s.pruneTo(limit{Tokens: 1}, false) // all the work, to no avail
	p, err := s.plan(l)
	if err != nil {
		return 0
	}
	parts, err := p.batches(limit{Chars: usualPart})
	if err != nil {
		return 0
	}
	if s.compacted(p, Compacted{Summary: "Short."}) != nil {
		return 0
	}
	return len(parts)
}

// Accounted reports whether what s knows of its messages is about them.
func Accounted(s State) bool {
	var size llm.Size
	for _, m := range s.Messages {
		size = size.Add(m.Size())
	}
	return len(s.entries) == len(s.Messages) && size == s.size && s.Context >= 0
}

// ShowsAction and LeftMarkup judge a reply's text.
var (
	ShowsAction = showsAction
	LeftMarkup  = leftMarkup
)
