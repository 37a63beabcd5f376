package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"aye/llm"
)

// A chunk is one piece of a streamed reply, or a whole reply. Its types take
// what servers send in place of what they should: a value of another type is
// read where its meaning is plain, and is otherwise as good as absent.
type chunk struct {
	Object  text            `json:"object"`
	Model   text            `json:"model"`
	Choices []choice        `json:"choices"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Groq    struct {
		Usage *usage `json:"usage"`
	} `json:"x_groq"`
}

type choice struct {
	Index   text   `json:"index"`
	Delta   *delta `json:"delta"`
	Message *delta `json:"message"` // of a whole reply
	Finish  text   `json:"finish_reason"`
	Usage   *usage `json:"usage"`
}

type delta struct {
	Content   content `json:"content"`
	Refusal   text    `json:"refusal"`
	Reason1   text    `json:"reasoning_content"` // DeepSeek, vLLM, llama.cpp
	Reason2   text    `json:"reasoning"`         // OpenRouter, Ollama, Groq
	Reason3   text    `json:"thinking"`
	ToolCalls pieces  `json:"tool_calls"`
	Function  *struct {
		Name      text      `json:"name"`
		Arguments arguments `json:"arguments"`
	} `json:"function_call"` // before there were tools
}

// thinking is the reasoning in d: some servers send it under two names at once.
func (d *delta) thinking() string {
	for _, t := range []text{d.Reason1, d.Reason2, d.Reason3, text(d.Content.thinking)} {
		if t != "" {
			return string(t)
		}
	}
	return ""
}

// calls are the pieces of tool calls in d.
func (d *delta) calls() []piece {
	if f := d.Function; f != nil && len(d.ToolCalls) == 0 {
		var p piece
		p.Function.Name, p.Function.Arguments = f.Name, f.Arguments
		return []piece{p}
	}
	return d.ToolCalls
}

// A piece is a piece of a tool call.
type piece struct {
	Index    text `json:"index"` // empty: absent
	ID       text `json:"id"`
	Function struct {
		Name      text      `json:"name"`
		Arguments arguments `json:"arguments"`
	} `json:"function"`
}

// decodeChunk reads one chunk. Only bytes that are no JSON are an error.
func decodeChunk(data []byte) (chunk, error) {
	var c chunk
	err := json.Unmarshal(data, &c)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return chunk{}, err
	}
	if bytes.Equal(c.Error, []byte("null")) {
		c.Error = nil
	}
	return c, nil
}

// text is a string; a number counts as its digits, anything else as "".
// Its bytes may be cut within a character.
type text string

func (t *text) UnmarshalJSON(raw []byte) error {
	*t = ""
	switch raw[0] {
	case '"':
		*t = text(unquote(raw))
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		*t = text(raw)
	}
	return nil
}

// clean returns t as whole characters.
func (t text) clean() string { return strings.ToValidUTF8(string(t), "\ufffd") }

// content is a string, or a list of parts of which some may be reasoning.
type content struct{ text, thinking string }

func (c *content) UnmarshalJSON(raw []byte) error {
	*c = content{}
	switch raw[0] {
	case '"':
		c.text = unquote(raw)
	case '[':
		c.text, c.thinking = joinParts(raw)
	}
	return nil
}

func joinParts(raw []byte) (plain, thinking string) {
	var parts []struct {
		Type     text    `json:"type"`
		Text     text    `json:"text"`
		Thinking content `json:"thinking"` // a string or, again, parts
	}
	if err := json.Unmarshal(raw, &parts); err != nil && parts == nil {
		return "", ""
	}
	for _, p := range parts {
		switch p.Type {
		case "thinking", "reasoning":
			thinking += string(p.Text) + p.Thinking.text
		default:
			plain += string(p.Text)
		}
	}
	return plain, thinking
}

// arguments is JSON text inside a string, as the protocol has it, or the JSON
// itself, as some servers have it; null is "".
type arguments string

func (a *arguments) UnmarshalJSON(raw []byte) error {
	switch raw[0] {
	case '"':
		*a = arguments(unquote(raw))
	case 'n':
		*a = ""
	default:
		*a = arguments(raw)
	}
	return nil
}

// pieces is a list, or its only item.
type pieces []piece

func (ps *pieces) UnmarshalJSON(raw []byte) error {
	*ps = nil
	switch raw[0] {
	case '[':
		return json.Unmarshal(raw, (*[]piece)(ps))
	case '{':
		*ps = make(pieces, 1)
		return json.Unmarshal(raw, &(*ps)[0])
	}
	return nil
}

// usage counts tokens under the names that are in use.
type usage struct {
	Prompt     count `json:"prompt_tokens"`
	Completion count `json:"completion_tokens"`
	Input      count `json:"input_tokens"`
	Output     count `json:"output_tokens"`
	CacheHit   count `json:"prompt_cache_hit_tokens"`
	Details    struct {
		Cached count `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

// tokens returns the counts; false when there are none, or impossible ones.
func (u *usage) tokens() (llm.Usage, bool) {
	if u == nil || min(u.Prompt, u.Completion, u.Input, u.Output, u.CacheHit, u.Details.Cached) < 0 {
		return llm.Usage{}, false
	}
	n := llm.Usage{
		Input:  int(max(u.Prompt, u.Input)),
		Output: int(max(u.Completion, u.Output)),
		Cached: int(max(u.CacheHit, u.Details.Cached)),
	}
	if n.Cached > n.Input { // the server counts them beside, not among, the input
		n.Input += n.Cached
	}
	return n, n.Input+n.Output > 0
}

// count is a number of tokens, -1 when it cannot be one.
type count int64

func (c *count) UnmarshalJSON(raw []byte) error {
	n, err := strconv.ParseFloat(strings.Trim(string(raw), `"`), 64)
	switch {
	case err != nil:
		*c = 0
	case n >= 0 && n < 1e12:
		*c = count(n)
	default:
		*c = -1
	}
	return nil
}
