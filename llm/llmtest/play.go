package llmtest

import (
	"context"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"aye/llm"
)

// A Client plays a script without any wire.
type Client struct {
	player player

	mu       sync.Mutex // guards requests
	requests []llm.Request
}

// NewClient returns a client that plays script.
func NewClient(script Script) *Client { return &Client{player: player{script: script}} }

// Requests returns the requests so far.
func (c *Client) Requests() []llm.Request {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.requests)
}

// Stream plays the script's reply to req; see llm.Client.
func (c *Client) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(nil, err)
			return
		}
		c.mu.Lock()
		c.requests = append(c.requests, req)
		c.mu.Unlock()
		r := c.player.reply(req)
		left := false
		err := r.play(ctx, func(ev llm.Event) bool {
			left = !yield(ev, nil)
			return !left
		})
		switch {
		case left:
		case err != nil:
			yield(nil, err)
		default:
			yield(llm.Done{Message: r.message(req.Model), Stop: r.Stop, Usage: r.Usage, Model: req.Model}, nil)
		}
	}
}

// play sends the deltas of r at its pace until it is to fail, or say returns
// false.
func (r Reply) play(ctx context.Context, say func(llm.Event) bool) error {
	if r.Fault.Status != 0 {
		return r.Fault.response()
	}
	wait := r.Delay
	for i, ev := range r.deltas() {
		if err := sleep(ctx, wait); err != nil {
			return err
		}
		wait = r.Between
		if r.Fault.Then != "" && i == r.Fault.After {
			break
		}
		if !say(ev) {
			return nil
		}
	}
	return r.Fault.end(ctx)
}

// end does what the fault has for the end of a reply.
func (f Fault) end(ctx context.Context) error {
	switch f.Then {
	case Cut, Garbage:
		return &llm.Error{Kind: llm.Broken, Detail: "The scripted answer broke off."}
	case Error:
		return &llm.Error{Kind: llm.Overloaded, Detail: "The scripted model is overloaded."}
	case Stall:
		<-ctx.Done()
		return ctx.Err()
	}
	if f.NoEnd {
		return &llm.Error{Kind: llm.Broken, Detail: "The scripted answer has no end."}
	}
	return ctx.Err()
}

// response is the error a wire would make of the fault's status.
func (f Fault) response() *llm.Error {
	e := &llm.Error{Kind: llm.Refused, Status: f.Status, Detail: "The scripted server answered " + strconv.Itoa(f.Status) + ": " + f.Body}
	switch {
	case f.Status == http.StatusUnauthorized, f.Status == http.StatusForbidden:
		e.Kind = llm.Auth
	case f.Status == http.StatusPaymentRequired:
		e.Kind = llm.Credit
	case f.Status == http.StatusNotFound:
		e.Kind = llm.NotFound
	case f.Status == http.StatusRequestEntityTooLarge:
		e.Kind = llm.TooLong
	case f.Status == http.StatusTooManyRequests:
		e.Kind = llm.Limit
	case f.Status >= 500:
		e.Kind = llm.Overloaded
	}
	for name, value := range f.Header {
		if s, err := strconv.Atoi(value); err == nil && http.CanonicalHeaderKey(name) == "Retry-After" {
			e.RetryAfter = time.Duration(s) * time.Second
		}
	}
	return e
}

// sleep waits for d, or returns ctx's error as soon as ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
