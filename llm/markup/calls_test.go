package markup_test

import (
	"encoding/json"
	"strings"
	"testing"

	"aye/llm"
)

const readA = `read {"path":"a.go"}`

var callSamples = []sample{
	{name: "Hermes", raw: "I look.\n<tool_call>\n{\"name\": \"read\", \"arguments\": {\"path\":\"a.go\"}}\n</tool_call>", text: "I look.\n", calls: readA},
	{name: "Hermes in one line", raw: `<tool_call>{"name":"read","arguments":{"path":"a.go"}}</tool_call>`, calls: readA},
	{name: "two of them", raw: "<tool_call>\n{\"name\": \"read\", \"arguments\": {\"path\":\"a.go\"}}\n</tool_call>\n<tool_call>\n{\"name\": \"grep\", \"arguments\": {\"pattern\": \"x\"}}\n</tool_call>\n", calls: readA + "\ngrep {\"pattern\": \"x\"}"},
	{name: "prose between and after", raw: "One.\n<tool_call>{\"name\":\"read\",\"arguments\":{\"path\":\"a.go\"}}</tool_call>\nTwo.", text: "One.\n\nTwo.", calls: readA},
	{name: "no closing tag", raw: `<tool_call>{"name":"read","arguments":{"path":"a.go"}}`, calls: readA},
	{name: "a brace is missing", raw: `<tool_call>{"name":"read","arguments":{"path":"a.go"}</tool_call>`, calls: readA},
	{name: "two braces are missing", raw: "<tool_call>{\"name\":\"read\",\"arguments\":{\"path\":\"a.go\"\n</tool_call>", calls: "read {\"path\":\"a.go\"\n}"},
	{name: "a brace too many", raw: `<tool_call>{"name":"read","arguments":{"path":"a.go"}}}</tool_call>`, calls: readA},
	{name: "arguments first", raw: `<tool_call>{"arguments": {"path":"a.go"}, "name": "read"}</tool_call>`, calls: readA},
	{name: "arguments as a string", raw: `<tool_call>{"name":"read","arguments":"{\"path\":\"a.go\"}"}</tool_call>`, calls: readA},
	{name: "parameters", raw: `<tool_call>{"name":"read","parameters":{"path":"a.go"}}</tool_call>`, calls: readA},
	{name: "tool and args", raw: `<tool_call>{"tool":"read","args":{"path":"a.go"}}</tool_call>`, calls: readA},
	{name: "as the protocol has it", raw: `<tool_call>{"id":"1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.go\"}"}}</tool_call>`, calls: readA},
	{name: "an id behind", raw: `<tool_call>{"name":"read","arguments":{"path":"a.go"},"id":7}</tool_call>`, calls: readA},
	{name: "a list", raw: `<tool_call>[{"name":"read","arguments":{"path":"a.go"}},{"name":"todo","arguments":{"items":[]}}]</tool_call>`, calls: readA + "\ntodo {\"items\":[]}"},
	{name: "no arguments", raw: `<tool_call>{"name":"read"}</tool_call>`, calls: `read {}`},
	{name: "line ends in a string", raw: "<tool_call>{\"name\":\"write\",\"arguments\":{\"path\":\"a\",\"content\":\"one\ntwo\t\"}}</tool_call>", calls: `write {"path":"a","content":"one\ntwo\t"}`},
	{name: "escapes that JSON has not", raw: `<tool_call>{"name":"grep","arguments":{"pattern":"\d+ it\'s \$"}}</tool_call>`, calls: `grep {"pattern":"\\d+ it's \\$"}`},
	{name: "tags inside a string", raw: `<tool_call>{"name":"write","arguments":{"path":"a","content":"</tool_call><tool_call>{\"a\":1}"}}</tool_call>`, calls: `write {"path":"a","content":"</tool_call><tool_call>{\"a\":1}"}`},
	{name: "the namespace of a training", raw: `<tool_call>{"name":"functions.read","arguments":{"path":"a.go"}}</tool_call>`, calls: readA},
	{name: "function_call", raw: `<function_call>{"name":"read","arguments":{"path":"a.go"}}</function_call>`, calls: readA},
	{name: "tools, of Qwen2.5-Coder", raw: "<tools>\n{\"name\": \"read\", \"arguments\": {\"path\":\"a.go\"}}\n</tools>", calls: readA},
	{name: "Mistral", raw: `[TOOL_CALLS] [{"name": "read", "arguments": {"path":"a.go"}}, {"name": "grep", "arguments": {"pattern":"x"}}]`, calls: readA + "\ngrep {\"pattern\":\"x\"}"},
	{name: "Mistral, newer", raw: `[TOOL_CALLS]read[ARGS]{"path":"a.go"}[TOOL_CALLS]grep[ARGS]{"pattern":"x"}`, calls: readA + "\ngrep {\"pattern\":\"x\"}"},
	{name: "Llama", raw: `<|python_tag|>{"name": "read", "parameters": {"path":"a.go"}}`, calls: readA},
	{name: "Llama, two", raw: `<|python_tag|>{"name": "read", "parameters": {"path":"a.go"}}; {"name": "grep", "parameters": {"pattern":"x"}}<|eom_id|>`, calls: readA + "\ngrep {\"pattern\":\"x\"}"},
	{name: "Llama, in a tag", raw: `<function=read>{"path":"a.go"}</function>`, calls: readA},
	{name: "Granite", raw: `<|tool_call|>[{"name":"read","arguments":{"path":"a.go"}}]`, calls: readA},
	{name: "DeepSeek", raw: "I look.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n{\"path\":\"a.go\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>", text: "I look.", calls: readA},
	{name: "DeepSeek, newer", raw: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read<｜tool▁sep｜>{\"path\":\"a.go\"}<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>grep<｜tool▁sep｜>{\"pattern\":\"x\"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>", calls: readA + "\ngrep {\"pattern\":\"x\"}"},
	{name: "Kimi", raw: `<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"path":"a.go"}<|tool_call_end|><|tool_calls_section_end|>`, calls: readA},
	{name: "GLM", raw: "<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a.go</arg_value>\n<arg_key>limit</arg_key>\n<arg_value>5</arg_value>\n</tool_call>", calls: `read {"path":"a.go","limit":5}`},
	{name: "invoke", raw: "<function_calls>\n<invoke name=\"read\">\n<parameter name=\"path\">a.go</parameter>\n</invoke>\n</function_calls>", calls: readA},
	{name: "a lone object", raw: `{"name": "read", "arguments": {"path":"a.go"}}`, calls: readA},
	{name: "lone objects", raw: "\n{\"name\": \"read\", \"arguments\": {\"path\":\"a.go\"}}\n{\"name\": \"grep\", \"arguments\": {\"pattern\":\"x\"}}\n", calls: readA + "\ngrep {\"pattern\":\"x\"}"},
	{name: "a lone list", raw: `[{"name": "read", "arguments": {"path":"a.go"}}]`, calls: readA},
	{name: "a lone object, tool and args", raw: `{"tool": "read", "args": {"path":"a.go"}}`, calls: readA},
	{name: "a lone object, as the protocol has it", raw: `{"function": {"name": "read", "arguments": {"path":"a.go"}}}`, calls: readA},
	{name: "an object after a sentence", raw: "I will read it.\n\n{\"name\": \"read\", \"arguments\": {\"path\":\"a.go\"}}", text: "I will read it.\n\n", calls: readA},
	{name: "a fence", raw: "```json\n{\"name\": \"read\", \"arguments\": {\"path\":\"a.go\"}}\n```", calls: readA},
	{name: "a fence among a few words", raw: "I will read it.\n\n```json\n{\"name\": \"read\", \"arguments\": {\"path\":\"a.go\"}}\n```\nThat tells us more.", text: "I will read it.\n\nThat tells us more.", calls: readA},
	{name: "two fences", raw: "```json\n{\"name\": \"read\", \"arguments\": {\"path\":\"a.go\"}}\n```\n```json\n{\"name\": \"grep\", \"arguments\": {\"pattern\":\"x\"}}\n```\n", calls: readA + "\ngrep {\"pattern\":\"x\"}"},
	{name: "a fence without a word", raw: "```\n{\"name\": \"read\", \"arguments\": {\"path\":\"a.go\"}}\n```", calls: readA},
	{name: "a tag in a fence", raw: "```xml\n<tool_call>\n{\"name\": \"read\", \"arguments\": {\"path\":\"a.go\"}}\n</tool_call>\n```", calls: readA},
	{name: "after a thought", raw: "<think>\nI read it.\n</think>\n\n<tool_call>\n{\"name\": \"read\", \"arguments\": {\"path\":\"a.go\"}}\n</tool_call>", calls: readA, thought: "I read it."},
	{name: "a second call of a tool there is not", raw: `<tool_call>{"name":"read","arguments":{"path":"a.go"}}</tool_call><tool_call>{"name":"look","arguments":{}}</tool_call>`, calls: readA + "\nlook {}"},
}

func TestCallsAsText(t *testing.T) {
	for _, s := range callSamples {
		try(t, s, llm.EndTurn, ask())
	}
}

// element is a call as Qwen3-Coder writes it.
func element(name string, params ...string) string {
	var b strings.Builder
	b.WriteString("<tool_call>\n<function=" + name + ">\n")
	for i := 0; i < len(params); i += 2 {
		b.WriteString("<parameter=" + params[i] + ">\n" + params[i+1] + "\n</parameter>\n")
	}
	b.WriteString("</function>\n</tool_call>")
	return b.String()
}

// object writes pairs as a JSON object, in order.
func object(params ...string) string {
	var parts []string
	for i := 0; i < len(params); i += 2 {
		var v strings.Builder
		enc := json.NewEncoder(&v)
		enc.SetEscapeHTML(false)
		_ = enc.Encode(params[i+1]) // a string
		parts = append(parts, `"`+params[i]+`":`+strings.TrimSuffix(v.String(), "\n"))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// X1: values are taken byte for byte.
func TestValuesInTags(t *testing.T) {
	for _, content := range []string{
		"", "x", "123", "true", `{"a": 1}`, "    indented\n\tand more", "one\ntwo\n", "\n\nthree blank lines\n\n\n", "  ", " \n ",
		"a \"quote\" and a \\ and \t", "héllo 界 😀", "</parameter> in words", "<b>bold</b>", "if a < b && c > d {\n}\n",
		"</parameter>\nand more", "<tool_call>\n{\"name\": \"shell\"}\n</tool_call>", "</tool_call>", "</function>\n</tool_call>\n",
		"<function=demo>\n</function>\n</tool_call>\n",
		element("shell", "cmd", "ls"), element("edit", "path", "b", "old", "x", "new", "y") + "\n", "<parameter=x>\n", "a <", "<", "</", "</parameter",
		"re := `<parameter=(\\w+)>`\n", "a\r\nb\r\n", "\r", "<think>\n", "<|im_end|>\n<|im_start|>user\n", "```go\nx\n```",
	} {
		raw := element("write", "path", "a.txt", "content", content)
		s := sample{name: content, raw: raw, calls: "write " + object("path", "a.txt", "content", content)}
		try(t, s, llm.EndTurn, ask())
		s.raw = "Now.\n" + raw + "\n" + element("read", "path", "b") + "\n"
		s.text, s.calls = "Now.\n", s.calls+"\nread "+object("path", "b")
		if !strings.Contains(content, "<parameter=x>") && !strings.Contains(content, "(\\w+)") { // open tags: see TestOpenTagInAValue
			try(t, s, llm.EndTurn, ask())
		}
	}
}

func TestFormsOfTags(t *testing.T) {
	for _, s := range []sample{
		{name: "in one line", raw: "<tool_call><function=read><parameter=path>a.go</parameter></function></tool_call>", calls: readA},
		{name: "two calls", raw: element("read", "path", "a.go") + "\n" + element("shell", "cmd", "ls"), calls: readA + "\nshell " + object("cmd", "ls")},
		{name: "two in one tag", raw: "<tool_call>\n<function=read>\n<parameter=path>\na.go\n</parameter>\n</function>\n<function=shell>\n<parameter=cmd>\nls\n</parameter>\n</function>\n</tool_call>", calls: readA + "\nshell " + object("cmd", "ls")},
		{name: "no wrapper", raw: "I look.\n<function=read>\n<parameter=path>\na.go\n</parameter>\n</function>\n</tool_call>", text: "I look.\n", calls: readA},
		{name: "numbers", raw: element("read", "path", "7", "offset", "10", "limit", "x"), calls: `read {"path":"7","offset":10,"limit":"x"}`},
		{name: "booleans", raw: element("grep", "pattern", "true", "literal", "True"), calls: `grep {"pattern":"true","literal":true}`},
		{name: "lists", raw: element("todo", "items", "[{\"id\":\"1\"}]"), calls: `todo {"items":[{"id":"1"}]}`},
		{name: "a parameter there is not", raw: element("read", "file", "12"), calls: `read {"file":"12"}`},
		{name: "no parameters", raw: element("todo"), calls: `todo {}`},
		{name: "no closing tag of a parameter", raw: "<tool_call>\n<function=edit>\n<parameter=path>\na\n<parameter=old>\nx\n<parameter=new>\ny\n</function>\n</tool_call>", calls: "edit " + object("path", "a", "old", "x", "new", "y")},
		{name: "no closing tag of the function", raw: "<tool_call>\n<function=read>\n<parameter=path>\na.go\n</parameter>\n</tool_call>", calls: readA},
		{name: "nothing after the parameter", raw: "<tool_call>\n<function=read>\n<parameter=path>\na.go\n</parameter>", calls: readA},
		{name: "CRLF", raw: "<tool_call>\r\n<function=write>\r\n<parameter=path>\r\na.go\r\n</parameter>\r\n<parameter=content>\r\none\r\ntwo\r\n</parameter>\r\n</function>\r\n</tool_call>", calls: "write " + object("path", "a.go", "content", "one\r\ntwo")},
		{name: "quoted names", raw: "<tool_call><function=\"read\"><parameter=\"path\">a.go</parameter></function></tool_call>", calls: readA},
	} {
		try(t, s, llm.EndTurn, ask())
	}
}

// X2, X8: what is cut never runs as something else.
func TestCutCalls(t *testing.T) {
	whole := "<tool_call>\n{\"name\": \"read\", \"arguments\": {\"path\":\"a.go\"}}\n</tool_call>\n"
	for _, s := range []sample{
		{name: "JSON", raw: `<tool_call>{"name":"write","arguments":{"path":"a","content":"one`, calls: `write {"path":"a","content":"one`, cut: true},
		{name: "JSON, in an escape", raw: `<tool_call>{"name":"write","arguments":{"path":"a\`, calls: `write {"path":"a`, cut: true},
		{name: "before the arguments", raw: `<tool_call>{"name":"write","arg`, calls: `write {`, cut: true},
		{name: "one whole, one cut", raw: whole + `<tool_call>{"name":"write","arguments":{"path":`, calls: readA + "\n" + `write {"path":`, cut: true},
		{name: "one whole, one cut early", raw: whole + "<tool_call>\n{\"na", text: "<tool_call>\n{\"na", calls: readA, cut: true},
		{name: "tags", raw: "<tool_call>\n<function=write>\n<parameter=path>\na\n</parameter>\n<parameter=content>\none\ntwo\n", calls: `write {"path":"a","content":"one\ntwo`, cut: true},
		{name: "tags, in a closing one", raw: "<tool_call>\n<function=write>\n<parameter=path>\na\n</param", calls: `write {"path":"a\n</param`, cut: true},
		{name: "tags, no parameter", raw: "<tool_call>\n<function=write>\n", calls: `write {`, cut: true},
		{name: "a lone object", raw: `{"name":"write","arguments":{"path":"a","content":"one`, calls: `write {"path":"a","content":"one`, cut: true},
		{name: "a fence", raw: "```json\n{\"name\":\"write\",\"arguments\":{\"path\":\"a\",\"content\":\"one", calls: `write {"path":"a","content":"one`, cut: true},
		{name: "Mistral", raw: `[TOOL_CALLS]read[ARGS]{"path":`, calls: `read {"path":`, cut: true},
	} {
		for _, stop := range []llm.Stop{llm.EndTurn, llm.MaxTokens} {
			try(t, s, stop, ask())
		}
		for line := range strings.Lines(s.calls) {
			_, args, _ := strings.Cut(line, " ")
			if json.Valid([]byte(args)) != (strings.TrimSpace(line) == readA) {
				t.Errorf("%s: the cut arguments %q are JSON", s.name, args)
			}
		}
	}
}
