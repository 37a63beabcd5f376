package agent

// StateOf returns the state of a session whose Run has returned.
func StateOf(s *Session) State { return s.state }

// Repair lists what brings s to rest.
func Repair(s State) []Event { return s.repair() }

// RequestOf builds the next request of s, which does not run.
func RequestOf(s *Session) int { return len(s.request().Messages) }

// ShowsAction and LeftMarkup judge a reply's text.
var (
	ShowsAction = showsAction
	LeftMarkup  = leftMarkup
)
