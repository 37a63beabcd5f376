package agent

import "aye/llm"

// A Meter adds up what the model's replies took: a fold over events, beside
// [State], for front ends that show it. It takes any sequence of events.
type Meter struct {
	// Price says what a model costs at an endpoint, if that is known. nil:
	// nobody knows any. It is asked once for each time a session is opened.
	Price func(model, endpoint string) (llm.Price, bool)

	Total Spent
	Turns []Spent // by turn, those that had a reply

	turn   int
	price  llm.Price
	priced bool
}

// Spent is what some replies took.
type Spent struct {
	Turn     int // 0: of the session
	Replies  int
	Usage    llm.Usage
	Cost     float64 // US dollars, of the replies whose price is known
	Unpriced int     // replies whose price is not

	Summaries int // of Replies, those that compactions asked for
}

// Apply moves m past ev.
func (m *Meter) Apply(ev Event) {
	switch ev := ev.(type) {
	case SessionOpened:
		m.price, m.priced = llm.Price{}, false
		if m.Price != nil {
			m.price, m.priced = m.Price(ev.Model, ev.Endpoint)
		}
	case TurnStarted:
		m.turn = ev.Turn
	case Replied:
		m.add(ev.Usage)
	case Compacted: // its summary was asked for too
		m.add(ev.Usage)
		m.Total.Summaries++
		m.Turns[len(m.Turns)-1].Summaries++
	case TurnEnded:
		m.settle(ev.Usage)
	case PromptQueued, PromptAccepted, PromptWithdrawn, CallPrepared, ApprovalAsked, ApprovalSettled, CallFinished,
		ChangeCommitted, CommandStarted, CommandFinished, JobStarted, JobEnded, ModeSet, Cleared, Reminded, Pruned, Noted,
		TextStreamed, ThoughtStreamed, CallStreamed, CallProgress, Waiting, JobsListed:
	}
}

// settle takes up what a turn took besides what events told: replies that were
// empty, summaries that could not be used.
func (m *Meter) settle(all llm.Usage) {
	told := m.Last().Usage
	rest := llm.Usage{Input: max(0, all.Input-told.Input), Cached: max(0, all.Cached-told.Cached), Output: max(0, all.Output-told.Output), Estimated: all.Estimated}
	if rest.Input+rest.Output > 0 {
		m.add(rest)
	}
}

// Last is what the latest turn took.
func (m *Meter) Last() Spent {
	if n := len(m.Turns); n > 0 && m.Turns[n-1].Turn == m.turn {
		return m.Turns[n-1]
	}
	return Spent{Turn: m.turn}
}

func (m *Meter) add(u llm.Usage) {
	if n := len(m.Turns); n == 0 || m.Turns[n-1].Turn != m.turn {
		m.Turns = append(m.Turns, Spent{Turn: m.turn})
	}
	for _, s := range []*Spent{&m.Total, &m.Turns[len(m.Turns)-1]} {
		s.Replies++
		s.Usage = s.Usage.Add(u)
		if m.priced {
			s.Cost += m.price.Cost(u)
		} else {
			s.Unpriced++
		}
	}
}

// KnownCost is Cost where that is all that it cost, else 0.
func (s Spent) KnownCost() float64 {
	if !s.Known() {
		return 0
	}
	return s.Cost
}

// Known tells whether Cost is all that it cost.
func (s Spent) Known() bool { return s.Unpriced == 0 }
