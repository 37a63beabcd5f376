package tui

import (
	"context"
	"io"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"aye/agent"
	"aye/agent/agenttest"
	"aye/llm"
	"aye/llm/llmtest"
	"aye/tools"
	"aye/tui/tty"
)

// A screen is a whole session behind the real screen model, drawn by the real
// Bubble Tea on a terminal emulator, all on virtual time.
type screen struct {
	t       *testing.T
	emu     *vt.SafeEmulator
	program *tea.Program
	model   *Model
	session *agent.Session
	client  *llmtest.Client
	store   *store
	caret   atomic.Int64
	ended   chan error
}

// SetCursor implements terminal.
func (s *screen) SetCursor(x, y int, show bool) {
	at := int64(-1)
	if show {
		at = int64(y)<<16 | int64(x)
	}
	s.caret.Store(at)
}

// Suspend implements terminal; there is no shell to go back to.
func (s *screen) Suspend() tea.Cmd { return nil }

// Exec implements terminal: the command runs without one.
func (s *screen) Exec(cmd *exec.Cmd, done func(error) tea.Msg) tea.Cmd {
	return func() tea.Msg { return done(cmd.Run()) }
}

// store keeps what was typed in memory.
type store struct {
	history []string
	draft   string
	err     error
}

func (s *store) AddHistory(text string) error {
	s.history = append(s.history, text)
	return s.err
}

func (s *store) SaveDraft(text string) error {
	s.draft = text
	return s.err
}

// play runs do against a screen of cols by rows cells and a scripted model.
func play(t *testing.T, cols, rows int, script llmtest.Script, do func(s *screen)) {
	t.Helper()
	playWith(t, cols, rows, script, func(*Options) {}, do)
}

func playWith(t *testing.T, cols, rows int, script llmtest.Script, set func(*Options), do func(s *screen)) {
	t.Helper()
	playSession(t, cols, rows, script, func(*agent.Options) {}, set, do)
}

func playSession(t *testing.T, cols, rows int, script llmtest.Script, with func(*agent.Options), set func(*Options), do func(s *screen)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		s := &screen{t: t, emu: vt.NewSafeEmulator(cols, rows), client: llmtest.NewClient(script), store: &store{}, ended: make(chan error, 1)}
		_, _ = s.emu.Write([]byte("\x1b[20h")) // LNM: a line feed returns the carriage, as a terminal's ONLCR does
		opts, _ := agenttest.Options(nil)
		opts.Client = s.client
		for _, tool := range tools.Catalog(tools.Deps{}) {
			if tool.Name == "todo" {
				opts.Tools = append(opts.Tools, tool)
			}
		}
		with(&opts)
		s.session = agent.New(opts)
		served := make(chan error, 1)
		go func() { served <- s.session.Run(ctx) }()

		screenOpts := Options{Info: Info{Workspace: "/home/ada/src/app", Home: "/home/ada", Model: "scripted", Window: 128000}, Session: s.session, Store: s.store}
		set(&screenOpts)
		s.model = New(ctx, screenOpts, s)
		in, keys := io.Pipe()
		s.program = tea.NewProgram(s.model, tea.WithInput(in), tea.WithOutput(s.emu), tea.WithAltScreen(), tea.WithoutSignalHandler(), tea.WithContext(ctx))
		replies := make(chan struct{})
		go func() {
			defer close(replies)
			_, _ = io.Copy(io.Discard, s.emu)
		}()
		go func() {
			_, err := s.program.Run()
			s.ended <- err
		}()
		s.send(tea.WindowSizeMsg{Width: cols, Height: rows})
		do(s)
		s.program.Quit()
		<-s.ended
		<-time.After(time.Minute) // Bubble Tea does not wait for the ticks it started
		cancel()
		<-served
		_ = keys.Close()
		_ = s.emu.Emulator.Close()
		<-replies
	})
}

// send gives the model a message and lets everything come to rest.
func (s *screen) send(msg tea.Msg) {
	s.program.Send(msg)
	s.settle()
}

// settle lets a few frames pass.
func (s *screen) settle() { s.wait(100 * time.Millisecond) }

func (s *screen) wait(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// typed types text, then presses Enter.
func (s *screen) enter(text string) {
	s.typed(text)
	s.press("enter")
}

func (s *screen) typed(text string) {
	for _, r := range text {
		s.program.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	s.settle()
}

var named = map[string]tea.KeyMsg{
	"enter": {Type: tea.KeyEnter}, "esc": {Type: tea.KeyEsc}, "ctrl+c": {Type: tea.KeyCtrlC}, "ctrl+d": {Type: tea.KeyCtrlD},
	"ctrl+o": {Type: tea.KeyCtrlO}, "tab": {Type: tea.KeyTab}, "shift+tab": {Type: tea.KeyShiftTab}, "pgup": {Type: tea.KeyPgUp}, "pgdown": {Type: tea.KeyPgDown},
	"home": {Type: tea.KeyHome}, "end": {Type: tea.KeyEnd}, "ctrl+g": {Type: tea.KeyCtrlG}, "up": {Type: tea.KeyUp}, "ctrl+j": {Type: tea.KeyCtrlJ},
	"alt+enter": {Type: tea.KeyEnter, Alt: true},
}

// press presses a key by its name, or types it.
func (s *screen) press(name string) {
	k, ok := named[name]
	if !ok {
		k = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
	}
	s.send(k)
}

func (s *screen) paste(text string) { s.send(tty.Paste(text)) }

// text is the screen, without blanks at line ends.
func (s *screen) text() string {
	rows := strings.Split(ansi.Strip(s.emu.Render()), "\n")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " \r")
	}
	return strings.Join(rows, "\n") + "\n"
}

// shows fails the test unless all of want are on the screen.
func (s *screen) shows(want ...string) {
	s.t.Helper()
	text := s.text()
	for _, w := range want {
		if !strings.Contains(text, w) {
			s.t.Errorf("the screen does not show %q:\n%s", w, text)
		}
	}
}

// lacks fails the test if any of these is on the screen.
func (s *screen) lacks(unwanted ...string) {
	s.t.Helper()
	text := s.text()
	for _, w := range unwanted {
		if strings.Contains(text, w) {
			s.t.Errorf("the screen shows %q:\n%s", w, text)
		}
	}
}

func says(text string) llmtest.Reply { return llmtest.Reply{Text: text} }

func calls(tool, path string) llmtest.Reply {
	return llmtest.Reply{Calls: []llm.ToolCall{{Name: tool, Args: agenttest.Args(path)}}}
}
