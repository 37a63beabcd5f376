package agent_test

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"aye/agent"
	"aye/agent/agenttest"
	"aye/llm"
	"aye/tools"
)

// A stage runs one session in a bubble of virtual time.
type stage struct {
	*testing.T
	opts    agent.Options
	journal *agenttest.Journal
	model   *agenttest.Model
	session *agent.Session
	past    []agent.Event
	replay  bool // compare the journal's fold with the live state; on unless a test fills the disk
}

// scene calls f with a stage for a model with these replies.
func scene(t *testing.T, replies []agenttest.Reply, f func(*stage)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		m := agenttest.NewModel(replies...)
		opts, j := agenttest.Options(m)
		f(&stage{T: t, opts: opts, journal: j, model: m, replay: true})
	})
}

func replies(r ...agenttest.Reply) []agenttest.Reply { return r }

func call(id, tool, path string) llm.ToolCall {
	return llm.ToolCall{ID: id, Name: tool, Args: agenttest.Args(path)}
}

// play sends the prompts as one burst and shows react every event until it
// returns false; nil reacts until the first turn has ended. The events are
// held against the order rules, and the journal's fold against the session.
func (st *stage) play(react func(agent.Event) bool, prompts ...string) []agent.Event {
	st.Helper()
	if react == nil {
		react = func(ev agent.Event) bool { return !is[agent.TurnEnded](ev) }
	}
	st.session = agent.New(st.opts)
	if st.past != nil {
		st.session = agent.Resume(st.opts, st.past)
	}
	go func() {
		for _, p := range prompts {
			st.send(agent.Prompt{Text: p})
		}
	}()
	seen, err := agenttest.Play(st.Context(), st.session, react)
	if err != nil {
		st.Fatalf("Run: %v", err)
	}
	if err := agenttest.Check(append(append([]agent.Event(nil), st.past...), seen...)); err != nil {
		st.Fatalf("%v\n%s", err, show(seen))
	}
	if st.replay {
		st.checkReplay()
	}
	return seen
}

func (st *stage) checkReplay() {
	st.Helper()
	kept, err := st.journal.Events()
	if err != nil {
		st.Fatal(err)
	}
	var replay agent.State
	for _, ev := range append(append([]agent.Event(nil), st.past...), kept...) {
		replay.Apply(ev)
	}
	if live := agent.StateOf(st.session); !reflect.DeepEqual(replay, live) {
		st.Fatalf("the journal's fold differs\nreplay %+v\nlive   %+v", replay, live)
	}
}

// send hands a command over. It is fine when the session has ended.
func (st *stage) send(cmd agent.Command) {
	_ = st.session.Send(context.WithoutCancel(st.Context()), cmd)
}

func (st *stage) state() agent.State { return agent.StateOf(st.session) }

// results returns the calls' results by id.
func results(evs []agent.Event) map[string]tools.Result {
	m := map[string]tools.Result{}
	for _, ev := range evs {
		if f, ok := ev.(agent.CallFinished); ok {
			m[f.CallID] = f.Result
		}
	}
	return m
}

func is[E agent.Event](ev agent.Event) bool { _, ok := ev.(E); return ok }

func all[E agent.Event](evs []agent.Event) []E {
	var of []E
	for _, ev := range evs {
		if ev, ok := ev.(E); ok {
			of = append(of, ev)
		}
	}
	return of
}

// show lists events for a failed test's reader, and kinds for a passing one.
func show(evs []agent.Event) string {
	var b strings.Builder
	for _, ev := range evs {
		line, _ := agent.Encode(ev, time.Unix(0, 0))
		b.Write(line)
		b.WriteString("\n")
	}
	return b.String()
}

func kinds(evs []agent.Event) string {
	var names []string
	for _, ev := range evs {
		name := strings.TrimPrefix(reflect.TypeOf(ev).String(), "agent.")
		if agent.Durable(ev) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

func want[V comparable](t testing.TB, what string, got, want V) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

func contains(t testing.TB, what, got string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(got, p) {
			t.Errorf("%s: %q lacks %q", what, got, p)
		}
	}
}

// ended returns the only turn's end.
func (st *stage) ended(evs []agent.Event) agent.TurnEnded {
	st.Helper()
	ends := all[agent.TurnEnded](evs)
	if len(ends) != 1 {
		st.Fatalf("%d turns ended\n%s", len(ends), show(evs))
	}
	return ends[0]
}

// answering returns a react that gives every question this answer and stops
// at the first turn's end.
func (st *stage) answering(choice agent.Choice, note string) func(agent.Event) bool {
	return func(ev agent.Event) bool {
		if a, ok := ev.(agent.ApprovalAsked); ok {
			st.send(agent.Answer{CallID: a.CallID, Choice: choice, Note: note})
		}
		return !is[agent.TurnEnded](ev)
	}
}

func TestAnswer(t *testing.T) {
	scene(t, replies(agenttest.Say("all is done")), func(st *stage) {
		evs := st.play(nil, "hi")
		want(t, "events", kinds(evs), "SessionOpened PromptQueued TurnStarted PromptAccepted Replied TurnEnded")
		want(t, "end", st.ended(evs), agent.TurnEnded{Turn: 1, Reason: agent.Finished, Rounds: 1, Usage: llm.Usage{Input: 10, Output: 2}})
		s := st.state()
		want(t, "messages", len(s.Messages), 2)
		want(t, "usage", s.Usage, llm.Usage{Input: 10, Output: 2})
		want(t, "context", s.Context, 12)
		var text string
		for _, ev := range all[agent.TextStreamed](evs) {
			text += ev.Text
		}
		want(t, "streamed", text, "all is done")
		req := st.model.Requests()[0]
		want(t, "system", req.System, "Help.")
		want(t, "tools", len(req.Tools), len(agenttest.Tools()))
	})
}

func TestPhases(t *testing.T) {
	think := func(ctx context.Context, _ llm.Request, yield func(llm.Event) bool) error {
		time.Sleep(time.Second)
		yield(llm.Retrying{Attempt: 2, Wait: 3 * time.Second, Why: &llm.Error{Kind: llm.Limit, Detail: "too busy"}})
		time.Sleep(3 * time.Second)
		yield(llm.ThinkingDelta{Text: "hm"})
		time.Sleep(time.Second)
		yield(llm.ThinkingDelta{Text: "m"})
		time.Sleep(time.Second)
		yield(llm.TextDelta{Text: "I look."})
		time.Sleep(time.Second)
		yield(llm.CallDelta{ID: "1", Name: "watch", Args: `{"path":`})
		time.Sleep(time.Second)
		yield(llm.CallDelta{ID: "1", Name: "watch", Args: `"a"}`})
		time.Sleep(time.Second)
		yield(llm.Done{Message: llm.Message{Role: llm.Assistant, Blocks: []llm.Block{
			llm.Thinking{Text: "hmm"}, llm.Text{Text: "I look."}, call("1", "watch", "a")}}})
		return nil
	}
	scene(t, replies(think), func(st *stage) {
		began := time.Now()
		evs := st.play(nil, "hi")
		var phases []string
		for _, w := range all[agent.Waiting](evs) {
			phases = append(phases, string(w.For))
			switch w.For {
			case agent.ForRetry:
				want(t, "retry", w, agent.Waiting{For: agent.ForRetry, Detail: "rate limit: too busy", Until: began.Add(4 * time.Second)})
			case agent.ForTool:
				want(t, "tool", w.Detail, "watch a")
			case agent.ForCall:
				want(t, "call", w.Detail, "watch")
			case agent.ForModel, agent.ForThought, agent.ForAnswer, agent.ForApproval, agent.ForSummary:
			}
		}
		want(t, "phases", strings.Join(phases, " "), "model retry thinking answer call tool model answer")
		streamed := all[agent.CallStreamed](evs)
		want(t, "bytes", streamed[len(streamed)-1].Bytes, len(agenttest.Args("a")))
	})
}

func TestSlowReaderGetsAllText(t *testing.T) {
	scene(t, replies(agenttest.Say(strings.Repeat("word ", 500))), func(st *stage) {
		idle := true
		evs := st.play(func(ev agent.Event) bool {
			if idle {
				time.Sleep(time.Hour)
				idle = false
			}
			return !is[agent.TurnEnded](ev)
		}, "hi")
		var text string
		for _, ev := range all[agent.TextStreamed](evs) {
			text += ev.Text
		}
		want(t, "text", len(text), 2500)
		if n := len(evs); n > 12 {
			t.Errorf("a reader that was away got %d events", n)
		}
	})
}

func TestCommandsAreHeardWhenTheReaderIsAway(t *testing.T) {
	chatter := func(ctx context.Context, _ llm.Request, yield func(llm.Event) bool) error {
		for i := range 10_000 { // alternating, so that they cannot be merged
			if !yield(llm.TextDelta{Text: "t"}) || !yield(llm.ThinkingDelta{Text: "t"}) || i < 0 {
				return ctx.Err()
			}
		}
		return nil
	}
	scene(t, replies(chatter), func(st *stage) {
		st.session = agent.New(st.opts)
		ctx, stop := context.WithCancel(st.Context())
		ended := make(chan error, 1)
		go func() { ended <- st.session.Run(ctx) }()
		st.send(agent.Prompt{Text: "hi"})
		synctest.Wait() // the outbox is full, the turn is stuck in it
		for range 3 {
			st.send(agent.SetMode{Mode: agent.Full})
		}
		st.send(agent.Cancel{})
		synctest.Wait()
		var seen []agent.Event
		for ev := range st.session.Events() {
			seen = append(seen, ev)
			if is[agent.TurnEnded](ev) {
				stop()
			}
		}
		stop()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		if err := agenttest.Check(seen); err != nil {
			t.Fatal(err)
		}
		want(t, "modes", len(all[agent.ModeSet](seen)), 3)
		want(t, "reason", all[agent.TurnEnded](seen)[0].Reason, agent.Cancelled)
	})
}

func TestSendAfterTheEnd(t *testing.T) {
	scene(t, nil, func(st *stage) {
		st.play(func(agent.Event) bool { return false })
		want(t, "Send", st.session.Send(st.Context(), agent.Clear{}), agent.ErrClosed)
	})
}

func TestReaderThatLeft(t *testing.T) {
	scene(t, replies(agenttest.Say("one two three")), func(st *stage) {
		st.session = agent.New(st.opts)
		ctx, stop := context.WithCancel(st.Context())
		ended := make(chan error, 1)
		go func() { ended <- st.session.Run(ctx) }()
		st.send(agent.Prompt{Text: "hi"})
		time.Sleep(1500 * time.Millisecond)
		began := time.Now()
		stop()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		if d := time.Since(began); d > 200*time.Millisecond {
			t.Errorf("Run took %v to end without a reader", d)
		}
		st.checkReplay()
	})
}
