package agent

import (
	"slices"

	"aye/tools"
)

// unfinished lists the events that end what an ended turn left open: its
// question and its calls.
func (s *State) unfinished() []Event {
	var evs []Event
	if s.Asked.CallID != "" {
		evs = append(evs, ApprovalSettled{CallID: s.Asked.CallID, Choice: Withdrawn})
	}
	for _, c := range s.calls {
		if c.done {
			continue
		}
		if c.call.ID == s.Asked.CallID {
			c.prepared = false // it was waiting for leave, so it cannot have run
		}
		evs = append(evs, CallFinished{CallID: c.call.ID, Tool: c.call.Name, Result: c.unfinished()})
	}
	return evs
}

// repair lists the events that bring a session to rest whose process died:
// every call has a result, no question is open, no turn, command or job runs,
// and messages that were waiting go back to the person.
func (s *State) repair() []Event {
	evs := s.unfinished()
	if s.Busy {
		evs = append(evs, TurnEnded{Turn: s.Turn, Reason: Broken, Rounds: s.rounds, Err: "aye was ended before this turn was"})
	}
	for _, c := range s.Running {
		evs = append(evs, CommandFinished{ID: c.ID, Result: tools.Result{
			Status: tools.Interrupted,
			Text:   "aye was ended before this command was; its status is unknown.",
		}})
	}
	for _, j := range s.Jobs {
		evs = append(evs, JobEnded{ID: j.ID, Command: j.Command})
	}
	return append(evs, s.withdrawals()...)
}

// withdrawals lists the events that take every queued message back, the newest
// first: each goes in front of what is in the composer by then.
func (s *State) withdrawals() []Event {
	var evs []Event
	for _, q := range slices.Backward(s.Queue) {
		evs = append(evs, PromptWithdrawn{ID: q.ID})
	}
	return evs
}
