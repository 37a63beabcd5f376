package main

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"aye/tui"
)

// serve starts an HTTP server that answers /v1/models with a body.
func serve(t *testing.T, answer http.HandlerFunc) tui.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", answer)
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return tui.Server{URL: s.URL + "/v1"}
}

func says(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) }
}

func unconfigured(baseURL string) config { return config{}.at(baseURL, vars()) }

func TestProbeFindsOnlyModelServers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		answer http.HandlerFunc
		want   []string // nil: not found
	}{
		{"two models", says(`{"object":"list","data":[{"id":"a"},{"id":"b","x":1}]}`), []string{"a", "b"}},
		{"no models", says(`{"object":"list","data":null}`), []string{}},
		{"no object", says(`{"data":[]}`), []string{}},
		{"a web page", says(`<html>Jenkins</html>`), nil},
		{"another API", says(`{"status":"ok"}`), nil},
		{"wrong shape", says(`{"data":"a"}`), nil},
		{"not found", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, `{"data":[]}`, http.StatusNotFound) }, nil},
		{"elsewhere", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://example.com/", http.StatusFound)
		}, nil},
	}
	servers := make([]tui.Server, len(tests))
	for i, tt := range tests {
		servers[i] = serve(t, tt.answer)
		servers[i].Name = tt.name
	}
	found := map[string][]string{}
	for _, s := range probe(t.Context(), servers, unconfigured) {
		found[s.Name] = s.Models
	}
	for _, tt := range tests {
		if got, ok := found[tt.name]; ok != (tt.want != nil) || !slices.Equal(got, tt.want) {
			t.Errorf("%s: found %v %q, want %q", tt.name, ok, got, tt.want)
		}
	}
}

// A program that takes the connection and says nothing does not hold up the
// rest, and nobody waits longer than probeTime for all of them.
func TestProbeDoesNotWaitForTheSilent(t *testing.T) {
	t.Parallel()
	silent := httptest.NewUnstartedServer(nil).Listener // on IPv4 or, where there is none, IPv6
	defer silent.Close()
	closed := httptest.NewUnstartedServer(nil).Listener
	_ = closed.Close()
	at := func(l net.Listener) tui.Server { return tui.Server{URL: "http://" + l.Addr().String() + "/v1"} }
	good := serve(t, says(`{"data":[{"id":"m"}]}`))

	start := time.Now()
	found := probe(t.Context(), []tui.Server{at(silent), at(closed), good}, unconfigured)
	if took := time.Since(start); took > 10*probeTime {
		t.Errorf("took %v, with %v for each", took, probeTime)
	}
	if len(found) != 1 || found[0].URL != good.URL {
		t.Errorf("found %v, want only the one that answers", found)
	}
}

func TestProbeEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if found := probe(ctx, []tui.Server{serve(t, says(`{"data":[]}`))}, unconfigured); len(found) != 0 {
		t.Errorf("found %v after the end", found)
	}
}

// A server that is configured is looked for where it is configured to be, once.
func TestServersToLookFor(t *testing.T) {
	t.Parallel()
	tests := []struct {
		baseURL setting
		first   tui.Server
		count   int
	}{
		{setting{}, localServers[0], len(localServers)},
		{setting{"https://api.test/v1", "API_BASE_URL"}, localServers[0], len(localServers)},
		{setting{"http://localhost:9/v1", "--base-url"}, tui.Server{Name: "--base-url", URL: "http://localhost:9/v1"}, len(localServers) + 1},
		{setting{"http://localhost:11434/v1", "API_BASE_URL"}, tui.Server{Name: "Ollama", URL: "http://localhost:11434/v1"}, len(localServers)},
	}
	for _, tt := range tests {
		got := config{baseURL: tt.baseURL}.servers()
		if len(got) != tt.count || got[0].Name != tt.first.Name || got[0].URL != tt.first.URL {
			t.Errorf("%s: %v", tt.baseURL.value, got)
		}
	}
}
