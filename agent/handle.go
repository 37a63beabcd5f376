package agent

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"aye/llm"
)

func (s *Session) handle(ctx context.Context, cmd Command) {
	s.saveAgain()
	switch cmd := cmd.(type) {
	case Prompt:
		if strings.TrimSpace(cmd.Text) != "" {
			s.record(PromptQueued{ID: s.state.prompts + 1, Text: cmd.Text})
		}
	case Withdraw:
		if slices.ContainsFunc(s.state.Queue, func(q PromptQueued) bool { return q.ID == cmd.ID }) {
			s.record(PromptWithdrawn(cmd))
		}
	case Answer:
		s.settle(cmd)
	case Cancel:
		s.interrupt(cmd)
	case RunCommand:
		s.runCommand(ctx, cmd)
	case SetMode:
		s.setMode(cmd.Mode)
	case Clear:
		if s.turn != nil {
			s.record(Noted{Warn, "The conversation cannot be cleared while a turn runs: interrupt it first."})
			return
		}
		s.record(Cleared{})
		s.forgot()
	case Compact:
		s.compact(ctx, cmd)
	case ListJobs:
		s.listJobs()
	case StopJob:
		s.stopJob(cmd.ID)
	}
}

// settle takes the person's answer. One that comes too late finds no question.
func (s *Session) settle(a Answer) {
	q, ok := s.pending[a.CallID]
	if !ok {
		return
	}
	delete(s.pending, a.CallID)
	ev := ApprovalSettled{CallID: a.CallID, Choice: a.Choice, Note: a.Note}
	switch {
	case a.Choice == Always && q.rule != "":
		ev.Rule = q.rule
	case a.Choice == Always: // no rule was on offer, so it is this once
		ev.Choice = Allow
	case a.Choice != Allow:
		ev.Choice = Deny
	}
	s.record(ev)
	a.Choice = ev.Choice
	q.reply <- a
}

// interrupt ends the turn and gives queued messages back: they were meant to
// follow work that has now not been done.
func (s *Session) interrupt(c Cancel) {
	if s.turn != nil && (c.Turn == 0 || c.Turn == s.state.Turn) {
		s.turn.cancel(context.Canceled)
		s.recordAll(s.state.withdrawals())
	}
	if c.Turn == 0 {
		for _, cancel := range s.commands {
			cancel()
		}
	}
}

func (s *Session) setMode(m Mode) {
	switch m {
	case Plan, Ask, Edit, Full:
		s.record(ModeSet{m})
	default:
		s.record(Noted{Warn, fmt.Sprintf("There is no mode %q: plan, ask, edit and full are the modes.", m)})
	}
}

// start begins a turn on the queued messages. They are accepted at once, so
// that a turn is never without its task.
func (s *Session) start(ctx context.Context) {
	if len(s.unsaved) > 0 {
		s.record(Noted{Fail, "Not started, because the session still cannot be saved. Send the message again when there is space."})
		s.recordAll(s.state.withdrawals())
		return
	}
	ctx, t := s.begin(ctx)
	work := t.loop
	if no := s.accept(); no != nil {
		if len(s.state.Messages) == s.state.start { // the turn has no task
			work = func(context.Context) (Reason, error) { return "", no }
		} else {
			s.record(Noted{Fail, "A message was not taken: " + no.Error() + "."})
		}
	}
	n := s.state.Turn
	s.work.Go(func() { t.run(ctx, n, work) })
}

// compact begins a turn that compacts and does nothing else, so that it is
// shown, and can be interrupted, as any other.
func (s *Session) compact(ctx context.Context, cmd Compact) {
	switch {
	case s.turn != nil:
		s.record(Noted{Warn, "The conversation cannot be compacted while a turn runs: interrupt it first."})
		return
	case len(s.unsaved) > 0:
		s.record(Noted{Fail, "Not compacted, because the session still cannot be saved."})
		return
	}
	ctx, t := s.begin(ctx)
	n := s.state.Turn
	s.work.Go(func() { t.run(ctx, n, t.compactNow(cmd.Focus)) })
}

// begin begins a turn.
func (s *Session) begin(ctx context.Context) (context.Context, *turn) {
	ctx, cancel := context.WithCancelCause(ctx)
	t := &turn{opts: &s.opts, asks: s.asks, work: &s.work, cancel: cancel, told: newRepetition()}
	s.turn = t
	s.record(TurnStarted{s.state.Turn + 1})
	return ctx, t
}

// accept moves the queued messages into the conversation. One that no request
// could hold is given back instead: inside, it would be in the way of all that
// follow. The error says so.
func (s *Session) accept() (refused error) {
	for _, q := range slices.Clone(s.state.Queue) {
		size := s.fixed.Add(llm.UserText(q.Text).Size())
		if most := s.most(); !most.holds(size) {
			refused = tooLarge("The message is", most, size)
			s.record(PromptWithdrawn{ID: q.ID})
			continue
		}
		s.record(PromptAccepted(q))
	}
	return refused
}

// end closes the turn and all it left open.
func (s *Session) end(ev TurnEnded) {
	s.turn.cancel(nil)
	s.turn = nil
	clear(s.pending)
	s.recordAll(s.state.unfinished())
	s.forget()
	s.record(ev)
	if ev.Reason == Broken || ev.Reason == Limited {
		// What was to follow the work must not start without it.
		s.recordAll(s.state.withdrawals())
	}
	s.sync()
}

// runCommand runs a command as the person. It goes beside a turn, not through
// it: nothing asks, and the model hears of it only where it is shared.
func (s *Session) runCommand(ctx context.Context, cmd RunCommand) {
	switch {
	case s.opts.Shell == nil:
		s.record(Noted{Fail, "There is no shell here to run commands with."})
		return
	case len(s.unsaved) > 0:
		s.record(Noted{Fail, "Not run, because the session still cannot be saved."})
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	id := fmt.Sprintf("command-%d", s.state.commands+1)
	s.commands[id] = cancel
	s.record(CommandStarted{ID: id, Command: cmd.Command, Share: cmd.Share})
	j := job{id: id, asks: s.asks, work: &s.work, now: s.opts.Now}
	s.work.Go(func() {
		late, release := leash(ctx, &s.work)
		defer release()
		out := j.command(ctx, late, s.opts.Shell, cmd.Command)
		s.asks <- func(s *Session) {
			cancel()
			delete(s.commands, id)
			s.record(CommandFinished{ID: id, Result: out.result, Took: out.took})
			s.forget()
		}
	})
}

// heardMax is how many bytes of the output of what runs are kept, in case it
// has to be given up.
const heardMax = 4 << 10

// progress takes output of what runs. What comes after the end is dropped.
func (s *Session) progress(id, text string) {
	if !s.state.running(id) {
		return
	}
	s.record(CallProgress{id, text})
	said := s.heard[id] + text
	if cut := len(said) - heardMax; cut > 0 {
		said = strings.ToValidUTF8(said[cut:], "")
	}
	s.heard[id] = said
}

// forget drops the output of what no longer runs: its result has it.
func (s *Session) forget() {
	maps.DeleteFunc(s.heard, func(id, _ string) bool { return !s.state.running(id) })
}
