package agent_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"aye/agent"
	"aye/agent/agenttest"
	"aye/llm"
	"aye/tools"
)

// A mad model replies at random: text, thoughts, calls of every tool and of
// none, ids used twice, errors, silence, panics.
type mad struct {
	*rand.Rand
	calls int
	bad   error // the first request that was no valid conversation
}

func (m *mad) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		if err := agenttest.Conversation(req.Messages); err != nil && m.bad == nil {
			m.bad = err
		}
		if isSummary(req) {
			m.summarise(yield)
			return
		}
		if m.IntN(15) == 0 {
			yield(nil, &llm.Error{Kind: llm.TooLong, Detail: "too long.", Window: m.IntN(2) * 3000})
			return
		}
		if m.IntN(20) == 0 {
			yield(llm.Retrying{Attempt: 2, Wait: time.Second}, nil)
		}
		var said string
		for range m.IntN(4) {
			select {
			case <-time.After(time.Duration(m.IntN(2000)) * time.Millisecond):
			case <-ctx.Done():
				yield(nil, ctx.Err())
				return
			}
			said += "word "
			if !yield(llm.TextDelta{Text: "word "}, nil) || !yield(llm.ThinkingDelta{Text: "hm"}, nil) {
				return
			}
		}
		switch m.IntN(30) {
		case 0:
			yield(nil, &llm.Error{Kind: llm.Broken, Detail: "connection lost"})
		case 1:
			panic("mad")
		case 2:
			return // no end at all
		default:
			done := llm.Done{Message: llm.Message{Role: llm.Assistant, Blocks: []llm.Block{llm.Text{Text: said}}}, Stop: m.stop(), Usage: llm.Usage{Input: 1}}
			done.Message.Blocks = append(done.Message.Blocks, m.call()...)
			yield(done, nil)
		}
	}
}

// summarise does what a request for a summary asks, or anything else.
func (m *mad) summarise(yield func(llm.Event, error) bool) {
	said := llm.Message{Blocks: []llm.Block{llm.Text{Text: []string{"They looked at a.", "", " ", strings.Repeat("word ", 3000)}[m.IntN(4)]}}}
	switch m.IntN(16) {
	case 0:
		yield(nil, &llm.Error{Kind: llm.Broken, Detail: "connection lost"})
		return
	case 1:
		yield(nil, &llm.Error{Kind: llm.TooLong, Detail: "too long.", Window: m.IntN(2) * 3000})
		return
	case 2:
		panic("mad")
	case 3:
		return
	case 4:
		said.Blocks = append(said.Blocks, call("1", "look", "a"))
	}
	yield(llm.Done{Message: said, Stop: m.stop(), Usage: llm.Usage{Input: 1}}, nil)
}

func (m *mad) stop() llm.Stop {
	return []llm.Stop{llm.EndTurn, llm.EndTurn, llm.EndTurn, llm.EndTurn, llm.EndTurn, llm.EndTurn, llm.MaxTokens, llm.Filtered}[m.IntN(8)]
}

func (m *mad) call() (calls []llm.Block) {
	names := []string{"look", "look", "big", "big", "touch", "touch", "slow", "watch", "watch", "crash", "trap", "none", "stubborn"}
	for range m.IntN(5) {
		m.calls++
		c := call(fmt.Sprint(m.calls%7), names[m.IntN(len(names))], string(rune('a'+m.IntN(3))))
		switch m.IntN(10) {
		case 0:
			c.Args = `{"path":"\xff`
		case 1:
			c.ID = ""
		}
		calls = append(calls, c)
	}
	return calls
}

// act sends one command at random.
func act(r *rand.Rand, asked <-chan string, j *agenttest.Journal, jobs *agenttest.Jobs) agent.Command {
	switch r.IntN(31) {
	case 26, 27:
		jobs.Start("serve")
		return agent.ListJobs{}
	case 28, 29:
		jobs.End(r.IntN(9), "exit 1", r.IntN(2) == 0)
		return agent.Withdraw{}
	case 30:
		return agent.StopJob{ID: r.IntN(9)}
	case 24, 25:
		return agent.Compact{Focus: "focus"[:r.IntN(6)]}
	case 0, 1, 2, 3, 4:
		return agent.Prompt{Text: "go on\xff"[:r.IntN(7)]}
	case 5, 6:
		return agent.Cancel{Turn: r.IntN(4)}
	case 7:
		return agent.Withdraw{ID: r.IntN(20)}
	case 8, 9:
		return agent.RunCommand{Command: []string{"ls", "slow", "fail"}[r.IntN(3)], Share: r.IntN(2) == 0}
	case 10, 11:
		return agent.SetMode{Mode: []agent.Mode{agent.Plan, agent.Ask, agent.Ask, agent.Full, "none"}[r.IntN(5)]}
	case 12:
		return agent.Clear{}
	case 13:
		if r.IntN(3) == 0 {
			j.Fill(r.IntN(5))
		}
		return agent.Withdraw{}
	case 14, 15:
		j.Free()
		return agent.Withdraw{}
	default:
		id := "nobody"
		select {
		case id = <-asked:
		default:
		}
		return agent.Answer{CallID: id, Choice: []agent.Choice{agent.Allow, agent.Allow, agent.Deny, agent.Always, ""}[r.IntN(5)], Note: "why"[:r.IntN(4)]}
	}
}

// TestMonkey throws commands at a session around a mad model, ends it in the
// middle, cuts its journal somewhere, and goes on with what is left. Whatever
// happens: the events keep their order, the reader and the journal tell the
// same, folding the journal gives the live state, every request was valid,
// and wherever the journal is cut, the session can go on.
func TestMonkey(t *testing.T) {
	seeds := uint64(400)
	if testing.Short() {
		seeds = 40
	}
	for seed := range seeds {
		synctest.Test(t, func(t *testing.T) {
			kept := live(t, seed, 0, nil)
			r := rand.New(rand.NewPCG(seed, 4))
			live(t, seed, 1, kept[:1+r.IntN(len(kept))])
		})
	}
}

// live plays one life of a session after past and returns what there is to
// resume from.
func live(t *testing.T, seed, life uint64, past []agent.Event) []agent.Event {
	r := rand.New(rand.NewPCG(seed, 10+life))
	model := &mad{Rand: rand.New(rand.NewPCG(seed, 20+life))}
	opts, j := agenttest.Options(nil)
	opts.Client, opts.Unattended = model, seed%10 == 9
	opts.Window, opts.MaxChars = []int{0, 1500, 3000}[seed%3], []int{0, 0, 5000, 9000}[seed%4]
	opts.Tools = append(opts.Tools, counter("big", tools.Read, func(string) tools.Result {
		return tools.Result{Status: tools.OK, Text: strings.Repeat("big ", int(seed%7)*200)}
	}))
	var known agent.State
	for _, ev := range past {
		known.Apply(ev)
	}
	jobs := agenttest.NewJobs(known.LastJob)
	opts.Jobs = jobs
	s := agent.New(opts)
	if past != nil {
		s = agent.Resume(opts, past)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	asked := make(chan string, 1000)
	go func() {
		defer stop()
		for range 60 {
			time.Sleep(time.Duration(r.IntN(4000)) * time.Millisecond)
			if err := s.Send(ctx, act(r, asked, j, jobs)); err != nil && !errors.Is(err, agent.ErrClosed) {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
		j.Free()
	}()
	away := rand.New(rand.NewPCG(seed, 30+life))
	seen, err := agenttest.Play(ctx, s, func(ev agent.Event) bool {
		if a, ok := ev.(agent.ApprovalAsked); ok {
			asked <- a.CallID
		}
		if away.IntN(50) == 0 && ctx.Err() == nil {
			time.Sleep(time.Duration(away.IntN(5000)) * time.Millisecond)
		}
		return true
	})
	kept, bad := j.Events()
	switch {
	case err != nil || bad != nil:
		t.Fatalf("seed %d: Run: %v, journal: %v", seed, err, bad)
	case model.bad != nil:
		t.Fatalf("seed %d: a request was not valid: %v", seed, model.bad)
	}
	whole := slices.Concat(past, kept)
	if err := agenttest.Check(slices.Concat(past, seen)); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	sameAsKept(t, seed, seen, kept)
	foldsAnywhere(t, seed, whole, agent.StateOf(s))
	return whole
}

func sameAsKept(t *testing.T, seed uint64, seen, kept []agent.Event) {
	seen = slices.DeleteFunc(slices.Clone(seen), func(ev agent.Event) bool { return !agent.Durable(ev) })
	for n, ev := range seen { // a reader that was away at the very end has missed some
		if n >= len(kept) || !reflect.DeepEqual(ev, kept[n]) {
			t.Fatalf("seed %d: from event %d on, the reader saw\n%s\nthe journal has\n%s", seed, n, show(seen[n:]), show(kept[min(n, len(kept)):]))
		}
	}
}

func foldsAnywhere(t *testing.T, seed uint64, kept []agent.Event, live agent.State) {
	var replay agent.State
	for n, ev := range kept {
		replay.Apply(ev)
		if n%7 != 0 { // each seed cuts elsewhere
			continue
		}
		var cut agent.State
		for _, ev := range kept[:n] {
			cut.Apply(ev)
		}
		for _, ev := range agent.Repair(cut) {
			cut.Apply(ev)
		}
		if err := agenttest.Conversation(cut.Messages); err != nil || cut.Busy || !agent.Accounted(cut) {
			t.Fatalf("seed %d, cut after %d events: %v, busy %v", seed, n, err, cut.Busy)
		}
	}
	if !reflect.DeepEqual(replay, live) {
		t.Fatalf("seed %d: the journal's fold differs\nreplay %+v\nlive   %+v", seed, replay, live)
	}
}
