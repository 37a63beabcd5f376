// Package openai talks to every server that speaks OpenAI's Chat Completions,
// and to those that nearly do.
//
// # The way through
//
// [New] makes a [Client], which is an llm.Client. Its Stream writes the
// request (request.go), sends it under a [watch] (client.go, watch.go), finds
// out what kind of body came back (body.go), feeds its chunks (chunk.go) into
// an assembly (assembly.go, calls.go, text.go), and yields what comes out.
// Whatever fails becomes an llm.Error with a sentence for people (fault.go,
// network.go).
//
// # Promises
//
// A reply is whole or an error: a stream that ends without a finish_reason or
// [DONE] is broken off. Text and arguments are the bytes the server sent,
// however it cut them. Ids of calls are distinct in the whole conversation.
// Usage is always there, estimated when the server counted nothing. There is
// no time limit on an answer, only on silence. Neither the key nor the value
// of any header appears in an error, and both go to one host only: redirects
// to another are not followed. A server that refuses a detail of the protocol
// (stream_options, empty content) is asked again without it, and the client
// remembers.
//
// # Who may call what when
//
// A Client may be used by several goroutines. New does nothing but keep its
// options: a bad base URL is found by [BaseURL], or by the first Stream.
//
// # How to add a quirk
//
// Servers that name a field otherwise: a field in chunk.go. That cut calls
// otherwise: a row in calls_test.go, then calls.go. That word an error
// otherwise: a row in fault_test.go, then the lists in fault.go.
package openai
