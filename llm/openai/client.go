package openai

import (
	"bytes"
	"context"
	"io"
	"iter"
	"net/http"
	"strings"
	"sync"
	"time"

	"aye/llm"
)

// Options say where a client's server is and how long it may be silent.
type Options struct {
	BaseURL   string            // cleaned by BaseURL; up to and without /chat/completions
	Key       string            // sent as a bearer token; empty: none is sent
	Headers   map[string]string // sent with each request, and over what this package sends
	Transport http.RoundTripper // nil: Transport(nil)
	UserAgent string            // "": aye

	// FirstByte bounds the wait for the first delta, in which a server may be
	// loading the model and reading the prompt. 0: two minutes, or ten on
	// loopback and private hosts. Idle bounds each wait after that, 0: two
	// minutes. Comments and empty chunks start a wait anew, for ten minutes.
	FirstByte time.Duration
	Idle      time.Duration
}

const (
	remoteFirst = 2 * time.Minute
	localFirst  = 10 * time.Minute
	usualIdle   = 2 * time.Minute
	aloneLimit  = 10 * time.Minute // without a delta, signs of life or not
	tailLimit   = 2 * time.Second  // for usage and [DONE], once the reply is whole
	drainLimit  = 50 * time.Millisecond
)

// A Client is an llm.Client for one endpoint.
type Client struct {
	options Options
	http    http.Client

	mu      sync.Mutex // guards dialect alone
	dialect dialect    // what the server was found not to take
}

// New returns a client. It does no work: whatever is wrong with o is the error
// of the first request.
func New(o Options) *Client {
	if o.Transport == nil {
		o.Transport = Transport(nil)
	}
	if o.UserAgent == "" {
		o.UserAgent = "aye"
	}
	o.Key = strings.TrimSpace(o.Key)
	return &Client{options: o, http: http.Client{Transport: o.Transport, CheckRedirect: sameHost}}
}

// Stream sends req; see llm.Client.
func (c *Client) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		err := c.stream(ctx, req, yield)
		if err != nil && ctx.Err() != nil {
			err = ctx.Err()
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// stream yields events until the reply is whole or the caller leaves; then it
// returns nil.
func (c *Client) stream(ctx context.Context, req llm.Request, yield func(llm.Event, error) bool) error {
	at, err := c.site(req.Model, chatPath)
	if err != nil {
		return err
	}
	first, idle := c.limits(at.base.Hostname())
	w := newWatch(ctx, first, aloneLimit)
	defer w.stop()
	resp, err := c.ask(w, at, req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	r := &reading{at: at, watch: w, idle: idle, yield: yield, reply: newAssembly(req)}
	if err := r.body(w.reader(resp.Body)); err != nil || r.left {
		return err
	}
	for _, ev := range r.reply.end() {
		if !yield(ev, nil) {
			break
		}
	}
	drain(w, resp.Body)
	return nil
}

// drain reads to the end of the body if that is near: only then the connection
// serves the next request too.
func drain(w *watch, body io.Reader) {
	w.allow(drainLimit, drainLimit)
	io.CopyN(io.Discard, w.reader(body), 4<<10) //nolint:errcheck // whatever comes, the reply is whole
}

// ask sends req, and once more for each detail of the protocol that the server
// turns out not to take.
func (c *Client) ask(w *watch, at site, req llm.Request) (*http.Response, error) {
	for {
		c.mu.Lock()
		d := c.dialect
		c.mu.Unlock()
		body, err := encode(req, d)
		if err != nil {
			return nil, &llm.Error{Kind: llm.Refused, Detail: "The request cannot be written as JSON: " + at.clean(err.Error()) + ".", Err: err}
		}
		resp, err := c.send(w, at, http.MethodPost, body)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode/100 == 2 {
			return resp, nil
		}
		limit, alone := w.limit, w.alone
		w.allow(tailLimit, tailLimit)
		f := readFault(w, at, resp)
		resp.Body.Close()
		easier, ok := d.without(f, req)
		if !ok || w.ctx.Err() != nil {
			return nil, at.explain(f)
		}
		w.allow(limit, alone)
		c.mu.Lock()
		c.dialect = easier
		c.mu.Unlock()
	}
}

// without returns d less the detail that f complains of, if it is one.
func (d dialect) without(f fault, req llm.Request) (dialect, bool) {
	if f.status != http.StatusBadRequest && f.status != http.StatusUnprocessableEntity {
		return d, false
	}
	said := f.said()
	switch {
	case !d.noUsage && containsAny(said, "stream_options", "include_usage"):
		d.noUsage = true
	case !d.nullContent && onlyCalls(req) && strings.Contains(said, "content") &&
		containsAny(said, "empty", "blank", "null", "at least 1 char", "too short"):
		d.nullContent = true
	default:
		return d, false
	}
	return d, true
}

// send makes one HTTP request and returns its response, whatever the status.
func (c *Client) send(w *watch, at site, method string, body []byte) (*http.Response, error) {
	u := *at.base
	u.Path, u.RawPath = u.Path+at.path, u.RawPath+at.path
	req, err := http.NewRequestWithContext(w.ctx, method, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, &llm.Error{Kind: llm.Refused, Detail: "The base URL cannot be used: check API_BASE_URL."}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream, application/json")
	req.Header.Set("Accept-Encoding", "gzip") // said here, so that body.go alone unpacks
	req.Header.Set("User-Agent", c.options.UserAgent)
	if c.options.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.options.Key)
	}
	for name, value := range c.options.Headers {
		req.Header.Set(name, value)
	}
	var resp *http.Response
	w.wait(func() { resp, err = c.http.Do(req) })
	if err != nil && w.ctx.Err() != nil {
		return nil, at.silence(w)
	}
	if err != nil {
		return nil, at.unreachable(err)
	}
	return resp, nil
}

// site collects what errors are told about: where, which model, what is secret.
func (c *Client) site(model, path string) (site, error) {
	base, err := parseBase(c.options.BaseURL)
	if err != nil {
		return site{}, &llm.Error{Kind: llm.NotFound, Detail: upper(err.Error()) + ". Check API_BASE_URL.", Err: err}
	}
	at := site{base: base, path: path, model: model, hasKey: c.options.Key != ""}
	for name, value := range c.options.Headers {
		if len(value) >= 8 { // shorter ones are settings
			at.secrets = append(at.secrets, value)
		}
		if !headerSafe(value) || !headerSafe(name) {
			return site{}, &llm.Error{Kind: llm.Auth, Detail: "A configured header holds a line break or another character that cannot be sent. Enter it again."}
		}
	}
	if !headerSafe(c.options.Key) {
		return site{}, &llm.Error{Kind: llm.Auth, Detail: "The key holds a line break or another character that no key has. Enter API_KEY again."}
	}
	at.secrets = append(at.secrets, c.options.Key)
	if password, ok := base.User.Password(); ok {
		at.secrets = append(at.secrets, password)
	}
	return at, nil
}

// headerSafe reports whether s can be sent in a header.
func headerSafe(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}

func (c *Client) limits(host string) (first, idle time.Duration) {
	first, idle = c.options.FirstByte, c.options.Idle
	if first == 0 {
		first = remoteFirst
		if local(host) {
			first = localFirst
		}
	}
	if idle == 0 {
		idle = usualIdle
	}
	return first, idle
}
