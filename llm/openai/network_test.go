package openai_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"aye/llm"
	"aye/llm/openai"
)

// listen accepts connections on loopback and hands each to serve.
func listen(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	l := httptest.NewUnstartedServer(nil).Listener // on IPv4 or, where there is none, IPv6
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer c.Close()
				serve(c)
			})
		}
	})
	t.Cleanup(func() { l.Close(); wg.Wait() })
	return l.Addr().String()
}

func TestNoConnection(t *testing.T) {
	t.Parallel()
	closed := listen(t, func(net.Conn) {})
	l := httptest.NewUnstartedServer(nil).Listener
	free := l.Addr().String()
	l.Close()
	plain := httptest.NewServer(raw(""))
	defer plain.Close()
	secure := httptest.NewUnstartedServer(raw(""))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // the failed handshake is the point
	secure.StartTLS()
	defer secure.Close()
	talks := listen(t, func(c net.Conn) { io.WriteString(c, "SSH-2.0-x\r\n\r\n"); io.Copy(io.Discard, c) })
	tests := []struct {
		name, url string
		kind      llm.Kind
		says      string
	}{
		{"refused", "http://" + free, llm.Unreachable, "is the server started"},
		{"closed", "http://" + closed, llm.Broken, "closed the connection before it answered"},
		{"http behind https", strings.Replace(plain.URL, "http:", "https:", 1), llm.Unreachable, "http://"},
		{"unknown certificate", secure.URL, llm.Unreachable, "certificate"},
		{"no HTTP", "http://" + talks, llm.Unreachable, "does not speak HTTP"},
		{"no URL", "", llm.NotFound, "API_BASE_URL"},
		{"bad URL", "localhost:8080", llm.NotFound, "API_BASE_URL"},
	}
	for _, tt := range tests {
		h := hear(t, t.Context(), openai.New(openai.Options{BaseURL: tt.url, Key: testKey}), question())
		if h.kind() != tt.kind || !strings.Contains(h.err.Error(), tt.says) {
			t.Errorf("%s: %s: %v", tt.name, h.kind(), h.err)
		}
	}
}

// failingTransport fails as a resolver would; tests do not leave loopback.
type failingTransport struct{ err error }

func (f failingTransport) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

func TestOtherNetworkErrors(t *testing.T) {
	t.Parallel()
	timeout := &net.OpError{Op: "dial", Net: "tcp", Err: context.DeadlineExceeded}
	for says, err := range map[string]error{
		"name api.test cannot be looked up": &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "api.test", IsNotFound: true}},
		"no connection within the time":     timeout,
		"failed: something [key] odd.":      errors.New("something " + testKey + "\n\x1bodd"),
		// How net/http says that the server spoke before it was asked.
		"does not speak HTTP": errors.New("readLoopPeekFailLocked: %!w(<nil>)"),
	} {
		c := openai.New(openai.Options{BaseURL: "https://api.test", Key: testKey, Transport: failingTransport{err}})
		h := hear(t, t.Context(), c, question())
		if h.kind() != llm.Unreachable || !strings.Contains(h.err.Error(), says) {
			t.Errorf("%s: %v", says, h.err)
		}
		if cause := errors.Unwrap(h.err); cause != nil && strings.Contains(cause.Error(), testKey) {
			t.Errorf("the cause is %v", cause)
		}
	}
}

func TestKeysThatCannotBeSent(t *testing.T) {
	t.Parallel()
	asked := func(o openai.Options) heard {
		o.BaseURL = "https://api.test"
		o.Transport = failingTransport{errors.New("it was sent")}
		return hear(t, t.Context(), openai.New(o), question())
	}
	for name, o := range map[string]openai.Options{
		"line break in key":    {Key: "sk-one\nsk-two"},
		"letters in key":       {Key: "sk-ключ"},
		"line break in header": {Headers: map[string]string{"X-Key": "sk-one\r\nsk-two"}},
	} {
		if h := asked(o); h.kind() != llm.Auth || strings.Contains(h.err.Error(), "sk-") {
			t.Errorf("%s: %v", name, h.err)
		}
	}
	if h := asked(openai.Options{Key: " sk-one\n"}); !strings.Contains(h.err.Error(), "it was sent") {
		t.Errorf("space around the key: %v", h.err)
	}
}

// A proxy as HTTPS_PROXY names one: it connects, refuses, fails, or drops.
func TestProxy(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	seen := map[string]int{}
	answer := func(reply string) string {
		return listen(t, func(c net.Conn) {
			buf := make([]byte, 4096)
			n, err := c.Read(buf)
			if err != nil {
				return
			}
			mu.Lock()
			seen[strings.SplitN(string(buf[:n]), "\r\n", 2)[0]]++
			mu.Unlock()
			io.WriteString(c, reply)
		})
	}
	for _, tt := range []struct {
		name, proxy, says string
		kind              llm.Kind
	}{
		{"wants a log-in", answer("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"), "407 Proxy Authentication Required", llm.Unreachable},
		{"fails", answer("HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>"), "502 Bad Gateway", llm.Unreachable},
		{"drops", answer("HTTP/1.1 200 OK\r\n\r\n"), "closed the connection", llm.Broken},
	} {
		proxy := func(*http.Request) (*url.URL, error) { return url.Parse("http://" + tt.proxy) }
		c := openai.New(openai.Options{BaseURL: "https://api.test/v1", Key: testKey, Transport: openai.Transport(proxy)})
		h := hear(t, t.Context(), c, question())
		if h.kind() != tt.kind || !strings.Contains(h.err.Error(), tt.says) {
			t.Errorf("%s: %s: %v", tt.name, h.kind(), h.err)
		}
	}
	if seen["CONNECT api.test:443 HTTP/1.1"] != 3 {
		t.Errorf("the proxies saw %v", seen)
	}
}

func TestLoopbackIsNeverProxied(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(raw(deltas(`{"content":"x"}`)))
	defer s.Close()
	proxy := func(r *http.Request) (*url.URL, error) { return nil, fmt.Errorf("proxied %s", r.URL) }
	for _, host := range []string{"127.0.0.1", "localhost"} {
		base := strings.Replace(s.URL, "127.0.0.1", host, 1)
		h := hear(t, t.Context(), openai.New(openai.Options{BaseURL: base, Transport: openai.Transport(proxy)}), question())
		if h.err != nil {
			t.Errorf("%s: %v", host, h.err)
		}
	}
}

// One connection serves one request after another.
func TestConnectionsAreKept(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	opened := 0
	s := httptest.NewUnstartedServer(raw(deltas(`{"content":"x"}`)))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		mu.Lock()
		defer mu.Unlock()
		if state == http.StateNew {
			opened++
		}
	}
	s.Start()
	defer s.Close()
	c := openai.New(openai.Options{BaseURL: s.URL})
	for range 5 {
		if h := hear(t, t.Context(), c, question()); h.err != nil {
			t.Fatal(h.err)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if opened != 1 {
		t.Errorf("%d connections for 5 requests", opened)
	}
}
