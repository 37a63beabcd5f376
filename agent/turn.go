package agent

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"aye/llm"
)

// A turn carries messages to their answer on its own goroutine. It owns no
// state of the session: it emits events and asks.
type turn struct {
	opts   *Options
	asks   chan<- ask
	work   *sync.WaitGroup
	cancel context.CancelCauseFunc

	rounds int        // replies so far
	phase  Phase      // the last one said
	told   repetition // what the model keeps being told
	paths  []string   // files that calls came to since the last reply
	used   llm.Usage  // by all requests

	squeezes squeezes

	reminders reminders
}

// The notes that go with the last request of a turn that is at its limit.
const (
	noteRounds = "You have made as many requests as one turn may. No more tools can be called now. Say briefly what is done, what is not, and how to go on."
	noteLoop   = "You repeated the same call and it gave the same result each time, so the turn is stopped. No more tools can be called now. Say briefly what is done, what is not, and what stands in the way."
)

const textLoop = "stopped: the model repeated the same call, and got the same result each time; tell it what to do instead"

// run is the turn's goroutine. Its last word is TurnEnded, whatever happens.
func (t *turn) run(ctx context.Context, n int, work func(context.Context) (Reason, error)) {
	end := TurnEnded{Turn: n, Reason: Broken}
	defer func() {
		if r := recover(); r != nil {
			end.Reason, end.Err = Broken, crash(r)
		}
		end.Rounds, end.Usage = t.rounds, t.used
		t.asks <- func(s *Session) { s.end(end) }
	}()
	system := t.opts.System()
	t.do(func(s *Session) {
		s.system = system
		s.fixed = s.request().Size().Sub(s.state.size)
	})
	reason, err := work(ctx)
	switch unsaved := (*unsavedError)(nil); {
	case err == nil:
		end.Reason = reason
		if reason == Limited && t.told.stuck() {
			end.Err = textLoop
		}
	case errors.As(context.Cause(ctx), &unsaved):
		end.Err = unsaved.Error()
	case ctx.Err() != nil:
		end.Reason = Cancelled
	default:
		end.Err = err.Error()
	}
}

// emit tells the session what happened; when it returns, the session has
// taken that up before anything else.
func (t *turn) emit(ev Event) { t.asks <- func(s *Session) { s.record(ev) } }

// do has the session run f and waits for it.
func (t *turn) do(f ask) {
	done := make(chan struct{})
	t.asks <- func(s *Session) { defer close(done); f(s) }
	<-done
}

// wait says what the turn waits for; of a phase of streaming, once.
func (t *turn) wait(w Waiting) {
	switch w.For {
	case ForThought, ForAnswer, ForCall:
		if w.For == t.phase {
			return
		}
	case ForModel, ForTool, ForApproval, ForRetry, ForSummary:
	}
	t.phase = w.For
	t.emit(w)
}

// loop alternates replies and calls until a reply calls nothing, or one more
// round would be too many.
func (t *turn) loop(ctx context.Context) (Reason, error) {
	late, release := leash(ctx, t.work)
	defer release()
	for t.rounds < t.opts.MaxRounds {
		req, err := t.request(ctx)
		if err != nil {
			return "", err
		}
		reply, err := t.send(ctx, req)
		if t.askAgain(ctx, err) {
			continue
		}
		if err != nil {
			return "", err
		}
		if len(reply.Message.Calls()) == 0 {
			if t.dodged(reply) {
				continue
			}
			return Finished, t.answered(reply)
		}
		if reply.Stop == llm.Filtered {
			t.refuse(reply.Message, textFilter)
			return "", errFiltered
		}
		t.callAll(ctx, late, reply)
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		t.instruct()
		if t.told.stuck() {
			return Limited, t.last(ctx, noteLoop)
		}
		t.nag(reply)
	}
	return Limited, t.last(ctx, noteRounds)
}

var (
	errFiltered = errors.New("the provider's content filter stopped the reply; rephrase the message, or use another model")
	errEmpty    = errors.New("the model's reply was empty; send the message again, or try another model")
	errNoRoom   = errors.New("the model used up its output limit before it said anything; ask for less at once, or raise the limit")
)

// answered judges a reply without calls: it is the answer, unless it is none.
func (t *turn) answered(r llm.Done) error {
	switch {
	case r.Stop == llm.Filtered:
		return errFiltered
	case r.Stop == llm.MaxTokens:
		t.emit(Noted{Warn, "The reply was cut at the model's output limit. Say \"go on\" for the rest."})
	}
	return nil
}

// last asks once more, without tools, so that the model can say where it
// stands. The note is in this request only.
func (t *turn) last(ctx context.Context, note string) error {
	if err := t.fit(ctx); err != nil {
		return err
	}
	var req llm.Request
	t.do(func(s *Session) { req = s.request() })
	req.Tools = nil
	req.Messages = append(req.Messages, llm.UserText(note))
	reply, err := t.send(ctx, req)
	if err != nil && !errors.Is(err, errEmpty) {
		return err
	}
	t.refuse(reply.Message, textLimit)
	return nil
}

// refuse answers all calls of m with why they do not run.
func (t *turn) refuse(m llm.Message, why string) {
	for _, c := range m.Calls() {
		t.emit(CallFinished{CallID: c.ID, Tool: c.Name, Result: failure("%s", why)})
	}
}

// request has the waiting messages taken up, for here nothing stands between
// a call and its result, makes room where that is needed, and returns the next
// request. A turn that was cancelled takes up none: they are the next one's.
func (t *turn) request(ctx context.Context) (req llm.Request, err error) {
	news := false
	t.do(func(s *Session) {
		if err = ctx.Err(); err != nil {
			return
		}
		news = len(s.state.Queue) > 0
		if no := s.accept(); no != nil {
			s.record(Noted{Fail, "The message was not taken: " + no.Error() + "."})
		}
	})
	if news { // with a word from the person everything may be tried again
		t.told = newRepetition()
	}
	if err == nil {
		err = t.fit(ctx)
	}
	if err == nil {
		t.do(func(s *Session) { req = s.request() })
	}
	return req, err
}

// request builds a request from the fold: there is no second history.
func (s *Session) request() llm.Request {
	req := llm.Request{Model: s.opts.Model, System: s.system, Messages: slices.Clone(s.state.Messages)}
	for _, tool := range s.opts.Tools {
		req.Tools = append(req.Tools, llm.ToolSpec{Name: tool.Name, Doc: tool.Doc, Schema: tool.Schema})
	}
	return req
}

// stream sends req, passes on what arrives, and records the whole reply. Of a
// reply that breaks, what had arrived is kept.
func (t *turn) stream(ctx context.Context, req llm.Request) (llm.Done, error) {
	t.wait(Waiting{For: ForModel})
	var partial strings.Builder
	written := map[string]int{} // bytes of arguments by call
	for ev, err := range t.opts.Client.Stream(ctx, req) {
		if err != nil {
			t.keepPartial(partial.String())
			return llm.Done{}, err
		}
		switch ev := ev.(type) {
		case llm.TextDelta:
			if ev.Text != "" {
				partial.WriteString(ev.Text)
				t.wait(Waiting{For: ForAnswer})
				t.emit(TextStreamed{ev.Text})
			}
		case llm.ThinkingDelta:
			if ev.Text != "" {
				t.wait(Waiting{For: ForThought})
				t.emit(ThoughtStreamed{ev.Text})
			}
		case llm.CallDelta:
			written[ev.ID] += len(ev.Args)
			t.wait(Waiting{For: ForCall, Detail: ev.Name})
			t.emit(CallStreamed{ev.ID, ev.Name, written[ev.ID]})
		case llm.Retrying:
			t.wait(retrying(ev, t.opts.Now()))
		case llm.Done:
			return t.replied(ev)
		}
	}
	t.keepPartial(partial.String())
	if ctx.Err() != nil {
		return llm.Done{}, ctx.Err()
	}
	return llm.Done{}, errors.New("the reply broke off without an end; say \"go on\" to continue")
}
