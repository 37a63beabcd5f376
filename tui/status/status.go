package status

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/spinner"
	"github.com/charmbracelet/lipgloss"

	"aye/agent"
	"aye/llm"
	"aye/tui/term"
	"aye/tui/theme"
)

// Beat is how often a busy line is drawn again.
const Beat = 100 * time.Millisecond

// Facts is what the line shows besides events.
type Facts struct {
	Workspace string // absolute path
	Home      string // shown as ~; may be empty
	Branch    string // of the workspace; may be empty
	Model     string
	Window    int    // tokens the model's context holds; 0: unknown
	Hint      string // shown while nothing goes on
	Stop      string // said while something runs, where there is room: how to interrupt it
}

// A Model is the status line.
type Model struct {
	th    theme.Theme
	facts Facts
	mode  agent.Mode

	turn     bool
	phase    agent.Phase
	detail   string
	until    time.Time
	since    time.Time      // of the phase
	writing  string         // the call the model writes
	bytes    map[string]int // of each call being written
	commands []command      // the person's that run
	jobs     []int          // the background jobs that run

	context llm.Usage // of the last reply: what the next request starts from
	total   llm.Usage
	meter   *agent.Meter
}

// command is one that the person runs themselves.
type command struct {
	id, text string
	began    time.Time
}

// New returns the line of a session that has not said anything yet.
func New(th theme.Theme, facts Facts) *Model {
	return &Model{th: th, facts: facts, mode: agent.Ask}
}

// SetTheme changes the colours.
func (m *Model) SetTheme(th theme.Theme) { m.th = th }

// SetFacts changes what is shown besides events.
func (m *Model) SetFacts(facts Facts) { m.facts = facts }

// Watch makes the line say what meter has counted. The owner applies each
// event to meter first.
func (m *Model) Watch(meter *agent.Meter) { m.meter = meter }

// Busy tells whether time is shown that passes.
func (m *Model) Busy() bool { return m.turn || len(m.commands) > 0 }

// Apply folds an event. now is when it happened.
func (m *Model) Apply(ev agent.Event, now time.Time) {
	switch ev := ev.(type) {
	case agent.SessionOpened:
		m.mode, m.facts.Model, m.facts.Workspace = ev.Mode, ev.Model, ev.Workspace
	case agent.TurnStarted:
		m.turn = true
		m.enter(agent.ForModel, "", now)
	case agent.Waiting:
		m.enter(ev.For, ev.Detail, now)
		m.until = ev.Until
	case agent.TextStreamed:
		m.pass(agent.ForAnswer, now)
	case agent.ThoughtStreamed:
		m.pass(agent.ForThought, now)
	case agent.CallStreamed:
		m.pass(agent.ForCall, now)
		m.write(ev)
	case agent.Replied:
		m.reckon(ev)
	case agent.ApprovalAsked:
		m.pass(agent.ForApproval, now)
	case agent.TurnEnded:
		m.turn = false
		m.enter("", "", now)
	case agent.CommandStarted:
		m.commands = append(m.commands, command{ev.ID, ev.Command, now})
	case agent.CommandFinished:
		m.commands = slices.DeleteFunc(m.commands, func(c command) bool { return c.id == ev.ID })
	case agent.JobStarted:
		m.jobs = append(m.jobs, ev.ID)
	case agent.JobEnded:
		m.jobs = slices.DeleteFunc(m.jobs, func(id int) bool { return id == ev.ID })
	case agent.ModeSet:
		m.mode = ev.Mode
	case agent.Cleared:
		m.context = llm.Usage{}
	case agent.Pruned:
		m.context = llm.Usage{Input: ev.After, Estimated: true}
	case agent.Compacted:
		m.context = llm.Usage{Input: ev.After, Estimated: true}
		m.total = m.total.Add(ev.Usage)
	case agent.PromptQueued, agent.PromptAccepted, agent.PromptWithdrawn, agent.CallPrepared, agent.ApprovalSettled,
		agent.CallFinished, agent.ChangeCommitted, agent.Reminded, agent.Noted, agent.CallProgress, agent.JobsListed:
	}
}

// enter begins to wait for something else.
func (m *Model) enter(phase agent.Phase, detail string, now time.Time) {
	if phase != m.phase || detail != m.detail {
		m.since = now
	}
	m.phase, m.detail, m.until = phase, detail, time.Time{}
	m.writing, m.bytes = "", nil
}

// pass enters a phase that shows by itself, unless the turn is there already
// or over.
func (m *Model) pass(phase agent.Phase, now time.Time) {
	if m.turn && m.phase != phase {
		m.enter(phase, "", now)
	}
}

func (m *Model) write(ev agent.CallStreamed) {
	if m.bytes == nil {
		m.bytes = map[string]int{}
	}
	m.bytes[ev.CallID] = ev.Bytes
	m.writing = ev.Tool
}

func (m *Model) reckon(ev agent.Replied) {
	if ev.Usage.Input+ev.Usage.Output > 0 {
		m.context = ev.Usage
	}
	m.total = m.total.Add(ev.Usage)
	if ev.Model != "" && m.facts.Model == "" {
		m.facts.Model = ev.Model
	}
}

// doing returns what goes on, in words, since when, and its colour.
func (m *Model) doing(now time.Time) (string, time.Time, lipgloss.Style) {
	th := m.th
	if !m.turn {
		if n := len(m.commands); n > 0 {
			return "running " + term.Line(m.commands[n-1].text), m.commands[n-1].began, th.Accent
		}
		return "", time.Time{}, th.Dim
	}
	detail := term.Line(m.detail)
	switch m.phase {
	case agent.ForThought:
		return "thinking", m.since, th.Accent
	case agent.ForAnswer:
		return "answering", m.since, th.Accent
	case agent.ForCall:
		return m.writingWords(), m.since, th.Accent
	case agent.ForTool:
		return "running " + detail, m.since, th.Accent
	case agent.ForApproval:
		return "waiting for your answer", m.since, th.Ask
	case agent.ForRetry:
		words := "retry"
		if left := m.until.Sub(now); left > 0 {
			words += " in " + term.Seconds(left+time.Second-1)
		}
		if detail != "" {
			words += ": " + detail
		}
		return words, time.Time{}, th.Ask
	case agent.ForSummary:
		return "compacting the context", m.since, th.Accent
	case agent.ForModel:
	}
	return "waiting for the model", m.since, th.Accent
}

func (m *Model) writingWords() string {
	total := 0
	for _, n := range m.bytes {
		total += n
	}
	words := "writing a call"
	if n := len(m.bytes); n > 1 {
		words = fmt.Sprintf("writing %d calls", n)
	}
	if m.writing != "" {
		words += ": " + term.Cut(term.Line(m.writing), 24)
	}
	return words + " " + kilobytes(total)
}

// sign is the first cell: it moves while aye works, and asks while it asks.
func (m *Model) sign(now time.Time, st lipgloss.Style) string {
	if m.turn && m.phase == agent.ForApproval {
		return st.Bold(true).Render("?")
	}
	frames := spinner.MiniDot.Frames
	return st.Render(frames[int(now.UnixMilli()/Beat.Milliseconds())%len(frames)])
}

// left draws what goes on in at most w cells. The seconds stay when the words
// must be cut.
func (m *Model) left(w int, now time.Time) string {
	words, since, st := m.doing(now)
	if words == "" {
		return m.th.Dim.Render(term.Cut(m.facts.Hint, w))
	}
	clock := ""
	if d := now.Sub(since); !since.IsZero() && d >= time.Second {
		clock = " " + term.Seconds(d)
	}
	if room := w - 2 - len(clock); room >= 4 {
		words = term.Cut(words, room)
	} else {
		words, clock = "", strings.TrimSpace(clock)
	}
	if m.phase == agent.ForApproval && m.turn || m.phase == agent.ForRetry {
		words = st.Render(words)
	}
	if stop := "  " + m.facts.Stop; m.facts.Stop != "" && (!m.turn || m.phase != agent.ForApproval) && 2+term.Width(words)+max(len(clock), len(" 59 s"))+term.Width(stop) <= w {
		clock += stop
	}
	return term.Cut(m.sign(now, st)+" "+words+m.th.Dim.Render(clock), w)
}
