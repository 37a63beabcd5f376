package setup

import (
	"context"
	"errors"
	"slices"

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
	// An error that is a [Fault] tells in which field it is.
	Connect func(ctx context.Context, c Choice) (tea.Msg, error)
	Configured
}

// Configured is what is known of the endpoint before the person says a word,
// and how to complete it. Its functions are called by Update and View: they
// compute, and ask nobody.
type Configured struct {
	Known   Choice // the form begins with it; without the key
	Missing string // a sentence about what is not configured; "": nothing is, or all
	// Complete makes a base URL of what was typed; the error says what is
	// wrong, without the text.
	Complete func(typed string) (string, error)
	// KeyFrom names where the key for a base URL comes from when none is
	// typed; "": there is none.
	KeyFrom func(baseURL string) string
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
	tried   Choice // by Connect
	back    page   // where that returns to when it failed
	err     string
	abort   context.CancelFunc // of the running Connect
}

// New returns the screen. What it starts ends with ctx.
func New(ctx context.Context, th theme.Theme, opts Options) *Model {
	return &Model{ctx: ctx, opts: opts, theme: th, probing: true, fields: newFields(opts.Known)}
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
			m.cursor = m.likely()
		}
	case failed:
		if m.page == waiting {
			m.page, m.err = m.back, ""
			if !errors.Is(msg.err, context.Canceled) { // that was the person's Esc
				m.fail(msg.err)
			}
		}
	case tea.KeyMsg:
		return m.key(msg)
	}
	return nil
}

// likely is the row to begin at: where the endpoint is known that no server is
// found for, the form that knows it.
func (m *Model) likely() int {
	known := m.opts.Known.BaseURL
	if known == "" || slices.ContainsFunc(m.servers, func(s Server) bool { return s.URL == known }) {
		return 0
	}
	return m.rows() - 1
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
	m.tried, m.back, m.page, m.err = c, m.page, waiting, ""
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
