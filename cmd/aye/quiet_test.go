package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"aye/llm/llmtest"
)

// A server that goes on talking when its answer is over is net/http's business
// to log, and nothing of the person's terminal.
func TestNothingIsLoggedToTheTerminal(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		answer := `{"choices":[{"index":0,"message":{"role":"assistant","content":"Done."},"finish_reason":"stop"}]}`
		if asked.Add(1) == 1 {
			answer = `{"choices":[{"index":0,"message":{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"shell","arguments":"{\"cmd\":\"sleep 0.3\"}"}}]},"finish_reason":"tool_calls"}]}`
		}
		conn, out, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		fmt.Fprintf(out, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%sand more of it", len(answer), answer)
		_ = out.Flush()
		_, _ = io.Copy(io.Discard, conn) // until aye has had enough
	}))
	t.Cleanup(server.Close)
	w := newWorld(t, llmtest.Steps())
	cmd := w.command("run", "--mode", "full", "hi")
	cmd.Env = append(cmd.Env, "API_BASE_URL="+server.URL+"/v1")
	r := finish(t, cmd)
	r.expect(t, exitAnswered, "Done.\n", "shell")
	if strings.Contains(r.err, "nsolicited") {
		t.Errorf("standard error:\n%s", r.err)
	}
}
