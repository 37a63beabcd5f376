package llmtest

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"aye/llm"
)

// What a client of Chat Completions sends, as far as a script may want to see
// it.
type wireRequest struct {
	Model    string        `json:"model"`
	Stream   bool          `json:"stream"`
	Options  wireOptions   `json:"stream_options"`
	Messages []wireMessage `json:"messages"`
	Tools    []struct {
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
}

type wireOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type wireMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
	Calls   []wireCall      `json:"tool_calls"`
	CallID  string          `json:"tool_call_id"`
}

// A wireCall is a call in a request, and a piece of one in a stream.
type wireCall struct {
	Index    *int   `json:"index,omitempty"`
	ID       string `json:"id,omitempty"`
	Type     string `json:"type,omitempty"`
	Function struct {
		Name      string `json:"name,omitempty"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type wirePart struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Image struct {
		URL string `json:"url"`
	} `json:"image_url"`
}

// request is w in the vocabulary of llm. Results and the user's words that
// follow them make one message, as they do before they are sent.
func (w wireRequest) request() (llm.Request, error) {
	req := llm.Request{Model: w.Model}
	names := map[string]string{}
	for _, t := range w.Tools {
		req.Tools = append(req.Tools, llm.ToolSpec{Name: t.Function.Name, Doc: t.Function.Description, Schema: t.Function.Parameters})
	}
	results := false // the last message holds tool results, and no words yet
	for i, m := range w.Messages {
		blocks, err := m.blocks()
		if err != nil {
			return llm.Request{}, fmt.Errorf("message %d: %w", i, err)
		}
		switch m.Role {
		case "system", "developer":
			req.System += llm.Message{Blocks: blocks}.Text()
		case "assistant":
			for _, c := range m.Calls {
				names[c.ID] = c.Function.Name
				blocks = append(blocks, llm.ToolCall{ID: c.ID, Name: c.Function.Name, Args: c.Function.Arguments})
			}
			req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Blocks: blocks})
		case "tool":
			if names[m.CallID] == "" {
				return llm.Request{}, fmt.Errorf("message %d answers %q, which is no call before it", i, m.CallID)
			}
			blocks = []llm.Block{llm.ToolResult{CallID: m.CallID, Name: names[m.CallID], Text: llm.Message{Blocks: blocks}.Text()}}
			addUser(&req, blocks, results)
		case "user":
			addUser(&req, blocks, results)
		default:
			return llm.Request{}, fmt.Errorf("message %d has the role %q", i, m.Role)
		}
		results = m.Role == "tool"
	}
	return req, nil
}

// addUser adds a user's blocks, to the last message if that is to go on.
func addUser(req *llm.Request, blocks []llm.Block, goOn bool) {
	if goOn {
		last := &req.Messages[len(req.Messages)-1]
		last.Blocks = append(last.Blocks, blocks...)
		return
	}
	req.Messages = append(req.Messages, llm.Message{Role: llm.User, Blocks: blocks})
}

// blocks reads the content: a string, parts, or null.
func (m wireMessage) blocks() ([]llm.Block, error) {
	var s string
	var parts []wirePart
	switch {
	case len(m.Content) == 0:
		return nil, errors.New("there is no content")
	case json.Unmarshal(m.Content, &s) == nil:
		if s == "" {
			return nil, nil
		}
		return []llm.Block{llm.Text{Text: s}}, nil
	case json.Unmarshal(m.Content, &parts) != nil:
		return nil, errors.New("the content is neither a string nor a list of parts")
	}
	var out []llm.Block
	for _, p := range parts {
		if p.Type == "text" {
			out = append(out, llm.Text{Text: p.Text})
			continue
		}
		head, data, _ := strings.Cut(p.Image.URL, ";base64,")
		picture, err := base64.StdEncoding.DecodeString(data)
		if err != nil || p.Type != "image_url" {
			return nil, fmt.Errorf("a part of type %q cannot be read", p.Type)
		}
		out = append(out, llm.Image{MIME: strings.TrimPrefix(head, "data:"), Data: picture})
	}
	return out, nil
}

// What the server sends.
type wireChunk struct {
	ID      string       `json:"id"`
	Object  string       `json:"object"`
	Created int64        `json:"created"`
	Model   string       `json:"model"`
	Choices []wireChoice `json:"choices"`
	Usage   *wireUsage   `json:"usage,omitempty"`
}

type wireChoice struct {
	Index   int        `json:"index"`
	Delta   *wireDelta `json:"delta,omitempty"`
	Message *wireDelta `json:"message,omitempty"`
	Finish  *string    `json:"finish_reason"`
}

type wireDelta struct {
	Role     string     `json:"role,omitempty"`
	Content  *string    `json:"content,omitempty"`
	Thinking string     `json:"reasoning_content,omitempty"`
	Calls    []wireCall `json:"tool_calls,omitempty"`
}

type wireUsage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
	Details    struct {
		Cached int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

func (r Reply) wireUsage() *wireUsage {
	u := &wireUsage{Prompt: r.Usage.Input, Completion: r.Usage.Output, Total: r.Usage.Input + r.Usage.Output}
	u.Details.Cached = r.Usage.Cached
	return u
}

// finish is the finish_reason of r.
func (r Reply) finish() string {
	switch {
	case r.Stop == llm.MaxTokens:
		return "length"
	case r.Stop == llm.Filtered:
		return "content_filter"
	case len(r.Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}
