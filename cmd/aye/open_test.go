package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"aye/llm"
	"aye/llm/llmtest"
	"aye/tui/tuitest"
)

// The model is told about the project; what is wrong with a project's files
// is said, and keeps nobody from working.
func TestProjectFilesReachTheModel(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(say("ok")),
		"AGENTS.md", "Always use tabs.\n",
		".agents/skills/paint/SKILL.md", "---\nname: paint\ndescription: How to paint\n---\nUse a brush.\n",
		".agents/skills/broken/SKILL.md/file", "")
	w.run("", "run", "hi").expect(t, exitAnswered, "ok\n", "broken")
	system := w.model.Requests()[0].Request.System
	for _, want := range []string{"Always use tabs.", "paint", "How to paint"} {
		if !strings.Contains(system, want) {
			t.Errorf("the system prompt lacks %q:\n%s", want, system)
		}
	}
	if strings.Contains(system, "Use a brush") {
		t.Error("a skill's body is in the system prompt")
	}
}

func TestUnreadableAgentsFileIsSaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(say("ok")), "AGENTS.md/file", "")
	w.run("", "run", "hi").expect(t, exitAnswered, "ok\n", "note: AGENTS.md is not used")
}

// A proxy is asked about other hosts and never about this one.
func TestProxies(t *testing.T) {
	t.Parallel()
	model := llmtest.Handler(llmtest.Steps(say("by proxy"), say("too often")))
	proxy := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Host != "model.invalid" {
			t.Errorf("the proxy was asked about %s", r.Host)
		}
		model.ServeHTTP(rw, r)
	}))
	defer proxy.Close()
	w := newWorld(t, llmtest.Steps(say("directly")))
	for _, tt := range []struct{ url, want string }{
		{"http://model.invalid/v1", "by proxy\n"},
		{w.model.URL(), "directly\n"},
	} {
		cmd := w.command("run", "--base-url", tt.url, "hi")
		cmd.Env = append(cmd.Env, "HTTP_PROXY="+proxy.URL, "HTTPS_PROXY="+proxy.URL)
		finish(t, cmd).expect(t, exitAnswered, tt.want)
	}
}

func TestASessionIsOpenOnlyOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(say("first"), say("second")))
	s := w.screen("hi")
	s.Wait(`first`)
	w.run("", "run", "-c", "me too").expect(t, exitFailed, "", "open in another aye")
	w.run("", "run", "me too").expect(t, exitAnswered, "second\n")
}

func TestWhatIsKeptIsPrivate(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Log("Windows keeps permissions elsewhere")
		return
	}
	w := newWorld(t, llmtest.Steps(say("ok")))
	w.home = filepath.Join(w.home, "new", "home")
	s := w.screen()
	s.Wait(`›`)
	s.Type("hi\r")
	s.Wait(`ok`)
	s.Type("a draft")
	s.Wait(`a draft`)
	s.Signal(os.Interrupt)
	s.Exit()
	err := filepath.WalkDir(w.home, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v: others can read it", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if kept := len(w.kept()); kept != 3 { // a session, the history, a draft
		t.Errorf("%d files are kept: %v", kept, w.kept())
	}
}

// A chat in which nothing was said leaves no session behind.
func TestAnEmptyChatIsNoSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps())
	s := w.screen()
	s.Wait(`›`)
	s.Type("\x04")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if kept := w.kept(); len(kept) != 0 {
		t.Errorf("kept %v", kept)
	}
	if strings.Contains(s.Text(), "--resume") {
		t.Errorf("a session is offered that is not there:\n%s", s.Text())
	}
}

// On a terminal aye run shows words as they come, and shows them once.
func TestRunOnATerminal(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(call("First I look.", "read", `{"path":"a.txt"}`), say("Here is the answer.")), "a.txt", "one\n")
	s := w.screen("run", "read", "it")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	text := s.Text()
	for _, want := range []string{"First I look.", "Here is the answer."} {
		if n := strings.Count(text, want); n != 1 {
			t.Errorf("%q is shown %d times:\n%s", want, n, text)
		}
	}
}

// A terminal has its colours wherever CI is set too: a log has none, and this
// is no log.
func TestColourInCI(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(edits("**Bold**")), "a.txt", "one\n")
	cmd := w.command("hi")
	cmd.Env = append(cmd.Env, "CI=true")
	tuitest.Start(t, 100, 30, cmd).WaitStyled(`y\x1b\[[0-9;]*m *once`)
}

func TestColours(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		env  map[string]string
		want termenv.Profile
	}{
		{map[string]string{"TERM": "xterm-256color", "COLORTERM": "truecolor"}, termenv.TrueColor},
		{map[string]string{"TERM": "xterm-256color", "CI": "true"}, termenv.ANSI256},
		{map[string]string{"TERM": "screen"}, termenv.ANSI},
		{map[string]string{"TERM": "screen.linux"}, termenv.ANSI},
		{map[string]string{"TERM": "xterm-mono", "CI": "1", "NO_COLOR": "1"}, termenv.Ascii},
		{map[string]string{"TERM": "screen", "CLICOLOR": "0"}, termenv.Ascii},
		{map[string]string{"TERM": "dumb"}, termenv.Ascii},
		{map[string]string{"TERM": "vt100"}, termenv.Ascii},
		{nil, termenv.Ascii},
	} {
		if got := colours(func(name string) (string, bool) { v, ok := tt.env[name]; return v, ok }); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.env, got.Name(), tt.want.Name())
		}
	}
}

func TestNoColour(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(edits("**Bold**")), "a.txt", "one\n")
	cmd := w.command("hi")
	cmd.Env = append(cmd.Env, "NO_COLOR=1")
	s := tuitest.Start(t, 100, 30, cmd)
	s.Wait(`- one`)
	if colour := regexp.MustCompile(`\x1b\[([0-9;]*;)?[34][0-8](;[0-9;]*)?m`).FindString(s.Output()); colour != "" {
		t.Errorf("a colour in spite of NO_COLOR: %q", colour)
	}
}

// BenchmarkOpen is all that a start does between the command line and the
// screen, and its end.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, agentsFile), []byte("Use tabs.\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	in := invocation{dir: dir, baseURL: "http://127.0.0.1:1/v1", model: "m"}
	conf, err := loadConfig(in, vars("AYE_HOME="+b.TempDir()))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s, err := openSession(b.Context(), conf, sessionWant{in: in})
		if err != nil {
			b.Fatal(err)
		}
		if err := s.close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDeltaToScreen streams an answer in small pieces from a real server
// to a real terminal; the time is that of one piece.
func BenchmarkDeltaToScreen(b *testing.B) {
	const pieces, size = 2000, 20
	answer := strings.Repeat("words of an answer, ", pieces)
	server := llmtest.NewServer(func(req llm.Request) llmtest.Reply {
		return llmtest.Reply{Text: answer + "\n\nTHE END", Piece: size}
	})
	if err := server.Start(b.Context()); err != nil {
		b.Fatal(err)
	}
	defer server.Close()
	w := &world{dir: b.TempDir(), home: b.TempDir(), model: server}
	for b.Loop() {
		b.StopTimer()
		s := tuitest.Start(b, 100, 30, w.command())
		s.Wait(`›`)
		b.StartTimer()
		s.Type("go\r")
		s.Wait(`THE END`)
		b.StopTimer()
		s.Signal(os.Kill)
		s.Exit()
		b.StartTimer()
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/pieces, "µs/delta")
}
