package llmtest

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"aye/llm"
)

// An Endpoint serves a script over HTTP: POST …/chat/completions and GET
// …/models.
type Endpoint struct {
	Key    string   // if set, the bearer token a request needs
	Models []string // what GET …/models lists; nil: "scripted"

	player player

	mu       sync.Mutex // guards the rest
	requests []Recorded
	serving  int
	closed   bool
	idle     sync.Cond // serving fell to 0
}

// Recorded is one request for a completion as it came.
type Recorded struct {
	Path    string
	Header  http.Header
	Body    []byte
	Request llm.Request // zero when the body made no sense
}

// Handler returns an endpoint that plays script.
func Handler(script Script) *Endpoint {
	e := &Endpoint{player: player{script: script}}
	e.idle.L = &e.mu
	return e
}

// Requests returns the requests for completions so far.
func (e *Endpoint) Requests() []Recorded {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.requests)
}

// Serving returns the number of requests that are being answered right now. A
// client that has left is noticed when it closes its connection.
func (e *Endpoint) Serving() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.serving
}

// enter counts a request in, unless the endpoint is closed.
func (e *Endpoint) enter() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.closed {
		e.serving++
	}
	return !e.closed
}

func (e *Endpoint) leave() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.serving--; e.serving == 0 {
		e.idle.Broadcast()
	}
}

// close takes no more requests and waits for those being answered.
func (e *Endpoint) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	for e.serving > 0 {
		e.idle.Wait()
	}
}

// ServeHTTP answers one request.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !e.enter() {
		panic(http.ErrAbortHandler)
	}
	defer e.leave()
	switch {
	case e.Key != "" && r.Header.Get("Authorization") != "Bearer "+e.Key:
		fail(w, http.StatusUnauthorized, "Incorrect API key provided.")
	case r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/models"):
		e.list(w)
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/chat/completions"):
		e.complete(w, r)
	default:
		fail(w, http.StatusNotFound, "There is no "+r.Method+" "+r.URL.Path+" here.")
	}
}

func (e *Endpoint) complete(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	seen := Recorded{Path: r.URL.Path, Header: r.Header.Clone(), Body: body}
	var wire wireRequest
	err = json.Unmarshal(body, &wire)
	if err == nil {
		seen.Request, err = wire.request()
	}
	e.mu.Lock()
	e.requests = append(e.requests, seen)
	e.mu.Unlock()
	if err != nil {
		fail(w, http.StatusBadRequest, "The request makes no sense: "+err.Error()+".")
		return
	}
	reply := e.player.reply(seen.Request)
	serve(w, r, wire, reply)
}

func (e *Endpoint) list(w http.ResponseWriter) {
	type model struct {
		ID     string `json:"id"`
		Object string `json:"object"`
	}
	list := struct {
		Object string  `json:"object"`
		Data   []model `json:"data"`
	}{Object: "list", Data: []model{}}
	names := e.Models
	if names == nil {
		names = []string{"scripted"}
	}
	for _, name := range names {
		list.Data = append(list.Data, model{name, "model"})
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(list) //nolint:errcheck // a client that is gone needs no list
}

// fail sends an error of the usual shape; a body that is JSON or HTML already
// is sent as it is.
func fail(w http.ResponseWriter, status int, body string) {
	kind := "application/json"
	switch {
	case strings.HasPrefix(body, "<"):
		kind = "text/html; charset=utf-8"
	case !strings.HasPrefix(body, "{"):
		wrapped, err := json.Marshal(map[string]any{"error": map[string]string{"message": body, "type": "scripted"}})
		if err == nil {
			body = string(wrapped)
		}
	}
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	io.WriteString(w, body) //nolint:errcheck // as above
}
