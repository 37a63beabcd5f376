package agent_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"aye/agent"
	"aye/agent/agenttest"
	"aye/llm"
	"aye/tools"
)

// planTool is a todo tool: its result is the plan. The argument is how many of
// two items are done.
func planTool() tools.Tool {
	return tools.Tool{Name: "todo", ReadOnly: true, Prepare: func(_ context.Context, args string) (tools.Action, error) {
		return tools.Action{Title: "plan", Run: func(context.Context, func(string)) tools.Result {
			list := []tools.Todo{{ID: "1", Text: "one", Status: tools.Pending}, {ID: "2", Text: "two", Status: tools.Pending}}
			for i := range strings.Count(args, "x") {
				list[i].Status = tools.Completed
			}
			return tools.Result{Status: tools.OK, Text: "noted", View: tools.View{Kind: tools.Plan, Todos: list}}
		}}, nil
	}}
}

func reminders(evs []agent.Event) string {
	var list []string
	for _, r := range all[agent.Reminded](evs) {
		list = append(list, r.Why)
	}
	return strings.Join(list, ", ")
}

// M11: three rounds without news of an open plan bring a reminder, and the
// count starts anew; a call of the tool starts it anew too.
func TestAnOldPlan(t *testing.T) {
	looks := func(from, n int) []agenttest.Reply {
		var list []agenttest.Reply
		for i := range n {
			list = append(list, agenttest.Call(call(fmt.Sprint(from+i), "look", fmt.Sprint(from+i))))
		}
		return list
	}
	plan := func(id, done string) []agenttest.Reply {
		return replies(agenttest.Call(llm.ToolCall{ID: id, Name: "todo", Args: done}))
	}
	join := func(lists ...[]agenttest.Reply) (all []agenttest.Reply) {
		for _, l := range lists {
			all = append(all, l...)
		}
		return all
	}
	for name, tt := range map[string]struct {
		replies []agenttest.Reply
		want    int
	}{
		"no plan":              {looks(1, 8), 0},
		"two rounds":           {join(plan("p", ""), looks(1, 2)), 0},
		"three rounds":         {join(plan("p", ""), looks(1, 3)), 1},
		"five rounds":          {join(plan("p", "x"), looks(1, 5)), 1},
		"six rounds":           {join(plan("p", ""), looks(1, 6)), 2},
		"news between":         {join(plan("p", ""), looks(1, 2), plan("q", "x"), looks(5, 2)), 0},
		"news, and then three": {join(plan("p", ""), looks(1, 2), plan("q", "x"), looks(5, 3)), 1},
		"all done":             {join(plan("p", "xx"), looks(1, 8)), 0},
	} {
		t.Run(name, func(t *testing.T) {
			scene(t, tt.replies, func(st *stage) {
				st.opts.Tools = append(st.opts.Tools, planTool())
				evs := st.play(nil, "hi")
				want(t, "reason", st.ended(evs).Reason, agent.Finished)
				got := all[agent.Reminded](evs)
				want(t, "reminders", len(got), tt.want)
				for _, r := range got {
					want(t, "text", r.Text, "<reminder>Update your todos.</reminder>")
				}
			})
		})
	}
}

// T70: an empty reply is asked for again, then with a word, and only the third
// is an error.
func TestEmptyRepliesAreAskedForAgain(t *testing.T) {
	empty := agenttest.Give(llm.Done{Message: llm.Message{Blocks: []llm.Block{llm.Thinking{Text: "hm"}}}})
	look := func(id string) agenttest.Reply { return agenttest.Call(call(id, "look", id)) }
	for name, tt := range map[string]struct {
		replies  []agenttest.Reply
		reason   agent.Reason
		reminded string
		asked    int
	}{
		"once":              {replies(empty, agenttest.Say("fine")), agent.Finished, "", 2},
		"after a result":    {replies(look("1"), empty, agenttest.Say("fine")), agent.Finished, "", 3},
		"twice":             {replies(empty, empty, agenttest.Say("fine")), agent.Finished, "the reply was empty", 3},
		"three times":       {replies(empty, empty, empty), agent.Broken, "the reply was empty", 3},
		"not in a row":      {replies(empty, look("1"), empty, look("2"), empty, agenttest.Say("fine")), agent.Finished, "", 6},
		"at the last round": {replies(look("1"), look("2"), look("3"), empty, agenttest.Say("fine")), agent.Broken, "", 4},
	} {
		t.Run(name, func(t *testing.T) {
			scene(t, tt.replies, func(st *stage) {
				st.opts.MaxRounds = 24
				if name == "at the last round" {
					st.opts.MaxRounds = 4
				}
				evs := st.play(nil, "hi")
				want(t, "reason", st.ended(evs).Reason, tt.reason)
				want(t, "reminders", reminders(evs), tt.reminded)
				want(t, "requests", len(st.model.Requests()), tt.asked)
			})
		})
	}
}

const (
	dodge  = "I will run the tests.\n\n```bash\ngo test ./...\n```\n"
	markup = "<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}\n</tool_call>"
)

// M69: an answer that only shows what it should have called is reminded, twice
// at most; the third is the answer.
func TestDodgedCalls(t *testing.T) {
	for name, tt := range map[string]struct {
		replies  []agenttest.Reply
		set      func(*agent.Options)
		reminded string
		asked    int
	}{
		"once":           {replies(agenttest.Say(dodge), agenttest.Call(call("1", "look", "a")), agenttest.Say("fine")), nil, "a command was shown, not run", 3},
		"three times":    {replies(agenttest.Say(dodge), agenttest.Say(dodge), agenttest.Say(dodge)), nil, "a command was shown, not run, a command was shown, not run", 3},
		"over the turn":  {replies(agenttest.Say(dodge), agenttest.Call(call("1", "look", "a")), agenttest.Say(markup), agenttest.Say(dodge)), nil, "a command was shown, not run, a call could not be read", 4},
		"markup":         {replies(agenttest.Say(markup), agenttest.Say("fine")), nil, "a call could not be read", 2},
		"cut markup":     {replies(agenttest.Give(llm.Done{Stop: llm.MaxTokens, Message: llm.Message{Blocks: []llm.Block{llm.Text{Text: "<tool_call>\n{\"na"}}}}), agenttest.Say("fine")), nil, "a call was cut at the output limit", 2},
		"an answer":      {replies(agenttest.Say("You can run:\n```bash\nls\n```\n")), nil, "", 1},
		"plan mode":      {replies(agenttest.Say(dodge)), func(o *agent.Options) { o.Mode = agent.Plan }, "", 1},
		"no tools":       {replies(agenttest.Say(dodge)), func(o *agent.Options) { o.Tools = nil }, "", 1},
		"the last round": {replies(agenttest.Say(dodge)), func(o *agent.Options) { o.MaxRounds = 1 }, "", 1},
		"after a denial": {replies(agenttest.Call(call("1", "touch", "a")), agenttest.Say(dodge)), func(o *agent.Options) { o.Mode, o.Unattended = agent.Ask, true }, "", 2},
		"an open plan": {replies(agenttest.Call(llm.ToolCall{ID: "p", Name: "todo"}), agenttest.Say("The next step:\n```sh\nmake\n```"), agenttest.Say("fine")),
			nil, "a command was shown, not run", 3},
		"a plan that is done": {replies(agenttest.Call(llm.ToolCall{ID: "p", Name: "todo", Args: "xx"}), agenttest.Say("The next step:\n```sh\nmake\n```")), nil, "", 2},
	} {
		t.Run(name, func(t *testing.T) {
			scene(t, tt.replies, func(st *stage) {
				st.opts.Tools = append(st.opts.Tools, planTool())
				if tt.set != nil {
					tt.set(&st.opts)
				}
				evs := st.play(nil, "hi")
				want(t, "reason", st.ended(evs).Reason, agent.Finished)
				want(t, "reminders", reminders(evs), tt.reminded)
				want(t, "requests", len(st.model.Requests()), tt.asked)
				for _, r := range all[agent.Reminded](evs) {
					contains(t, "reminder", r.Text, "<reminder>", "</reminder>")
				}
			})
		})
	}
}

// What a file holds may be repeated: that is no call that failed.
func TestQuotedMarkupIsNoCall(t *testing.T) {
	scene(t, replies(agenttest.Say("It says:\n"+markup)), func(st *stage) {
		evs := st.play(nil, "what does this mean: "+markup)
		want(t, "reminders", reminders(evs), "")
	})
}

// The count of reminders is the turn's: the next one starts anew.
func TestRemindersStartAnewWithTheTurn(t *testing.T) {
	scene(t, replies(agenttest.Say(dodge), agenttest.Say(dodge), agenttest.Say(dodge), agenttest.Say(dodge), agenttest.Say("fine")), func(st *stage) {
		ends := 0
		evs := st.play(func(ev agent.Event) bool {
			if is[agent.TurnEnded](ev) {
				if ends++; ends == 1 {
					st.send(agent.Prompt{Text: "again"})
				}
			}
			return ends < 2
		}, "hi")
		want(t, "reminders", len(all[agent.Reminded](evs)), 3)
	})
}

// M33, X2: what follows the last whole call of a cut reply is lost, and the
// model is told, once.
func TestAReplyCutAfterItsCalls(t *testing.T) {
	whole := llm.Done{Stop: llm.MaxTokens, Message: llm.Message{Blocks: []llm.Block{llm.Text{Text: "<tool_call>\n{\"na"}, call("1", "look", "a")}}}
	cut := llm.Done{Stop: llm.MaxTokens, Message: llm.Message{Blocks: []llm.Block{call("1", "look", "a"), llm.ToolCall{ID: "2", Name: "look", Args: `{"pa`}}}}
	for name, tt := range map[string]struct {
		reply llm.Done
		want  string
	}{
		"nothing else says so":    {whole, "the reply was cut at the output limit"},
		"a call's result says so": {cut, ""},
	} {
		t.Run(name, func(t *testing.T) {
			scene(t, replies(agenttest.Give(tt.reply), agenttest.Say("fine")), func(st *stage) {
				evs := st.play(nil, "hi")
				want(t, "reminders", reminders(evs), tt.want)
				want(t, "whole call", results(evs)["1"].Status, tools.OK)
				if r, ok := results(evs)["2"]; ok {
					contains(t, "cut call", r.Text, "Not run", "150 lines")
				}
			})
		})
	}
}

// A big model is never told that its good answer was a mistake.
func TestAnswersThatShowCommands(t *testing.T) {
	show := func(before, word, after string) string {
		return before + "\n\n```" + word + "\nls -l\n```\n" + after
	}
	for _, tt := range []struct {
		text string
		want bool
	}{
		{show("I'll run the tests now:", "bash", ""), true},
		{show("I will now check the folder.", "sh", ""), true},
		{show("Let me look at the files first:", "shell", ""), true},
		{show("First, let me apply this change:", "diff", "That fixes it."), true},
		{show("Running the tests:", "bash", ""), true},
		{show("I’m going to list them.", "console", ""), true},
		{show("让我运行测试:", "bash", ""), true},
		{show("Ich führe die Tests aus:", "bash", ""), true},
		{show("Je vais lancer les tests :", "bash", ""), true},
		{"I will read it:\n```json\n{\"path\": \"a.go\"}\n```", true},
		{"I will run it:\n```bash\nls", true}, // never closed
		{show("You can list files so:", "bash", ""), false},
		{show("To list files, use:", "bash", ""), false},
		{show("The tests are run with", "bash", ""), false},
		{show("All done. To try it:", "bash", ""), false},
		{show("I'll run this if you want:", "bash", ""), false},
		{show("I will run this once you agree:", "bash", ""), false},
		{show("Let me know if this helps:", "bash", ""), false},
		{show("I'll run the tests:", "bash", "Shall I?"), false},
		{show("I'll run the tests:", "bash", strings.Repeat("They pass, and this is why. ", 8)), false},
		{show("I will show how to do it:", "bash", ""), false},
		{show("I'll create the file:", "go", ""), false},
		{show("Let me check the type:", "", ""), false},
		{"I will run the tests.", false},
		{"", false},
		{show("I will run this.", "bash", "") + show("And this is how Go reads it:", "go", ""), false},
	} {
		want(t, tt.text, agent.ShowsAction(tt.text, false), tt.want)
	}
	want(t, "an open plan", agent.ShowsAction(show("The next step:", "bash", ""), true), true)
	want(t, "an open plan, for the person", agent.ShowsAction(show("You can start it with:", "bash", ""), true), false)
}

func TestMarkupLeftInAReply(t *testing.T) {
	for text, left := range map[string]bool{
		markup:                                    true,
		"I look.\n" + markup:                      true,
		"<tool_call>\n<function=look>\n":          true,
		"<function=read_file>\n<parameter=path>":  true,
		"[TOOL_CALLS] [{\"name\": \"x\"}]":        true,
		"The words <tool_call> and </tool_call>.": false,
		"<tool_call> is a tag":                    false,
		"Use <tool_call>{...}</tool_call>":        false, // not at the beginning of a line
		"```\n" + markup + "\n```":                false,
		"a < b [1]":                               false,
	} {
		want(t, text, agent.LeftMarkup(text) != "", left)
	}
}

// FuzzDodge: any text is judged, in linear time.
func FuzzDodge(f *testing.F) {
	for _, s := range []string{dodge, markup, "```", "~~~\n", "I'll run:\n```sh", "<function="} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if agent.ShowsAction(s, false) && !agent.ShowsAction(s, true) {
			t.Errorf("%q: an open plan makes it less of an action", s)
		}
		if m := agent.LeftMarkup(s); m != "" && !strings.Contains(s, m) {
			t.Errorf("%q: it does not hold %q", s, m)
		}
	})
}
