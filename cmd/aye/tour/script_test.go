package tour

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"aye/llm"
)

// A person answers the script's calls, and speaks.
type person struct {
	messages []llm.Message
	calls    int
}

// hear takes a reply into the conversation.
func (p *person) hear(s say) {
	m := llm.Message{Role: llm.Assistant, Blocks: []llm.Block{llm.Text{Text: s.text}}}
	for _, c := range s.calls {
		p.calls++
		c.ID = fmt.Sprint("c", p.calls)
		m.Blocks = append(m.Blocks, c)
	}
	p.messages = append(p.messages, m)
}

// answer gives every call of the last reply a result.
func (p *person) answer(results ...string) {
	m := llm.Message{Role: llm.User}
	for i, c := range p.messages[len(p.messages)-1].Calls() {
		m.Blocks = append(m.Blocks, llm.ToolResult{CallID: c.ID, Name: c.Name, Text: results[min(i, len(results)-1)]})
	}
	p.messages = append(p.messages, m)
}

func (p *person) say(words string) { p.messages = append(p.messages, llm.UserText(words)) }

// Each scenario is a line for each thing that happens: "> words" of the
// person, "= result" of all open calls, and what the reply has to hold:
// "text: ...", "call: tool words...", "end" for a reply without calls.
const (
	start   = "> The test fails. Mend it.\ntext: script\ncall: read greet.sh\n= 1: x\ntext: asked first\ncall: shell sh test.sh\n"
	failing = "= exit_code=1\\nFAIL\n"
	edit    = "call: edit {1:-world}\n"
	written = "= Edited greet.sh: +1 −1.\n"
	remove  = "call: shell rm -rf build\n"
	rerun   = "call: shell sh test.sh\n"
)

func TestScript(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"as planned": start + failing + "text: Hello, world\n" + edit + written + "text: Written\n" + remove +
			"= The user denied this call. Reason: I may need it\ntext: “I may need it”\ntext: stays\n" + rerun +
			"= exit_code=0\\nok\ntext: The test passes\ntext: API_BASE_URL\ntext: API_MODEL\ntext: API_KEY\nend\n" +
			"> go on\ntext: The test passes\nend\n" +
			"> and now?\ntext: only a script\ntext: The tour is over\ntext: go install ./cmd/aye\ntext: PATH\nend\n",
		"denied without a reason": start + failing + edit + written + remove + "= The user denied this call.\ntext: You said no. So\n" + rerun + "= exit_code=0\ntext: passes\nend\n",
		"rm allowed":              start + failing + edit + written + remove + "= exit_code=0\ntext: is gone\n" + rerun + "= exit_code=0\ntext: passes\nend\n",
		"the test denied":         start + "= The user denied this call. Reason: no need\ntext: “no need”\n" + edit + written + remove + "= The user denied this call.\n" + rerun + "= exit_code=0\ntext: passes\nend\n",
		"the edit denied, then taken": start + failing + edit + "= The user denied this call. Reason: not like that\ntext: “not like that”\ntext: nothing was written\n" + remove +
			"= The user denied this call.\n" + rerun + "= exit_code=1\ntext: still fails\ntext: `go on`\nend\n> why?\ntext: only a script\ntext: The tour is over\ntext: `go on`\nend\n" +
			"> go on\n" + edit + written + "text: Written\n" + rerun + "= exit_code=0\ntext: passes\nend\n",
		"the edit denied twice": start + failing + edit + "= The user denied this call.\n" + remove + "= exit_code=0\n" + rerun + "= exit_code=1\nend\n" +
			"> go on\n" + edit + "= The user denied this call. Reason: no, really\ntext: “no, really”\ntext: nothing was written\n" + rerun + "= exit_code=1\ntext: still fails\nend\n",
		"another prompt": "> start\n" + "call: read greet.sh\n= 1: x\ncall: shell sh test.sh\n" + failing + edit + written + remove +
			"= The user denied this call.\n> what is a monad?\ntext: only a script\ntext: “what is a monad?”\nend\n> Go on!\n" + rerun + "= exit_code=0\ntext: passes\nend\n",
		"interrupted": start + "= Interrupted; it may have partly happened. Inspect before retrying.\n> hm\ntext: only a script\nend\n> yes\ncall: shell sh test.sh\n" + failing + edit,
		"fails here":  start + "= error: no shell was found\ntext: did not work here: error: no shell was found\nend\n> go on\ncall: shell sh test.sh\n" + failing + edit,
		"plan mode":   start + "= Plan mode: nothing may change.\ntext: “Plan mode: nothing may change.”\n" + edit,
		"no sh":       start + "= exit_code=9009\n" + edit + written + remove + "= exit_code=1\n" + rerun + "= exit_code=9009\ntext: no `sh`\nend\n",
	}
	for name, scenario := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			play(t, scenario)
		})
	}
}

func play(t *testing.T, scenario string) {
	t.Helper()
	var p person
	var reply say
	for line := range strings.Lines(scenario) {
		line = strings.ReplaceAll(strings.TrimSpace(line), `\n`, "\n")
		kind, rest, _ := strings.Cut(line, " ")
		switch kind {
		case ">", "=":
			if kind == ">" {
				p.say(rest)
			} else {
				if len(reply.calls) == 0 {
					t.Fatalf("%q answers no call; the script said %q", line, reply.text)
				}
				p.answer(rest)
			}
			reply = next(p.messages)
			p.hear(reply)
		case "text:":
			if !strings.Contains(reply.text, rest) {
				t.Fatalf("the script does not say %q but %q", rest, reply.text)
			}
		case "call:":
			tool, words, _ := strings.Cut(rest, " ")
			if len(reply.calls) == 0 || reply.calls[0].Name != tool || !strings.Contains(reply.calls[0].Args, words) {
				t.Fatalf("the script does not call %q but %v, saying %q", rest, reply.calls, reply.text)
			}
		case "end":
			if len(reply.calls) != 0 {
				t.Fatalf("the script goes on with %v", reply.calls)
			}
		default:
			t.Fatalf("line %q?", line)
		}
		for _, c := range reply.calls {
			if !json.Valid([]byte(c.Args)) {
				t.Fatalf("the arguments of %s are no JSON: %s", c.Name, c.Args)
			}
		}
	}
}

// Whatever results a conversation holds, the script answers, and a turn that
// goes on without the person ends.
func FuzzNext(f *testing.F) {
	f.Add("exit_code=1", "error: x", "The user denied this call. Reason: y")
	f.Add("", "Inspect before retrying", "Not run: z")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		var p person
		p.say("begin")
		for round := range 24 {
			reply := next(p.messages)
			if reply.text == "" {
				t.Fatal("the script says nothing")
			}
			if len(reply.calls) == 0 {
				return
			}
			p.hear(reply)
			p.answer([]string{a, b, c}[round%3])
		}
		t.Fatal("24 rounds, and no end")
	})
}

// Program text is not wrapped as prose is, so it has to fit a common terminal.
func TestCodeFits(t *testing.T) {
	t.Parallel()
	_, code, _ := strings.Cut(theVariables, "```sh\n")
	code, _, _ = strings.Cut(code, "```")
	if !strings.Contains(code, "API_BASE_URL") {
		t.Fatalf("no variables in %q", code)
	}
	for line := range strings.Lines(code) {
		if len(line) > 70 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
}
