package openai

import (
	"bytes"
	"encoding/base64"
	"encoding/json"

	"aye/llm"
)

// The request as it travels. Its bytes follow from the value alone: structs
// keep their order, and nothing is escaped that need not be.
type wireRequest struct {
	Model    string        `json:"model"`
	Stream   bool          `json:"stream"`
	Options  *wireOptions  `json:"stream_options,omitempty"`
	Messages []wireMessage `json:"messages"`
	Tools    []wireTool    `json:"tools,omitempty"`
}

type wireOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type wireMessage struct {
	Role    string     `json:"role"`
	Content any        `json:"content"` // string, []wirePart or nil
	Calls   []wireCall `json:"tool_calls,omitempty"`
	CallID  string     `json:"tool_call_id,omitempty"`
}

type wirePart struct {
	Type  string     `json:"type"`
	Text  string     `json:"text,omitempty"`
	Image *wireImage `json:"image_url,omitempty"`
}

type wireImage struct {
	URL string `json:"url"`
}

type wireCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function wireFunction `json:"function"`
}

type wireFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type wireTool struct {
	Type     string   `json:"type"`
	Function wireSpec `json:"function"`
}

type wireSpec struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
}

// A dialect is what a server was found not to take. The zero value is the
// protocol as it is written.
type dialect struct {
	noUsage     bool // no stream_options
	nullContent bool // null, not "", for an assistant that only calls tools
}

// encode writes req in a dialect.
func encode(req llm.Request, d dialect) ([]byte, error) {
	w := wireRequest{Model: req.Model, Stream: true, Messages: []wireMessage{}}
	if !d.noUsage {
		w.Options = &wireOptions{IncludeUsage: true}
	}
	if req.System != "" {
		w.Messages = append(w.Messages, wireMessage{Role: "system", Content: req.System})
	}
	for _, m := range req.Messages {
		if m.Role == llm.Assistant {
			w.Messages = append(w.Messages, assistantMessage(m, d)...)
		} else {
			w.Messages = append(w.Messages, userMessages(m)...)
		}
	}
	for _, t := range req.Tools {
		schema := t.Schema
		if len(schema) == 0 {
			schema = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		w.Tools = append(w.Tools, wireTool{"function", wireSpec{t.Name, t.Doc, schema}})
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(w); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// userMessages are the tool results of m, each its own message, and after them
// what the person said.
func userMessages(m llm.Message) []wireMessage {
	var out []wireMessage
	var parts []wirePart
	pictures := false
	for _, b := range m.Blocks {
		switch b := b.(type) {
		case llm.ToolResult:
			out = append(out, wireMessage{Role: "tool", Content: b.Text, CallID: b.CallID})
		case llm.Text:
			if b.Text != "" {
				parts = append(parts, wirePart{Type: "text", Text: b.Text})
			}
		case llm.Image:
			pictures = true
			data := "data:" + b.MIME + ";base64," + base64.StdEncoding.EncodeToString(b.Data)
			parts = append(parts, wirePart{Type: "image_url", Image: &wireImage{data}})
		case llm.Thinking, llm.ToolCall: // not a user's
		}
	}
	switch {
	case pictures:
		out = append(out, wireMessage{Role: "user", Content: parts})
	case len(parts) > 0: // plain text is what every server takes
		out = append(out, wireMessage{Role: "user", Content: m.Text()})
	}
	return out
}

// assistantMessage is the prose and the calls of m; the reasoning does not go
// back. It is nothing when m has neither: servers refuse an empty turn.
func assistantMessage(m llm.Message, d dialect) []wireMessage {
	text := m.Text()
	w := wireMessage{Role: "assistant", Content: text}
	for _, c := range m.Calls() {
		w.Calls = append(w.Calls, wireCall{c.ID, "function", wireFunction{c.Name, sendable(c.Args)}})
	}
	if text == "" {
		if len(w.Calls) == 0 {
			return nil
		}
		if d.nullContent {
			w.Content = nil
		}
	}
	return []wireMessage{w}
}

// sendable returns args as servers take them back: an object. Many parse the
// history's arguments and fail on anything else, for the rest of the session.
// What a model wrote instead is kept inside one.
func sendable(args string) string {
	trimmed := bytes.TrimSpace([]byte(args))
	if len(trimmed) == 0 {
		return "{}"
	}
	if trimmed[0] == '{' && json.Valid(trimmed) {
		return args
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(map[string]string{"malformed_arguments": args}); err != nil {
		return "{}"
	}
	return string(bytes.TrimSuffix(out.Bytes(), []byte("\n")))
}

// onlyCalls reports whether an assistant turn of req has calls and no prose.
func onlyCalls(req llm.Request) bool {
	for _, m := range req.Messages {
		if m.Role == llm.Assistant && m.Text() == "" && len(m.Calls()) > 0 {
			return true
		}
	}
	return false
}
