package llmtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"aye/llm"
)

type fileReply struct {
	Text      string     `json:"text"`
	Thinking  string     `json:"thinking"`
	Calls     []fileCall `json:"calls"`
	Stop      llm.Stop   `json:"stop"`
	Usage     llm.Usage  `json:"usage"`
	Piece     int        `json:"piece"`
	DelayMS   int        `json:"delay_ms"`
	BetweenMS int        `json:"between_ms"`
	Fault     fileFault  `json:"fault"`
}

type fileCall struct {
	ID   string          `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

type fileFault struct {
	Status     int               `json:"status"`
	Header     map[string]string `json:"header"`
	Body       string            `json:"body"`
	Then       Then              `json:"then"`
	After      int               `json:"after"`
	Comments   int               `json:"comments"`
	ByteByByte bool              `json:"byte_by_byte"`
	Gzip       bool              `json:"gzip"`
	Whole      bool              `json:"whole"`
	NoEnd      bool              `json:"no_end"`
	NoUsage    bool              `json:"no_usage"`
	Raw        string            `json:"raw"`
}

// Load reads a script from JSON, in the form the package comment shows.
func Load(data []byte) (Script, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var file []fileReply
	if err := dec.Decode(&file); err != nil {
		return nil, fmt.Errorf("the script is not a list of replies in JSON: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the script goes on after its list of replies")
	}
	replies := make([]Reply, len(file))
	for i, f := range file {
		r, err := f.reply()
		if err != nil {
			return nil, fmt.Errorf("reply %d of the script: %w", i+1, err)
		}
		replies[i] = r
	}
	return Steps(replies...), nil
}

func (f fileReply) reply() (Reply, error) {
	switch f.Stop {
	case "", llm.EndTurn, llm.MaxTokens, llm.Filtered:
	default:
		return Reply{}, fmt.Errorf("stop is %q, not %s, %s or %s", f.Stop, llm.EndTurn, llm.MaxTokens, llm.Filtered)
	}
	switch f.Fault.Then {
	case "", Cut, Stall, Error, Garbage:
	default:
		return Reply{}, fmt.Errorf("then is %q, not %s, %s, %s or %s", f.Fault.Then, Cut, Stall, Error, Garbage)
	}
	r := Reply{
		Text: f.Text, Thinking: f.Thinking, Stop: f.Stop, Usage: f.Usage, Piece: f.Piece, Fault: Fault(f.Fault),
		Delay: time.Duration(f.DelayMS) * time.Millisecond, Between: time.Duration(f.BetweenMS) * time.Millisecond,
	}
	for _, c := range f.Calls {
		if c.Name == "" {
			return Reply{}, errors.New("a call has no name")
		}
		r.Calls = append(r.Calls, llm.ToolCall{ID: c.ID, Name: c.Name, Args: c.args()})
	}
	return r, nil
}

// args are the arguments as text: a string stands for itself, so that a script
// can send what is no JSON.
func (c fileCall) args() string {
	var text string
	if json.Unmarshal(c.Args, &text) == nil {
		return text
	}
	return string(c.Args)
}
