package agenttest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"aye/agent"
	"aye/tools"
	"aye/tools/change"
)

// Tools is a catalogue small enough to have in one's head. Each takes
// {"path": "..."}:
//
//	look      reads at once
//	touch     changes a file at once; asks
//	slow      runs for a minute, stops when told; asks
//	watch     reads for a minute, stops when told
//	stubborn  runs for an hour, whatever it is told; asks
//	crash     panics when it runs; asks
//	trap      panics when it is prepared
func Tools() []tools.Tool {
	return []tools.Tool{
		tool("look", true, nothing),
		tool("touch", false, nothing),
		tool("slow", false, sleep(time.Minute)),
		tool("watch", true, sleep(time.Minute)),
		tool("stubborn", false, func(context.Context) bool {
			<-time.After(time.Hour)
			return true
		}),
		tool("crash", false, func(context.Context) bool { panic("crash ran") }),
		{Name: "trap", Doc: "trap", Schema: schema, Prepare: func(context.Context, string) (tools.Action, error) {
			panic("trap prepared")
		}},
	}
}

var schema = json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`)

// Args returns the arguments that name path.
func Args(path string) string {
	args, _ := json.Marshal(map[string]string{"path": path})
	return string(args)
}

func nothing(context.Context) bool { return true }

func sleep(d time.Duration) func(context.Context) bool {
	return func(ctx context.Context) bool {
		select {
		case <-time.After(d):
			return true
		case <-ctx.Done():
			return false
		}
	}
}

// tool returns a tool that acts with work, which reports whether it came to
// its end.
func tool(name string, readOnly bool, work func(context.Context) bool) tools.Tool {
	return tools.Tool{Name: name, Doc: name, Schema: schema, ReadOnly: readOnly,
		Prepare: func(ctx context.Context, text string) (tools.Action, error) {
			var args struct{ Path string }
			if err := json.Unmarshal([]byte(text), &args); err != nil {
				return tools.Action{}, fmt.Errorf("the arguments are no JSON object: %w", err)
			}
			if args.Path == "" {
				return tools.Action{}, fmt.Errorf("path is missing: give one, such as {\"path\": \"a\"}")
			}
			return action(name, args.Path, readOnly, work), nil
		}}
}

func action(name, path string, readOnly bool, work func(context.Context) bool) tools.Action {
	act := tools.Action{
		Title:   path,
		Effects: []tools.Effect{{Kind: tools.Read, Target: path}},
		Run: func(ctx context.Context, progress func(string)) tools.Result {
			progress(name + " " + path + "\n")
			if !work(ctx) {
				return tools.Result{Status: tools.Interrupted, Text: "half of " + path}
			}
			return tools.Result{Status: tools.OK, Text: name + " " + path}
		},
	}
	if !readOnly {
		act.Effects[0].Kind = tools.Write
		act.Change = &change.Set{Files: []change.File{{Path: path, After: []byte(name + "\n")}}}
		act.Preview = tools.View{Kind: tools.Diff, Diffs: []change.FileDiff{{Path: path, Kind: change.Added, Added: 1}}}
	}
	return act
}

// Shell prepares a person's command: "slow" takes a minute, "fail" cannot be
// prepared, others end at once.
func Shell(_ context.Context, command string) (tools.Action, error) {
	work := nothing
	switch command {
	case "slow":
		work = sleep(time.Minute)
	case "fail":
		return tools.Action{}, fmt.Errorf("there is no shell")
	}
	return action("ran", command, true, work), nil
}

// Policy lets reads pass in every mode, rejects the rest in Plan, lets it
// pass in Full, and asks otherwise, unless the rule "tool path" was granted.
type Policy struct{}

// Judge implements [agent.Policy].
func (Policy) Judge(mode, tool string, effects []tools.Effect, grants []string) agent.Ruling {
	for _, e := range effects {
		if e.Kind == tools.Read || mode == string(agent.Full) {
			continue
		}
		rule := tool + " " + e.Target
		switch {
		case mode == string(agent.Plan):
			return agent.Ruling{Verdict: agent.Reject, Why: "The plan mode changes nothing."}
		case !slices.Contains(grants, rule):
			return agent.Ruling{Verdict: agent.Inquire, Rule: rule}
		}
	}
	return agent.Ruling{Verdict: agent.Pass}
}
