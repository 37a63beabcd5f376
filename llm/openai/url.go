package openai

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"unicode"
)

// chatPath is what a base URL is followed by.
const chatPath = "/chat/completions"

// BaseURL cleans the address of an endpoint as people give it: space and
// quotes around it, slashes after it, and the /chat/completions of a full
// address go. A query is kept. The errors say what to write instead; they
// never repeat the value, which may be a key in the wrong variable, or hold one.
func BaseURL(raw string) (string, error) {
	u, err := parseBase(raw)
	if err != nil {
		return "", err
	}
	return u.String(), nil
}

// Complete is BaseURL for what people type, who leave the scheme out: it is
// http for this machine and for one near it, https otherwise, so that no key
// crosses the net in clear because of what was left out.
func Complete(typed string) (string, error) {
	s := strings.Trim(typed, surrounding)
	if !strings.Contains(s, "://") {
		if u, err := url.Parse("//" + s); err == nil && address(u) {
			s = scheme(u) + "://" + s
		}
	}
	return BaseURL(s)
}

// address reports whether what stands where a host does is one: a word alone
// may be a key in the wrong place, and would be asked of a name server.
func address(u *url.URL) bool {
	host := u.Hostname()
	if net.ParseIP(host) != nil || loopback(host) {
		return true
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > 63 || strings.ContainsFunc(label, notInNames) {
			return false
		}
	}
	return u.Port() != "" || strings.Contains(host, ".")
}

func notInNames(r rune) bool { return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }

func scheme(u *url.URL) string {
	switch port := u.Port(); {
	case port == "443" || port == "8443":
		return "https"
	case local(u.Hostname()):
		return "http"
	}
	return "https"
}

// surrounding is what is copied with an address and is not of it.
const surrounding = " \t\r\n\"'"

// pathEnd is what may stand at the end of the path and is not of it.
const pathEnd = "/" + surrounding

func parseBase(raw string) (*url.URL, error) {
	raw, _, _ = strings.Cut(raw, "#") // a fragment is for browsers
	s := strings.Trim(raw, surrounding)
	if s == "" {
		return nil, errors.New("the base URL is empty: give the address of an OpenAI-compatible endpoint, like https://api.openai.com/v1")
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme == "" || u.Opaque != "" {
		return nil, errors.New("the base URL has to start with http:// or https://, like https://api.openai.com/v1 or http://localhost:11434/v1")
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("the base URL has to start with http:// or https://, no other protocol is spoken")
	}
	if u.Hostname() == "" || strings.ContainsAny(u.Host, surrounding) {
		return nil, errors.New("the base URL names no host: give it like https://api.openai.com/v1")
	}
	path := strings.TrimRight(u.EscapedPath(), pathEnd)
	for strings.HasSuffix(path, chatPath) {
		path = strings.TrimRight(strings.TrimSuffix(path, chatPath), pathEnd)
	}
	u.RawPath = path
	if u.Path, err = url.PathUnescape(path); err != nil {
		return nil, errors.New("the base URL has a bad % in its path")
	}
	return u, nil
}

// local reports whether host is this machine or one near it, where a model may
// need minutes to load and to read a long prompt.
func local(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		ip = ip.Unmap()
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified()
	}
	return !strings.Contains(host, ".") || hasSuffix(host, ".localhost", ".local", ".lan", ".internal", ".home.arpa")
}

// IsLoopback reports whether the endpoint at baseURL is on this very machine:
// no proxy is asked for it, and it needs no key.
func IsLoopback(baseURL string) bool {
	u, err := url.Parse(baseURL)
	return err == nil && loopback(u.Hostname())
}

// loopback reports whether host is this very machine.
func loopback(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

func hasSuffix(s string, suffixes ...string) bool {
	for _, suffix := range suffixes {
		if strings.HasSuffix(s, suffix) {
			return true
		}
	}
	return false
}
