package openai

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"aye/llm"
	"aye/llm/sse"
)

// unreachable is the error of a request that got no response.
func (at site) unreachable(err error) *llm.Error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err // without the URL, whose query may be secret
	}
	kind, detail := at.networkSentence(err)
	return &llm.Error{Kind: kind, Detail: detail, Err: at.harmless(err)}
}

// harmless is err unless its text holds a secret: causes end up in logs.
func (at site) harmless(err error) error {
	for _, secret := range at.secrets {
		if len(secret) >= shortestSecret && strings.Contains(err.Error(), secret) {
			return nil
		}
	}
	return err
}

func (at site) networkSentence(err error) (llm.Kind, string) {
	host := at.base.Host
	var proxy *proxyError
	var op *net.OpError
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case errors.As(err, &proxy):
		advice := " Check HTTPS_PROXY."
		if proxy.status == http.StatusProxyAuthRequired {
			advice = " It wants a name and a password: write them into HTTPS_PROXY."
		}
		return llm.Unreachable, fmt.Sprintf("The proxy does not connect to %s (%d %s).%s", host, proxy.status, http.StatusText(proxy.status), advice)
	case errors.As(err, &op) && op.Op == "proxyconnect":
		return llm.Unreachable, "The proxy on the way to " + host + " cannot be reached. Check HTTPS_PROXY."
	case errors.As(err, &dns):
		return llm.Unreachable, fmt.Sprintf("The name %s cannot be looked up. Is API_BASE_URL right, and this machine online?", at.base.Hostname())
	case refused(err):
		return llm.Unreachable, "Nothing listens at " + host + ": is the server started, and the port in API_BASE_URL right?"
	case errors.Is(err, http.ErrSchemeMismatch):
		return llm.Unreachable, host + " does not speak https: start API_BASE_URL with http://."
	case tlsSentence(err) != "":
		return llm.Unreachable, "No secure connection to " + host + ": " + tlsSentence(err) + "."
	case isEnd(err), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), strings.Contains(err.Error(), "server closed idle connection"):
		return llm.Broken, host + " closed the connection before it answered."
	case !speaksHTTP(err):
		return llm.Unreachable, host + " does not speak HTTP: is the port in API_BASE_URL right?"
	case errors.As(err, &timeout) && timeout.Timeout():
		return llm.Unreachable, host + " does not answer: no connection within the time. Is API_BASE_URL right, and this machine online?"
	}
	return llm.Unreachable, "The request to " + host + " failed: " + at.clean(err.Error()) + "."
}

// refused reports whether nobody listens. Windows has another number for that.
func refused(err error) bool {
	const windowsRefused = syscall.Errno(10061)
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, windowsRefused)
}

// speaksHTTP is false for the errors, of no type, of what net/http cannot read:
// something that is no response, or that came before the request was written.
func speaksHTTP(err error) bool {
	return !containsAny(err.Error(), "malformed HTTP", "readLoopPeekFailLocked")
}

// isEnd reports whether err is an end of the connection, clean or not.
func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// tlsSentence says what is wrong with the secure connection, "" if that is not it.
func tlsSentence(err error) string {
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	var other *tls.CertificateVerificationError
	switch {
	case errors.As(err, &unknown):
		return "its certificate is signed by nobody this machine trusts"
	case errors.As(err, &name):
		return "its certificate is for another name"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "its certificate has expired, or this machine's clock is wrong"
	case errors.As(err, &invalid), errors.As(err, &other):
		return "its certificate is not valid"
	case errors.As(err, &record):
		return "it does not speak TLS; if it is a local server, start API_BASE_URL with http://"
	case errors.As(err, &alert):
		return "the two sides found no common way to encrypt"
	}
	return ""
}

// silence is the error of a request that the watch, or the caller, ended.
func (at site) silence(w *watch) error {
	if !w.silent() {
		return w.ctx.Err()
	}
	host := at.base.Host
	limit := w.limit.Round(time.Second)
	switch {
	case w.waited >= w.alone && w.alone > w.limit:
		return &llm.Error{Kind: llm.Idle, Detail: fmt.Sprintf("%s gave signs of life for %s but no answer.", host, w.alone)}
	case w.begun:
		return &llm.Error{Kind: llm.Idle, Detail: fmt.Sprintf("%s stopped in the middle of its answer: nothing came for %s.", host, limit)}
	}
	return &llm.Error{Kind: llm.Idle, Detail: fmt.Sprintf("%s did not begin to answer within %s. A local server may still be loading the model.", host, limit)}
}

// malformed is the error of a chunk that is not JSON.
func (at site) malformed(data []byte, err error) *llm.Error {
	return &llm.Error{Kind: llm.Broken, Detail: fmt.Sprintf("%s sent something that is not JSON: %s", at.base.Host, at.glimpse(data)), Err: err}
}

// glimpse is the beginning of what a server sent.
func (at site) glimpse(data []byte) string {
	shown := at.clean(string(data[:min(len(data), 4<<10)]))
	if runes := []rune(shown); len(runes) > 80 {
		shown = string(runes[:80]) + "…"
	}
	return shown
}

// words is the beginning of a body, as far as it has come, where that is
// nothing a stream of events begins with; else "".
func (at site) words(in *bufio.Reader) string {
	data, _ := in.Peek(in.Buffered())
	line, _, _ := bytes.Cut(data, []byte("\n"))
	field, _, _ := bytes.Cut(bytes.TrimSpace(line), []byte(":"))
	switch string(field) {
	case "", "data", "event", "id", "retry":
		return ""
	}
	return at.glimpse(data)
}

// prose is the error of a body that is words in place of a reply.
func (at site) prose(words string) *llm.Error {
	return &llm.Error{Kind: llm.Broken, Detail: fmt.Sprintf("%s sent something that is no answer: %s. Is API_BASE_URL right? It often ends in /v1.", at.base.Host, strings.TrimRight(words, "."))}
}

// stranger is the error of a JSON body that is no reply.
func (at site) stranger(body []byte) *llm.Error {
	f := bodyFault(at, 0, body)
	if f.reason != "" {
		return at.explain(f)
	}
	return &llm.Error{Kind: llm.NotFound, Detail: at.base.Host + " answered with JSON that is no chat completion. Is API_BASE_URL right? It often ends in /v1."}
}

// goOn is what to do about half an answer: the half is kept.
const goOn = " Say \"go on\" to have the rest."

// cut is the error of a reply that ended too soon, for the cause err.
func (at site) cut(err error, begun bool) *llm.Error {
	e := &llm.Error{Kind: llm.Broken, Err: at.harmless(err)}
	host := at.base.Host
	switch {
	case errors.Is(err, errLongReply), errors.Is(err, errManyCalls), errors.Is(err, errFlood), errors.Is(err, sse.ErrTooLong):
		e.Detail = "The answer of " + host + " was broken off: " + err.Error() + "."
	case !begun && errors.Is(err, io.EOF):
		e.Detail = host + " sent no answer: the reply is empty. Is API_BASE_URL right?"
	case isEnd(err), errors.Is(err, syscall.ECONNRESET):
		e.Detail = "The answer of " + host + " broke off in the middle: the connection ended." + goOn
	default:
		e.Detail = "The answer of " + host + " broke off: " + strings.TrimRight(at.clean(err.Error()), ".") + "." + goOn
	}
	return e
}
