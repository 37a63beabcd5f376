package agent

import (
	"aye/llm"
	"aye/tools"
)

// A repetition notices a model that goes round in a circle: the same call,
// with the same result, again and again. It is a turn's memory of its calls.
//
// Honest work repeats calls too: a test is run again after an edit, a server
// is polled until its answer changes. So a different result starts the count
// anew, and so does anything that changed the world and had not been done
// before in this turn. Doing and undoing the same thing is no news.
type repetition struct {
	runs   map[attempt]*streak
	seen   map[episode]bool
	noes   map[attempt]string // what the person said no to, while nothing new has happened
	halted bool
}

type attempt struct{ name, args string }

type streak struct {
	status tools.Status
	text   string
	count  int
}

type episode struct {
	attempt
	status tools.Status
	text   string
}

const (
	warnAt = 3 // the model is told in this result
	stopAt = 5 // the turn ends after this one

	textRepeats = "[aye: the third time that exactly this call gives exactly this result. Repeating it will not help: do something else, or say what stands in the way.]"
)

func newRepetition() repetition {
	return repetition{runs: map[attempt]*streak{}, seen: map[episode]bool{}, noes: map[attempt]string{}}
}

// again notes a call's result and returns how often in a row it was this one.
func (r *repetition) again(c llm.ToolCall, res tools.Result, act tools.Action) int {
	key := attempt{c.Name, c.Args}
	what := episode{key, res.Status, res.Text}
	if !r.seen[what] && res.Status == tools.OK {
		clear(r.noes)
		if changes(act) {
			clear(r.runs)
		}
	}
	r.seen[what] = true
	run := r.runs[key]
	if run == nil || run.status != res.Status || run.text != res.Text {
		run = &streak{status: res.Status, text: res.Text}
		r.runs[key] = run
	}
	run.count++
	r.halted = r.halted || run.count >= stopAt
	return run.count
}

func changes(act tools.Action) bool {
	for _, e := range act.Effects {
		if e.Kind != tools.Read {
			return true
		}
	}
	return false
}

// stuck reports whether the turn should end.
func (r *repetition) stuck() bool { return r.halted }

// deny remembers that the person said no to c, and denied finds that again.
func (r *repetition) deny(c llm.ToolCall, text string) {
	r.noes[attempt{c.Name, c.Args}] = text
}

func (r *repetition) denied(c llm.ToolCall) (string, bool) {
	text, ok := r.noes[attempt{c.Name, c.Args}]
	return text, ok
}
