package openai

import (
	"fmt"
	"net/http"
	"strings"

	"aye/llm"
)

// Words by which servers tell what HTTP statuses do not.
var (
	// Only with statuses other than 429, where "tokens" is about the minute.
	tooLongWords = []string{
		"context_length_exceeded", "model_context_window_exceeded", "exceed_context_size", "maximum context length",
		"context length", "context size", "context window", "context limit", "context shift is disabled",
		"prompt is too long", "prompt too long", "input is too long", "input length", "maximum prompt length",
		"input token count", "reduce the length of the messages", "larger than the context", "exceeds the context",
		"context overflow", "max_model_len", "maximum model length", "request too large", "request_too_large",
		"prompt token count", "model token limit", "range of input length", "max_new_tokens` must be",
		"reduce the length of the prompt", "contextwindowexceeded", "too many input tokens",
	}
	// Not "billing" nor "quota" alone: they are also said of limits per minute.
	creditWords = []string{
		"insufficient_quota", "insufficient balance", "insufficient_balance", "credit balance", "insufficient credits",
		"not enough credits", "billing_hard_limit", "billing_not_active", "payment required",
	}
	noModelWords = []string{
		"model_not_found", "model not found", "no such model", "unknown model", "invalid model", "model does not exist",
		"model_not_exist", "not a valid model",
	}
	limitWords    = []string{"rate limit", "rate_limit", "ratelimit", "too many requests", "resource_exhausted", "tokens per min"}
	authWords     = []string{"invalid_api_key", "invalid api key", "incorrect api key", "authentication_error", "unauthorized"}
	refusedWords  = []string{"invalid_request", "invalid request", "bad request", "not supported", "unsupported"}
	noToolsWords  = []string{"does not support tools", "does not support function", "tool use is not supported", "no endpoints found that support tool use", "tools is not supported", "tools are not supported", "--enable-auto-tool-choice", "--jinja"}
	filteredWords = []string{"content_filter", "content_policy", "content management policy", "data_inspection_failed"}
)

// kind is what a caller may do about f.
func (f fault) kind() llm.Kind {
	said := f.said()
	switch {
	case f.status == http.StatusPaymentRequired, containsAny(said, creditWords...):
		return llm.Credit
	case f.status == http.StatusTooManyRequests,
		(f.status == 0 || f.status == http.StatusBadRequest) && containsAny(said, limitWords...):
		return llm.Limit
	case f.status == http.StatusProxyAuthRequired:
		return llm.Unreachable
	case f.status == http.StatusRequestEntityTooLarge, containsAny(said, tooLongWords...):
		return llm.TooLong
	case f.status == http.StatusUnauthorized, f.status == http.StatusForbidden:
		return llm.Auth
	case f.status == http.StatusNotFound, f.status == http.StatusMethodNotAllowed, f.status == http.StatusGone,
		f.status/100 == 3, f.status/100 == 4 && containsAny(said, noModelWords...), f.html && f.status < 500:
		return llm.NotFound
	case f.status == http.StatusRequestTimeout, f.status == http.StatusConflict, f.status == http.StatusTooEarly, f.status >= 500:
		return llm.Overloaded
	case f.status >= 400:
		return llm.Refused
	}
	return f.kindByWords(said)
}

// kindByWords is for errors inside a stream: most of them pass.
func (f fault) kindByWords(said string) llm.Kind {
	switch {
	case containsAny(said, limitWords...):
		return llm.Limit
	case containsAny(said, authWords...):
		return llm.Auth
	case containsAny(said, noModelWords...):
		return llm.NotFound
	case containsAny(said, refusedWords...), containsAny(said, noToolsWords...), containsAny(said, filteredWords...):
		return llm.Refused
	}
	return llm.Overloaded
}

// explain is f as an error.
func (at site) explain(f fault) *llm.Error { return at.fail(f.kind(), f) }

// fail is f as an error of a kind that is known already.
func (at site) fail(kind llm.Kind, f fault) *llm.Error {
	e := &llm.Error{Kind: kind, Status: f.status, RetryAfter: f.wait, Detail: at.sentence(kind, f)}
	if kind == llm.TooLong {
		if e.Window = f.window; e.Window == 0 {
			e.Window = windowIn(f.said())
		}
	}
	return e
}

func (at site) sentence(kind llm.Kind, f fault) string {
	host := at.base.Host
	switch kind {
	case llm.Auth:
		return at.authSentence(f)
	case llm.NotFound:
		return at.notFoundSentence(f)
	case llm.Credit:
		return because("The account at "+host+" has no credit left", f) + " Top it up, or use another endpoint."
	case llm.Limit:
		return because(host+" asks to send less often", f)
	case llm.TooLong:
		return because("The conversation is too long for "+at.named(), f) + " Shorten it, or use a model with a larger context."
	case llm.Overloaded:
		if f.html && f.reason == "" {
			f.reason = http.StatusText(f.status)
		}
		return because(host+" fails for now", f) + " Try again in a while."
	case llm.Unreachable:
		return because("The proxy on the way to "+host+" asks for a log-in", f) + " Check HTTPS_PROXY."
	case llm.Refused:
		if containsAny(f.said(), noToolsWords...) {
			return because(host+" cannot let "+at.named()+" call tools", f) + " Choose a model that can, or start the server with tool calling on."
		}
	case llm.Broken, llm.Idle:
	}
	return because(host+" did not take the request", f)
}

func (at site) authSentence(f fault) string {
	host := at.base.Host
	switch {
	case f.html:
		return because(host+" answered with a web page that refuses the request", f) + " Check API_BASE_URL, and whether a firewall or log-in page is in between."
	case !at.hasKey:
		return because("The endpoint "+host+" wants a key", f) + " Set API_KEY."
	case f.status == http.StatusForbidden:
		return because("The endpoint "+host+" does not allow this", f) + " Check that API_KEY may use " + at.named() + "."
	}
	return because("The endpoint "+host+" refused the key", f) + " Check API_KEY."
}

func (at site) notFoundSentence(f fault) string {
	host := at.base.Host
	switch {
	case f.moved != "":
		return because(host+" sends requests on to "+f.moved, fault{status: f.status}) + " They are not followed, for the key would go along. If that place is right, set API_BASE_URL to it."
	case f.html, f.status/100 == 3:
		return because(host+" answered with a web page, not with the API", fault{status: f.status}) + " Is API_BASE_URL right? It often ends in /v1."
	case strings.Contains(f.said(), "model") && at.model != "":
		return because(host+" does not know "+at.named(), f) + " Check API_MODEL."
	}
	return because(fmt.Sprintf("There is no %s at %s", at.base.Path+at.path, host), f) + " Is API_BASE_URL right? It often ends in /v1."
}

// named is the model for a sentence.
func (at site) named() string {
	if at.model == "" {
		return "the model"
	}
	return "the model " + at.clean(at.model)
}
