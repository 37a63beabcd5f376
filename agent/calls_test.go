package agent_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"aye/agent"
	"aye/agent/agenttest"
	"aye/llm"
	"aye/tools"
	"aye/tools/change"
)

func TestCallsAndTheirResults(t *testing.T) {
	scene(t, replies(
		agenttest.Call(call("1", "look", "a"), call("2", "touch", "b")),
		agenttest.Say("fine"),
	), func(st *stage) {
		st.opts.Mode = agent.Full
		evs := st.play(nil, "hi")
		want(t, "events", kinds(evs), "SessionOpened PromptQueued TurnStarted PromptAccepted Replied "+
			"CallPrepared CallFinished CallPrepared ChangeCommitted CallFinished Replied TurnEnded")
		want(t, "rounds", st.ended(evs).Rounds, 2)
		want(t, "change", all[agent.ChangeCommitted](evs)[0].Files[0], agent.ChangedFile{Path: "b", Kind: change.Added, Added: 1})
		sent := st.model.Requests()[1].Messages
		want(t, "messages sent", len(sent), 3)
		want(t, "first result", sent[2].Blocks[0], llm.Block(llm.ToolResult{CallID: "1", Name: "look", Text: "look a"}))
		want(t, "second result", sent[2].Blocks[1], llm.Block(llm.ToolResult{CallID: "2", Name: "touch", Text: "touch b"}))
	})
}

func TestNeighbouringReadsRunTogether(t *testing.T) {
	scene(t, replies(
		agenttest.Call(call("1", "watch", "a"), call("2", "watch", "b"), call("3", "look", "c"), call("4", "slow", "d"), call("5", "watch", "e")),
	), func(st *stage) {
		st.opts.Mode = agent.Full
		began := time.Now()
		evs := st.play(nil, "hi")
		// a, b and c together, then d, then e; and a second for the answer
		want(t, "time", time.Since(began), 3*time.Minute+time.Second)
		var order string
		for _, f := range all[agent.CallFinished](evs) {
			order += f.CallID
		}
		want(t, "order of results", order, "12345")
		want(t, "time of one", all[agent.CallFinished](evs)[0].Took, time.Minute)
	})
}

// A call that cannot run is first seen by its result, so neighbours that can
// are seen before and after it, as they stand in the reply.
func TestCallsAreSeenInOrder(t *testing.T) {
	scene(t, replies(
		agenttest.Call(call("1", "watch", "a"), call("2", "look", "b"), llm.ToolCall{ID: "3", Name: "look", Args: "{}"}, call("4", "look", "c")),
	), func(st *stage) {
		st.opts.Mode = agent.Full
		var seen string
		known := map[string]bool{}
		for _, ev := range st.play(nil, "hi") {
			id := ""
			switch ev := ev.(type) {
			case agent.CallPrepared:
				id = ev.CallID
			case agent.CallFinished:
				id = ev.CallID
			}
			if id != "" && !known[id] {
				seen, known[id] = seen+id, true
			}
		}
		want(t, "first seen", seen, "1234")
	})
}

func TestCallsThatCannotRun(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for name, c := range map[string]struct {
		call llm.ToolCall
		says []string
	}{
		"unknown tool":      {llm.ToolCall{Name: "read_file_look", Args: "{}"}, []string{`error: there is no tool named "read_file_look"`, "Did you mean look?", "look, touch, slow"}},
		"unlike any tool":   {llm.ToolCall{Name: "zzz", Args: "{}"}, []string{`error: there is no tool named "zzz". The tools are: look, touch`}},
		"endless tool name": {llm.ToolCall{Name: long, Args: "{}"}, []string{`…". The tools are: look, touch`}},
		"no JSON":           {llm.ToolCall{Name: "look", Args: "rubbish"}, []string{"error: the arguments are no JSON object"}},
		"wrong arguments":   {llm.ToolCall{Name: "look", Args: "{}"}, []string{"error: path is missing: give one"}},
		"panic in Run":      {call("", "crash", "a"), []string{"error: a bug in aye: crash ran (in aye/agent/agenttest.", "inspect before retrying"}},
		"panic in Prepare":  {call("", "trap", "a"), []string{"error: a bug in aye: trap prepared (in aye/agent/agenttest."}},
	} {
		t.Run(name, func(t *testing.T) {
			scene(t, replies(agenttest.Call(c.call)), func(st *stage) {
				st.opts.Mode = agent.Full
				evs := st.play(nil, "hi")
				want(t, "reason", st.ended(evs).Reason, agent.Finished)
				want(t, "status", all[agent.CallFinished](evs)[0].Result.Status, tools.Failed)
				sent := st.model.Requests()[1].Messages
				result := sent[len(sent)-1].Blocks[0].(llm.ToolResult)
				contains(t, "result", result.Text, c.says...)
				if !result.Failed || len(result.Text) > 1000 {
					t.Errorf("failed %v, %d bytes", result.Failed, len(result.Text))
				}
			})
		})
	}
}

func TestRepeatedAndMissingCallIDs(t *testing.T) {
	scene(t, replies(
		agenttest.Call(call("0", "look", "a"), call("", "look", "b"), call("0", "look", "c")),
		agenttest.Call(call("0", "look", "d"), call("", "look", "e")),
	), func(st *stage) {
		evs := st.play(nil, "hi") // the order rules hold that ids are distinct
		want(t, "results", len(results(evs)), 5)
		for _, m := range st.state().Messages {
			for _, b := range m.Blocks {
				if r, ok := b.(llm.ToolResult); ok && !strings.HasPrefix(r.Text, "look ") {
					t.Errorf("%+v", r)
				}
			}
		}
	})
}

func TestCutArgumentsDoNotRun(t *testing.T) {
	cut := llm.ToolCall{ID: "2", Name: "touch", Args: `{"path":"b`}
	scene(t, replies(
		agenttest.Give(llm.Done{Stop: llm.MaxTokens, Message: llm.Message{Blocks: []llm.Block{call("1", "touch", "a"), cut}}}),
	), func(st *stage) {
		st.opts.Mode = agent.Full
		evs := st.play(nil, "hi")
		r := results(evs)
		want(t, "whole call", r["1"].Status, tools.OK)
		want(t, "cut call", r["2"].Status, tools.Failed)
		contains(t, "cut call", r["2"].Text, "Not run", "Write less at a time")
		want(t, "prepared", len(all[agent.CallPrepared](evs)), 1)
	})
}

// counter is a shell-like tool whose result is what next says.
func counter(name string, kind tools.EffectKind, next func(args string) tools.Result) tools.Tool {
	return tools.Tool{Name: name, ReadOnly: kind == tools.Read, Prepare: func(_ context.Context, args string) (tools.Action, error) {
		return tools.Action{Title: args, Effects: []tools.Effect{{Kind: kind, Target: args}}, Run: func(context.Context, func(string)) tools.Result {
			return next(args)
		}}, nil
	}}
}

func fixed(text string) func(string) tools.Result {
	return func(string) tools.Result { return tools.Result{Status: tools.OK, Text: text} }
}

// rounds makes a reply for each group of calls "tool args", separated by "+".
func rounds(specs ...string) []agenttest.Reply {
	var out []agenttest.Reply
	for _, spec := range specs {
		var calls []llm.ToolCall
		for one := range strings.SplitSeq(spec, "+") {
			name, args, _ := strings.Cut(one, " ")
			calls = append(calls, llm.ToolCall{Name: name, Args: args})
		}
		out = append(out, agenttest.Call(calls...))
	}
	return out
}

func repeat(n int, specs ...string) []string {
	var out []string
	for range n {
		out = append(out, specs...)
	}
	return out
}

func TestLoopStop(t *testing.T) {
	for name, c := range map[string]struct {
		calls   []string
		stopped bool
		rounds  int // with the last one
	}{
		"the same read":            {repeat(10, "see a"), true, 6},
		"the same command":         {repeat(10, "sh test"), true, 6},
		"the same failing edit":    {repeat(10, "fail x"), true, 6},
		"reads between failures":   {repeat(10, "fail x+see a"), true, 6},
		"there and back":           {repeat(10, "put a", "put b"), true, 11},
		"in one reply":             {[]string{"see a+see a+see a+see a+see a"}, true, 2},
		"four times":               {repeat(4, "see a"), false, 5},
		"twelve edits":             {[]string{"put 1", "put 2", "put 3", "put 4", "put 5", "put 6", "put 7", "put 8", "put 9", "put 10", "put 11", "put 12"}, false, 13},
		"a test that changes":      {repeat(12, "poll test"), false, 13},
		"the same read after edit": {[]string{"see a", "put 1", "see a", "put 2", "see a", "put 3", "see a", "put 4", "see a", "put 5", "see a", "put 6", "see a"}, false, 14},
	} {
		t.Run(name, func(t *testing.T) {
			scene(t, rounds(c.calls...), func(st *stage) {
				n := 0
				st.opts.Mode = agent.Full
				st.opts.Tools = []tools.Tool{
					counter("see", tools.Read, fixed("content")),
					counter("sh", tools.Exec, fixed("FAIL")),
					counter("put", tools.Write, fixed("written")),
					counter("fail", tools.Write, func(string) tools.Result { return tools.Result{Status: tools.Failed, Text: "old text not found"} }),
					counter("poll", tools.Exec, func(string) tools.Result {
						n++
						return tools.Result{Status: tools.OK, Text: fmt.Sprint(n, " failures left")}
					}),
				}
				evs := st.play(nil, "hi")
				end := st.ended(evs)
				want(t, "stopped", end.Reason == agent.Limited, c.stopped)
				want(t, "a loop is said to be one", strings.Contains(end.Err, "repeated the same call"), c.stopped)
				want(t, "rounds", end.Rounds, c.rounds)
				told := 0
				for _, r := range results(evs) {
					told += strings.Count(r.Text, "exactly this call gives exactly this result")
				}
				if c.stopped && told == 0 {
					t.Error("the model was not told before it was stopped")
				}
				if !c.stopped && name != "four times" && told != 0 {
					t.Errorf("honest work was told %d times that it repeats itself", told)
				}
				reqs := st.model.Requests()
				want(t, "last request has tools", len(reqs[len(reqs)-1].Tools) > 0, !c.stopped)
			})
		})
	}
}

func TestRoundLimit(t *testing.T) {
	var many []string
	for i := range 40 {
		many = append(many, fmt.Sprintf("put %d", i))
	}
	for _, c := range []struct{ max, rounds int }{{0, 25}, {1, 2}, {3, 4}} {
		scene(t, append(rounds(many[:max(c.rounds-1, 1)]...), agenttest.Say("I stopped half-way.")), func(st *stage) {
			st.opts.Mode, st.opts.MaxRounds = agent.Full, c.max
			st.opts.Tools = []tools.Tool{counter("put", tools.Write, fixed("written"))}
			evs := st.play(nil, "hi")
			want(t, "end", st.ended(evs), agent.TurnEnded{Turn: 1, Reason: agent.Limited, Rounds: c.rounds, Usage: llm.Usage{Input: 10, Output: 2}})
			reqs := st.model.Requests()
			last := reqs[len(reqs)-1]
			want(t, "tools in the last request", len(last.Tools), 0)
			contains(t, "note", last.Messages[len(last.Messages)-1].Text(), "Say briefly what is done")
			msgs := st.state().Messages
			want(t, "answer", msgs[len(msgs)-1].Text(), "I stopped half-way.")
			want(t, "message before it", len(msgs[len(msgs)-2].Text()), 0) // the note is not kept
		})
	}
}

func TestCallsAtTheLimitAreAnswered(t *testing.T) {
	scene(t, rounds("look a", "look b", "look c"), func(st *stage) {
		st.opts.MaxRounds = 1
		evs := st.play(nil, "hi")
		want(t, "reason", st.ended(evs).Reason, agent.Limited)
		last := all[agent.CallFinished](evs)[1]
		contains(t, "result", last.Result.Text, "no more calls are possible")
	})
}
