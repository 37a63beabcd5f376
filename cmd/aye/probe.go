package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"time"

	"aye/tui"
)

// localServers are where people's own models usually listen.
var localServers = []tui.Server{
	{Name: "Ollama", URL: "http://127.0.0.1:11434/v1"},
	{Name: "LM Studio", URL: "http://127.0.0.1:1234/v1"},
	{Name: "llama.cpp", URL: "http://127.0.0.1:8080/v1"},
	{Name: "vLLM", URL: "http://127.0.0.1:8000/v1"},
}

const (
	probeTime  = 300 * time.Millisecond // for one server: they are on this machine
	probeBytes = 4 << 20                // of a list of models
)

// probe asks each server for its models, all at once, and returns those that
// answered with a list, in the order given.
func probe(ctx context.Context, servers []tui.Server) []tui.Server {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	// A transport of its own: no proxy is asked about this machine, and no
	// connection outlives the probe.
	transport := &http.Transport{DisableKeepAlives: true}
	client := &http.Client{Transport: transport, CheckRedirect: stayHere}
	models := make([][]string, len(servers))
	var all sync.WaitGroup
	for i, s := range servers {
		all.Go(func() { models[i] = listModels(ctx, client, s.URL) })
	}
	all.Wait()
	var found []tui.Server
	for i, s := range servers {
		if models[i] != nil {
			s.Models = models[i]
			found = append(found, s)
		}
	}
	return found
}

func stayHere(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// listModels asks an OpenAI-compatible server for its models; nil: it is none.
// Any program may listen on these ports, so the answer is checked.
func listModels(ctx context.Context, client *http.Client, baseURL string) []string {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, baseURL+"/models", nil)
	if err != nil {
		return nil
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil
	}
	var body struct {
		Object string
		Data   []struct{ ID string }
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, probeBytes))
	if err != nil || json.Unmarshal(data, &body) != nil {
		return nil
	}
	if body.Object != "list" && body.Data == nil { // a server without models may say "data": null
		return nil
	}
	names := []string{}
	for _, m := range body.Data {
		if m.ID != "" {
			names = append(names, m.ID)
		}
	}
	return names
}
