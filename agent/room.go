package agent

import (
	"fmt"
	"slices"

	"aye/llm"
)

// Room is made in two ways: old results are pruned, which costs nothing, and
// where that is not enough older messages are summarised, which costs requests.
// Both happen between a call's result and the next request. A request is
// made smaller from fullAt on, to roomyAt, so that it is not made smaller again
// with the next one.
const (
	fullAt  = 80 // percent of the window; the rest is for the reply
	roomyAt = 75 // percent of the limit

	keptGroups = 4    // the latest ones, whose results are not pruned
	bigResult  = 2000 // bytes; pruned before smaller ones
	tinyResult = 300  // bytes; not worth pruning

	usualSummary = 4000 // tokens
	leastSummary = 200
)

// A limit is how large a request may be; 0 is no limit.
type limit llm.Size

func (l limit) holds(z llm.Size) bool {
	return (l.Tokens == 0 || z.Tokens <= l.Tokens) && (l.Chars == 0 || z.Chars <= l.Chars)
}

func (l limit) percent(n int) limit {
	of := func(all int) int { return all/100*n + all%100*n/100 } // a person's limit may be as large as an int can be
	return limit{of(l.Tokens), of(l.Chars)}
}

// within is the smaller of two limits.
func (l limit) within(m limit) limit {
	smaller := func(a, b int) int {
		if a == 0 || b == 0 {
			return max(a, b)
		}
		return min(a, b)
	}
	return limit{smaller(l.Tokens, m.Tokens), smaller(l.Chars, m.Chars)}
}

// excess says what of z is too much.
func (l limit) excess(z llm.Size) string {
	if l.Tokens > 0 && z.Tokens > l.Tokens {
		return fmt.Sprintf("about %d tokens, and the model's context has room for %d", z.Tokens, l.Tokens)
	}
	return fmt.Sprintf("%d characters, and CONTEXT_MAX_CHARS allows %d", z.Chars, l.Chars)
}

// window is how many tokens the context holds, 0 when nobody knows.
func (s *Session) window() int {
	return limit{Tokens: s.opts.Window}.within(limit{Tokens: s.state.Window}).within(limit{Tokens: s.told}).Tokens
}

// most is what a request may never pass, full where room is made.
func (s *Session) most() limit { return limit{s.window(), s.opts.MaxChars} }
func (s *Session) full() limit { return limit{s.window() * fullAt / 100, s.opts.MaxChars} }

// next is the size of the next request: what the server counted where it did,
// corrected by what was added since.
func (s *Session) next() llm.Size {
	size := s.estimated(s.state.size)
	n := s.state.Context
	if !s.state.counted {
		n = size.Tokens
	}
	// A server that counts less than a third of it has cut the request, or
	// counts something else.
	size.Tokens = max(n, size.Tokens/3)
	return size
}

// estimated is the size of a request with messages of this size.
func (s *Session) estimated(messages llm.Size) llm.Size { return s.fixed.Add(messages) }

// like is est in the server's tokens, as far as the last count tells how they
// differ from the estimate.
func (s *Session) like(est llm.Size) llm.Size {
	all := max(1, s.estimated(s.state.size).Tokens)
	ratio := min(3, max(1.0/3, float64(s.next().Tokens)/float64(all)))
	est.Tokens = int(float64(est.Tokens) * ratio)
	return est
}

// prunedText is in the place of a result that went.
func prunedText(tool, title string) string {
	of := oneLine(tool+" "+title, 100)
	return "[output of " + of + " removed to save room; if it is needed, call again, for a smaller part]"
}

// A candidate is a result that could be pruned.
type candidate struct {
	id   string
	size int // bytes
	save llm.Size
}

// prunable lists results outside of the latest complete exchange and the last
// few groups, the oldest first; with all of them, where nothing else helps.
func (s *Session) prunable(all bool) []candidate {
	st := &s.state
	from, to := st.exchange()
	late := len(st.Messages)
	for n := 0; n < keptGroups && late > 0; n++ {
		if late--; late > 0 && holdsResults(st.Messages[late]) {
			late--
		}
	}
	var found []candidate
	for i, m := range st.Messages {
		if !all && (i >= late || i >= from && i < to) || !holdsResults(m) {
			continue
		}
		for n, b := range m.Blocks {
			r, ok := b.(llm.ToolResult)
			if !ok || len(r.Text) < tinyResult {
				continue
			}
			note := prunedText(r.Name, st.entries[i].title(n))
			found = append(found, candidate{r.CallID, len(r.Text), llm.TextSize(r.Text).Sub(llm.TextSize(note))})
		}
	}
	return found
}

// prune picks results to empty so that the next request keeps to l, big ones
// first and of those the oldest; more than needed, so that the next round need
// not prune again. ok is false when even all of them are not enough.
func (s *Session) prune(l limit, all bool) (ev Pruned, ok bool) {
	now := s.estimated(s.state.size)
	found := s.prunable(all)
	roomy := l.percent(roomyAt)
	if all {
		roomy = l
		slices.SortStableFunc(found, func(a, b candidate) int { return b.size - a.size })
	}
	for _, big := range []bool{true, false} {
		for _, c := range found {
			if (c.size >= bigResult) != big || roomy.holds(s.like(now)) {
				continue
			}
			ev.CallIDs = append(ev.CallIDs, c.id)
			now = now.Sub(c.save)
		}
	}
	ev.Before, ev.After = s.next().Tokens, s.like(now).Tokens
	return ev, len(ev.CallIDs) > 0 && l.holds(s.like(now))
}

// exchange returns where the latest complete exchange is: the turn with
// messages before the running one. It is empty where there is none.
func (s *State) exchange() (from, to int) {
	to = len(s.Messages)
	for s.Busy && to > 0 && s.entries[to-1].turn == s.Turn {
		to--
	}
	if from = to; from == 0 || s.entries[from-1].turn == 0 {
		return from, to
	}
	for turn := s.entries[from-1].turn; from > 0 && s.entries[from-1].turn == turn; {
		from--
	}
	return from, to
}
