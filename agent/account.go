package agent

import (
	"slices"

	"aye/llm"
	"aye/tools/workspace"
)

// An entry is what the session knows of one of State.Messages besides its
// words.
type entry struct {
	turn   int      // in which it was said; 0: a summary
	prompt bool     // the person's own words, and not a command's output
	titles []string // of the calls whose results it holds, one a block
	size   llm.Size
}

// push is the one way a message enters the conversation, so that its size is
// added up once, and never anew.
func (s *State) push(m llm.Message, e entry) {
	e.turn, e.size = s.Turn, m.Size()
	s.Messages, s.entries = append(s.Messages, m), append(s.entries, e)
	s.size = s.size.Add(e.size)
	s.Context += e.size.Tokens
}

// put takes m in place of message i.
func (s *State) put(i int, m llm.Message) {
	e := &s.entries[i]
	was := e.size
	e.size = m.Size()
	s.Messages[i] = m
	s.size = s.size.Sub(was).Add(e.size)
	s.Context = max(0, s.Context-was.Tokens+e.size.Tokens)
}

// count takes up what the server counted for the latest request and its reply.
// Reasoning does not go back, so it is no part of the next request.
func (s *State) count(u llm.Usage, m llm.Message) {
	if u.Input+u.Output <= 0 {
		return
	}
	thought := 0
	for _, b := range m.Blocks {
		if t, ok := b.(llm.Thinking); ok {
			thought += llm.TextSize(t.Text).Tokens
		}
	}
	s.Context, s.counted = u.Input+max(0, u.Output-thought), true
}

// group returns the end of the group that begins with message i: it and, when
// it has calls, their results. Nothing parts a group.
func (s *State) group(i int) int {
	if i+1 < len(s.Messages) && holdsResults(s.Messages[i+1]) {
		return i + 2
	}
	return i + 1
}

func holdsResults(m llm.Message) bool {
	if len(m.Blocks) == 0 {
		return false
	}
	_, ok := m.Blocks[0].(llm.ToolResult)
	return ok
}

// sightsOf lists what the model still has before its eyes of files, in the
// order in which it saw it.
func (s *State) sightsOf() []workspace.Sight {
	var kept []workspace.Sight
	for _, m := range s.Messages {
		for _, b := range m.Blocks {
			if r, ok := b.(llm.ToolResult); ok {
				kept = append(kept, s.sights[r.CallID]...)
			}
		}
	}
	return kept
}

// applyPruned empties results. The messages are the session's no longer alone,
// so they are replaced, not changed.
func (s *State) applyPruned(ev Pruned) {
	s.closeCalls()
	gone := make(map[string]bool, len(ev.CallIDs))
	for _, id := range ev.CallIDs {
		gone[id] = true
		delete(s.sights, id)
	}
	for i, m := range s.Messages {
		var blocks []llm.Block
		for n, b := range m.Blocks {
			if r, ok := b.(llm.ToolResult); ok && gone[r.CallID] {
				if blocks == nil {
					blocks = slices.Clone(m.Blocks)
				}
				r.Text = prunedText(r.Name, s.entries[i].title(n))
				blocks[n] = r
			}
		}
		if blocks != nil {
			s.put(i, llm.Message{Role: m.Role, Blocks: blocks})
		}
	}
	s.resize(ev.After)
}

func (e entry) title(block int) string {
	if block < len(e.titles) {
		return e.titles[block]
	}
	return ""
}

// resize takes over what an event says the next request has.
func (s *State) resize(tokens int) { s.Context, s.counted = max(0, tokens), true }

// applyCompacted puts the summary in the place of the oldest messages, those
// that ev spares excepted. Whatever ev says, no group is parted.
func (s *State) applyCompacted(ev Compacted) {
	s.closeCalls()
	seen := min(max(0, ev.Dropped)+len(ev.Spared), len(s.Messages))
	spared := make(map[int]bool, len(ev.Spared))
	for _, i := range ev.Spared {
		spared[i] = true
	}
	was := *s
	s.Messages, s.entries, s.size, s.start = nil, nil, llm.Size{}, 0
	s.restore(llm.UserText(summaryText(ev.Summary, ev.Ledger)), entry{})
	for i := 0; i < len(was.Messages); {
		end := was.group(i)
		drop := end <= seen
		for n := i; n < end; n++ {
			drop = drop && !spared[n]
		}
		for ; i < end; i++ {
			if drop {
				s.lose(was.Messages[i])
				continue
			}
			if i >= was.start && s.start == 0 { // never the summary's place
				s.start = len(s.Messages)
			}
			s.restore(was.Messages[i], was.entries[i])
		}
	}
	if s.start == 0 {
		s.start = len(s.Messages)
	}
	s.summary = ev.Summary
	s.Usage = s.Usage.Add(ev.Usage)
	s.resize(ev.After)
	if ev.Window > 0 {
		s.Window = ev.Window
	}
}

// restore appends a message that was there before, or stands for such.
func (s *State) restore(m llm.Message, e entry) {
	if e.size == (llm.Size{}) {
		e.size = m.Size()
	}
	s.Messages, s.entries = append(s.Messages, m), append(s.entries, e)
	s.size = s.size.Add(e.size)
}

// lose forgets what hung on a message that goes.
func (s *State) lose(m llm.Message) {
	for _, b := range m.Blocks {
		if r, ok := b.(llm.ToolResult); ok {
			delete(s.sights, r.CallID)
		}
	}
}
