package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"aye/llm"
	"aye/llm/llmtest"
	"aye/tui/tuitest"
)

// armed is the approval's key line once keys count: the key stands out.
const armed = `y\x1b\[[0-9;]*m *once`

// answer waits for a question that shows a pattern, until keys count, and
// presses a key.
func answer(s *tuitest.Screen, pattern, key string) {
	s.Wait(pattern)
	s.WaitStyled(armed)
	s.Type(key)
}

// screen runs aye on a terminal in w's folder.
func (w *world) screen(args ...string) *tuitest.Screen {
	w.t.Helper()
	return tuitest.Start(w.t, 100, 30, w.command(args...))
}

// With -short it is left after its first change: the tour speaks at the pace
// of a reader.
func TestTourToItsEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps())
	scratch := t.TempDir()
	cmd := w.command("tour")
	cmd.Env = append(cmd.Env, "TMPDIR="+scratch, "API_MODEL=", "API_BASE_URL=rubbish", "API_KEY=", "CONTEXT_MAX_CHARS=rubbish")
	s := tuitest.Start(t, 100, 36, cmd)
	s.Wait(`this model is a script`)
	answer(s, `\$ sh test\.sh`, "y")
	answer(s, `3 \+ name=\$\{1:-world\}`, "y")
	s.Wait(`Written: that line`)
	if testing.Short() {
		s.Signal(syscall.SIGTERM)
		if code := s.Exit(); code != exitInterrupted {
			t.Errorf("exit code %d, want %d", code, exitInterrupted)
		}
	} else {
		tourGoesOn(t, s, scratch)
	}
	if left, err := os.ReadDir(scratch); err != nil || len(left) != 0 {
		t.Errorf("left in the scratch folder: %v, %v", left, err)
	}
	if kept := w.kept(); len(kept) != 0 {
		t.Errorf("the tour keeps %v", kept)
	}
}

// tourGoesOn takes the tour from its first change to its end.
func tourGoesOn(t *testing.T, s *tuitest.Screen, scratch string) {
	t.Helper()
	answer(s, `\$ rm -rf build`, "r")
	s.Type("keep it")
	s.Wait(`keep it`)
	s.Type("\r")
	s.Wait(`You said no: “keep it”`)
	answer(s, `\$ sh test\.sh`, "y")
	s.Wait(`The test passes`)
	s.Wait(`this model is a script`)
	if build, err := filepath.Glob(filepath.Join(scratch, "aye-tour-*", "*", "build", "*")); err != nil || len(build) != 1 {
		t.Errorf("the folder build holds %v, %v", build, err)
	}
	s.Type("and who are you?\r")
	s.Wait(`only a script: to “and who are you\?”`)
	s.Type("/quit\r")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestChatEditsWhatWasApproved(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(edits("I change it."), say("It is **done**.")), "a.txt", "one\r\nmore\n")
	s := w.screen("change", "it")
	answer(s, `- one`, "y")
	s.Wait(`It is done\.`)
	if got := w.file("a.txt"); got != "two\r\nmore\n" {
		t.Errorf("the file is %q", got)
	}
	s.Type("\x04")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if !strings.Contains(s.Text(), "aye --resume 20") {
		t.Errorf("how to go on is not said:\n%s", s.Text())
	}
	w.noSecret(result{out: s.Output()})
}

func TestChatTellsTheModelWhyNot(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(edits(""), say("As you wish.")), "a.txt", "one\n")
	s := w.screen()
	s.Wait(`›`)
	s.Type("change it\r")
	answer(s, `- one`, "r")
	s.Type("not this file")
	s.Wait(`not this file`)
	s.Type("\r")
	s.Wait(`As you wish\.`)
	if got := w.file("a.txt"); got != "one\n" {
		t.Errorf("the file is %q", got)
	}
	told := w.model.Requests()[1].Request.Messages
	got := told[len(told)-1].Blocks[1].(llm.ToolResult).Text
	if got != "The user denied this call. Reason: not this file" {
		t.Errorf("the model was told %q", got)
	}
}

// A session that is killed in the middle is whole on the disk, and goes on.
func TestChatKilledGoesOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(edits(""), say("unheard"), say("I see where we are.")), "a.txt", "one\n")
	s := w.screen("change it")
	s.Wait(`- one`)
	s.Signal(os.Kill)
	s.Exit()
	r := w.run("", "run", "-c", "where are we?")
	if r.code != exitAnswered {
		t.Fatalf("exit code %d: %s", r.code, r.err)
	}
	var said []string
	requests := w.model.Requests()
	for _, m := range requests[len(requests)-1].Request.Messages {
		said = append(said, m.Text())
	}
	if got := strings.Join(said, "|"); !strings.HasPrefix(got, "change it|") || !strings.HasSuffix(got, "|where are we?") {
		t.Errorf("the model was sent %q", got)
	}
}

func TestChatGoesOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(edits(""), say("The **first** answer."), say("The second answer.")), "a.txt", "one\n")
	w.run("", "run", "--allow", "edit", "change it").expect(t, exitAnswered, "The **first** answer.\n")
	s := w.screen("--continue", "and", "then?")
	s.Wait(`▍change it`)
	s.Wait(`The first answer\.`)
	s.Wait(`▍and then\?`)
	s.Wait(`The second answer\.`)
	if got := len(w.model.Requests()[2].Request.Messages); got != 5 {
		t.Errorf("the model was sent %d messages, want 5", got)
	}
}

func TestChatGivesTheTerminalBack(t *testing.T) {
	t.Parallel()
	for _, sig := range []os.Signal{syscall.SIGTERM, syscall.SIGHUP, os.Interrupt} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, llmtest.Steps(llmtest.Reply{Text: "never", Delay: time.Hour}))
			s := w.screen("hi")
			s.Wait(`waiting`)
			s.Signal(sig)
			if code := s.Exit(); code != exitInterrupted {
				t.Errorf("exit code %d, want %d", code, exitInterrupted)
			}
			out := s.Output()
			if on, off := strings.LastIndex(out, "\x1b[?1049h"), strings.LastIndex(out, "\x1b[?1049l"); off < on {
				t.Errorf("the alternate screen is still on: %q", out[max(0, len(out)-200):])
			}
			for _, mode := range []string{"1000", "1006", "2004"} {
				if on, off := strings.LastIndex(out, "\x1b[?"+mode+"h"), strings.LastIndex(out, "\x1b[?"+mode+"l"); off < on {
					t.Errorf("mode %s is still on", mode)
				}
			}
		})
	}
}

func TestChatTakesALargePasteWhole(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(say("Thank you.")))
	s := w.screen()
	s.Wait(`›`)
	text := strings.Repeat("日本 a line of text that somebody pastes\n", 5000)
	s.Paste(text)
	s.Wait(`paste`)
	s.Type("\r")
	s.Wait(`Thank you\.`)
	if got := w.model.Requests()[0].Request.Messages[0].Text(); strings.TrimSpace(got) != strings.TrimSpace(text) {
		t.Errorf("%d bytes arrived of %d", len(got), len(text))
	}
}

func TestChatKeepsHistoryAndDraft(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(say("first answer"), say("second answer")))
	s := w.screen()
	s.Wait(`›`)
	s.Type("the first message\r")
	s.Wait(`first answer`)
	s.Type("half a thought")
	s.Wait(`half a thought`)
	s.Signal(syscall.SIGTERM)
	s.Exit()
	s = w.screen()
	s.Wait(`› half a thought`)
	s.Type("\x1b[A")
	s.Wait(`› the first message`)
	s.Type("\x1b[B")
	s.Wait(`› half a thought`)
}

// With --no-session nothing typed is left behind.
func TestChatWithoutASessionKeepsNothingTyped(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(say("first answer")))
	s := w.screen("--no-session")
	s.Wait(`›`)
	s.Type("the first message\r")
	s.Wait(`first answer`)
	s.Type("half a thought")
	s.Wait(`half a thought`)
	s.Signal(syscall.SIGTERM)
	s.Exit()
	if kept := w.kept(); len(kept) != 0 {
		t.Errorf("--no-session leaves %v behind", kept)
	}
}

// What a huge output, a resize and a small terminal do to the screen is its
// own business; what they do to aye is nothing.
func TestChatUnderALoad(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Some words of a long answer, and then some more. ", 400)
	w := newWorld(t, llmtest.Steps(
		call("", "shell", `{"cmd":"yes 'a line of an output that is as long as builds can be' | head -c 2000000"}`),
		llmtest.Reply{Text: long + "THE END", Between: time.Millisecond},
	))
	s := w.screen("--allow", "shell", "--mode", "full", "build it")
	s.Wait(`Some words`)
	for _, size := range [][2]int{{60, 20}, {20, 6}, {120, 40}} {
		s.Resize(size[0], size[1])
	}
	s.Wait(`THE END`)
	s.Type("/quit\r")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// unconfigured is aye on a terminal, without anything that names a model.
func (w *world) unconfigured(args ...string) *tuitest.Screen {
	w.t.Helper()
	cmd := w.command(args...)
	cmd.Env = append(cmd.Env, "API_MODEL=", "API_BASE_URL=", "API_KEY=")
	s := tuitest.Start(w.t, 100, 30, cmd)
	s.Wait(`Enter an endpoint`)
	return s
}

// fillIn enters an endpoint into the form and connects.
func fillIn(s *tuitest.Screen, url string) {
	s.Type("e")
	s.Wait(`An endpoint that speaks`)
	for _, text := range []string{url, secret, "scripted"} {
		s.Paste(text)
		s.Type("\t")
	}
	s.Type("\x1b[Z") // back to the last field
	s.Wait(`Model +scripted`)
	s.Type("\r")
}

func TestSetUpByHand(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(say("Hello from the model.")))
	s := w.unconfigured()
	s.Type("e")
	s.Wait(`URL`)
	s.Type("ftp://nowhere\tno\tno\r")
	s.Wait(`no other protocol is spoken`)
	for range len("ftp://nowhere") {
		s.Type("\x7f")
	}
	s.Type(w.model.URL() + "\t")
	for range len("no") {
		s.Type("\x7f")
	}
	s.Type(secret + "\t")
	for range len("no") {
		s.Type("\x7f")
	}
	s.Type("scripted\r")
	s.Wait(`set API_BASE_URL=` + regexp.QuoteMeta(w.model.URL()))
	s.Type("hello\r")
	s.Wait(`Hello from the model\.`)
	s.Type("\x04")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	w.noSecret(result{out: s.Output()})
}

// halfConfigured is aye on a terminal with some of what names a model.
func (w *world) halfConfigured(env []string, args ...string) *tuitest.Screen {
	w.t.Helper()
	cmd := w.command(args...)
	cmd.Env = append(append(cmd.Env, "API_MODEL=", "API_BASE_URL=", "API_KEY="), env...)
	s := tuitest.Start(w.t, 100, 30, cmd)
	s.Wait(`configured in part`)
	return s
}

// Who has set some of the variables is told which are missing, and need not
// type the others again.
func TestSetUpWithSomeConfigured(t *testing.T) {
	t.Parallel()
	t.Run("no model, server here", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, llmtest.Steps(say("Hello from the model.")))
		s := w.halfConfigured([]string{"API_BASE_URL=" + w.model.URL(), "API_KEY=" + secret})
		s.Wait(`API_MODEL is not set\.`)
		s.Wait(`› 1  API_BASE_URL +\S`) // it wants the key, and answers
		s.Type("e")
		s.Wait(`Base URL +` + regexp.QuoteMeta(w.model.URL()))
		s.Wait(`empty: the key in API_KEY`)
		s.Type("scripted\r")
		s.Wait(`To begin with this model next time`)
		s.Type("hello\r")
		s.Wait(`Hello from the model\.`)
		w.noSecret(result{out: s.Output()})
	})
	t.Run("no key, server elsewhere", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, llmtest.Steps())
		s := w.halfConfigured([]string{"API_BASE_URL=https://me:" + secret + "@api.example.com/v1/"}, "--model", "big")
		s.Wait(`API_KEY is not set\.`)
		s.Wait(`› e  Complete what is configured: https://api\.example\.com/v1 big`)
		s.Type("e")
		s.Wait(`Base URL +https://api\.example\.com/v1`)
		s.Wait(`Model +big`)
		w.noSecret(result{out: s.Output()})
	})
	t.Run("only the model", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, llmtest.Steps())
		s := w.halfConfigured([]string{"API_MODEL=big"})
		s.Wait(`API_KEY and API_BASE_URL are not set\.`)
		s.Type("e")
		s.Wait(`Model +big`)
	})
}

// What is wrong with an endpoint is said while it can still be put right, and
// an endpoint that only cannot list its models is none the worse for it.
func TestSetUpTriesTheEndpoint(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps())
	page := func(status int, kind, body string) http.HandlerFunc {
		return func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Type", kind)
			rw.WriteHeader(status)
			_, _ = io.WriteString(rw, body)
		}
	}
	tests := []struct {
		name  string
		serve http.HandlerFunc
		want  string
	}{
		{"web page", page(200, "text/html", "<html><body>Welcome</body></html>"), `answered with a web page, not with the API`},
		{"key refused", page(401, "application/json", `{"error":{"message":"no such key"}}`), `refused the key \(401\): no such key`},
		{"no list", page(404, "text/plain", "404 page not found"), `To begin with this model next time`},
		{"another model", page(200, "application/json", `{"object":"list","data":[{"id":"small"},{"id":"large"}]}`), `does not list scripted; it lists small and large`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(tt.serve)
			defer server.Close()
			s := w.unconfigured()
			fillIn(s, server.URL+"/v1")
			s.Wait(tt.want)
		})
	}
}

// Who set aye up by hand has no variables when aye says how to go on.
func TestSetUpGoesOnWithASession(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(say("I will remember."), say("Of course I know.")))
	w.run("", "run", "remember me").expect(t, exitAnswered, "I will remember.\n")
	s := w.unconfigured("-c", "do you know me?")
	fillIn(s, w.model.URL())
	s.Wait(`remember me`)
	s.Wait(`Of course I know\.`)
	if got := len(w.model.Requests()[1].Request.Messages); got != 3 {
		t.Errorf("the model was sent %d messages, want 3", got)
	}
}

func TestSetUpTakesTheTour(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps())
	s := w.unconfigured()
	s.Type("t")
	s.Wait(`this model is a script`)
	answer(s, `\$ sh test\.sh`, "n")
	s.Wait(`You said no`)
	s.Type("\x1b")
	s.Wait(`interrupted`)
	s.Type("\x03\x03")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if kept := w.kept(); len(kept) != 0 {
		t.Errorf("the tour keeps %v", kept)
	}
}

func TestSetUpIsLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps())
	s := w.unconfigured()
	s.Type("\x03")
	s.Type("\x03")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// BenchmarkFirstFrame is from the start of the process to the first frame
// with a composer in it.
func BenchmarkFirstFrame(b *testing.B) {
	server := llmtest.NewServer(llmtest.Steps())
	if err := server.Start(context.Background()); err != nil {
		b.Fatal(err)
	}
	defer server.Close()
	w := &world{dir: b.TempDir(), home: b.TempDir(), model: server}
	for b.Loop() {
		s := tuitest.Start(b, 100, 30, w.command())
		s.Wait(`›`)
		b.StopTimer()
		s.Signal(os.Kill)
		s.Exit()
		b.StartTimer()
	}
}

// BenchmarkVersion is a run that shows nothing: what every start pays.
func BenchmarkVersion(b *testing.B) {
	w := &world{dir: b.TempDir(), home: b.TempDir(), model: llmtest.NewServer(nil)}
	for b.Loop() {
		cmd := w.command("version")
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
	}
}
