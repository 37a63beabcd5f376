package agent

import (
	"context"
	"fmt"
	"slices"

	"aye/llm"
	"aye/tools"
)

// permit asks the policy, and where the policy says so the person, whether a
// prepared call may run. It returns nil, or the result the call has instead.
func (t *turn) permit(ctx context.Context, c llm.ToolCall, effects []tools.Effect) *tools.Result {
	ruling := t.judge(c.Name, effects)
	if ruling.Verdict == Pass {
		return nil
	}
	if ruling.Verdict == Inquire && t.opts.Unattended {
		ruling.Verdict, ruling.Why = Reject, unattended(ruling.Rule)
	}
	if ruling.Verdict == Reject {
		t.emit(ApprovalSettled{CallID: c.ID, Choice: Deny, Note: ruling.Why})
		return denied(ruling.Why)
	}
	if no, ok := t.told.denied(c); ok {
		// The same call again, and nothing new since: the answer stands.
		t.emit(ApprovalSettled{CallID: c.ID, Choice: Deny, Note: "denied before in this turn"})
		return denied(no)
	}
	answer, ok := t.inquire(ctx, c.ID, ruling.Rule)
	switch {
	case !ok:
		return &tools.Result{Status: tools.Interrupted, Text: textNotRun}
	case answer.Choice != Deny:
		return nil
	}
	no := textDenied
	if answer.Note != "" {
		no += " Reason: " + answer.Note
	}
	t.told.deny(c, no)
	return denied(no)
}

func denied(why string) *tools.Result {
	return &tools.Result{Status: tools.Denied, Text: why}
}

// judge asks the policy under the mode and grants of this moment. A policy
// that panics, on bytes nobody expected, has not said yes.
func (t *turn) judge(tool string, effects []tools.Effect) (r Ruling) {
	defer func() {
		if p := recover(); p != nil {
			r = Ruling{Verdict: Reject, Why: "The call could not be judged, so it was not run: " + crash(p) + "."}
		}
	}()
	var mode Mode
	var grants []string
	t.do(func(s *Session) { mode, grants = s.state.Mode, slices.Clone(s.state.Grants) })
	return t.opts.Policy.Judge(string(mode), tool, effects, grants)
}

// inquire asks the person, and waits until they answer or the turn ends.
func (t *turn) inquire(ctx context.Context, id, rule string) (Answer, bool) {
	reply := make(chan Answer, 1)
	t.wait(Waiting{For: ForApproval})
	t.asks <- func(s *Session) {
		s.pending[id] = question{rule, reply}
		s.record(ApprovalAsked{CallID: id, Rule: rule})
	}
	select {
	case a := <-reply:
		return a, true
	case <-ctx.Done():
		t.do(func(s *Session) { s.withdraw(id) })
		return Answer{}, false
	}
}

// withdraw closes a question nobody waits for any more.
func (s *Session) withdraw(id string) {
	if _, ok := s.pending[id]; ok {
		delete(s.pending, id)
		s.record(ApprovalSettled{CallID: id, Choice: Withdrawn})
	}
}

// unattended says how what would be asked could be allowed.
func unattended(rule string) string {
	how := "with a --mode that covers it"
	if rule != "" {
		how = fmt.Sprintf("with --allow '%s', or with a --mode that covers it", rule)
	}
	return "Not run: this needs approval, and nobody is there to give it. To allow it, start aye " + how + "."
}
