package llm

import (
	"encoding/json"
	"fmt"
)

// Role says who speaks a [Message]. The system prompt is not a message: it
// travels in [Request].
type Role string

const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// A Message is one entry of the conversation. Messages are immutable once
// made. Tool results travel in a User message, in the order of their calls.
type Message struct {
	Role   Role
	Blocks []Block
}

// A Block is a [Text], [Thinking], [Image], [ToolCall] or [ToolResult].
//
//sumtype:decl
type Block interface{ block() }

type (
	// Text is prose, Markdown by habit.
	Text struct {
		Text string `json:"text"`
	}
	// Thinking is the model's reasoning. It is shown folded and goes back only
	// to the model that made it, where that model's dialect demands it.
	Thinking struct {
		Text      string `json:"text"`
		Signature string `json:"signature,omitzero"`
		Model     string `json:"model,omitzero"`
	}
	// Image is a picture the person attached.
	Image struct {
		MIME string `json:"mime"`
		Data []byte `json:"data"`
	}
	// ToolCall asks for one run of a tool. Args is what the model sent, byte
	// for byte: usually a JSON object, sometimes rubbish; the tool decides.
	ToolCall struct {
		ID   string `json:"id"`
		Name string `json:"name"`
		Args string `json:"args"`
	}
	// ToolResult answers the call with the same id. Failed marks errors,
	// denials and interruptions for the wires that can say so.
	ToolResult struct {
		CallID string `json:"call_id"`
		Name   string `json:"name,omitzero"`
		Text   string `json:"text"`
		Failed bool   `json:"failed,omitzero"`
	}
)

func (Text) block()       {}
func (Thinking) block()   {}
func (Image) block()      {}
func (ToolCall) block()   {}
func (ToolResult) block() {}

// UserText returns a user's message that holds only text.
func UserText(text string) Message {
	return Message{Role: User, Blocks: []Block{Text{Text: text}}}
}

// Calls returns the tool calls of m in order.
func (m Message) Calls() []ToolCall {
	var calls []ToolCall
	for _, b := range m.Blocks {
		if c, ok := b.(ToolCall); ok {
			calls = append(calls, c)
		}
	}
	return calls
}

// Text returns the prose of m, its text blocks joined.
func (m Message) Text() string {
	var text string
	for _, b := range m.Blocks {
		if t, ok := b.(Text); ok {
			text += t.Text
		}
	}
	return text
}

// wireBlock is a block with its kind, as journals hold it.
type wireBlock struct {
	Type string          `json:"type"`
	Data json.RawMessage `json:"data"`
}

type wireMessage struct {
	Role   Role        `json:"role"`
	Blocks []wireBlock `json:"blocks"`
}

// MarshalJSON writes the journal's form, in which each block names its kind.
// It is aye's own form, no provider's.
func (m Message) MarshalJSON() ([]byte, error) {
	w := wireMessage{Role: m.Role, Blocks: []wireBlock{}}
	for _, b := range m.Blocks {
		kind, err := blockKind(b)
		if err != nil {
			return nil, err
		}
		data, err := json.Marshal(b)
		if err != nil {
			return nil, fmt.Errorf("llm: encoding a %s block: %w", kind, err)
		}
		w.Blocks = append(w.Blocks, wireBlock{kind, data})
	}
	return json.Marshal(w)
}

func blockKind(b Block) (string, error) {
	switch b.(type) {
	case Text:
		return "text", nil
	case Thinking:
		return "thinking", nil
	case Image:
		return "image", nil
	case ToolCall:
		return "call", nil
	case ToolResult:
		return "result", nil
	}
	return "", fmt.Errorf("llm: unknown block %T", b)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (m *Message) UnmarshalJSON(data []byte) error {
	var w wireMessage
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	*m = Message{Role: w.Role}
	for _, b := range w.Blocks {
		block, err := decodeBlock(b)
		if err != nil {
			return err
		}
		m.Blocks = append(m.Blocks, block)
	}
	return nil
}

func decodeBlock(w wireBlock) (Block, error) {
	switch w.Type {
	case "text":
		return decode[Text](w.Data)
	case "thinking":
		return decode[Thinking](w.Data)
	case "image":
		return decode[Image](w.Data)
	case "call":
		return decode[ToolCall](w.Data)
	case "result":
		return decode[ToolResult](w.Data)
	}
	return nil, fmt.Errorf("llm: unknown block type %q", w.Type)
}

func decode[B Block](data json.RawMessage) (Block, error) {
	var b B
	if err := json.Unmarshal(data, &b); err != nil {
		return nil, err
	}
	return b, nil
}
