package openai

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"aye/llm"
)

// Whatever a server sends, the reply keeps the contract: deltas are repeated
// in Done, all text is whole characters, and ids are distinct.
func FuzzChunks(f *testing.F) {
	for _, s := range []string{
		`{"choices":[{"index":0,"delta":{"content":"hi"}}]}`,
		`{"choices":[{"delta":{"content":[{"type":"text","text":"x"}],"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"{\"a\""}}]}}]}` + "\n" +
			`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":-2}}`,
		`{"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"x","arguments":{"a":[1,2]}}},{"id":"a","function":{"name":"x","arguments":null}}]}}]}`,
		`{"choices":[{"message":{"content":null,"reasoning":"\ud83d","tool_calls":null,"function_call":{"name":"x"}}}],"error":null}`,
		`{"choices":7,"usage":[],"error":{"message":"x"}}`, `[]`, `null`, `"x"`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a := newAssembly(llm.Request{Model: "m"})
		said, calls, order := "", map[string]llm.ToolCall{}, 0
		take := func(events []llm.Event) {
			for _, ev := range events {
				switch ev := ev.(type) {
				case llm.TextDelta:
					said += ev.Text
				case llm.CallDelta:
					c, known := calls[ev.ID]
					if !known {
						order++
					}
					calls[ev.ID] = llm.ToolCall{ID: ev.ID, Name: ev.Name, Args: c.Args + ev.Args}
				case llm.ThinkingDelta, llm.Retrying, llm.Done:
				}
			}
		}
		for line := range strings.Lines(string(data)) {
			c, err := decodeChunk([]byte(line))
			if err != nil {
				var syntax *json.SyntaxError
				if !errors.As(err, &syntax) {
					t.Fatalf("%q: %v", line, err)
				}
				continue
			}
			events, err := a.add(c)
			if err != nil {
				return
			}
			take(events)
		}
		events := a.end()
		take(events)
		done, ok := events[len(events)-1].(llm.Done)
		if !ok || done.Message.Text() != said || len(done.Message.Calls()) != order || done.Usage.Input < 0 || done.Usage.Output < 0 {
			t.Fatalf("deltas %q and %v, Done %+v", said, calls, done)
		}
		for _, c := range done.Message.Calls() {
			if c != calls[c.ID] || !utf8.ValidString(c.ID+c.Name+c.Args) {
				t.Errorf("call %q, in deltas %q", c, calls[c.ID])
			}
		}
	})
}
