package agent_test

import (
	"math"
	"testing"

	"aye/agent"
	"aye/llm"
)

func TestMeter(t *testing.T) {
	t.Parallel()
	asked := 0
	m := agent.Meter{Price: func(model, endpoint string) (llm.Price, bool) {
		asked++
		return llm.Price{Rates: llm.Rates{Input: 10, Cached: 1, Output: 100}}, model == "sold" && endpoint == "https://there"
	}}
	reply := agent.Replied{Usage: llm.Usage{Input: 10_000, Cached: 5000, Output: 100}}
	for _, ev := range []agent.Event{
		agent.SessionOpened{Model: "sold", Endpoint: "https://there"},
		agent.TurnStarted{Turn: 1}, reply, reply, agent.TurnEnded{Turn: 1},
		agent.TurnStarted{Turn: 2}, reply, agent.TurnEnded{Turn: 2},
		agent.SessionOpened{Model: "other", Endpoint: "https://there", Resumed: true},
		agent.TurnStarted{Turn: 3}, agent.Replied{Usage: llm.Usage{Input: 7, Output: 1, Estimated: true}}, agent.TurnEnded{Turn: 3},
		agent.TurnStarted{Turn: 4},
	} {
		m.Apply(ev)
	}
	const each = 0.05 + 0.005 + 0.01
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	if len(m.Turns) != 3 || !near(m.Turns[0].Cost, 2*each) || !near(m.Turns[1].Cost, each) || !m.Turns[1].Known() {
		t.Errorf("turns %+v", m.Turns)
	}
	if last := m.Turns[2]; last.Known() || last.Cost != 0 || !last.Usage.Estimated || last.Turn != 3 {
		t.Errorf("of a model without a price: %+v", last)
	}
	if total := m.Total; !near(total.Cost, 3*each) || total.Unpriced != 1 || total.Replies != 4 || total.Usage.Input != 30_007 || !total.Usage.Estimated {
		t.Errorf("total %+v", total)
	}
	if last := m.Last(); last.Replies != 0 || last.Turn != 4 {
		t.Errorf("a turn without a reply took %+v", last)
	}
	// Of what nobody was told but the turn's end: empty replies, a summary of no use.
	m.Apply(agent.Compacted{Usage: llm.Usage{Input: 5, Output: 1}})
	m.Apply(agent.TurnEnded{Turn: 4, Usage: llm.Usage{Input: 12, Output: 3}})
	if last := m.Last(); last.Usage != (llm.Usage{Input: 12, Output: 3}) || last.Replies != 2 || m.Total.Usage.Input != 30_019 {
		t.Errorf("a turn of little use took %+v, all %+v", last, m.Total)
	}
	if asked != 2 {
		t.Errorf("the price was asked %d times", asked)
	}
	var none agent.Meter
	none.Apply(reply)
	if none.Total.Known() || none.Total.Replies != 1 {
		t.Errorf("without prices: %+v", none.Total)
	}
}
