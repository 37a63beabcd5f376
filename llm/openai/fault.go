package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// A site is what an error is told about.
type site struct {
	base    *url.URL
	path    string // of the request, after base
	model   string
	hasKey  bool
	secrets []string
}

// A fault is what a server said instead of answering.
type fault struct {
	status int    // 0: inside a stream
	reason string // its words, clean; may be empty
	codes  string // its codes and types
	html   bool   // it sent a web page
	window int    // tokens the context holds, 0 when it did not say
	wait   time.Duration
	moved  string // where a redirect leads, without query
}

// said is all the server's words in lower case, for matching.
func (f fault) said() string { return strings.ToLower(f.reason + " " + f.codes) }

// maxFault bounds what is read of an error's body.
const maxFault = 64 << 10

// readFault reads the response of a failed request.
func readFault(w *watch, at site, resp *http.Response) fault {
	var body []byte
	if in, err := unpacked(w.reader(resp.Body)); err == nil {
		body, _ = io.ReadAll(io.LimitReader(in, maxFault)) // a cut body says what it can
	}
	f := bodyFault(at, resp.StatusCode, body)
	f.html = f.html || strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html")
	if f.wait = retryAfter(resp.Header, time.Now()); f.wait == 0 {
		f.wait = f.waitInWords()
	}
	if to, err := resp.Location(); err == nil && resp.StatusCode/100 == 3 {
		f.moved = at.clean((&url.URL{Scheme: to.Scheme, Host: to.Host, Path: strings.TrimSuffix(to.Path, at.path)}).String())
	}
	return f
}

// bodyFault reads an error's body: JSON in one of many shapes, a web page, or
// plain words. Inside a stream the code may be what would have been the status.
func bodyFault(at site, status int, body []byte) fault {
	f := fault{status: status}
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
	if len(body) > 0 && body[0] == '<' {
		f.html = true
		return f
	}
	if !json.Valid(body) {
		f.reason = at.clean(string(body))
		return f
	}
	var d detail
	d.read(body, 0)
	f.reason, f.codes, f.window = at.clean(strings.Join(d.reasons, ": ")), at.clean(strings.Join(d.codes, " ")), d.window
	for _, code := range d.codes {
		if n, err := strconv.Atoi(code); err == nil && n >= 400 && n < 600 && status == 0 {
			f.status = n
		}
	}
	return f
}

// A detail is what is worth reading in an error's JSON.
type detail struct {
	reasons, codes []string
	window         int
}

// read looks for the fields that hold words, in the order of their worth, and
// for codes. Objects and lists are looked into, four deep.
func (d *detail) read(raw []byte, depth int) {
	var s string
	var list []json.RawMessage
	var fields map[string]json.RawMessage
	switch {
	case depth > 4:
	case json.Unmarshal(raw, &s) == nil:
		if s != "" {
			d.reasons = append(d.reasons, s)
		}
	case json.Unmarshal(raw, &list) == nil:
		for _, one := range list[:min(len(list), 3)] {
			d.read(one, depth+1)
		}
	case json.Unmarshal(raw, &fields) == nil:
		d.window = max(d.window, windowField(fields))
		for _, name := range []string{"code", "type", "status"} {
			var code text
			if json.Unmarshal(fields[name], &code) == nil && code != "" {
				d.codes = append(d.codes, code.clean())
			}
		}
		for _, name := range []string{"error", "errors", "message", "msg", "detail", "error_description", "metadata", "raw"} {
			if value, ok := fields[name]; ok {
				d.read(value, depth+1)
			}
		}
	}
}

// maxReason is as much of a server's words as an error repeats, in runes.
const maxReason = 400

// shortestSecret is the length from which a key is taken for one: a local
// server's "x" would black out half a sentence.
const shortestSecret = 4

// clean makes foreign words fit for a sentence: one line, no control
// characters, no secret, and not too long, in this order: a secret must not
// survive by being split or cut.
func (at site) clean(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == utf8.RuneError:
			return -1
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	for _, secret := range at.secrets {
		if len(secret) >= shortestSecret {
			s = strings.ReplaceAll(s, secret, "[key]")
		}
	}
	if runes := []rune(s); len(runes) > maxReason {
		s = string(runes[:maxReason]) + "…"
	}
	return s
}

// longestWait is the most that a server is believed to ask for.
const longestWait = 30 * 24 * time.Hour

// waitInWords is the wait of "try again in 1m2.5s", which some servers say in
// place of a header; 0 when there is none.
func (f fault) waitInWords() time.Duration {
	for _, words := range []string{"try again in ", "retry in "} {
		_, after, found := strings.Cut(f.said(), words)
		if !found {
			continue
		}
		end := strings.IndexFunc(after, func(r rune) bool { return !strings.ContainsRune("0123456789.hms", r) })
		if end < 0 {
			end = len(after)
		}
		if d, err := time.ParseDuration(strings.TrimRight(after[:end], ".")); err == nil {
			return min(max(d, 0), longestWait)
		}
	}
	return 0
}

// retryAfter is how long the server asks to wait, 0 when it does not say.
func retryAfter(h http.Header, now time.Time) time.Duration {
	bounded := func(d float64) time.Duration {
		return time.Duration(min(max(d, 0), float64(longestWait)))
	}
	if ms, err := strconv.ParseFloat(strings.TrimSpace(h.Get("Retry-After-Ms")), 64); err == nil && ms >= 0 {
		return bounded(ms * float64(time.Millisecond))
	}
	after := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(after, 64); err == nil && s >= 0 {
		return bounded(s * float64(time.Second))
	}
	if at, err := http.ParseTime(after); err == nil {
		if date, err := http.ParseTime(h.Get("Date")); err == nil {
			now = date // the server's own clock
		}
		return bounded(float64(at.Sub(now)))
	}
	return 0
}

func containsAny(s string, words ...string) bool {
	for _, word := range words {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}

// upper begins a sentence.
func upper(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

// because appends the server's words to what it did, and ends the sentence.
func because(did string, f fault) string {
	if f.status != 0 {
		did += fmt.Sprintf(" (%d)", f.status)
	}
	if f.reason == "" {
		return did + "."
	}
	return did + ": " + strings.TrimRight(f.reason, ".") + "."
}
