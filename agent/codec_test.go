package agent_test

import (
	"bytes"
	"errors"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"aye/agent"
	"aye/llm"
	"aye/tools"
	"aye/tools/change"
)

var update = flag.Bool("update", false, "write testdata/events.jsonl anew")

var noon = time.Date(2026, 11, 30, 12, 0, 0, 1500, time.UTC)

// samples holds an event of every type, in the order of testdata/events.jsonl.
func samples() []agent.Event {
	diff := tools.View{Kind: tools.Diff, Summary: "+1 −1", Diffs: []change.FileDiff{{Path: "a.go", Kind: change.Changed, Added: 1, Removed: 1, Note: "CRLF line ends",
		Hunks: []change.Hunk{{Old: 1, New: 1, Lines: []change.Line{{Op: "-", Text: "a", End: "crlf"}, {Op: "+", Text: "b", End: "none"}}}}}}}
	reply := llm.Message{Role: llm.Assistant, Blocks: []llm.Block{
		llm.Thinking{Text: "hm", Signature: "s", Model: "m"}, llm.Text{Text: "I look."}, llm.ToolCall{ID: "1", Name: "read", Args: `{"path":"a"}`}}}
	return []agent.Event{
		agent.SessionOpened{ID: "s1", Workspace: "/w", Model: "m", Endpoint: "http://127.0.0.1:1/v1", Mode: agent.Ask, Version: "dev", At: noon},
		agent.SessionOpened{ID: "s1", Workspace: "/w", Model: "m", Endpoint: "http://127.0.0.1:1/v1", Mode: agent.Plan, Version: "dev", At: noon, Resumed: true},
		agent.PromptQueued{ID: 1, Text: "fix <it> & go\nön \u2028"},
		agent.PromptAccepted{ID: 1, Text: "fix it"},
		agent.PromptWithdrawn{ID: 2},
		agent.TurnStarted{Turn: 1},
		agent.Replied{Message: reply, Stop: llm.EndTurn, Usage: llm.Usage{Input: 3, Cached: 2, Output: 1, Estimated: true}, Model: "m-1"},
		agent.Replied{Message: llm.Message{Role: llm.Assistant, Blocks: []llm.Block{llm.Text{Text: "I lo"}}}, Stop: llm.EndTurn, Cut: true},
		agent.CallPrepared{CallID: "1", Tool: "edit", Title: "a.go", Effects: []tools.Effect{{Kind: tools.Write, Target: "a.go", Risk: "can run code"}}, Preview: diff},
		agent.ApprovalAsked{CallID: "1", Rule: "edit"},
		agent.ApprovalSettled{CallID: "1", Choice: agent.Always, Rule: "edit"},
		agent.ApprovalSettled{CallID: "2", Choice: agent.Deny, Note: "not now"},
		agent.ChangeCommitted{CallID: "1", Files: []agent.ChangedFile{{Path: "a.go", Kind: change.Changed, Added: 1, Removed: 1}}},
		agent.CallFinished{CallID: "1", Tool: "edit", Result: tools.Result{Status: tools.OK, Text: "done", View: diff}, Took: 1500 * time.Millisecond},
		agent.TurnEnded{Turn: 1, Reason: agent.Broken, Rounds: 2, Usage: llm.Usage{Input: 3, Output: 1}, Err: "connection lost"},
		agent.CommandStarted{ID: "command-1", Command: "ls", Share: true},
		agent.CommandFinished{ID: "command-1", Result: tools.Result{Status: tools.Failed, View: tools.View{Kind: tools.Output, Text: "no", Failed: true}}, Took: time.Second},
		agent.JobStarted{ID: 1, Command: "npm run dev"},
		agent.JobEnded{ID: 1, Command: "npm run dev", Summary: "exit 1 · 34.0 s", Failed: true, Told: true},
		agent.JobEnded{ID: 2, Command: "make"},
		agent.ModeSet{Mode: agent.Full},
		agent.Cleared{},
		agent.Reminded{Text: "<reminder>Update your todos.</reminder>", Why: "the plan is old"},
		agent.Pruned{CallIDs: []string{"1"}, Before: 9000, After: 5000},
		agent.Compacted{Summary: "What was", Dropped: 4, Before: 9000, After: 700, Why: "the context was full"},
		agent.Compacted{Summary: "What was", Ledger: "Files read:\n- a.go", Dropped: 4, Spared: []int{2, 3}, Before: 9000, After: 700, Usage: llm.Usage{Input: 3, Output: 1}, Window: 8192},
		agent.Noted{Level: agent.Warn, Text: "careful"},
		agent.TextStreamed{Text: "I "},
		agent.ThoughtStreamed{Text: "hm"},
		agent.CallStreamed{CallID: "1", Tool: "read", Bytes: 12},
		agent.CallProgress{CallID: "1", Text: "ok\n"},
		agent.Waiting{For: agent.ForRetry, Detail: "too busy", Until: noon},
		agent.JobsListed{Jobs: []tools.JobInfo{{ID: 1, Command: "npm run dev", Running: true, Took: time.Second, Last: "ready"}, {ID: 2, Command: "make", Took: time.Second, Summary: "exit 2 · 1.0 s", Failed: true}}},
	}
}

const goldenFile = "testdata/events.jsonl"

// TestLines holds the form of every event: scripts and old journals depend
// on it.
func TestLines(t *testing.T) {
	var got bytes.Buffer
	for _, ev := range samples() {
		line, err := agent.Encode(ev, noon)
		if err != nil {
			t.Fatal(err)
		}
		got.Write(append(line, '\n'))
		back, at, err := agent.Decode(line)
		if err != nil || !reflect.DeepEqual(back, ev) || !at.Equal(noon) {
			t.Errorf("%s\ndecodes as %#v at %v, %v", line, back, at, err)
		}
	}
	if *update {
		if err := os.WriteFile(goldenFile, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), golden) {
		t.Errorf("lines changed; where that is meant, go test ./agent -run TestLines -update\ngot\n%s\nwant\n%s", got.Bytes(), golden)
	}
}

// TestEveryEventHasALine reads event.go: a type that is not in samples is one
// whose line nobody holds.
func TestEveryEventHasALine(t *testing.T) {
	have := map[string]bool{}
	for _, ev := range samples() {
		have[reflect.TypeOf(ev).Name()] = true
	}
	file, err := parser.ParseFile(token.NewFileSet(), "event.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	events := 0
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != "event" {
			continue
		}
		events++
		if name := f.Recv.List[0].Type.(*ast.Ident).Name; !have[name] {
			t.Errorf("%s is not in samples: add it, and its name to codec.go, its case to State.Apply", name)
		}
	}
	if events != len(have) {
		t.Errorf("event.go declares %d events, samples has %d", events, len(have))
	}
}

func TestDecodeWhatOthersWrote(t *testing.T) {
	ev, _, err := agent.Decode([]byte(`{"colour":"red","id":7,"text":"x","at":"2026-11-30T12:00:00+01:00","type":"prompt_queued"}`))
	if err != nil || ev != (agent.PromptQueued{ID: 7, Text: "x"}) {
		t.Errorf("unknown fields, other order: %#v, %v", ev, err)
	}
	_, at, err := agent.Decode([]byte(`{"type":"teleported","at":"2026-11-30T12:00:00Z","to":"moon"}`))
	if u := (*agent.UnknownError)(nil); !errors.As(err, &u) || u.Type != "teleported" || at.IsZero() {
		t.Errorf("unknown type: %v at %v", err, at)
	}
	for _, line := range []string{"", "null", "7", "{", `{"type":7}`, `{"type":"prompt_queued","id":"one"}`, `{"type":"noted","at":"yesterday"}`,
		`{"type":"replied","message":{"role":"assistant","blocks":[{"type":"hologram","data":{}}]}}`} {
		if ev, _, err := agent.Decode([]byte(line)); err == nil {
			t.Errorf("%q decodes as %#v", line, ev)
		}
	}
}

func TestDecodeAllSkipsWhatItCannotRead(t *testing.T) {
	past, skipped := agent.DecodeAll([][]byte{
		[]byte(`{"type":"turn_started","at":"2026-11-30T12:00:00Z","turn":1}`),
		[]byte(`{"type":"teleported","at":"2026-11-30T12:00:00Z"}`),
		[]byte(`rubbish`),
		[]byte(`{"type":"cleared","at":"2026-11-30T12:00:00Z"}`),
	})
	want(t, "events", len(past), 2)
	want(t, "skipped", len(skipped), 2)
	contains(t, "first", skipped[0].Error(), "record 2", "teleported", "newer aye")
	contains(t, "second", skipped[1].Error(), "record 3")
}

func TestEncodeRefusesWhatIsNoEvent(t *testing.T) {
	for _, ev := range []agent.Event{nil, agent.Replied{Message: llm.Message{Blocks: []llm.Block{nil}}}} {
		if line, err := agent.Encode(ev, noon); err == nil {
			t.Errorf("%s", line)
		}
	}
	if _, err := agent.Encode(agent.Cleared{}, time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC)); err == nil {
		t.Error("the year 20000 has a line")
	}
}

func FuzzDecode(f *testing.F) {
	golden, err := os.ReadFile(goldenFile)
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(golden)) {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		ev, at, err := agent.Decode(line)
		if err != nil {
			return
		}
		again, err := agent.Encode(ev, at)
		if err != nil {
			t.Fatalf("%#v decoded and does not encode: %v", ev, err)
		}
		if bytes.ContainsAny(again, "\n") {
			t.Fatalf("more than one line: %q", again)
		}
		same, _, err := agent.Decode(again)
		if err != nil {
			t.Fatalf("%s: %v", again, err)
		}
		once, err := agent.Encode(same, at)
		if err != nil || !bytes.Equal(once, again) {
			t.Errorf("not stable (%v):\n%s\n%s", err, again, once)
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	evs := samples()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := agent.Encode(evs[i%len(evs)], noon); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	var lines [][]byte
	for _, ev := range samples() {
		line, err := agent.Encode(ev, noon)
		if err != nil {
			b.Fatal(err)
		}
		lines = append(lines, line)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, _, err := agent.Decode(lines[i%len(lines)]); err != nil {
			b.Fatal(err)
		}
	}
}
