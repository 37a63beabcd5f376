package openai

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"
)

// connectLimit bounds each step of connecting: look-up and dial, TLS.
const connectLimit = 10 * time.Second

// Transport returns a transport with a limit on each step of connecting, and
// none on waiting for an answer: a Client watches that itself. Proxy chooses
// the proxy of a request, like http.ProxyFromEnvironment; nil: none. This
// machine is never asked for through a proxy.
func Transport(proxy func(*http.Request) (*url.URL, error)) *http.Transport {
	dialer := &net.Dialer{Timeout: connectLimit, KeepAlive: 30 * time.Second}
	t := &http.Transport{
		DialContext:            dialer.DialContext,
		TLSHandshakeTimeout:    connectLimit,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    4,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: 1 << 20,
		OnProxyConnectResponse: func(_ context.Context, _ *url.URL, _ *http.Request, resp *http.Response) error {
			if resp.StatusCode != http.StatusOK {
				return &proxyError{resp.StatusCode}
			}
			return nil
		},
	}
	if proxy != nil {
		t.Proxy = func(r *http.Request) (*url.URL, error) {
			if loopback(r.URL.Hostname()) {
				return nil, nil
			}
			return proxy(r)
		}
	}
	return t
}

// A proxyError is a proxy's refusal to connect.
type proxyError struct{ status int }

func (e *proxyError) Error() string {
	return fmt.Sprintf("the proxy answered %d %s", e.status, http.StatusText(e.status))
}

// sameHost lets a redirect through only where the key already went, and only
// one that asks the same question again.
func sameHost(next *http.Request, via []*http.Request) error {
	from := via[0]
	if len(via) > 4 || next.Method != from.Method || next.URL.Scheme != from.URL.Scheme || next.URL.Host != from.URL.Host {
		return http.ErrUseLastResponse
	}
	return nil
}
