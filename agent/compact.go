package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"aye/llm"
)

// Reasons to compact, for people.
const (
	whyFull   = "the context was full"
	whyServer = "the server found the request too long"
)

// mostSqueezes is how many compactions may follow each other round by round.
const mostSqueezes = 3

// squeezes count compactions that follow each other without work between them.
type squeezes struct {
	row    int // of them
	round  int // of the last one
	gaveUp bool
}

// stuck reports whether one more would be of no use.
func (q *squeezes) stuck(round int) bool { return q.row >= mostSqueezes && round-q.round <= 1 }

func (q *squeezes) add(round int) {
	if q.row == 0 || round-q.round > 1 {
		q.row = 0
	}
	q.row++
	q.round = round
}

// fit makes room for the next request where it would be too long. Where that
// is refused, a request that the window still holds goes as it is; after that
// the last means is to empty results that are new.
func (t *turn) fit(ctx context.Context) error {
	if !t.over((*Session).full) || t.squeezes.gaveUp && !t.over((*Session).most) {
		return nil
	}
	if t.squeezes.stuck(t.rounds) {
		return errNoProgress
	}
	err := t.compact(ctx, (*Session).full, whyFull, "")
	if err == nil || ctx.Err() != nil {
		return err
	}
	if !t.over((*Session).most) {
		if asked := (*unpaidError)(nil); !errors.As(err, &asked) && !t.squeezes.gaveUp {
			t.squeezes.gaveUp = true // it would only be paid for again
			t.emit(Noted{Warn, "The conversation could not be compacted and goes as it is: " + err.Error()})
		}
		return nil
	}
	t.do(func(s *Session) {
		switch {
		case ctx.Err() != nil:
			err = ctx.Err()
		case s.pruneTo(s.full(), true) || s.pruneTo(s.most(), true):
			err = nil
		case errors.Is(err, errNothingOlder):
			err = tooLarge("The message and what belongs to it are", s.most(), s.next())
		}
	})
	return err
}

// over reports whether the next request is over a limit, after pruning what
// can be pruned if that is enough.
func (t *turn) over(of func(*Session) limit) (over bool) {
	t.do(func(s *Session) {
		l := of(s)
		over = !l.holds(s.next()) && !s.pruneTo(l, false)
	})
	return over
}

// pruneTo prunes, if that alone brings the next request below l.
func (s *Session) pruneTo(l limit, all bool) bool {
	ev, ok := s.prune(l, all)
	if ok {
		s.record(ev)
		s.forgot()
	}
	return ok
}

// forgot tells what the model still has before its eyes of files.
func (s *Session) forgot() {
	if s.opts.Forget != nil {
		s.opts.Forget(s.state.sightsOf())
	}
}

// compact summarises what is older. On any error nothing has happened.
func (t *turn) compact(ctx context.Context, to func(*Session) limit, why, focus string) error {
	var p plan
	var err error
	t.do(func(s *Session) { p, err = s.plan(to(s)) })
	if err != nil {
		return &unpaidError{err}
	}
	before := t.used
	t.used = llm.Usage{}
	summary, err := t.write(ctx, p, focus)
	spent := t.used
	t.used = before.Add(spent)
	if err != nil {
		return err
	}
	t.do(func(s *Session) {
		if err = ctx.Err(); err == nil {
			err = s.compacted(p, Compacted{Summary: summary, Usage: spent, Why: why})
		}
	})
	if err == nil {
		t.squeezes.add(t.rounds)
	}
	return err
}

// compacted records a compaction, if it made the conversation shorter.
func (s *Session) compacted(p plan, ev Compacted) error {
	ev.Ledger, ev.Dropped, ev.Spared = p.ledger, p.dropped, p.spared
	after := s.like(p.kept.Add(llm.UserText(summaryText(ev.Summary, ev.Ledger)).Size()))
	if after.Tokens >= p.before.Tokens || !p.limit.holds(after) {
		return errNoGain
	}
	ev.Before, ev.After = p.before.Tokens, after.Tokens
	if s.told != s.state.Window {
		ev.Window = s.told
	}
	s.record(ev)
	s.forgot()
	return nil
}

// An unpaidError is a refusal before anything was asked of the model.
type unpaidError struct{ error }

func (e *unpaidError) Unwrap() error { return e.error }

// Where no limit is known, a request for a summary is this large at most; each
// attempt that the server finds too long is followed by one of half its size.
const (
	usualPart   = 400_000 // characters
	mostHalving = 4
)

// write has the model write the summary.
func (t *turn) write(ctx context.Context, p plan, focus string) (string, error) {
	l := p.limit.within(limit{Chars: usualPart})
	for n := 0; ; n++ {
		parts, err := p.batches(l)
		if err != nil {
			return "", err
		}
		summary, err := t.summarise(ctx, p, parts, focus)
		e := tooLong(err)
		if e == nil || n == mostHalving {
			return summary, err
		}
		t.learn(e)
		largest := limit{}
		for _, part := range parts {
			z := llm.TextSize(part)
			largest = limit{max(largest.Tokens, z.Tokens), max(largest.Chars, z.Chars)}
		}
		overhead := p.overhead()
		l = limit{overhead.Tokens + largest.Tokens/2, overhead.Chars + largest.Chars/2}
	}
}

func tooLong(err error) *llm.Error {
	var e *llm.Error
	if errors.As(err, &e) && e.Kind == llm.TooLong {
		return e
	}
	return nil
}

// learn remembers the window that the server told.
func (t *turn) learn(e *llm.Error) {
	if e.Window > 0 {
		t.do(func(s *Session) { s.told = e.Window })
	}
}

// send sends req. When the server finds it too long, room is made and it is
// sent once more, with whatever the request had besides the conversation.
func (t *turn) send(ctx context.Context, req llm.Request) (llm.Done, error) {
	count := func() (n int) {
		t.do(func(s *Session) { n = len(s.state.Messages) })
		return n
	}
	before := count()
	reply, err := t.stream(ctx, req)
	e := tooLong(err)
	if e == nil || ctx.Err() != nil || count() != before { // what was said is kept: it cannot be said again
		return reply, err
	}
	extra := req.Messages[min(before, len(req.Messages)):]
	size := req.Size()
	if no := t.shrink(ctx, e); no != nil {
		if ctx.Err() != nil {
			return llm.Done{}, ctx.Err()
		}
		return llm.Done{}, fmt.Errorf("%w No room could be made: %s", err, strings.TrimRight(no.Error(), "."))
	}
	t.do(func(s *Session) {
		next := s.request()
		next.Tools, next.Messages = req.Tools, append(next.Messages, extra...)
		req = next
	})
	reply, err = t.stream(ctx, req)
	if tooLong(err) != nil {
		err = fmt.Errorf("%w It was made smaller once already, from about %d tokens to %d: use /clear to begin anew", err, size.Tokens, req.Size().Tokens)
	}
	return reply, err
}

// shrink makes room because the server found a request too long. Then the
// session's own reckoning is off, so the request has to become smaller by it,
// too.
func (t *turn) shrink(ctx context.Context, e *llm.Error) error {
	t.learn(e)
	if t.squeezes.stuck(t.rounds) {
		return errNoProgress
	}
	shares := []int{50, 90} // of a window nobody knows
	if e.Window > 0 {
		shares = []int{fullAt}
	}
	var err error
	for _, percent := range shares {
		to := func(s *Session) limit {
			return limit{Tokens: s.next().Tokens * percent / 100}.within(s.full())
		}
		if !t.over(to) {
			return nil
		}
		if err = t.compact(ctx, to, whyServer, ""); err == nil || ctx.Err() != nil {
			return err
		}
		pruned := false
		t.do(func(s *Session) { pruned = ctx.Err() == nil && s.pruneTo(to(s), true) })
		if pruned {
			return nil
		}
		if asked := (*unpaidError)(nil); !errors.As(err, &asked) {
			break
		}
	}
	return err
}

// compactNow is a turn that only compacts.
func (t *turn) compactNow(focus string) func(context.Context) (Reason, error) {
	return func(ctx context.Context) (Reason, error) {
		err := t.compact(ctx, (*Session).full, "", focus)
		if errors.Is(err, errNothingOlder) || errors.Is(err, errNoGain) {
			t.emit(Noted{Info, upper(err.Error()) + "."})
			err = nil
		}
		return Finished, err
	}
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
