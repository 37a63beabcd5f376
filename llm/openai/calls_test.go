package openai_test

import (
	"fmt"
	"strings"
	"testing"

	"aye/llm"
)

// calls writes deltas that hold one piece of a call each.
func calls(pieces ...string) string {
	all := make([]string, len(pieces))
	for i, p := range pieces {
		all[i] = `{"tool_calls":[` + p + `]}`
	}
	return deltas(all...)
}

const two = `read {"path":"1"} read {"path":"2"}`

var callTests = []struct{ name, body, want string }{
	{"by the protocol", calls(
		`{"index":0,"id":"a","type":"function","function":{"name":"read","arguments":""}}`,
		`{"index":0,"function":{"arguments":"{\"path\":"}}`, `{"index":0,"function":{"arguments":"\"1\"}"}}`,
		`{"index":1,"id":"b","type":"function","function":{"name":"read","arguments":""}}`,
		`{"index":1,"function":{"arguments":"{\"path\":\"2\"}"}}`), two},
	{"index absent (ollama#7881)", calls(
		`{"id":"a","function":{"name":"read","arguments":"{\"path\":\"1\"}"}}`,
		`{"id":"b","function":{"name":"read","arguments":"{\"path\":\"2\"}"}}`), two},
	{"index always 0 (ollama#15457)", calls(
		`{"index":0,"id":"a","function":{"name":"read","arguments":"{\"path\":\"1\"}"}}`,
		`{"index":0,"id":"b","function":{"name":"read","arguments":"{\"path\":\"2\"}"}}`), two},
	{"index always 0, in pieces", calls(
		`{"index":0,"id":"a","function":{"name":"read","arguments":""}}`, `{"index":0,"function":{"arguments":"{\"path\":\"1\"}"}}`,
		`{"index":0,"id":"b","function":{"name":"read","arguments":""}}`, `{"index":0,"function":{"arguments":"{\"path\":\"2\"}"}}`), two},
	{"id absent (continue#13225)", calls(
		`{"index":0,"function":{"name":"read","arguments":"{\"pa"}}`, `{"index":0,"function":{"arguments":"th\":"}}`,
		`{"index":0,"function":{"arguments":"\"1\"}"}}`), `read {"path":"1"}`},
	{"id and index absent, calls whole", calls(
		`{"function":{"name":"read","arguments":"{\"path\":\"1\"}"}}`,
		`{"function":{"name":"read","arguments":"{\"path\":\"2\"}"}}`), two},
	{"id and index absent, no arguments", calls(
		`{"function":{"name":"read","arguments":""}}`, `{"function":{"name":"edit","arguments":""}}`), `read  edit `},
	{"both calls in one delta", deltas(`{"tool_calls":[{"id":"a","function":{"name":"read","arguments":"{\"path\":\"1\"}"}},{"id":"b","function":{"name":"read","arguments":"{\"path\":\"2\"}"}}]}`), two},
	{"interleaved", calls(
		`{"index":0,"id":"a","function":{"name":"read","arguments":"{\"path\""}}`, `{"index":1,"id":"b","function":{"name":"read","arguments":"{\"path\""}}`,
		`{"index":0,"function":{"arguments":":\"1\"}"}}`, `{"index":1,"function":{"arguments":":\"2\"}"}}`), two},
	{"interleaved by id alone", calls(
		`{"id":"a","function":{"name":"read","arguments":""}}`, `{"id":"b","function":{"name":"read","arguments":""}}`,
		`{"id":"a","function":{"arguments":"{\"path\":\"1\"}"}}`, `{"id":"b","function":{"arguments":"{\"path\":\"2\"}"}}`), two},
	{"index only in first pieces", calls(
		`{"index":0,"id":"a","function":{"name":"read","arguments":"{\"path\""}}`, `{"function":{"arguments":":\"1\"}"}}`), `read {"path":"1"}`},
	{"index grows with each piece", calls(
		`{"index":0,"id":"a","function":{"name":"read","arguments":"{\"path\""}}`, `{"index":1,"function":{"arguments":":\"1\"}"}}`), `read {"path":"1"}`},
	{"index as a string", calls(
		`{"index":"0","id":"a","function":{"name":"read","arguments":"{\"path\":\"1\"}"}}`, `{"index":"1","id":"b","function":{"name":"read","arguments":"{\"path\":\"2\"}"}}`), two},
	{"id new in each piece", calls(
		`{"index":0,"id":"a","function":{"name":"read","arguments":"{\"pa"}}`, `{"index":0,"id":"b","function":{"arguments":"th\":"}}`,
		`{"index":0,"id":"c","function":{"arguments":"\"1\"}"}}`), `read {"path":"1"}`},
	{"id new and name repeated in each piece", calls(
		`{"index":0,"id":"a","function":{"name":"read","arguments":"{\"pa"}}`,
		`{"index":0,"id":"b","function":{"name":"read","arguments":"th\":\"1\"}"}}`), `read {"path":"1"}`},
	{"id and name repeated in each piece", calls(
		`{"index":0,"id":"a","function":{"name":"read","arguments":""}}`, `{"index":0,"id":"a","function":{"name":"read","arguments":"{\"path\":"}}`,
		`{"index":0,"id":"a","function":{"name":"read","arguments":"\"1\"}"}}`, `{"index":0,"id":"a","function":{"name":"read","arguments":""}}`), `read {"path":"1"}`},
	{"id comes later", calls(
		`{"index":0,"function":{"name":"read","arguments":""}}`, `{"index":0,"id":"a","function":{"arguments":"{\"path\":\"1\"}"}}`), `read {"path":"1"}`},
	{"id as a number", calls(`{"id":1,"function":{"name":"read","arguments":"{}"}}`, `{"id":2,"function":{"name":"read","arguments":"{}"}}`), `read {} read {}`},
	{"one id for two calls", calls(
		`{"index":0,"id":"a","function":{"name":"read","arguments":"{\"path\":\"1\"}"}}`,
		`{"index":1,"id":"a","function":{"name":"read","arguments":"{\"path\":\"2\"}"}}`), two},
	{"name in pieces", calls(
		`{"index":0,"id":"a","function":{"name":"re"}}`, `{"index":0,"function":{"name":"ad"}}`, `{"index":0,"function":{"arguments":"{\"path\":\"1\"}"}}`), `read {"path":"1"}`},
	{"name growing", calls(
		`{"index":0,"id":"a","function":{"name":"re"}}`, `{"index":0,"id":"a","function":{"name":"read","arguments":"{\"path\":\"1\"}"}}`), `read {"path":"1"}`},
	{"name after the arguments", calls(
		`{"index":0,"id":"a","function":{"arguments":"{\"path\":\"1\"}"}}`, `{"index":0,"id":"a","function":{"name":"read"}}`), `read {"path":"1"}`},
	{"the whole once more at the end", calls(
		`{"index":0,"id":"a","function":{"name":"read","arguments":"{\"path\":"}}`, `{"index":0,"function":{"arguments":"\"1\"}"}}`,
		`{"index":0,"id":"a","function":{"name":"read","arguments":"{\"path\":\"1\"}"}}`), `read {"path":"1"}`},
	{"arguments an object", calls(`{"id":"a","function":{"name":"read","arguments":{"path":"1"}}}`), `read {"path":"1"}`},
	{"arguments null, then absent", calls(`{"index":0,"id":"a","function":{"name":"read","arguments":null}}`, `{"index":0,"id":"a","function":{"name":"read"}}`), `read `},
	{"arguments with braces in strings", calls(
		`{"function":{"name":"edit","arguments":"{\"old\":\"}\\\"{\""}}`, `{"function":{"name":"edit","arguments":",\"new\":\"]\"}"}}`), `edit {"old":"}\"{","new":"]"}`},
	{"arguments that are no JSON", calls(`{"index":0,"id":"a","function":{"name":"read","arguments":"path=1"}}`), `read path=1`},
	{"two of the same", calls(`{"index":0,"id":"a","function":{"name":"read","arguments":"{}"}}`, `{"index":1,"id":"b","function":{"name":"read","arguments":"{}"}}`), `read {} read {}`},
	{"calls null, empty, of empty pieces", deltas(`{"tool_calls":null}`, `{"tool_calls":[]}`, `{"tool_calls":[{}]}`, `{"tool_calls":"none"}`), ``},
	{"calls an object", deltas(`{"tool_calls":{"id":"a","function":{"name":"read","arguments":"{}"}}}`), `read {}`},
	{"function_call", deltas(`{"function_call":{"name":"read","arguments":"{\"path\":"}}`, `{"function_call":{"arguments":"\"1\"}"}}`), `read {"path":"1"}`},
}

func TestCallsArePutTogether(t *testing.T) {
	t.Parallel()
	for _, tt := range callTests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := answered(t, tt.body)
			if h.err != nil {
				t.Fatal(h.err)
			}
			var got []string
			for i, name := range h.names {
				got = append(got, name+" "+h.args[i])
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if h.text != "" {
				t.Errorf("prose %q", h.text)
			}
			seen := map[string]bool{"": true}
			for _, id := range h.ids {
				if seen[id] {
					t.Errorf("ids %q", h.ids)
				}
				seen[id] = true
			}
		})
	}
}

// An id is the call's name in the whole conversation: a server that counts
// from the start in each reply, or names none, must not mix them up.
func TestCallIDsAreNewInTheConversation(t *testing.T) {
	t.Parallel()
	req := question()
	used := []string{"call_0", "call00001"}
	for _, id := range used {
		req.Messages = append(req.Messages,
			llm.Message{Role: llm.Assistant, Blocks: []llm.Block{llm.ToolCall{ID: id, Name: "read", Args: "{}"}}},
			llm.Message{Role: llm.User, Blocks: []llm.Block{llm.ToolResult{CallID: id, Text: "x"}}})
	}
	body := calls(`{"index":0,"id":"call_0","function":{"name":"read","arguments":"{}"}}`, `{"index":1,"function":{"name":"read","arguments":"{}"}}`, `{"index":2,"id":"call_9","function":{"name":"read","arguments":"{}"}}`)
	h := hear(t, t.Context(), over(raw(body)), req)
	if got := strings.Join(h.ids, " "); got != "call00002 call00003 call_9" {
		t.Errorf("ids %s", got)
	}
}

func TestTooManyCallsAreAnError(t *testing.T) {
	t.Parallel()
	pieces := make([]string, 1001)
	for i := range pieces {
		pieces[i] = fmt.Sprintf(`{"index":%d,"id":"c%d","function":{"name":"read","arguments":"{}"}}`, i, i)
	}
	h := answered(t, calls(pieces...))
	if h.kind() != llm.Broken || !strings.Contains(h.err.Error(), "too many tool calls") {
		t.Errorf("got %v", h.err)
	}
}
