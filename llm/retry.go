package llm

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"time"
)

// RetryOptions says how [Retry] tries again. The zero value is the usual.
type RetryOptions struct {
	Attempts int              // in all; 0: 4
	Chance   func() float64   // in [0, 1), spreads the waits; nil: math/rand
	Now      func() time.Time // for telling when to come back; nil: time.Now
}

const (
	firstWait   = time.Second      // doubled with each attempt
	longestWait = time.Minute      // a server that asks for more is not waited for
	idleTries   = 2                // a silent server has cost minutes already
	spread      = 0.25             // waits vary by this part to both sides
	clockOnly   = 20 * time.Hour   // further away, the day is told as well
	minuteTold  = 90 * time.Second // below, waits are told in seconds
)

// Retry returns a client that asks c again when it fails for reasons that
// pass: too many requests, a failing server, no connection, a reply that broke
// off or did not come. It does so only before the first delta, since what was
// shown cannot be taken back, and announces each wait with [Retrying].
// A server's Retry-After is honoured up to a minute; when it asks for more, the
// error says when to come back.
func Retry(c Client, o RetryOptions) Client {
	if o.Attempts == 0 {
		o.Attempts = 4
	}
	if o.Chance == nil {
		o.Chance = rand.Float64
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return retrier{c, o}
}

type retrier struct {
	client Client
	RetryOptions
}

func (r retrier) Stream(ctx context.Context, req Request) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for attempt := 1; ; attempt++ {
			failed := r.try(ctx, req, yield)
			if failed == nil {
				return
			}
			wait, again := r.next(attempt, failed)
			if !again {
				yield(nil, r.final(attempt, failed))
				return
			}
			if !yield(Retrying{Attempt: attempt + 1, Wait: wait, Why: failed}, nil) {
				return
			}
			if err := sleep(ctx, wait); err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// try makes one attempt and passes its events on. It returns the error of an
// attempt that failed before its first event; nil means that all is said.
func (r retrier) try(ctx context.Context, req Request, yield func(Event, error) bool) *Error {
	begun := false
	for ev, err := range r.client.Stream(ctx, req) {
		var failed *Error
		if err != nil && !begun && ctx.Err() == nil && errors.As(err, &failed) {
			return failed
		}
		if !yield(ev, err) || err != nil {
			return nil
		}
		begun = true
	}
	return nil
}

// next tells whether another attempt follows the one that failed, and when.
func (r retrier) next(attempt int, failed *Error) (time.Duration, bool) {
	tries := r.Attempts
	switch failed.Kind {
	case Limit, Overloaded, Unreachable, Broken:
	case Idle:
		tries = min(tries, idleTries)
	case Auth, NotFound, Credit, TooLong, Refused:
		return 0, false
	}
	if attempt >= tries || failed.RetryAfter > longestWait {
		return 0, false
	}
	if failed.RetryAfter > 0 {
		return failed.RetryAfter, true
	}
	wait := float64(firstWait) * float64(int(1)<<(attempt-1))
	return time.Duration(wait * (1 - spread + 2*spread*r.Chance())), true
}

// final is failed with what a person wants to know besides: how often it was
// tried, and when to come back.
func (r retrier) final(attempt int, failed *Error) *Error {
	last := *failed
	last.Detail = failed.Error()
	if attempt > 1 {
		last.Detail += fmt.Sprintf(" Tried %d times.", attempt)
	}
	if wait := failed.RetryAfter; wait > longestWait {
		at := r.Now().Add(wait)
		layout := "15:04"
		if wait > clockOnly {
			layout = "Monday 2 January 15:04"
		}
		last.Detail += fmt.Sprintf(" The server asks to wait %s: try again at %s.", span(wait), at.Format(layout))
	}
	return &last
}

// span writes a duration as people say it.
func span(d time.Duration) string {
	switch {
	case d < minuteTold:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// sleep waits for d, or returns ctx's error as soon as ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
