package agent

import (
	"errors"
	"fmt"

	"aye/llm"
)

// A plan is a compaction that was found to be possible, before anything is
// asked of the model.
type plan struct {
	old     []llm.Message // what goes, in whole groups, but for an older summary
	dropped int           // messages that go
	spared  []int         // indices of those among them that stay
	before  llm.Size      // of the next request
	kept    llm.Size      // of it without what goes, estimated
	ledger  string
	summary string // so far: what was compacted before
	limit   limit  // for the next request
	allow   int    // tokens the summary may have
}

// The refusals. Each leaves the conversation as it was and says what to do.
var (
	errNothingOlder = errors.New("there is no older conversation to summarise: the latest exchange is kept as it is")
	errNoGain       = errors.New("a summary would not be shorter than what it replaces; the conversation is unchanged. Use /clear to begin anew")
	errNoFit        = errors.New("the older conversation cannot be summarised in so little room; it is unchanged. Use /clear to begin anew, or a model with a larger context")
	errBadSummary   = errors.New("the model wrote no usable summary; the conversation is unchanged. Try /compact again, another model, or /clear")
	errNoProgress   = errors.New("stopped: the conversation was compacted three times in a row and is too long again each time; ask for less at once, use /clear, or a model with a larger context")
)

// tooLarge is the refusal of a request that cannot be made smaller.
func tooLarge(what string, l limit, z llm.Size) error {
	advice := "Shorten the message, or use /clear"
	if l.Chars > 0 && z.Chars > l.Chars {
		advice += ", or raise CONTEXT_MAX_CHARS"
	}
	return fmt.Errorf("%s too large: %s. %s", what, l.excess(z), advice)
}

// A share is how much of a turn is kept word for word.
type share int

const (
	nothing share = iota
	latest        // the last message of the person's, and the last group
	ends          // all that the person said, and the last group
	whole
)

// levels are what may be kept of the latest complete exchange and of the
// running turn, the most first, and of how much of the limit that may take
// with the summary. The last message of the person's and the last group are
// kept in any case: without a running turn they are the exchange's.
var levels = []struct {
	exchange, running share
	percent           int
}{
	{whole, whole, 50},
	{whole, ends, roomyAt},
	{ends, ends, roomyAt},
	{nothing, latest, 100},
}

// plan looks for the most that can be kept word for word so that the next
// request keeps to l.
func (s *Session) plan(l limit) (plan, error) {
	allow := usualSummary
	if l.Tokens > 0 {
		allow = min(allow, l.Tokens/8)
	}
	if l.Chars > 0 {
		allow = min(allow, l.Chars/8/charsPerToken)
	}
	allow = max(allow, leastSummary)
	p := plan{before: s.next(), limit: l, allow: allow, summary: s.state.summary, ledger: s.state.ledgerText(allow * charsPerToken)}
	ledger := llm.TextSize(p.ledger)
	added := s.fixed.Add(ledger).Add(llm.Size{Tokens: allow, Chars: allow * charsPerToken})
	older, gain := false, false
	for _, v := range levels {
		p.keep(&s.state, v.exchange, v.running)
		gone := s.state.size.Sub(p.kept)
		older = older || p.dropped > 0
		gain = gain || gone.Tokens > ledger.Tokens+leastSummary/2
		if p.dropped > 0 && gain && l.percent(v.percent).holds(s.like(added.Add(p.kept))) {
			p.kept = p.kept.Add(s.fixed)
			return p, nil
		}
	}
	switch {
	case !older:
		return p, errNothingOlder
	case !gain:
		return p, errNoGain
	}
	return p, tooLarge("The latest message and what belongs to it are", l, s.like(added.Add(p.kept)))
}

// charsPerToken is how many characters a token of a summary is given.
const charsPerToken = 3

// keep finds what goes when these shares stay.
func (p *plan) keep(s *State, exchange, running share) {
	from, to := s.exchange()
	if to == len(s.Messages) {
		exchange = max(exchange, running)
	}
	keep := make([]bool, len(s.Messages))
	s.share(keep, from, to, exchange)
	s.share(keep, to, len(s.Messages), running)
	p.old, p.dropped, p.spared, p.kept = nil, 0, nil, llm.Size{}
	last := 0
	for i := range keep {
		if keep[i] {
			p.kept = p.kept.Add(s.entries[i].size)
			continue
		}
		p.dropped, last = p.dropped+1, i+1
		if s.entries[i].turn != 0 {
			p.old = append(p.old, s.Messages[i])
		}
	}
	if len(p.old) == 0 {
		p.dropped = 0
		return
	}
	for i := range last {
		if keep[i] {
			p.spared = append(p.spared, i)
		}
	}
}

// share marks what stays of the messages from from to to.
func (s *State) share(keep []bool, from, to int, how share) {
	if from == to || how == nothing {
		return
	}
	last := to - 1
	if last > from && holdsResults(s.Messages[last]) {
		last--
	}
	said := to // where the last words of the person's begin; several may follow each other
	for i := to - 1; i >= from; i-- {
		if s.entries[i].prompt {
			said = i
		} else if said < to {
			break
		}
	}
	for i := from; i < to; i++ {
		keep[i] = how == whole || i >= last || s.entries[i].prompt && (how == ends || i >= said)
	}
}
