package agent

import (
	"context"
	"errors"
	"slices"
	"strings"

	"aye/llm"
	"aye/tools"
)

// reminders are what a turn remembers of a model that has to be told how to go
// on. Each reminder becomes a message the person can see; a model that needs
// none never gets one.
type reminders struct {
	dodges  int  // answers taken for calls that were not made
	empties int  // empty replies in a row
	stale   int  // rounds in a row without news of the plan
	planned bool // this round has some
	denied  bool // something was refused in this turn
	cut     bool // a call of this round was answered as cut
}

const (
	maxDodges  = 2 // the third is the answer
	maxEmpties = 2 // asked again as it was, then with a word; the third is an error
	maxStale   = 3
)

// What the model is told. The tags say that no person speaks.
const (
	remindTodos  = "<reminder>Update your todos.</reminder>"
	remindEmpty  = "<reminder>Your reply was empty. Call a tool, or answer the user.</reminder>"
	remindCut    = "<reminder>Your reply was cut at the output limit; what came after its last whole call is lost. Go on in smaller parts: write the first 150 lines or so of a long file, then append the rest part by part.</reminder>"
	remindDodge  = "<reminder>You showed a command or a change and called no tool, so nothing was done. If you mean to do it, call the tool now. If it was for the user to read, finish with one sentence.</reminder>"
	remindMarkup = "<reminder>Your call was written as text and could not be read, so nothing was done. Call one of these through the tool interface: %s.</reminder>"
)

// note takes up a call's result.
func (r *reminders) note(res tools.Result) {
	r.planned = r.planned || res.View.Kind == tools.Plan
	r.denied = r.denied || res.Status == tools.Denied
	r.cut = r.cut || res.Text == textCutArgs
}

// remind says text to the model, and why to the person.
func (t *turn) remind(text, why string) { t.emit(Reminded{Text: text, Why: why}) }

// mayRemind reports whether there is a round left for the model to listen.
func (t *turn) mayRemind() bool { return t.rounds < t.opts.MaxRounds }

// askAgain reports whether a request that failed is to be made again because
// the reply was empty. Small models do that after a tool's result, and mostly
// not twice.
func (t *turn) askAgain(ctx context.Context, err error) bool {
	r := &t.reminders
	if !errors.Is(err, errEmpty) || ctx.Err() != nil || !t.mayRemind() || r.empties == maxEmpties {
		return false
	}
	if r.empties++; r.empties == maxEmpties {
		t.remind(remindEmpty, "the reply was empty")
	}
	return true
}

// dodged reports whether a reply without calls is one that should have had
// some, and tells the model so.
func (t *turn) dodged(reply llm.Done) bool {
	r := &t.reminders
	r.empties = 0
	if reply.Stop == llm.Filtered || r.dodges == maxDodges || !t.mayRemind() || len(t.opts.Tools) == 0 {
		return false
	}
	var names []string
	for _, tool := range t.opts.Tools {
		names = append(names, tool.Name)
	}
	open, mode, quoted := false, Mode(""), false
	text := reply.Message.Text()
	markup := leftMarkup(text)
	t.do(func(s *Session) {
		open, mode = s.state.openTodos(), s.state.Mode
		quoted = markup != "" && s.state.heard(markup)
	})
	switch {
	case markup != "" && !quoted && reply.Stop == llm.MaxTokens:
		t.remind(remindCut, "a call was cut at the output limit")
	case markup != "" && !quoted:
		t.remind(strings.Replace(remindMarkup, "%s", strings.Join(names, ", "), 1), "a call could not be read")
	case reply.Stop == llm.EndTurn && mode != Plan && !r.denied && showsAction(text, open):
		t.remind(remindDodge, "a command was shown, not run")
	default:
		return false
	}
	r.dodges++
	return true
}

// nag reminds after a round of calls: of what was cut off behind them, and of a
// plan that has not moved.
func (t *turn) nag(reply llm.Done) {
	r := &t.reminders
	cut := reply.Stop == llm.MaxTokens && !r.cut
	r.stale++
	if r.planned {
		r.stale = 0
	}
	r.planned, r.cut, r.empties = false, false, 0
	if !t.mayRemind() {
		return
	}
	if cut {
		t.remind(remindCut, "the reply was cut at the output limit")
	}
	if r.stale < maxStale {
		return
	}
	r.stale = 0
	open := false
	t.do(func(s *Session) { open = s.state.openTodos() })
	if open {
		t.remind(remindTodos, "the plan is old")
	}
}

// openTodos reports whether the plan has something left to do.
func (s *State) openTodos() bool {
	return slices.ContainsFunc(s.Todos, func(t tools.Todo) bool { return t.Status != tools.Completed })
}

// heard reports whether text stands in what the model was given: then it
// quotes.
func (s *State) heard(text string) bool {
	for _, m := range s.Messages {
		if m.Role != llm.User {
			continue
		}
		for _, b := range m.Blocks {
			switch b := b.(type) {
			case llm.Text:
				if strings.Contains(b.Text, text) {
					return true
				}
			case llm.ToolResult:
				if strings.Contains(b.Text, text) {
					return true
				}
			case llm.Thinking, llm.Image, llm.ToolCall:
			}
		}
	}
	return false
}
