package tour

import (
	"slices"
	"strings"

	"aye/llm"
)

// A say is what the script answers: words, then calls.
type say struct {
	text  string
	calls []llm.ToolCall
}

// outcome is what became of a step.
type outcome int

const (
	open    outcome = iota // not tried, or interrupted: to be done yet
	done                   // it ran
	refused                // a person or a rule said no
)

// progress is how far a conversation has come.
type progress struct {
	read, run, edit, remove, rerun outcome

	last   string // what the last result said
	edited bool   // it was of the edit
	broken bool   // the last call neither ran nor was refused
	passed bool   // the test, when it ran last
	spoken bool   // the script has said something already
	words  string // what the person said since the last reply
}

const (
	testCommand   = "sh test.sh"
	removeCommand = "rm -rf build"
)

// next answers a conversation.
func next(messages []llm.Message) say {
	p := follow(messages)
	switch {
	case p.words != "" && p.spoken && !goesOn(p.words):
		return say{text: p.onlyAScript()}
	case p.words != "" && p.over() && p.edit != done:
		p.edit, p.rerun = open, open // "go on", and the bug is still there
	case p.words == "" && p.broken:
		return say{text: failedText(p.last)}
	}
	return p.step()
}

// follow reads the progress out of a conversation.
func follow(messages []llm.Message) progress {
	var p progress
	calls := map[string]llm.ToolCall{}
	for _, m := range messages {
		if m.Role == llm.Assistant {
			p.words, p.spoken = "", true
			for _, c := range m.Calls() {
				calls[c.ID] = c
			}
			continue
		}
		for _, b := range m.Blocks {
			switch b := b.(type) {
			case llm.ToolResult:
				p.settle(calls[b.CallID], b)
			case llm.Text:
				p.words = b.Text
			case llm.Thinking, llm.Image, llm.ToolCall:
			}
		}
	}
	return p
}

// settle takes one call's result.
func (p *progress) settle(call llm.ToolCall, r llm.ToolResult) {
	became := outcomeOf(call.Name, r.Text)
	p.last, p.edited, p.broken = r.Text, call.Name == "edit", became == open
	switch {
	case call.Name == "read" || call.Name == "glob":
		p.read = became
	case call.Name == "edit":
		p.edit, p.rerun = became, open
	case strings.Contains(call.Args, removeCommand):
		p.remove = became
	case strings.Contains(call.Args, testCommand):
		p.passed = strings.HasPrefix(r.Text, "exit_code=0")
		if p.remove == open {
			p.run = became
		} else {
			p.rerun = became
		}
	}
}

func (p progress) over() bool {
	return !slices.Contains([]outcome{p.read, p.run, p.edit, p.remove, p.rerun}, open)
}

// step is the first one that is still open.
func (p progress) step() say {
	switch {
	case p.read == open:
		return say{greeting, []llm.ToolCall{
			call("read", `{"path":"greet.sh"}`),
			call("read", `{"path":"test.sh"}`),
		}}
	case p.run == open:
		return say{beforeRun, []llm.ToolCall{call("shell", `{"cmd":"`+testCommand+`"}`)}}
	case p.edit == open:
		return say{p.afterRun() + beforeEdit, []llm.ToolCall{
			call("edit", `{"path":"greet.sh","old":"name=$1","new":"name=${1:-world}"}`),
		}}
	case p.remove == open:
		return say{p.afterEdit() + beforeRemove, []llm.ToolCall{call("shell", `{"cmd":"`+removeCommand+`"}`)}}
	case p.rerun == open:
		return say{p.afterLast() + beforeRerun, []llm.ToolCall{call("shell", `{"cmd":"`+testCommand+`"}`)}}
	}
	return say{text: p.ending()}
}

// call asks for one tool. Its id is the server's to give.
func call(name, args string) llm.ToolCall { return llm.ToolCall{Name: name, Args: args} }
