package agent_test

import (
	"fmt"
	"slices"
	"testing"

	"aye/agent"
	"aye/agent/agenttest"
	"aye/llm"
	"aye/tools"
)

// todoTool is the real one.
func todoTool() tools.Tool {
	all := tools.Catalog(tools.Deps{})
	return all[slices.IndexFunc(all, func(t tools.Tool) bool { return t.Name == "todo" })]
}

// todos is a call with one item for each status, "x> ".
func todos(id, statuses string) llm.ToolCall {
	args := ""
	for i, s := range statuses {
		status := map[rune]string{'x': "completed", '>': "in_progress", ' ': "pending", '?': "paused"}[s]
		args += fmt.Sprintf(`,{"id":"%d","text":"thing %d","status":%q}`, i+1, i+1, status)
	}
	return llm.ToolCall{ID: id, Name: "todo", Args: `{"items":[` + args[1:] + `]}`}
}

func statuses(list []tools.Todo) (s string) {
	for _, t := range list {
		s += map[tools.TodoStatus]string{tools.Completed: "x", tools.InProgress: ">", tools.Pending: " "}[t.Status]
	}
	return s
}

// The plan is the latest list that was right; calls of one reply count in
// their order; nothing asks, also where nothing may change. It outlives the
// program, and goes with /clear (M8, M9, M24, X4).
func TestTodosAreKept(t *testing.T) {
	var past []agent.Event
	scene(t, replies(
		agenttest.Call(todos("1", ">  "), todos("2", "x> ")),
		agenttest.Call(todos("3", "x>>")),
		agenttest.Call(todos("4", "x?")),
		agenttest.Call(todos("5", " > ")), // back from completed
		agenttest.Say("noted"),
	), func(st *stage) {
		st.opts.Tools = append(st.opts.Tools, todoTool())
		st.opts.Mode = agent.Plan
		var seen []string
		evs := st.play(func(ev agent.Event) bool {
			if is[agent.CallFinished](ev) {
				seen = append(seen, ev.(agent.CallFinished).CallID)
			}
			return !is[agent.TurnEnded](ev)
		}, "plan it")
		want(t, "the plan", statuses(st.state().Todos), " > ")
		want(t, "order", fmt.Sprint(seen), "[1 2 3 4 5]")
		want(t, "questions", len(all[agent.ApprovalAsked](evs)), 0)
		got := results(evs)
		want(t, "first", got["1"].Text, "[>] thing 1\n[ ] thing 2\n[ ] thing 3")
		want(t, "two at a time", got["3"].Status, tools.Failed)
		contains(t, "unknown status", got["4"].Text, "pending, in_progress or completed", "the old list stays")
		var err error
		if past, err = st.journal.Events(); err != nil {
			t.Fatal(err)
		}
	})
	scene(t, nil, func(st *stage) {
		st.past = past
		st.play(func(ev agent.Event) bool { return !is[agent.SessionOpened](ev) })
		want(t, "the plan after a resume", statuses(st.state().Todos), " > ")
	})
	scene(t, nil, func(st *stage) {
		st.past = past
		st.play(func(ev agent.Event) bool {
			if is[agent.SessionOpened](ev) {
				st.send(agent.Clear{})
			}
			return !is[agent.Cleared](ev)
		})
		want(t, "after clear", len(st.state().Todos), 0)
	})
}
