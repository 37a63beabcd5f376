package tui

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"aye/agent"
	"aye/llm"
	"aye/tui/compose"
	"aye/tui/slash"
)

// submit does what an entry of the composer asks for.
func (m *Model) submit(entry compose.Event) tea.Cmd {
	m.hint = ""
	return tea.Batch(m.remember(entry.Draft), m.act(slash.Parse(entry.Text)))
}

func (m *Model) act(a slash.Action) tea.Cmd {
	switch a := a.(type) {
	case slash.Prompt:
		m.chat.End()
		return m.send(agent.Prompt{Text: a.Text})
	case slash.Run:
		m.chat.End()
		return m.send(agent.RunCommand{Command: a.Command, Share: a.Share})
	case slash.Clear:
		return m.send(agent.Clear{})
	case slash.Quit:
		return m.leave()
	case slash.SetMode:
		return m.send(agent.SetMode{Mode: a.Mode})
	case slash.ShowHelp:
		return m.showHelp()
	case slash.ShowMode:
		m.chat.Block(slash.Modes(m.state.Mode))
	case slash.Compact:
		return m.compact(a.Focus)
	case slash.ShowTodos:
		m.showTodos()
	case slash.ShowJobs:
		return m.showJobs()
	case slash.StopJob:
		return m.stopJob(a.ID)
	case slash.ShowHistory:
		m.chat.Block(slash.History(m.state, m.meter.Total))
	case slash.ShowCost:
		m.chat.Block(m.cost())
	case slash.ShowContext:
		m.chat.Block(slash.Context{
			Parts: m.state.Breakdown(), Counted: m.state.Context, Estimated: m.state.Usage.Estimated,
			Overhead: m.opts.Info.Overhead, Window: m.opts.Info.Window,
		}.Report())
	case slash.ShowSkills:
		m.chat.Block(slash.Skills(m.opts.Info.Skills))
	case slash.Unknown:
		m.chat.Note(agent.Warn, a.Why)
	}
	m.chat.End()
	return nil
}

// compact asks for a summary. While a turn runs, which the session would
// refuse, it says what to do instead.
func (m *Model) compact(focus string) tea.Cmd {
	m.chat.End()
	if m.state.Busy {
		m.chat.Note(agent.Warn, "The conversation cannot be compacted while a turn runs: interrupt it first (Esc), or wait for its end.")
		return nil
	}
	return m.send(agent.Compact{Focus: focus})
}

func (m *Model) showTodos() {
	if len(m.state.Todos) == 0 {
		m.chat.Note(agent.Info, slash.NoTodos)
		return
	}
	m.chat.Plan(m.state.Todos)
}

func (m *Model) cost() string {
	opened := m.state.Opened
	var price llm.Price
	known := false
	if m.opts.Price != nil {
		price, known = m.opts.Price(opened.Model, opened.Endpoint)
	}
	return slash.Cost(m.meter, opened.Model, price, known)
}

// showHelp draws the commands and the key table.
func (m *Model) showHelp() tea.Cmd {
	var keys []slash.Key
	for _, b := range m.bindings {
		if b.name != "" {
			keys = append(keys, slash.Key{Key: b.name, Does: b.does})
		}
	}
	keys = append(keys, otherKeys...)
	m.chat.Block(slash.Help(keys))
	m.chat.Latest()
	return nil
}

// otherKeys are the keys of packages compose and dialog, and of the terminal,
// that people ask for.
var otherKeys = []slash.Key{
	{Key: "Enter", Does: "send; while a turn runs the message waits for the next step"},
	{Key: "Ctrl+J, Alt+Enter", Does: "new line; so does \\ before Enter"},
	{Key: "Up Down", Does: "history, at the edge of the text; Ctrl+R searches it"},
	{Key: "Tab", Does: "complete a /command or an @file"},
	{Key: "Ctrl+A E U K W Y", Does: "as in the shell; Ctrl+_ undoes"},
	{Key: "y a n r", Does: "answer a question: once, always, no, no and why; ? shows all of it"},
	{Key: "Shift and drag", Does: "select text with the mouse, in most terminals"},
}

// completions are the commands that Tab knows.
func completions(table []slash.Command) []compose.Command {
	var list []compose.Command
	for _, c := range table {
		list = append(list, compose.Command{Name: strings.TrimPrefix(c.Name, "/"), Doc: c.Doc})
	}
	return list
}

// files are the paths that @ completes.
type files []string

func (m *Model) listFiles() tea.Cmd {
	list := m.opts.Files
	if list == nil {
		return nil
	}
	return func() tea.Msg {
		paths, err := list(m.ctx)
		if err != nil {
			return storeFailed{"file list", err}
		}
		return files(paths)
	}
}

// opened is a session that the set-up screen opened.
type opened Opened

func (m *Model) connect(ctx context.Context, c Choice) (tea.Msg, error) {
	o, err := m.opts.Setup.Connect(ctx, c)
	if err != nil {
		return nil, err
	}
	return opened(o), nil
}

// open leaves the set-up screen for a session.
func (m *Model) open(o Opened) tea.Cmd {
	m.setup, m.port, m.opts.Info = nil, o.Session, o.Info
	m.status.SetFacts(facts(o.Info))
	m.fold(o.Past, time.Now(), false)
	m.greet(o.Past)
	for _, n := range o.Notes {
		m.chat.Note(agent.Info, n)
	}
	return m.Init()
}

// suspend gives the terminal back to the shell until it calls again.
func (m *Model) suspend() tea.Cmd { return m.term.Suspend() }

// edited is what the person's editor left.
type edited struct {
	text string
	err  error
}

var errNoEditor = errors.New("no editor is known: set VISUAL or EDITOR")

// openEditor takes the draft into the person's editor.
func (m *Model) openEditor() tea.Cmd {
	if m.opts.Edit == nil {
		m.chat.Note(agent.Warn, "Ctrl+G: "+errNoEditor.Error()+".")
		return nil
	}
	text, edit, run := m.compose.Text(), m.opts.Edit, m.term.Exec
	return func() tea.Msg {
		e, err := edit(text)
		if err != nil {
			return edited{err: err}
		}
		return run(e.Command, func(err error) tea.Msg {
			if err != nil {
				_, _ = e.Text() // only to tidy up
				return edited{err: err}
			}
			text, err := e.Text()
			return edited{text, err}
		})()
	}
}

func (m *Model) takeEdit(e edited) {
	if e.err != nil {
		m.chat.Note(agent.Warn, "The editor failed: "+e.err.Error()+". The draft is as it was.")
		return
	}
	m.compose.SetText(strings.TrimRight(e.text, "\n"))
}
