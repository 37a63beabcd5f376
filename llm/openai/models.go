package openai

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"aye/llm"
	"aye/llm/sse"
)

const (
	modelsPath  = "/models"
	modelsLimit = 10 * time.Second // lists are at hand: no model is loaded for them
)

// A Model is one that the endpoint offers.
type Model struct {
	ID      string
	Context int // tokens; 0: the endpoint does not say
}

// wireModel has the context window under the names that servers give it.
type wireModel struct {
	ID         text  `json:"id"`
	Name       text  `json:"name"`
	MaxLen     count `json:"max_model_len"`  // vLLM
	ContextLen count `json:"context_length"` // OpenRouter, Together
	Window     count `json:"context_window"` // Groq
	MaxContext count `json:"max_context_length"`
	Meta       struct {
		Trained count `json:"n_ctx_train"` // llama.cpp: what it may have, not what it was given
	} `json:"meta"`
}

// Models lists what the endpoint offers, in its order. It also is the cheapest
// way to learn whether an endpoint is there and takes the key. Errors are as
// those of Stream.
func (c *Client) Models(ctx context.Context) ([]Model, error) {
	at, err := c.site("", modelsPath)
	if err != nil {
		return nil, err
	}
	w := newWatch(ctx, modelsLimit, modelsLimit)
	defer w.stop()
	resp, err := c.send(w, at, http.MethodGet, nil)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return nil, at.explain(readFault(w, at, resp))
	}
	in, err := unpacked(w.reader(resp.Body))
	if err != nil {
		return nil, at.cut(err, false)
	}
	body, err := io.ReadAll(io.LimitReader(in, sse.MaxEvent))
	switch {
	case w.ctx.Err() != nil:
		return nil, at.silence(w)
	case err != nil:
		return nil, at.cut(err, true)
	}
	return at.models(body)
}

// models reads the list: {"object":"list","data":[…]} by the protocol, without
// the one or, where it is empty, without the other; or a bare list.
func (at site) models(body []byte) ([]Model, error) {
	if f := bodyFault(at, 0, body); f.html {
		return nil, at.explain(f)
	}
	var listed struct {
		Object text        `json:"object"`
		Data   []wireModel `json:"data"`
		Models []wireModel `json:"models"`
	}
	var bare []wireModel
	isList := json.Unmarshal(body, &bare) == nil ||
		json.Unmarshal(body, &listed) == nil && (listed.Object == "list" || listed.Data != nil || listed.Models != nil)
	if !isList {
		return nil, &llm.Error{Kind: llm.NotFound, Detail: at.base.Host + " answered with something that is no list of models. Is API_BASE_URL right? It often ends in /v1."}
	}
	all := append(append(bare, listed.Data...), listed.Models...)
	models := []Model{}
	seen := map[string]bool{"": true}
	for _, m := range all {
		id := m.ID
		if id == "" {
			id = m.Name
		}
		if name := id.clean(); !seen[name] {
			seen[name] = true
			models = append(models, Model{name, int(max(m.MaxLen, m.ContextLen, m.Window, m.MaxContext, m.Meta.Trained, 0))})
		}
	}
	return models, nil
}
