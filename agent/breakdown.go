package agent

import "aye/llm"

// A Part is a share of the messages of the next request, in tokens.
type Part struct {
	Name   string
	Tokens int
}

// Breakdown says what the messages of the next request are, in a fixed order,
// as estimated; parts that are empty are left out.
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
	all := []Part{
		{"summary of what was before", summary.Tokens}, {"your messages", asked.Tokens},
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
