package main

import (
	"context"
	"slices"
	"sync"
	"time"

	"aye/llm/openai"
	"aye/tui"
)

// localServers are where people's own models usually listen.
var localServers = []tui.Server{
	{Name: "Ollama", URL: "http://127.0.0.1:11434/v1"},
	{Name: "LM Studio", URL: "http://127.0.0.1:1234/v1"},
	{Name: "llama.cpp", URL: "http://127.0.0.1:8080/v1"},
	{Name: "vLLM", URL: "http://127.0.0.1:8000/v1"},
}

const probeTime = 300 * time.Millisecond // for all servers: they are on this machine

// probe asks each server for its models, all at once, and returns those that
// answered with a list, in the order given. Any program may listen on these
// ports: what answers otherwise is none.
func probe(ctx context.Context, servers []tui.Server) []tui.Server {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	servers = slices.Clone(servers)
	transport := openai.Transport(nil) // no proxy is asked about this machine
	transport.DisableKeepAlives = true // no connection outlives the probe
	answered := make([]bool, len(servers))
	var all sync.WaitGroup
	for i := range servers {
		all.Go(func() {
			s := &servers[i]
			models, err := openai.New(openai.Options{BaseURL: s.URL, Transport: transport}).Models(ctx)
			answered[i] = err == nil
			for _, m := range models {
				s.Models = append(s.Models, m.ID)
			}
		})
	}
	all.Wait()
	var found []tui.Server
	for i, s := range servers {
		if answered[i] {
			found = append(found, s)
		}
	}
	return found
}
