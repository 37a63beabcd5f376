package setup

import (
	"context"
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"aye/tui/theme"
)

// A Server is a model server on this machine that answered.
type Server struct {
	Name   string // of the program: "Ollama"
	URL    string // base URL of its Chat Completions
	Models []string
}

// A Choice is what the person wants to talk to.
type Choice struct {
	Tour    bool // the scripted model; the rest is empty
	BaseURL string
	Key     string
	Model   string
}

// Options are what the screen can do.
type Options struct {
	Probe func(ctx context.Context) []Server
	// Connect opens the choice and returns the message that says so.
	Connect func(ctx context.Context, c Choice) (tea.Msg, error)
}

// page is what the screen shows.
type page int

const (
	start   page = iota // servers, tour, form
	models              // of the chosen server
	form                // an endpoint
	waiting             // for Connect
)

// A Model is the set-up screen.
type Model struct {
	ctx   context.Context
	opts  Options
	theme theme.Theme

	page    page
	probing bool
	servers []Server
	picked  int // server whose models are shown
	cursor  int
	fields  fields
	back    page // where a failed Connect returns to
	err     string
	abort   context.CancelFunc // of the running Connect
}

// New returns the screen. What it starts ends with ctx.
func New(ctx context.Context, th theme.Theme, opts Options) *Model {
	return &Model{ctx: ctx, opts: opts, theme: th, probing: true, fields: newFields()}
}

// SetTheme changes the colours.
func (m *Model) SetTheme(th theme.Theme) { m.theme = th }

type found struct{ servers []Server }

type failed struct{ err error }

// Init looks for servers.
func (m *Model) Init() tea.Cmd {
	return func() tea.Msg { return found{m.opts.Probe(m.ctx)} }
}

// Update takes a message. Keys that leave the program are the caller's.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case found:
		m.probing, m.servers = false, msg.servers
		if m.page == start {
			m.cursor = 0
		}
	case failed:
		if m.page == waiting {
			m.page, m.err = m.back, ""
			if !errors.Is(msg.err, context.Canceled) { // that was the person's Esc
				m.err = msg.err.Error()
			}
		}
	case tea.KeyMsg:
		return m.key(msg)
	}
	return nil
}

func (m *Model) key(k tea.KeyMsg) tea.Cmd {
	switch m.page {
	case start:
		return m.startKey(k.String())
	case models:
		return m.modelsKey(k.String())
	case form:
		return m.formKey(k)
	case waiting:
		if k.String() == "esc" && m.abort != nil {
			m.abort()
		}
	}
	return nil
}

// Typing reports whether letters are text here, so that the caller leaves
// them alone.
func (m *Model) Typing() bool { return m.page == form }

// Paste puts text into the form's field.
func (m *Model) Paste(text string) {
	if m.page == form {
		m.fields.paste(text)
	}
}

func (m *Model) connect(c Choice) tea.Cmd {
	m.back, m.page, m.err = m.page, waiting, ""
	ctx, cancel := context.WithCancel(m.ctx)
	m.abort = cancel
	return func() tea.Msg {
		defer cancel()
		msg, err := m.opts.Connect(ctx, c)
		if err != nil {
			return failed{err}
		}
		return msg
	}
}
