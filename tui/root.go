package tui

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"aye/agent"
	"aye/tui/chat"
	"aye/tui/compose"
	"aye/tui/dialog"
	"aye/tui/setup"
	"aye/tui/slash"
	"aye/tui/status"
	"aye/tui/term"
	"aye/tui/theme"
	"aye/tui/tty"
)

// A terminal is what the screen does to the terminal besides drawing.
type terminal interface {
	SetCursor(x, y int, show bool)
	Suspend() tea.Cmd
	Exec(cmd *exec.Cmd, done func(error) tea.Msg) tea.Cmd
}

// A Model is the whole screen. It routes; the parts do the work.
type Model struct {
	ctx  context.Context
	opts Options
	term terminal

	port     Port // nil until a session is open
	sending  *queue
	storing  *queue
	setup    *setup.Model
	chat     *chat.Model
	compose  *compose.Model
	status   *status.Model
	dialogs  dialog.Stack
	bindings []binding

	theme theme.Theme
	state agent.State                   // the fold of the session's events
	meter *agent.Meter                  // another, of what they took
	calls map[string]agent.CallPrepared // of the running turn, by id

	w, h      int
	ticking   bool // a beat is on its way
	lastBreak time.Time
	hint      string // in place of the status line's own
	saving    bool   // a draft is about to be saved
	saved     string // the draft as last saved

	dock  struct{ from, to int } // rows of the docked dialog, as last drawn
	frame string
	stale bool
}

// New returns the screen of opts. Its commands end with ctx.
func New(ctx context.Context, opts Options, term terminal) *Model {
	th := theme.New(!opts.Light)
	m := &Model{
		ctx: ctx, opts: opts, term: term, theme: th, bindings: bindings(),
		chat: chat.New(th), compose: compose.New(th), status: status.New(th, facts(opts.Info)),
		sending: newQueue(), storing: newQueue(),
		calls: map[string]agent.CallPrepared{}, stale: true, saved: opts.Draft,
		meter: &agent.Meter{Price: opts.Price},
	}
	m.chat.Watch(m.meter)
	m.status.Watch(m.meter)
	m.compose.SetHistory(withPrompt(opts.History, opts.Prompt))
	m.compose.SetDraft(opts.Draft)
	m.compose.SetCommands(completions(slash.Commands()))
	for _, w := range opts.Warnings {
		m.chat.Note(agent.Warn, w)
	}
	if opts.Session == nil {
		m.setup = setup.New(ctx, th, setup.Options{Probe: opts.Setup.Probe, Connect: m.connect, Configured: opts.Setup.Configured})
		return m
	}
	m.port = opts.Session
	m.fold(opts.Past, time.Now(), false)
	m.greet(opts.Past)
	return m
}

// greet says where one is and what to do, where nothing else does: an empty
// screen tells a newcomer nothing.
func (m *Model) greet(past []agent.Event) {
	if len(past) > 0 || m.opts.Prompt != "" || m.opts.Info.Banner != "" {
		return
	}
	m.chat.Note(agent.Info, greeting)
	if i := m.opts.Info; i.Shell != "" {
		m.chat.Note(agent.Info, fmt.Sprintf("%s, with %d tools; commands run in %s, in %s.", term.Line(i.Model), i.Tools, i.Shell, term.Line(i.Workspace)))
	}
}

const greeting = "aye. Type a task. ? shows the keys, / the commands; Shift+Tab changes what is asked."

func facts(i Info) status.Facts {
	return status.Facts{Workspace: i.Workspace, Home: i.Home, Branch: i.Branch, Model: i.Model, Window: i.Window, Hint: "? for keys", Stop: "esc stops"}
}

// Init starts listening, or looking for a model.
func (m *Model) Init() tea.Cmd {
	if m.setup != nil {
		return m.setup.Init()
	}
	return tea.Batch(listen(m.port.Events(), time.Time{}), m.firstPrompt(), m.beat())
}

func (m *Model) firstPrompt() tea.Cmd {
	if m.opts.Prompt == "" {
		return nil
	}
	return tea.Batch(m.send(agent.Prompt{Text: m.opts.Prompt}), m.remember(m.opts.Prompt))
}

// withPrompt is the history once the prompt of the command line is in it.
func withPrompt(history []string, prompt string) []string {
	if prompt == "" {
		return history
	}
	return append(slices.Clip(history), prompt)
}

// Update takes one message. It never waits.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.stale = true
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		_, cmd := m.dialogs.Update(dialog.Shown{}) // it looks different now
		return m, cmd
	case events:
		return m, tea.Batch(m.apply(msg), listen(m.port.Events(), msg.at))
	case opened:
		return m, m.open(Opened(msg))
	case closed:
		return m, tea.Quit
	case tea.KeyMsg:
		return m, tea.Batch(m.pressed(msg), m.keepDraft())
	case tty.Paste:
		return m, tea.Batch(m.paste(string(msg)), m.keepDraft())
	case tty.Wheel:
		return m, m.turned(msg)
	default:
		return m, m.other(msg)
	}
}

const wheelLines = 3

// turned scrolls what the pointer is on: a dialog with more than it shows, else
// the conversation.
func (m *Model) turned(w tty.Wheel) tea.Cmd {
	rows := wheelLines * w.Delta
	if m.dialogs.Full() || w.Y >= m.dock.from && w.Y < m.dock.to {
		if outcome, cmd := m.dialogs.Update(dialog.Wheel(rows)); outcome != dialog.Ignored {
			return cmd
		}
	}
	m.chat.Scroll(rows)
	return nil
}

// other takes the rarer messages.
func (m *Model) other(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case beat:
		m.ticking = false
		m.chat.Tick(msg.at)
		return m.beat()
	case done:
		return m.finished(msg)
	case hintOver:
		m.hint = ""
	case tty.PasteCut:
		m.chat.Note(agent.Warn, pasteCut(msg))
	case tty.Background:
		m.recolour(msg.Dark)
	case storeFailed:
		m.chat.Note(agent.Warn, msg.Error())
	case draftDue:
		return m.saveDraft()
	case edited:
		m.takeEdit(msg)
		_, cmd := m.dialogs.Update(dialog.Shown{})
		return cmd
	case files:
		m.compose.SetFiles(msg)
	case tea.FocusMsg: // keys may have been meant for another window
		_, cmd := m.dialogs.Update(dialog.Shown{})
		return cmd
	case tea.ResumeMsg:
		_, cmd := m.dialogs.Update(dialog.Shown{}) // quiet begins anew
		return tea.Batch(cmd, tea.ClearScreen)
	default:
		if m.setup != nil {
			return m.setup.Update(msg)
		}
		_, cmd := m.dialogs.Update(msg)
		return cmd
	}
	return nil
}

// pressed gives a key to the first that takes it.
func (m *Model) pressed(k tea.KeyMsg) tea.Cmd {
	if m.setup != nil {
		return m.setupKey(k)
	}
	if m.hint != "" && k.String() != "ctrl+c" {
		m.hint, m.lastBreak = "", time.Time{}
	}
	if m.composing() { // its menu or search has the first word, as for Escape
		if ev := m.compose.Key(k); ev.Kind != compose.Ignored {
			_, cmd := m.dialogs.Update(dialog.Shown{}) // quiet begins anew
			return tea.Batch(cmd, m.composed(ev))
		}
	}
	var cmd tea.Cmd
	if !m.tooSmall() { // what is not in sight is not answered
		var outcome dialog.Outcome
		if outcome, cmd = m.dialogs.Update(k); outcome != dialog.Ignored {
			return cmd
		}
		m.takeBack()
	}
	if taken, more := m.key(k); taken {
		return tea.Batch(cmd, more)
	}
	return tea.Batch(cmd, m.composed(m.compose.Key(k)))
}

// composing reports whether something of the composer is open, and in sight:
// no dialog covers it, and none has the caret.
func (m *Model) composing() bool {
	_, _, typing := m.dialogs.Cursor()
	return m.compose.Open() && !m.dialogs.Full() && !typing
}

// composed acts on what the composer says of a key.
func (m *Model) composed(ev compose.Event) tea.Cmd {
	switch ev.Kind {
	case compose.Sent:
		return m.submit(ev)
	case compose.WantFiles:
		return m.listFiles()
	case compose.Ignored, compose.Used:
	}
	return nil
}

func (m *Model) setupKey(k tea.KeyMsg) tea.Cmd {
	switch key := k.String(); {
	case key == "ctrl+c", key == "ctrl+d", key == "q" && !m.setup.Typing():
		return tea.Quit
	}
	return m.setup.Update(k)
}

func (m *Model) paste(text string) tea.Cmd {
	if m.setup != nil {
		m.setup.Paste(text)
		return nil
	}
	outcome, cmd := m.dialogs.Update(dialog.Paste(text))
	if outcome == dialog.Ignored {
		m.takeBack()
		m.compose.Paste(text)
	}
	return cmd
}

// takeBack types the letter that a dialog took for an answer until more text
// came with it.
func (m *Model) takeBack() {
	if k, ok := m.dialogs.TakeBack(); ok {
		m.compose.Key(k)
	}
}

func (m *Model) recolour(dark bool) {
	if dark == m.theme.Dark {
		return
	}
	m.theme = theme.New(dark)
	m.chat.SetTheme(m.theme)
	m.compose.SetTheme(m.theme)
	m.status.SetTheme(m.theme)
	m.dialogs.SetTheme(m.theme)
	if m.setup != nil {
		m.setup.SetTheme(m.theme)
	}
}

// send hands cmd to the session, after those before it.
func (m *Model) send(cmd agent.Command) tea.Cmd {
	port := m.port
	return m.sending.add(func() tea.Msg {
		_ = port.Send(m.ctx, cmd) // fails only when the session has ended, which closed says
		return nil
	})
}

type beat struct{ at time.Time }

// beat asks for the next frame of the spinner, while there is one.
func (m *Model) beat() tea.Cmd {
	if m.ticking || !m.status.Busy() {
		return nil
	}
	m.ticking = true
	return tea.Tick(status.Beat, func(t time.Time) tea.Msg { return beat{t} })
}
