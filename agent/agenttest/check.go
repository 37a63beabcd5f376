package agenttest

import (
	"fmt"
	"maps"
	"slices"

	"aye/agent"
)

// Check reports the first break of the rules that every sequence of a
// session's events keeps, live ones included or not:
//
//   - the first event opens the session;
//   - turns do not overlap, and count up;
//   - a call has exactly one result, before the next reply and the turn's end;
//   - a question is about an open call, is the only one, and is settled before
//     its call's result;
//   - no message stands between a call and its result, and each queued one is
//     accepted or withdrawn once;
//   - what a call changed is said before its result;
//   - the conversation is cleared only while no turn runs, and made shorter
//     only while one does, between its rounds;
//   - a command of the person's ends once, and output belongs to what runs;
//   - jobs count up, and each ends once.
func Check(events []agent.Event) error {
	c := checker{queued: map[int]bool{}, jobs: map[int]bool{}, open: map[string]bool{}, used: map[string]bool{}, commands: map[string]bool{}}
	for i, ev := range events {
		if err := c.step(i, ev); err != nil {
			return fmt.Errorf("event %d, %#v: %w", i+1, ev, err)
		}
	}
	return nil
}

type checker struct {
	turn     int
	busy     bool
	asked    string
	queued   map[int]bool
	open     map[string]bool // calls without a result
	used     map[string]bool // call ids ever seen
	commands map[string]bool
	job      int          // the last one that started
	jobs     map[int]bool // that run
}

func (c *checker) step(i int, ev agent.Event) error {
	if _, ok := ev.(agent.SessionOpened); i == 0 && !ok {
		return fmt.Errorf("the session was not opened")
	}
	switch ev := ev.(type) {
	case agent.PromptQueued:
		if c.queued[ev.ID] || ev.ID <= 0 {
			return fmt.Errorf("queued twice")
		}
		c.queued[ev.ID] = true
	case agent.PromptAccepted:
		return c.take(ev.ID, true)
	case agent.PromptWithdrawn:
		return c.take(ev.ID, false)
	case agent.TurnStarted:
		return c.turnStarted(ev)
	case agent.TurnEnded:
		return c.turnEnded(ev)
	case agent.Reminded, agent.Pruned, agent.Compacted:
		return c.between(ev)
	case agent.Cleared:
		if c.busy {
			return fmt.Errorf("a turn runs")
		}
	case agent.Replied:
		return c.reply(ev)
	case agent.CallPrepared:
		return c.isOpen(ev.CallID)
	case agent.ChangeCommitted:
		return c.isOpen(ev.CallID)
	case agent.ApprovalAsked:
		return c.ask(ev)
	case agent.ApprovalSettled:
		return c.settle(ev)
	case agent.CallFinished:
		return c.finish(ev)
	case agent.CommandStarted:
		return c.command(ev)
	case agent.CommandFinished:
		if !c.commands[ev.ID] {
			return fmt.Errorf("no such command runs")
		}
		delete(c.commands, ev.ID)
	case agent.CallProgress:
		if !c.open[ev.CallID] && !c.commands[ev.CallID] {
			return fmt.Errorf("output of what does not run")
		}
	case agent.TextStreamed, agent.ThoughtStreamed, agent.CallStreamed, agent.Waiting:
		if !c.busy {
			return fmt.Errorf("no turn runs")
		}
	case agent.JobStarted:
		return c.jobStarted(ev)
	case agent.JobEnded:
		return c.jobEnded(ev)
	case agent.SessionOpened, agent.ModeSet, agent.Noted, agent.JobsListed:
	}
	return nil
}

func (c *checker) command(ev agent.CommandStarted) error {
	if c.commands[ev.ID] || c.used[ev.ID] {
		return fmt.Errorf("its id is taken")
	}
	c.commands[ev.ID], c.used[ev.ID] = true, true
	return nil
}

func (c *checker) jobStarted(ev agent.JobStarted) error {
	if ev.ID <= c.job {
		return fmt.Errorf("job %d started before", c.job)
	}
	c.job, c.jobs[ev.ID] = ev.ID, true
	return nil
}

func (c *checker) jobEnded(ev agent.JobEnded) error {
	if !c.jobs[ev.ID] {
		return fmt.Errorf("no such job runs")
	}
	delete(c.jobs, ev.ID)
	return nil
}

func (c *checker) between(ev agent.Event) error {
	if len(c.open) > 0 {
		return fmt.Errorf("it stands between a call and its result")
	}
	if p, ok := ev.(agent.Pruned); ok {
		return c.shrunk(p.Before, p.After, len(p.CallIDs))
	}
	if p, ok := ev.(agent.Compacted); ok {
		return c.shrunk(p.Before, p.After, p.Dropped)
	}
	return nil
}

func (c *checker) shrunk(before, after, gone int) error {
	switch {
	case !c.busy:
		return fmt.Errorf("no turn runs")
	case after >= before || gone == 0:
		return fmt.Errorf("nothing became shorter")
	}
	return nil
}

func (c *checker) take(id int, accepted bool) error {
	switch {
	case !c.queued[id]:
		return fmt.Errorf("no such message is queued")
	case accepted && !c.busy:
		return fmt.Errorf("accepted outside a turn")
	case accepted && len(c.open) > 0:
		return fmt.Errorf("it stands between a call and its result")
	}
	delete(c.queued, id)
	return nil
}

func (c *checker) turnStarted(ev agent.TurnStarted) error {
	if c.busy || ev.Turn != c.turn+1 {
		return fmt.Errorf("turn %d, running: %v, came before", c.turn, c.busy)
	}
	c.busy, c.turn = true, ev.Turn
	return nil
}

func (c *checker) turnEnded(ev agent.TurnEnded) error {
	switch {
	case !c.busy || ev.Turn != c.turn:
		return fmt.Errorf("turn %d, running: %v, came before", c.turn, c.busy)
	case len(c.open) > 0 || c.asked != "":
		return fmt.Errorf("calls %v have no result, question %q is open", slices.Sorted(maps.Keys(c.open)), c.asked)
	case ev.Reason == agent.Broken && ev.Err == "", ev.Reason != agent.Broken && ev.Reason != agent.Limited && ev.Err != "":
		return fmt.Errorf("the error does not fit the reason")
	}
	c.busy = false
	return nil
}

func (c *checker) reply(ev agent.Replied) error {
	if !c.busy || len(c.open) > 0 {
		return fmt.Errorf("running: %v, calls without a result: %v", c.busy, slices.Sorted(maps.Keys(c.open)))
	}
	calls := ev.Message.Calls()
	if len(calls) == 0 && ev.Message.Text() == "" {
		return fmt.Errorf("the reply is empty")
	}
	if ev.Cut && len(calls) > 0 {
		return fmt.Errorf("a cut reply has calls")
	}
	for _, call := range calls {
		if call.ID == "" || c.used[call.ID] {
			return fmt.Errorf("the call id %q is empty or taken", call.ID)
		}
		c.open[call.ID], c.used[call.ID] = true, true
	}
	return nil
}

func (c *checker) isOpen(id string) error {
	if !c.open[id] {
		return fmt.Errorf("no such call is open")
	}
	return nil
}

func (c *checker) ask(ev agent.ApprovalAsked) error {
	if c.asked != "" {
		return fmt.Errorf("%q is asked already", c.asked)
	}
	c.asked = ev.CallID
	return c.isOpen(ev.CallID)
}

func (c *checker) settle(ev agent.ApprovalSettled) error {
	switch {
	case c.asked == ev.CallID:
		c.asked = ""
	case ev.Choice != agent.Deny:
		return fmt.Errorf("it was not asked")
	}
	return c.isOpen(ev.CallID)
}

func (c *checker) finish(ev agent.CallFinished) error {
	if c.asked == ev.CallID {
		return fmt.Errorf("its question is open")
	}
	err := c.isOpen(ev.CallID)
	delete(c.open, ev.CallID)
	return err
}
