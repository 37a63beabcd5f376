package llm

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// A Client talks to one model provider.
type Client interface {
	// Stream sends req and yields the reply as it arrives: any number of
	// deltas, then exactly one Done; or a non-nil error as the last item,
	// which is an *Error, or ctx's error when ctx ended the request. Every
	// delta of a reply comes before its Done and is repeated in Done's
	// message. Breaking out of the loop, or ending ctx, ends the request;
	// nothing of it runs after the loop is left. Several streams may run at
	// the same time.
	Stream(ctx context.Context, req Request) iter.Seq2[Event, error]
}

// A Request is one whole question to a model. Its bytes on the wire depend on
// nothing but its value, so that a server's prompt cache hits.
type Request struct {
	Model    string
	System   string
	Messages []Message
	Tools    []ToolSpec // in a stable order; none: the model cannot call
}

// A ToolSpec describes a tool to a model.
type ToolSpec struct {
	Name   string
	Doc    string
	Schema json.RawMessage // JSON Schema of the arguments, an object
}

// An Event is a [TextDelta], [ThinkingDelta], [CallDelta], [Retrying] or [Done].
//
//sumtype:decl
type Event interface{ event() }

type (
	// TextDelta is the next piece of the answer.
	TextDelta struct{ Text string }
	// ThinkingDelta is the next piece of the reasoning.
	ThinkingDelta struct{ Text string }
	// CallDelta says that a tool call is being written. ID is stable for the
	// call; Name may be empty at first; Args is the next piece of them.
	CallDelta struct{ ID, Name, Args string }
	// Retrying says that the attempt failed before its first delta and that
	// another follows after Wait. Only the retry decorator yields it.
	Retrying struct {
		Attempt int // of the attempt to come, from 2
		Wait    time.Duration
		Why     *Error
	}
	// Done is the whole reply.
	Done struct {
		Message Message
		Stop    Stop
		Usage   Usage
		Model   string // as the server named it, may be empty
	}
)

func (TextDelta) event()     {}
func (ThinkingDelta) event() {}
func (CallDelta) event()     {}
func (Retrying) event()      {}
func (Done) event()          {}

// Stop says why a reply ended. Whether it holds calls is told by its message
// alone: servers disagree about the word for that.
type Stop string

const (
	EndTurn   Stop = "end"        // the model was done, or calls tools
	MaxTokens Stop = "max_tokens" // cut by the output limit
	Filtered  Stop = "filtered"   // refused or cut by a content policy
)

// Usage counts tokens. Input includes the cached ones. Estimated is true when
// the server sent no counts.
type Usage struct {
	Input     int  `json:"input"`
	Cached    int  `json:"cached,omitzero"`
	Output    int  `json:"output"`
	Estimated bool `json:"estimated,omitzero"`
}

// Add returns the sum of two usages; the sum is estimated if either is.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.Input + v.Input, u.Cached + v.Cached, u.Output + v.Output, u.Estimated || v.Estimated}
}
