package llmtest

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"aye/llm"
)

// serve writes reply as the answer to r.
func serve(w http.ResponseWriter, r *http.Request, asked wireRequest, reply Reply) {
	f := reply.Fault
	for name, value := range f.Header {
		w.Header().Set(name, value)
	}
	if f.Status != 0 {
		if sleep(r.Context(), reply.Delay) == nil {
			fail(w, f.Status, f.Body)
		}
		return
	}
	out := &stream{ctx: r.Context(), out: w, http: http.NewResponseController(w), byByte: f.ByteByByte,
		chunk: wireChunk{ID: "chatcmpl-script", Object: "chat.completion.chunk", Model: asked.Model}}
	if f.Gzip {
		w.Header().Set("Content-Encoding", "gzip")
		out.zip = gzip.NewWriter(w)
		out.out = out.zip
	}
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "text/event-stream")
	}
	switch {
	case f.Raw != "":
		if sleep(out.ctx, reply.Delay) == nil {
			out.write(f.Raw)
		}
	case f.Whole || !asked.Stream:
		w.Header().Set("Content-Type", "application/json")
		if sleep(out.ctx, reply.Delay) == nil {
			out.whole(reply)
		}
	default:
		out.stream(reply, asked.Options.IncludeUsage && !f.NoUsage)
	}
	if out.zip != nil {
		out.zip.Close() //nolint:errcheck // the client may be gone
	}
}

// A stream is one reply going out. Its first error ends it: the client left.
type stream struct {
	ctx    context.Context
	out    io.Writer
	zip    *gzip.Writer // nil: plain
	http   *http.ResponseController
	byByte bool
	err    error
	chunk  wireChunk // what all chunks share
	calls  map[string]int
}

// write sends s now.
func (s *stream) write(text string) {
	step := len(text)
	if s.byByte {
		step = 1
	}
	for ; text != "" && s.err == nil; text = text[step:] {
		step = min(step, len(text))
		if _, s.err = io.WriteString(s.out, text[:step]); s.err != nil {
			return
		}
		if s.zip != nil {
			s.err = s.zip.Flush()
		}
		if err := s.http.Flush(); err != nil && s.err == nil {
			s.err = err
		}
	}
}

// send writes v as one event.
func (s *stream) send(v any) {
	data, err := json.Marshal(v)
	if err != nil {
		s.err = err
		return
	}
	s.write("data: " + string(data) + "\n\n")
}

func (s *stream) choice(d wireDelta, finish *string) {
	c := s.chunk
	c.Choices = []wireChoice{{Delta: &d, Finish: finish}}
	s.send(c)
}

// stream sends r in pieces, and its end as the fault will have it.
func (s *stream) stream(r Reply, usage bool) {
	f := r.Fault
	empty := ""
	s.write(": a scripted model\n\n")
	for range f.Comments {
		if sleep(s.ctx, r.Between) != nil {
			return
		}
		s.write(": still here\n\n")
	}
	s.choice(wireDelta{Role: "assistant", Content: &empty}, nil)
	healthy := r
	healthy.Fault = Fault{Then: f.Then, After: f.After}
	err := healthy.play(s.ctx, func(ev llm.Event) bool {
		s.choice(s.delta(ev), nil)
		return s.err == nil
	})
	switch {
	case s.err != nil || s.ctx.Err() != nil:
		return
	case f.Then == Error:
		s.send(map[string]any{"error": map[string]any{"message": "The scripted model is overloaded.", "code": 503}})
		return
	case f.Then == Garbage:
		s.write("data: {\"choices\": [{]\n\n")
		return
	case err != nil:
		panic(http.ErrAbortHandler) // closes the connection in the middle
	case f.NoEnd:
		return
	}
	finish := r.finish()
	s.choice(wireDelta{}, &finish)
	if usage {
		c := s.chunk
		c.Choices, c.Usage = []wireChoice{}, r.wireUsage()
		s.send(c)
	}
	s.write("data: [DONE]\n\n")
}

// delta is ev as a chunk holds it. The first piece of a call names it.
func (s *stream) delta(ev llm.Event) wireDelta {
	switch ev := ev.(type) {
	case llm.TextDelta:
		return wireDelta{Content: &ev.Text}
	case llm.ThinkingDelta:
		return wireDelta{Thinking: ev.Text}
	case llm.CallDelta:
		var c wireCall
		index, known := s.calls[ev.ID]
		if !known {
			if s.calls == nil {
				s.calls = map[string]int{}
			}
			index = len(s.calls)
			s.calls[ev.ID] = index
			c.ID, c.Type, c.Function.Name = ev.ID, "function", ev.Name
		}
		c.Index, c.Function.Arguments = &index, ev.Args
		return wireDelta{Calls: []wireCall{c}}
	case llm.Retrying, llm.Done: // no deltas
	}
	panic(fmt.Sprintf("llmtest: %T is no delta", ev))
}

// whole sends r as one JSON value.
func (s *stream) whole(r Reply) {
	m := wireDelta{Role: "assistant", Content: &r.Text, Thinking: r.Thinking}
	for _, call := range r.Calls {
		c := wireCall{ID: call.ID, Type: "function"}
		c.Function.Name, c.Function.Arguments = call.Name, call.Args
		m.Calls = append(m.Calls, c)
	}
	finish := r.finish()
	c := s.chunk
	c.Object, c.Choices = "chat.completion", []wireChoice{{Message: &m, Finish: &finish}}
	if !r.Fault.NoUsage {
		c.Usage = r.wireUsage()
	}
	data, err := json.Marshal(c)
	if err == nil {
		s.write(string(data) + "\n")
	}
}
