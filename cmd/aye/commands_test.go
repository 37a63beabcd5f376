//go:build !windows

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aye/agent"
	"aye/llm/llmtest"
)

// The rows of BEHAVIOUR.md about the terminal and the commands at the prompt,
// T36 to T50, on the real screen.

// T42, T45, T47, T48, T50, M24, M27: nothing that is typed for aye itself
// reaches the model, and what fails is said and gone on from.
func TestCommandsAtThePrompt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(say("The first answer."), say("The second answer.")))
	s := w.screen()
	s.Wait(`scripted, with \d+ tools; commands run in /\S*sh, in`)
	s.Type("  \r")
	s.Type("first\r")
	s.Wait(`The first answer\.`)
	s.Type("/nonsense\r")
	s.Wait(`/nonsense: unknown`)
	s.Type("/\r")
	s.Wait(`/help shows them all`)
	s.Type("/quit now\r")
	s.Wait(`/quit takes nothing after it`)
	s.Type("!\r")
	s.Wait(`Type a command after the !`)
	s.Type("!echo made by hand >made; echo said; exit 3\r")
	s.Wait(`said`)
	s.Wait(`exit 3`)
	s.Type("!no-such-command-here\r")
	s.Wait(`exit 127`)
	s.Type("/CLEAR\r")
	eventually(t, "the first answer is gone", func() bool { return !strings.Contains(s.Text(), "The first answer") })
	s.Type("second\r")
	s.Wait(`The second answer\.`)
	s.Type("\x04")
	if code := s.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if got := w.file("made"); got != "made by hand\n" {
		t.Errorf("the command of the person's made %q", got)
	}
	if n := len(w.model.Requests()); n != 2 {
		t.Fatalf("%d requests, want 2", n)
	}
	first, second := w.request(0), w.request(1)
	if len(second.Messages) != 1 || second.Messages[0].Text() != "second" || second.System != first.System {
		t.Errorf("after /clear the model was sent %v, with the system prompt\n%s", second.Messages, second.System)
	}
}

// T49: Ctrl+C drops the line, which history keeps, and ends a command of the
// person's with all it started. W65: it is heard from the first moment on.
func TestCtrlCAtThePrompt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(say("I am here.")))
	s := w.screen()
	s.Wait(`›`)
	s.Type("\x03")
	s.Wait(`again to leave`)
	s.Type("half a message")
	s.Wait(`› half a message`)
	s.Type("\x03")
	eventually(t, "the line is empty", func() bool { return !strings.Contains(s.Text(), "half a message") })
	s.Type("\x1b[A")
	s.Wait(`› half a message`)
	s.Type("\x03")
	eventually(t, "the line is empty", func() bool { return !strings.Contains(s.Text(), "half a message") })
	s.Type("!sh -c 'echo $$ >b; exec sleep 3000' & echo $$ >c; wait\r")
	pids := w.waitForFamily()
	s.Type("\x03")
	s.Wait(`interrupted`)
	expectGone(t, pids)
	s.Type("are you there?\r")
	s.Wait(`I am here\.`)
	if got := w.request(0).Messages; len(got) != 1 {
		t.Errorf("the model was sent %v", got)
	}
}

// T55: Ctrl+C at a question ends the turn, Ctrl+D aye; nothing of the call
// happens, and the model is told so when the conversation goes on.
func TestCtrlCAtAQuestion(t *testing.T) {
	t.Parallel()
	for name, key := range map[string]string{"Ctrl+C": "\x03", "Ctrl+D": "\x04"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, llmtest.Steps(calls("shell", `{"cmd":"echo x >made"}`, "shell", `{"cmd":"echo y >made"}`), say("I see.")))
			s := w.screen("begin")
			s.Wait(`echo x >made`)
			s.WaitStyled(armed)
			s.Type(key)
			if key == "\x03" {
				s.Wait(`interrupted`)
				s.Type("go on\r")
				s.Wait(`I see\.`)
			} else {
				if code := s.Exit(); code != 0 {
					t.Errorf("exit code %d", code)
				}
				w.run("", "run", "-c", "go on").expect(t, exitAnswered, "I see.\n")
			}
			got := results(w.request(1))
			if len(got) != 2 || got[0].Text != "Not run: the turn was interrupted." || got[1].Text != "Not run: the turn was interrupted." || w.file("made") != "" {
				t.Errorf("results %+v, made %q", got, w.file("made"))
			}
		})
	}
}

// W56: a blank argument is no message.
func TestBlankArgumentIsNoMessage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(say("Hello.")))
	s := w.screen(" ")
	s.Wait(`type a task`)
	s.Type("hi\r")
	s.Wait(`Hello\.`)
	if got := w.request(0).Messages; len(got) != 1 || got[0].Text() != "hi" {
		t.Errorf("the model was sent %v", got)
	}
}

// T36: the screen tidies, the conversation does not. W67: code is as it is.
// W51: what is no text in an answer or a message does not spoil what follows.
func TestWordsAreKeptAsTheyCame(t *testing.T) {
	t.Parallel()
	answer := "One.\r\n\n \n\t\n\nTwo.\n\n```go\na\n\n\n\nb\n```\n"
	w := newWorld(t, llmtest.Steps(say(answer), say("The end.")))
	s := w.screen("begin")
	text := s.Wait(`(?s)One\.\n\n +Two\..* a\n\n\n\n +b`)
	if strings.Contains(text, "```") {
		t.Errorf("the screen is\n%s", text)
	}
	s.Type("go on\r")
	s.Wait(`The end\.`)
	if got := w.request(1).Messages[1].Text(); got != answer {
		t.Errorf("the answer went back as %q", got)
	}
}

func TestHalfCharactersSpoilNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(
		llmtest.Reply{Fault: llmtest.Fault{Raw: "data: {\"choices\":[{\"delta\":{\"content\":\"half \\ud800 a character\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"}},
		say("second"), say("third")))
	c := w.talk(sessionWant{})
	for _, text := range []string{"one", "bad \xff byte", "three"} {
		if end := last[agent.TurnEnded](t, c.say(text, "")); end.Reason != agent.Finished {
			t.Errorf("%q: %+v", text, end)
		}
	}
	got := w.request(2).Messages
	if len(got) != 5 || got[1].Text() != "half \ufffd a character" || got[2].Text() != "bad \ufffd byte" {
		t.Errorf("the model was sent %q", got)
	}
}

// T38: what aye waits for, how long, and nothing of it left afterwards.
func TestStatusOfAWait(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(
		llmtest.Reply{Text: strings.Repeat("word ", 200) + "done", Delay: 1500 * time.Millisecond, Between: 5 * time.Millisecond},
		call("", "shell", `{"cmd":"sleep 1.5"}`), say("The end.")))
	s := w.screen("--mode", "full", "begin")
	s.Wait(`waiting for the model 1 s`)
	s.Wait(`answering`)
	s.Wait(`word done`)
	s.Type("on\r")
	s.Wait(`running shell sleep 1\.5 1 s`)
	if text := s.Wait(`The end\.`); strings.Contains(text, "answering") && strings.Contains(text, "waiting") {
		t.Errorf("left on the screen:\n%s", text)
	}
	eventually(t, "the status line is at rest", func() bool {
		text := s.Text()
		return !strings.Contains(text, "waiting") && !strings.Contains(text, "answering") && !strings.Contains(text, "running shell")
	})
}

// T39: where there is no terminal nothing moves, and nothing is coloured.
func TestNoStatusWithoutATerminal(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(llmtest.Reply{Text: "Done.", Delay: 1200 * time.Millisecond}))
	r := w.run("", "run", "hi")
	r.expect(t, exitAnswered, "Done.\n")
	if strings.ContainsAny(r.err+r.out, "\b\r\x1b") || strings.Contains(r.err, "waiting") {
		t.Errorf("standard error is %q", r.err)
	}
}

// T41, W13, W28, W66, M18, M29: each call leaves a line, a change its diff, a
// command its output while it runs; where and with what aye works is in sight.
func TestEachCallIsOnTheScreen(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(
		calls("read", `{"path":"a.txt"}`, "glob", `{"pattern":"*.none"}`, "load_skill", `{"name":"brush"}`),
		calls("edit", editArgs, "shell", `{"cmd":"echo first; until [ -e go ]; do sleep 0.05; done; echo second"}`), say("The end.")),
		"a.txt", "one\n", ".agents/skills/brush/SKILL.md", "Paint.\n")
	s := w.screen("--mode", "full", "begin")
	for _, want := range []string{`read +a\.txt`, `glob +\*\.none`, `load_skill +brush`, `edit +a\.txt +\+1 −1`, `1 - one`, `1 \+ two`, `(?m)^ +first$`} {
		s.Wait(want)
	}
	w.write("go", "")
	s.Wait(`(?m)^ +second$`)
	text := s.Wait(`The end\.`)
	real, err := filepath.EvalSymlinks(w.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"▍begin", " full ", "scripted", filepath.Base(real)} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q on the screen:\n%s", want, text)
		}
	}
}

// W31: what a model or a command says is text, whatever it holds.
func TestNothingSaidReachesTheTerminal(t *testing.T) {
	t.Parallel()
	const evil = "\x1b]0;pwned\x07\x1b]52;c;ZXZpbA==\x07\x1b[2J\x1b[?1049l"
	w := newWorld(t, llmtest.Steps(call("Hear "+evil+"me.", "shell", `{"cmd":"printf '\\033]0;pwned\\007\\033[2Jloud\\n'"}`), say("The end.")))
	s := w.screen("--mode", "full", "begin")
	s.Wait(`Hear me\.`)
	s.Wait(`(?m)^ +loud$`)
	s.Wait(`The end\.`)
	for _, bad := range []string{"pwned\x07", "]52;c;ZXZpbA", "\x1b]0;pwned"} {
		if strings.Contains(s.Output(), bad) {
			t.Errorf("%q reached the terminal", bad)
		}
	}
	if told := lastResult(t, w.request(1)); told != "exit_code=0\nloud\n" {
		t.Errorf("the model was told %q", told)
	}
}

// X11: no profile of the person's is read for a command.
func TestCommandsReadNoProfile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(call("", "shell", `{"cmd":"echo hi"}`), say("ok")))
	home := t.TempDir()
	for _, name := range []string{".profile", ".bash_profile", ".bashrc", ".bash_login"} {
		if err := os.WriteFile(filepath.Join(home, name), []byte("touch '"+w.dir+"/read'\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := w.command("run", "--mode", "full", "hi")
	cmd.Env = append(cmd.Env, "HOME="+home)
	finish(t, cmd).expect(t, exitAnswered, "ok\n")
	if _, err := os.Stat(filepath.Join(w.dir, "read")); err == nil {
		t.Error("a profile was read")
	}
}
