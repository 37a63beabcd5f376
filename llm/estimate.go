package llm

// weight counts bytes by how densely they fill tokens, as measured with real
// tokenizers: prose and code about 3.5 bytes a token, JSON about 2.4.
type weight struct{ prose, json, images int }

// imageTokens is what a picture costs with most models, give or take half.
const imageTokens = 1000

func (w *weight) add(m Message) {
	for _, b := range m.Blocks {
		switch b := b.(type) {
		case Text:
			w.prose += len(b.Text)
		case Thinking:
			w.prose += len(b.Text)
		case Image:
			w.images++
		case ToolCall:
			w.json += len(b.Name) + len(b.Args)
		case ToolResult:
			w.prose += len(b.Text)
		}
	}
}

func (w weight) tokens() int {
	return w.prose*2/7 + w.json*5/12 + w.images*imageTokens
}

// Estimate guesses the tokens of m, within a third for most texts.
func (m Message) Estimate() int {
	var w weight
	w.add(m)
	return w.tokens()
}

// Estimate guesses the tokens of r, its tools included.
func (r Request) Estimate() int {
	w := weight{prose: len(r.System)}
	for _, m := range r.Messages {
		w.add(m)
	}
	for _, t := range r.Tools {
		w.prose += len(t.Doc)
		w.json += len(t.Name) + len(t.Schema)
	}
	return w.tokens()
}
