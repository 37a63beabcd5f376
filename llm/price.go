package llm

// A Price is what a model's tokens cost. The zero Price is free.
type Price struct {
	Rates
	// A request with more than Above input tokens costs Long instead, all of
	// it; 0: every request costs the same.
	Above int
	Long  Rates
}

// Rates are US dollars a million tokens. Cached is for the part of the input
// that the server had in its cache.
type Rates struct{ Input, Cached, Output float64 }

// Free tells whether nothing costs anything.
func (p Price) Free() bool { return p == Price{} }

// Cost returns what one request with its reply costs, in US dollars. Usages
// of several requests must not be added before: see Above.
func (p Price) Cost(u Usage) float64 {
	r := p.Rates
	if p.Above > 0 && u.Input > p.Above {
		r = p.Long
	}
	cached := min(u.Cached, u.Input)
	return (float64(u.Input-cached)*r.Input + float64(cached)*r.Cached + float64(u.Output)*r.Output) / 1e6
}
