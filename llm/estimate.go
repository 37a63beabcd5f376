package llm

import (
	"strings"
	"unicode/utf8"
)

// A Size is how large a request is, or a part of one: a guess of its tokens,
// within a third for most texts, and its characters as JSON.
type Size struct{ Tokens, Chars int }

// Add returns the sum of two sizes.
func (s Size) Add(t Size) Size { return Size{s.Tokens + t.Tokens, s.Chars + t.Chars} }

// Sub returns s without t.
func (s Size) Sub(t Size) Size { return Size{s.Tokens - t.Tokens, s.Chars - t.Chars} }

// A weight counts bytes by how densely they fill tokens, as measured with real
// tokenizers: prose and code about 3.5 bytes a token, JSON about 2.4. Chinese
// has about 4 bytes a token, 1.4 characters, so bytes serve where characters
// would be off by three.
type weight struct{ prose, json, fixed int }

// What things cost besides their text.
const (
	imageTokens   = 1000 // with most models, give or take half
	messageTokens = 4    // its role, and where it begins and ends

	bodyChars    = 100 // the model, the options, the brackets
	messageChars = 30  // {"role":"user","content":""},
	callChars    = 75  // {"id":"","type":"function","function":{"name":"","arguments":""}},
	resultChars  = 50  // {"role":"tool","content":"","tool_call_id":""},
	toolChars    = 80  // {"type":"function","function":{"name":"","description":"","parameters":}},
)

// text counts s, which is prose unless it looks like JSON.
func (w *weight) text(s string) {
	if head := strings.TrimLeft(s[:min(len(s), 16)], " \t\r\n"); head != "" && (head[0] == '{' || head[0] == '[') {
		w.json += len(s)
		return
	}
	w.prose += len(s)
}

func (w weight) tokens() int { return w.prose*2/7 + w.json*5/12 + w.fixed }

// TextSize is the size of s within a message.
func TextSize(s string) Size {
	var w weight
	w.text(s)
	return Size{w.tokens(), quoted(s)}
}

// Size is what m adds to a request. Reasoning adds nothing: it does not go
// back.
func (m Message) Size() Size {
	w := weight{fixed: messageTokens}
	chars := messageChars
	for _, b := range m.Blocks {
		switch b := b.(type) {
		case Text:
			w.text(b.Text)
			chars += quoted(b.Text)
		case Thinking:
		case Image:
			w.fixed += imageTokens
			chars += messageChars + len(b.Data)*4/3
		case ToolCall:
			w.json += len(b.Name) + len(b.Args)
			chars += callChars + len(b.ID) + len(b.Name) + quoted(b.Args)
		case ToolResult:
			w.text(b.Text)
			w.fixed += messageTokens
			chars += resultChars + len(b.CallID) + quoted(b.Text)
		}
	}
	return Size{w.tokens(), chars}
}

// Size is that of the whole request, its tools included.
func (r Request) Size() Size {
	w := weight{prose: len(r.System)}
	size := Size{Chars: bodyChars + messageChars + len(r.Model) + quoted(r.System)}
	for _, t := range r.Tools {
		w.prose += len(t.Doc)
		w.json += len(t.Name) + len(t.Schema)
		size.Chars += toolChars + len(t.Name) + quoted(t.Doc) + utf8.RuneCount(t.Schema)
	}
	size.Tokens = w.tokens()
	for _, m := range r.Messages {
		size = size.Add(m.Size())
	}
	return size
}

// Estimate guesses the tokens a model wrote as m, its reasoning included.
func (m Message) Estimate() int {
	var w weight
	for _, b := range m.Blocks {
		switch b := b.(type) {
		case Text:
			w.text(b.Text)
		case Thinking:
			w.text(b.Text)
		case Image:
			w.fixed += imageTokens
		case ToolCall:
			w.json += len(b.Name) + len(b.Args)
		case ToolResult:
			w.text(b.Text)
		}
	}
	return w.tokens()
}

// Estimate guesses the tokens of r, its tools included.
func (r Request) Estimate() int { return r.Size().Tokens }

// quoted is how many characters s has in a JSON string, its quotes left out.
func quoted(s string) int {
	n := 0
	for i := range len(s) {
		n += int(quotedBytes[s[i]])
	}
	return n
}

// quotedBytes says for each byte how many characters it adds: of those of one
// character, the first adds it.
var quotedBytes = func() (n [256]uint8) {
	for c := range n {
		switch {
		case c < ' ':
			n[c] = 6
		case c&0xC0 != 0x80:
			n[c] = 1
		}
	}
	for _, c := range "\"\\\n\r\t\b\f" {
		n[c] = 2
	}
	return n
}()
