package agent

import "aye/llm"

// A Part is a share of what the next request holds, in tokens.
type Part struct {
	Name   string
	Tokens int
}

// Breakdown says what the next request is made of, as far as known, in a fixed
// order; parts that are empty are left out. The system prompt and the tools
// are what a server counted beyond the messages, so before its first count
// they are not among them.
func (s *State) Breakdown() []Part {
	var summary, asked, said, called, results, shared llm.Size
	for i, m := range s.Messages {
		e := s.entries[i]
		switch {
		case e.turn == 0 && m.Role == llm.User:
			summary = summary.Add(e.size)
		case holdsResults(m):
			results = results.Add(e.size)
		case e.prompt:
			asked = asked.Add(e.size)
		case m.Role == llm.User:
			shared = shared.Add(e.size)
		default:
			text := llm.TextSize(m.Text())
			said, called = said.Add(text), called.Add(e.size.Sub(text))
		}
	}
	fixed := 0
	if s.counted {
		fixed = max(0, s.Context-s.size.Tokens)
	}
	all := []Part{
		{"system prompt and tools", fixed}, {"summary of what was before", summary.Tokens}, {"your messages", asked.Tokens},
		{"answers", said.Tokens}, {"tool calls", called.Tokens}, {"tool results", results.Tokens}, {"reminders and your own commands", shared.Tokens},
	}
	var parts []Part
	for _, p := range all {
		if p.Tokens > 0 {
			parts = append(parts, p)
		}
	}
	return parts
}
