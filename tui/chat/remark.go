package chat

import (
	"fmt"
	"strings"

	"aye/agent"
	"aye/tui/term"
)

// A remark is what aye did to the conversation by itself, in one line; the
// text that took part in it is shown while everything is open.
type remark struct{ line, text string }

// Remark says in one line what aye did to the conversation, or what happened
// beside it: a [agent.Reminded], [agent.Pruned], [agent.Compacted], or an
// [agent.JobEnded] that no call tells; "" for other events.
func Remark(ev agent.Event) string {
	switch ev := ev.(type) {
	case agent.Reminded:
		if why := strings.TrimSpace(ev.Why); why != "" {
			return "reminded: " + why
		}
		return "the model was reminded"
	case agent.Pruned:
		return count(len(ev.CallIDs), "old output") + " removed from the context" + shrunk(ev.Before, ev.After)
	case agent.Compacted:
		line := "compacted"
		if ev.Why != "" {
			line += ", because " + ev.Why
		}
		return line + ": " + count(ev.Dropped, "message") + " → summary" + shrunk(ev.Before, ev.After)
	case agent.JobEnded:
		return jobEnded(ev)
	case agent.SessionOpened, agent.PromptQueued, agent.PromptAccepted, agent.PromptWithdrawn, agent.TurnStarted, agent.Replied,
		agent.CallPrepared, agent.ApprovalAsked, agent.ApprovalSettled, agent.CallFinished, agent.ChangeCommitted, agent.TurnEnded,
		agent.CommandStarted, agent.CommandFinished, agent.JobStarted, agent.ModeSet, agent.Cleared, agent.Noted, agent.TextStreamed,
		agent.ThoughtStreamed, agent.CallStreamed, agent.CallProgress, agent.Waiting, agent.JobsListed:
	}
	return ""
}

const jobName = 60 // cells of a job's command

func jobEnded(ev agent.JobEnded) string {
	if ev.Told {
		return ""
	}
	line := fmt.Sprintf("job %d (%s) ended", ev.ID, term.Cut(term.Line(ev.Command), jobName))
	if ev.Summary == "" {
		return line + " with aye"
	}
	return line + ": " + ev.Summary
}

// jobEnded shows the end of a background job, unless a call does. One that
// failed is to be seen.
func (m *Model) jobEnded(ev agent.JobEnded) {
	switch line := jobEnded(ev); {
	case line == "":
	case ev.Failed:
		m.Note(agent.Warn, line)
	default:
		m.push(&remark{line, ""})
	}
}

// shrunk says how much smaller the next request is.
func shrunk(before, after int) string {
	if before <= 0 {
		return ""
	}
	return ", " + term.Tokens(before) + " → " + term.Tokens(max(0, after)) + " tokens"
}

func (r *remark) rows(lk *look) []string {
	const hint = " · ctrl+o"
	width := lk.width - lk.step() - 2
	rows := term.Wrap(term.Line(r.line), width)
	if last := &rows[len(rows)-1]; r.text != "" && !lk.open && term.Width(*last)+term.Width(hint) <= width {
		*last += hint
	}
	for i := range rows {
		lead := "  "
		if i == 0 {
			lead = "· "
		}
		rows[i] = strings.Repeat(" ", lk.step()) + lk.th.Dim.Render(lead+rows[i])
	}
	if r.text != "" && lk.open {
		text := term.Wrap(term.Clean(strings.TrimSpace(r.text)), lk.width-lk.body())
		rows = append(rows, term.Indent(paint(lk.th.Dim, text), lk.body())...)
	}
	return rows
}

func (r *remark) guess(int) int { return 1 }
