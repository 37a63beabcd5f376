package main

import (
	"net/url"

	"aye/llm"
	"aye/llm/catalog"
	"aye/llm/openai"
	"aye/tools"
	"aye/tools/skill"
	"aye/tui"
)

// priceAt is what a model costs at an endpoint, if that is known.
func priceAt(model, endpoint string) (llm.Price, bool) {
	u, err := url.Parse(endpoint)
	if err != nil {
		return llm.Price{}, false
	}
	return catalog.PriceAt(model, u.Hostname(), openai.IsLoopback(endpoint))
}

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

// shownSkills are the skills as the screen lists them.
func shownSkills(c *skill.Catalog) []tui.Skill {
	var list []tui.Skill
	for _, s := range c.Skills {
		list = append(list, tui.Skill{Name: s.Name, Description: s.Description, Path: s.Path})
	}
	for _, p := range c.Problems {
		list = append(list, tui.Skill{Path: p.Path, Problem: p.Reason})
	}
	return list
}
