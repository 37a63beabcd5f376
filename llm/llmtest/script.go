package llmtest

import (
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	"aye/llm"
)

// A Script answers requests, one at a time.
type Script func(llm.Request) Reply

// A Reply is what the model does about one request. Fields left out are what a
// healthy server would do.
type Reply struct {
	Thinking string
	Text     string
	Calls    []llm.ToolCall // without an ID they get one that is new in the conversation
	Stop     llm.Stop       // "": EndTurn
	Usage    llm.Usage      // zero: a count of about what was said

	Piece   int           // runes in a delta; 0: 16
	Delay   time.Duration // before the first delta
	Between time.Duration // between two deltas

	Fault Fault
}

// A Fault is what goes wrong with a reply. Those that are about HTTP mean
// nothing to the Client that has none.
type Fault struct {
	Status int               // an error response with this status and Body, in place of the reply
	Header map[string]string // added to the response
	Body   string            // {"error":{"message":Body}} unless it begins with { or <

	Then  Then // what happens instead of going on
	After int  // after so many deltas; with fewer in the reply, before its end

	Comments   int    // that many comments before the first delta, Between apart
	ByteByByte bool   // each byte is flushed alone
	Gzip       bool   // compressed, and said to be
	Whole      bool   // one JSON value in place of a stream
	NoEnd      bool   // neither finish_reason nor [DONE]
	NoUsage    bool   // no counts
	Raw        string // the body, byte for byte, in place of the reply
}

// Then is how a reply ends before its end.
type Then string

const (
	Cut     Then = "cut"     // the connection is closed
	Stall   Then = "stall"   // nothing comes any more
	Error   Then = "error"   // an error inside the stream: overloaded
	Garbage Then = "garbage" // an event that is no JSON
)

// Steps returns the script that gives replies in order, and errors after them.
func Steps(replies ...Reply) Script {
	next := 0
	return func(llm.Request) Reply {
		if next == len(replies) {
			return Reply{Fault: Fault{Status: 400, Body: fmt.Sprintf("The script ends after %d replies.", len(replies))}}
		}
		next++
		return replies[next-1]
	}
}

// A player calls a script for one request at a time.
type player struct {
	mu     sync.Mutex
	script Script
}

// reply asks the script and fills in what it leaves out.
func (p *player) reply(req llm.Request) Reply {
	p.mu.Lock()
	r := p.script(req)
	p.mu.Unlock()
	if r.Piece <= 0 {
		r.Piece = 16
	}
	if r.Stop == "" {
		r.Stop = llm.EndTurn
	}
	known := 0
	for _, m := range req.Messages {
		known += len(m.Calls())
	}
	calls := make([]llm.ToolCall, len(r.Calls))
	for i, c := range r.Calls {
		if c.ID == "" {
			c.ID = fmt.Sprintf("call_%d", known+i+1)
		}
		calls[i] = c
	}
	r.Calls = calls
	if r.Usage == (llm.Usage{}) || r.Fault.NoUsage {
		r.Usage = llm.Usage{Input: max(req.Estimate(), 1), Output: max(r.message(req.Model).Estimate(), 1), Estimated: r.Fault.NoUsage}
	}
	return r
}

// message is the reply as the conversation will hold it.
func (r Reply) message(model string) llm.Message {
	m := llm.Message{Role: llm.Assistant}
	if r.Thinking != "" {
		m.Blocks = append(m.Blocks, llm.Thinking{Text: r.Thinking, Model: model})
	}
	if r.Text != "" {
		m.Blocks = append(m.Blocks, llm.Text{Text: r.Text})
	}
	for _, c := range r.Calls {
		m.Blocks = append(m.Blocks, c)
	}
	return m
}

// deltas are the pieces of r in order.
func (r Reply) deltas() []llm.Event {
	var out []llm.Event
	for _, s := range cut(r.Thinking, r.Piece) {
		out = append(out, llm.ThinkingDelta{Text: s})
	}
	for _, s := range cut(r.Text, r.Piece) {
		out = append(out, llm.TextDelta{Text: s})
	}
	for _, c := range r.Calls {
		out = append(out, llm.CallDelta{ID: c.ID, Name: c.Name})
		for _, s := range cut(c.Args, r.Piece) {
			out = append(out, llm.CallDelta{ID: c.ID, Name: c.Name, Args: s})
		}
	}
	return out
}

// cut divides s into pieces of n runes.
func cut(s string, n int) []string {
	var out []string
	for s != "" {
		end := 0
		for range n {
			_, size := utf8.DecodeRuneInString(s[end:])
			end += size
		}
		out = append(out, s[:end])
		s = s[end:]
	}
	return out
}
