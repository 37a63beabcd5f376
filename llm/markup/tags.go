package markup

import "strings"

// A form is a way of writing calls.
type form struct {
	open    string
	closers []string // all that may stand after a call; the first ends the form
	named   bool     // a name stands before the arguments: read{"path":…}
	lax     bool     // the tag is a word of other languages too: only what follows it tells
}

// Marks of models' templates, the fullwidth ones as they are.
const (
	dsCallsBegin = "<｜tool▁calls▁begin｜>"
	dsCallsEnd   = "<｜tool▁calls▁end｜>"
	dsCallBegin  = "<｜tool▁call▁begin｜>"
	dsCallEnd    = "<｜tool▁call▁end｜>"
	dsSep        = "<｜tool▁sep｜>"
	kimiBegin    = "<|tool_calls_section_begin|>"
	kimiEnd      = "<|tool_calls_section_end|>"
)

// forms are the tags that open calls. The headers of functions, which have a
// name inside, are in functions.
var forms = []form{
	{open: "<tool_call>", closers: []string{"</tool_call>"}, named: true},
	{open: "<tool_calls>", closers: []string{"</tool_calls>", "</tool_call>"}},
	{open: "<toolcall>", closers: []string{"</toolcall>"}},
	{open: "<tools>", closers: []string{"</tools>"}, lax: true},
	{open: "<function_call>", closers: []string{"</function_call>"}},
	{open: "<function_calls>", closers: []string{"</function_calls>"}},
	{open: "<functioncall>", closers: []string{"</functioncall>"}},
	{open: "<|tool_call|>", closers: []string{"<|/tool_call|>", "<|tool_call|>"}},
	{open: "<|python_tag|>", closers: []string{"<|eom_id|>"}},
	{open: "[TOOL_CALLS]", closers: []string{"[/TOOL_CALLS]"}, named: true},
	{open: dsCallsBegin, closers: []string{dsCallsEnd, dsCallEnd, "```"}, named: true},
	{open: kimiBegin, closers: []string{kimiEnd, "<|tool_call_end|>"}, named: true},
}

// Forms without a tag.
var (
	lone   = form{}
	fenced = form{closers: []string{"```", "~~~"}}
	bare   = form{closers: []string{"</tool_call>", "</tool_calls>", "</function_calls>"}} // <function=…> alone
)

// separators stand between a name and its arguments, or between calls; they
// say nothing.
var separators = []string{
	dsCallBegin, dsSep, "<|tool_call_begin|>", "<|tool_call_argument_begin|>", "[ARGS]", "```json",
}

// functions begin the header of a call whose arguments are tags.
var functions = []string{"<function=", `<function name="`, `<invoke name="`}

// parameters begin one argument.
var parameters = []string{"<parameter=", `<parameter name="`, "<arg_key>"}

// functionEnds end a call whose arguments are tags.
var functionEnds = []string{"</function>", "</invoke>", "</tool_call>"}

// A thought's tags.
var thoughts = []struct{ open, end string }{
	{"<think>", "</think>"},
	{"<thinking>", "</thinking>"},
	{"<thought>", "</thought>"},
	{"[THINK]", "[/THINK]"},
}

var mistral = []string{"[TOOL_CALLS]"} // a list may begin like it

// What the tables have, as begins takes it.
var (
	formOpens    = gather(len(forms), func(i int) string { return forms[i].open })
	thoughtOpens = gather(len(thoughts), func(i int) string { return thoughts[i].open })
	thoughtEnds  = gather(len(thoughts), func(i int) string { return thoughts[i].end })
	orphans      = append([]string{"</tool_calls>"}, functionEnds...) // ends of calls that had no beginning
)

func gather(n int, of func(int) string) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = of(i)
	}
	return list
}

// turnEnds are marks after which a model has nothing more to say: the end of
// its turn, or the beginning of somebody else's.
var turnEnds = []string{
	"<|im_end|>", "<|im_start|>", "<|endoftext|>", "<|end_of_text|>", "<|begin_of_text|>",
	"<|eot_id|>", "<|eom_id|>", "<|start_header_id|>", "<|end|>", "<|user|>", "<|assistant|>", "<|system|>",
	"<|end_of_turn|>", "<|START_OF_TURN_TOKEN|>", "<|END_OF_TURN_TOKEN|>", "<end_of_turn>", "<start_of_turn>", "<eos>",
	"<｜end▁of▁sentence｜>", "<｜User｜>", "<｜Assistant｜>", "</s>",
}

// nextTurns may stand behind such a mark, and say nothing alone.
var nextTurns = append([]string{"[INST]", "[/INST]", "<s>"}, turnEnds...)

// roles stand at the beginning of the turns that models invent.
var roles = []string{"user", "assistant", "system", "tool", "model", "human", "ipython"}

// fenceWords name the fences in which a call may stand.
var fenceWords = []string{"", "json", "jsonc", "xml", "tool_call", "tool_calls", "function_call", "tool"}

// Words for a call's parts in JSON.
var (
	nameKeys = []string{"name", "tool", "tool_name", "function_name", "function"}
	argKeys  = []string{"arguments", "args", "parameters", "params", "input"}
	moreKeys = []string{"id", "call_id", "tool_call_id", "type", "index"}
)

// A match says how a text begins.
type match int

const (
	no    match = iota
	maybe       // as far as it goes
	yes
)

// begins looks for the longest of tags that rest begins with. Of a rest that
// ends within one it says maybe, unless nothing follows.
func begins(rest string, tags []string, eof bool) (tag string, m match) {
	for _, t := range tags {
		switch {
		case strings.HasPrefix(rest, t):
			if m != yes || len(t) > len(tag) {
				tag, m = t, yes
			}
		case m == no && !eof && strings.HasPrefix(t, rest):
			m = maybe
		}
	}
	return tag, m
}

const blanks = " \t\r\n"

// skipBlank returns rest without the blanks at its beginning, and their number.
func skipBlank(rest string) (string, int) {
	trimmed := strings.TrimLeft(rest, blanks)
	return trimmed, len(rest) - len(trimmed)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
