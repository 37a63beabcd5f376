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

// window is how many tokens the model's context holds: what the person says,
// else what is publicly known, else a guess.
func (c config) window() int {
	if e, known := catalog.Lookup(c.model.value); known && !c.contextSet {
		return e.Window
	}
	return c.contextChars / charsPerToken
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
