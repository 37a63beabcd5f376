// Package markup reads what a model writes as text although the protocol has a
// field for it: tool calls, reasoning, the end of its turn. Small models do
// that, and servers that do not know a model's template pass it on.
//
// # The way through
//
// [New] wraps a client. A reply's text goes through a machine that holds back
// only what may be the beginning of markup, a few bytes of ordinary prose at
// most: text stays text, and what is markup becomes the deltas and blocks that
// a server that knew the template would have sent. A reply without markup is
// passed on as it is.
//
//   - Calls: <tool_call> with JSON (Hermes, Qwen) or with <function=…> and
//     <parameter=…> (Qwen3-Coder), with <arg_key> (GLM), <invoke name=…>,
//     [TOOL_CALLS] (Mistral), <|python_tag|> (Llama), the marks of DeepSeek and
//     Kimi, a lone JSON object, and JSON in a fence.
//   - Reasoning: <think> and its like, also where the template took the opening
//     tag away.
//   - Ends: <|im_end|> and its like, and what a model invents after them: the
//     next message of the person, the result of its call. The request is ended
//     there.
//
// # What is a call, and what is prose
//
// A call names a tool that the request offers. A tag counts anywhere outside
// code, when a call follows it; the word <tool_call> in a sentence is prose. JSON
// without a tag counts when the reply begins with it, or, from a model that has
// not made a native call in the conversation, when hardly anything but a few
// sentences stands around it. What the model found in the conversation and
// repeats is a quotation, never a call. Beside native calls nothing is one.
//
// A value between <parameter> tags is taken byte for byte, but for one line end
// after the opening and one before the closing tag; it is a number, a boolean or
// a list only where the tool's schema wants one. A call that ends in the middle
// keeps its arguments as far as they came, which are no JSON then, and the reply
// is marked as cut by the limit: whoever runs calls refuses such ones.
//
// Marks of a turn's end are prose inside code, and in a conversation that is
// about them; so are tags of a thought, but for one that begins the reply.
//
// # Promises
//
// Work and memory are linear in the reply, whatever the pieces it came in, and so
// is the result. Of a reply that breaks, the prose that was held back is passed
// on first, unless nothing was: then the request can be made again.
//
// One promise of llm.Client is bent: where the template took <think> away, a model's
// first reply streams its reasoning as text, and only Done knows better. After
// it, the model is remembered.
//
// # Who may call what when
//
// A client may be used by several goroutines, as the one it wraps.
//
// # How to add a form
//
// A row in tags.go, and one in the table of samples in calls_test.go.
package markup
