package main

import (
	"context"
	"net/url"
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

// servers are the places to look for servers in: where one is configured to
// be on this machine, and the usual ones.
func (c config) servers() []tui.Server {
	list := slices.Clone(localServers)
	here := c.endpoint()
	if !openai.IsLoopback(here) {
		return list
	}
	for i := range list {
		if samePort(list[i].URL, here) {
			list[i].URL = here
			return list
		}
	}
	return slices.Insert(list, 0, tui.Server{Name: c.baseURL.origin, URL: here})
}

// samePort reports whether two addresses on this machine are of one server.
func samePort(a, b string) bool {
	one, err1 := url.Parse(a)
	other, err2 := url.Parse(b)
	return err1 == nil && err2 == nil && one.Scheme == other.Scheme && one.Port() == other.Port()
}

const probeTime = 300 * time.Millisecond // for all servers: they are on this machine

// probe asks each server for its models, all at once, and returns those that
// answered with a list, in the order given. Any program may listen on these
// ports: what answers otherwise is none. at is the configuration for a URL.
func probe(ctx context.Context, servers []tui.Server, at func(baseURL string) config) []tui.Server {
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
			conf := at(s.URL)
			models, err := openai.New(openai.Options{BaseURL: conf.baseURL.value, Key: conf.key.value, Transport: transport}).Models(ctx)
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
