package main

import (
	"encoding/json"
	"os/exec"
	"slices"
	"testing"

	"aye/agent"
	"aye/llm"
	"aye/llm/llmtest"
	"aye/tools"
	"aye/tui/tuitest"
)

// A talk is a session as openSession wires it, in this process: a model over
// real HTTP, the real tools in a real folder, and a person who answers as the
// test says.
type talk struct {
	*session
	w     *world
	asked []string // the calls that the person was asked about
}

// talk opens a session in w's folder.
func (w *world) talk(want sessionWant, environ ...string) *talk {
	w.t.Helper()
	want.in.dir = w.dir
	conf, err := loadConfig(want.in, vars(append([]string{"AYE_HOME=" + w.home, "API_KEY=" + secret, "API_BASE_URL=" + w.model.URL(), "API_MODEL=scripted"}, environ...)...))
	if err != nil {
		w.t.Fatal(err)
	}
	s, err := openSession(w.t.Context(), conf, want)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		if err := s.close(); err != nil {
			w.t.Error(err)
		}
	})
	return &talk{session: s, w: w}
}

func (c *talk) send(cmd agent.Command) {
	c.w.t.Helper()
	if err := c.Send(c.w.t.Context(), cmd); err != nil {
		c.w.t.Fatal(err)
	}
}

// until collects events up to one that is good. Questions are answered with
// choice; "" leaves them open.
func (c *talk) until(choice agent.Choice, good func(agent.Event) bool) []agent.Event {
	c.w.t.Helper()
	var got []agent.Event
	for ev := range c.Events() {
		got = append(got, ev)
		if q, ok := ev.(agent.ApprovalAsked); ok {
			c.asked = append(c.asked, q.CallID)
			if choice != "" {
				c.send(agent.Answer{CallID: q.CallID, Choice: choice})
			}
		}
		if good(ev) {
			return got
		}
	}
	c.w.t.Fatal("the session ended before what was waited for")
	return nil
}

func is[E agent.Event](ev agent.Event) bool { _, ok := ev.(E); return ok }

// say sends a message and follows its turn to the end.
func (c *talk) say(text string, choice agent.Choice) []agent.Event {
	c.w.t.Helper()
	c.send(agent.Prompt{Text: text})
	return c.until(choice, is[agent.TurnEnded])
}

// all are the events of one kind.
func all[E agent.Event](events []agent.Event) []E {
	var got []E
	for _, ev := range events {
		if e, ok := ev.(E); ok {
			got = append(got, e)
		}
	}
	return got
}

// last is the last event of its kind.
func last[E agent.Event](t *testing.T, events []agent.Event) E {
	t.Helper()
	got := all[E](events)
	if len(got) == 0 {
		var none E
		t.Fatalf("no %T among %d events", none, len(events))
	}
	return got[len(got)-1]
}

// request is what the model was sent the nth time, from 0; the last for -1.
func (w *world) request(n int) llm.Request {
	w.t.Helper()
	requests := w.model.Requests()
	if n < 0 {
		n += len(requests)
	}
	if n < 0 || n >= len(requests) {
		w.t.Fatalf("there is no request %d among %d", n, len(requests))
	}
	return requests[n].Request
}

// results are the results of calls in a request, in order.
func results(req llm.Request) []llm.ToolResult {
	var got []llm.ToolResult
	for _, m := range req.Messages {
		for _, b := range m.Blocks {
			if r, ok := b.(llm.ToolResult); ok {
				got = append(got, r)
			}
		}
	}
	return got
}

// lastResult is the last result in a request.
func lastResult(t *testing.T, req llm.Request) string {
	t.Helper()
	got := results(req)
	if len(got) == 0 {
		t.Fatal("no result of a call in the request")
	}
	return got[len(got)-1].Text
}

// calls is a reply with several calls, as "tool", "arguments" pairs.
func calls(pairs ...string) llmtest.Reply {
	var r llmtest.Reply
	for pair := range slices.Chunk(pairs, 2) {
		r.Calls = append(r.Calls, llm.ToolCall{Name: pair[0], Args: pair[1]})
	}
	return r
}

// outcomeOf runs one call from the model's request to the next one, and
// returns what the model was told.
func outcomeOf(t *testing.T, choice agent.Choice, files []string, tool, args string) (told string, done agent.CallFinished, w *world) {
	t.Helper()
	w = newWorld(t, llmtest.Steps(call("", tool, args), say("ok")), files...)
	events := w.talk(sessionWant{}).say("go", choice)
	return lastResult(t, w.request(-1)), last[agent.CallFinished](t, events), w
}

// failed says that a call did not do what it was for.
func failed(done agent.CallFinished) bool { return done.Result.Status == tools.Failed }

// quoted is text as a JSON string.
func quoted(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always can be
	}
	return string(data)
}

// startScreen runs a command on a terminal of the usual size.
func startScreen(t *testing.T, cmd *exec.Cmd) *tuitest.Screen {
	t.Helper()
	return tuitest.Start(t, 100, 30, cmd)
}
