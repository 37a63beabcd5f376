package main

import (
	"net/url"

	"aye/llm"
	"aye/llm/catalog"
	"aye/llm/openai"
)

// priceAt is what a model costs at an endpoint, if that is known.
func priceAt(model, endpoint string) (llm.Price, bool) {
	u, err := url.Parse(endpoint)
	if err != nil {
		return llm.Price{}, false
	}
	return catalog.PriceAt(model, u.Hostname(), openai.IsLoopback(endpoint))
}
