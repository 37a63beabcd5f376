package tui

import (
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"aye/agent"
	"aye/tui/dialog"
)

// apply folds a batch and starts the spinner where it brought work.
func (m *Model) apply(batch events) tea.Cmd {
	cmd := m.fold(batch.list, batch.at, true)
	return tea.Batch(cmd, m.beat(), m.keepDraft())
}

// fold is the one place where events change the screen. What is not live
// happened in an earlier run: what was taken back then is not given back again.
func (m *Model) fold(list []agent.Event, at time.Time, live bool) tea.Cmd {
	var cmds []tea.Cmd
	for _, ev := range list {
		if ev, ok := ev.(agent.PromptWithdrawn); ok && live {
			m.unqueue(ev.ID) // while the state still knows its text
		}
		m.state.Apply(ev)
		m.meter.Apply(ev)
		m.chat.Apply(ev, at)
		m.status.Apply(ev, at)
		switch ev := ev.(type) {
		case agent.CallPrepared:
			m.calls[ev.CallID] = ev
		case agent.ApprovalAsked:
			cmds = append(cmds, m.ask(ev))
		case agent.ApprovalSettled:
			cmds = append(cmds, m.dialogs.Settle(ev.CallID))
		case agent.TurnEnded:
			clear(m.calls)
		case agent.JobsListed:
			m.dialogs.ListJobs(ev.Jobs)
		case agent.SessionOpened, agent.PromptQueued, agent.PromptAccepted, agent.PromptWithdrawn, agent.TurnStarted,
			agent.Replied, agent.CallFinished, agent.ChangeCommitted, agent.CommandStarted,
			agent.CommandFinished, agent.JobStarted, agent.JobEnded, agent.ModeSet, agent.Cleared, agent.Reminded, agent.Pruned, agent.Compacted, agent.Noted, agent.TextStreamed,
			agent.ThoughtStreamed, agent.CallStreamed, agent.CallProgress, agent.Waiting:
		}
	}
	return tea.Batch(cmds...)
}

// ask opens the dialog for a call.
func (m *Model) ask(ev agent.ApprovalAsked) tea.Cmd {
	call := m.calls[ev.CallID]
	return m.dialogs.Push(dialog.NewApproval(m.theme, dialog.Request{
		CallID: ev.CallID, Tool: call.Tool, Title: call.Title,
		Effects: call.Effects, Preview: call.Preview, Rule: ev.Rule,
	}, func(a agent.Answer) tea.Cmd { return m.send(a) }))
}

// unqueue puts a message that was taken back where it can be sent again: in
// front of what is being written.
func (m *Model) unqueue(id int) {
	i := slices.IndexFunc(m.state.Queue, func(q agent.PromptQueued) bool { return q.ID == id })
	if i < 0 {
		return
	}
	m.compose.Return(m.state.Queue[i].Text)
}
