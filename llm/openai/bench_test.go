package openai_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"aye/llm"
	"aye/llm/openai"
)

// endless streams deltas of four letters until the client leaves.
func endless() http.Handler {
	block := []byte(strings.Repeat("data: "+`{"id":"chatcmpl-123456789","object":"chat.completion.chunk","created":1700000000,"model":"m","system_fingerprint":"fp","choices":[{"index":0,"delta":{"content":"word"},"logprobs":null,"finish_reason":null}]}`+"\n\n", 100))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	})
}

// A delta from the socket to its event; go test -bench Delta -benchtime 300000x.
func BenchmarkDelta(b *testing.B) {
	s := httptest.NewServer(endless())
	defer s.Close()
	c := openai.New(openai.Options{BaseURL: s.URL})
	b.ReportAllocs()
	n := 0
	for _, err := range c.Stream(b.Context(), question()) {
		if err != nil {
			b.Fatal(err)
		}
		if n++; n > b.N {
			break
		}
	}
}

// A reply costs what its bytes cost: ns/op divided by the size stays level,
// for many deltas and for one call with large arguments.
func BenchmarkReply(b *testing.B) {
	for _, n := range []int{1000, 10000, 100000} {
		text := `{"choices":[{"delta":{"content":"some words and more"}}]}`
		args := `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"write","arguments":"some \\\"words\\\" more"}}]}}]}`
		for name, chunk := range map[string]string{"text": text, "args": args} {
			body := strings.Repeat(sse(chunk), n) + stop
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				c := over(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, body) }))
				b.SetBytes(int64(len(body)))
				for b.Loop() {
					last := llm.Event(nil)
					for ev, err := range c.Stream(b.Context(), question()) {
						if err != nil {
							b.Fatal(err)
						}
						last = ev
					}
					if _, ok := last.(llm.Done); !ok {
						b.Fatal(last)
					}
				}
			})
		}
	}
}

// One delta of many megabytes must not cost more for each byte.
func BenchmarkLargeChunk(b *testing.B) {
	for _, size := range []int{1 << 10, 1 << 16, 1 << 22} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			body := deltas(`{"content":"` + strings.Repeat(`word\n`, size/6) + `"}`)
			c := over(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, body) }))
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				for _, err := range c.Stream(b.Context(), question()) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
