package llmtest

import (
	"encoding/json"
	"testing"

	"aye/llm"
)

// wireless is a Client as a stage: what it was asked is what it plays.
type wireless struct {
	t testing.TB
	*Client
}

func (w wireless) Requests() []Recorded {
	var all []Recorded
	for _, req := range w.Client.Requests() {
		body, err := json.Marshal(req)
		if err != nil {
			w.t.Error(err)
		}
		all = append(all, Recorded{Body: body, Request: req})
	}
	return all
}

func (wireless) Serving() int { return 0 } // a stream that was left does nothing

func (wireless) Close() {}

// The client without a wire keeps the contract too.
func TestConformWithoutAWire(t *testing.T) {
	conform(t, func(_ TB, script Script) (stage, func() llm.Client) {
		c := NewClient(script)
		return wireless{t, c}, func() llm.Client { return c }
	})
}
