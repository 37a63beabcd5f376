// Package llmtest is a model that follows a script: for tests, for the tour,
// and for trying aye by hand. It holds the test that every llm.Client passes.
//
// # The way through
//
// A [Script] turns each request into a [Reply]: words, calls, a pace, and what
// goes wrong. [Steps] makes one of replies in order, [Load] one of a JSON file,
// and any function of a request is one. The same script plays as
//
//   - an llm.Client without any wire: [NewClient];
//   - a server on loopback that speaks Chat Completions: [NewServer], with
//     Start, URL and Close;
//   - an http.Handler: [Handler], and with [Transport] a client's transport that
//     calls the handler in this process, as tests on virtual time need.
//
// [Conform] holds a client of any wire against the contract of llm.Client,
// over real HTTP.
//
// # Scripts in files
//
// A list of replies, every field optional:
//
//	[
//	  {"text": "I will read it.", "calls": [{"name": "read", "args": {"path": "a.go"}}]},
//	  {"thinking": "Hm.", "text": "Done.", "piece": 3, "delay_ms": 500, "between_ms": 20,
//	   "stop": "end", "usage": {"input": 1200, "cached": 1000, "output": 30}},
//	  {"fault": {"status": 429, "header": {"Retry-After": "2"}, "body": "slow down"}},
//	  {"text": "I was going to", "fault": {"then": "cut", "after": 2}}
//	]
//
// Args is an object, or a string that is sent as it stands. Stop is end,
// max_tokens or filtered. The fields of a fault are those of [Fault] in lower
// case with underscores: status, header, body, then, after, comments,
// byte_by_byte, gzip, whole, no_end, no_usage, raw.
//
// # Promises
//
// Nothing here imports testing, reads files or leaves loopback. Scripts are
// called for one request at a time. A server's goroutines end with Close or its
// context, and Close waits for them.
//
// # Who may call what when
//
// Everything may be called from several goroutines. Fields of a Server are set
// before Start.
//
// # How to add a fault
//
// A field of Fault, its effect in play.go for clients and stream.go for HTTP,
// its name in load.go.
package llmtest
