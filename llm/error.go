package llm

import (
	"strconv"
	"time"
)

// Kind is what a caller may act on.
type Kind string

const (
	Auth        Kind = "auth"        // the key is missing, wrong or not allowed
	NotFound    Kind = "not found"   // no such model or no such URL
	Limit       Kind = "rate limit"  // too many requests: wait
	Credit      Kind = "credit"      // the account has no money left
	Overloaded  Kind = "overloaded"  // the server fails for now: wait
	TooLong     Kind = "too long"    // the request does not fit the context
	Refused     Kind = "refused"     // the server will not take this request
	Unreachable Kind = "unreachable" // no connection: DNS, refused, TLS, proxy
	Broken      Kind = "broken"      // the reply is cut, malformed or no reply at all
	Idle        Kind = "idle"        // nothing arrived for too long
)

// An Error is a failed request.
type Error struct {
	Kind       Kind
	Status     int           // HTTP status, 0 when there was none
	RetryAfter time.Duration // what the server asked for, 0 when nothing
	Window     int           // of TooLong: tokens the context holds, as the server told; 0 when it did not
	Detail     string        // one sentence for people: what failed, why, and what to do; never holds a key
	Err        error         // the cause, for logs; may be nil
}

func (e *Error) Error() string {
	if e.Detail != "" {
		return e.Detail
	}
	if e.Status != 0 {
		return string(e.Kind) + " (HTTP " + strconv.Itoa(e.Status) + ")"
	}
	return string(e.Kind)
}

func (e *Error) Unwrap() error { return e.Err }
