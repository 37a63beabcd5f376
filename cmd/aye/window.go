package main

import (
	"aye/llm"
	"aye/llm/catalog"
	"aye/llm/openai"
	"aye/tools"
)

// charsPerToken turns the characters a context holds into tokens, roughly.
const charsPerToken = 4

// window is how many tokens the model's context holds, for the person to see:
// what is publicly known, or what they say, or a guess.
func (c config) window() int {
	if tokens, chars := c.bounds(); chars == 0 {
		return tokens
	}
	return c.contextChars / charsPerToken
}

// bounds is what a request may have, in tokens and characters, of which one is
// 0. The person's own word counts; of a model on this machine, whose server
// says how much of its window it uses, what is publicly known does not.
func (c config) bounds() (tokens, chars int) {
	e, known := catalog.Lookup(c.model.value)
	if !known || c.contextSet || openai.IsLoopback(c.baseURL.value) {
		return 0, c.contextChars
	}
	return e.Window, 0
}

// overhead is what each request holds besides the conversation, in tokens,
// estimated.
func overhead(system string, list []tools.Tool) int {
	req := llm.Request{System: system}
	for _, t := range list {
		req.Tools = append(req.Tools, llm.ToolSpec{Name: t.Name, Doc: t.Doc, Schema: t.Schema})
	}
	return req.Estimate()
}
