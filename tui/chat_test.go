package tui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"aye/agent"
	"aye/llm"
	"aye/llm/llmtest"
)

func TestAnswerStreamsIn(t *testing.T) {
	slow := llmtest.Reply{Text: "The **parser** is in order.\n\n- one\n- two", Piece: 4, Delay: 2 * time.Second, Between: time.Second}
	play(t, 80, 24, llmtest.Steps(slow), func(s *screen) {
		s.enter("check the parser")
		s.shows("check the parser", "waiting for the model")
		s.wait(8 * time.Second)
		s.shows("The parser")
		s.lacks("two", "**")
		s.wait(20 * time.Second)
		s.shows("The parser is in order.", "two")
		s.lacks("waiting")
	})
}

func TestApprovalIsAsked(t *testing.T) {
	script := llmtest.Steps(calls("touch", "a.go"), says("Touched."))
	play(t, 80, 24, script, func(s *screen) {
		s.enter("touch it")
		s.shows("a.go", "y once", "n no")
		s.wait(time.Second)
		s.press("enter")
		s.shows("y once")
		s.press("x")
		s.wait(time.Second)
		s.press("y")
		s.shows("Touched.", "› x")
		s.lacks("y once")
	})
}

func TestKeysTypedTooSoonDoNotAnswer(t *testing.T) {
	script := llmtest.Steps(calls("touch", "a.go"), says("Touched."))
	play(t, 80, 24, script, func(s *screen) {
		s.enter("touch it")
		s.typed("yyy")
		s.shows("› yyy", "a.go")
		s.lacks("Touched.")
		s.paste("y")
		s.shows("› yyyy")
		s.lacks("Touched.")
		s.wait(time.Second)
		s.press("y")
		s.shows("Touched.", "› yyyy")
	})
}

// A terminal that is too small says what to do, as far as there is room, and
// the session goes on.
func TestTooSmallSaysWhatToDo(t *testing.T) {
	play(t, 80, 24, llmtest.Steps(says("Hello.")), func(s *screen) {
		for _, size := range []struct {
			w, h int
			want string
		}{
			{19, 24, "The terminal is too small: make it 20x6 or larger. Nothing is lost."},
			{80, 5, "The terminal is too small: make it 20x6 or larger. Nothing is lost."},
			{10, 3, "make it 20x6"}, {8, 2, "make it 20x6"}, {6, 1, "20x6"},
		} {
			s.emu.Resize(size.w, size.h)
			s.send(tea.WindowSizeMsg{Width: size.w, Height: size.h})
			s.wait(time.Second)
			if got := strings.Join(strings.Fields(s.text()), " "); got != size.want {
				t.Errorf("%dx%d shows %q, want %q", size.w, size.h, got, size.want)
			}
		}
		s.emu.Resize(20, 6)
		s.send(tea.WindowSizeMsg{Width: 20, Height: 6})
		s.enter("hi")
		s.shows("Hello.")
	})
}

// A screen that is too small for the question answers none, and a question
// that has just come to light, or looks different, is as a new one.
func TestResizeMakesAQuestionNew(t *testing.T) {
	script := llmtest.Steps(calls("touch", "a.go"), says("Touched."))
	play(t, 80, 24, script, func(s *screen) {
		resize := func(w, h int) {
			s.emu.Resize(w, h)
			s.send(tea.WindowSizeMsg{Width: w, Height: h})
		}
		s.enter("touch it")
		s.wait(time.Second)
		resize(15, 4)
		s.wait(time.Second)
		s.press("y")
		s.wait(time.Second)
		resize(80, 24)
		s.press("y")
		s.shows("y once", "› yy")
		s.lacks("Touched.")
		s.wait(time.Second)
		s.press("y")
		s.shows("Touched.")
	})
}

// A paste that the terminal does not mark is keys, one right after the other.
func TestUnmarkedPasteDoesNotAnswer(t *testing.T) {
	script := llmtest.Steps(calls("touch", "a.go"), says("Touched."))
	play(t, 80, 24, script, func(s *screen) {
		s.enter("touch it")
		s.wait(time.Second)
		s.typed("yes")
		s.wait(time.Second)
		s.shows("y once")
		s.lacks("Touched.")
	})
}

func TestDenialCarriesItsReason(t *testing.T) {
	script := llmtest.Steps(calls("touch", "a.go"), says("As you say."))
	play(t, 80, 24, script, func(s *screen) {
		s.enter("touch it")
		s.wait(time.Second)
		s.press("r")
		s.shows("no, because: enter says no")
		s.typed("yes, but not this one")
		s.shows("no, because: yes, but not this one")
		s.lacks("enter says no")
		s.press("enter")
		s.shows("As you say.", "denied")
		reqs := s.client.Requests()
		last := reqs[len(reqs)-1].Messages
		var told string
		for _, b := range last[len(last)-1].Blocks {
			told += b.(llm.ToolResult).Text
		}
		if !strings.Contains(told, "yes, but not this one") {
			t.Errorf("the model was told %q", told)
		}
	})
}

func TestAlwaysNamesItsRule(t *testing.T) {
	script := llmtest.Steps(calls("touch", "a.go"), calls("touch", "a.go"), says("Twice."))
	play(t, 80, 24, script, func(s *screen) {
		s.enter("touch it twice")
		s.wait(time.Second)
		s.shows("a always: touch")
		s.press("a")
		s.shows("Twice.")
	})
}

func TestEscInterruptsAndGivesBackWhatWasQueued(t *testing.T) {
	script := llmtest.Steps(calls("slow", "a.go"), says("never"))
	play(t, 80, 24, script, func(s *screen) {
		s.enter("be slow")
		s.wait(time.Second)
		s.press("y")
		s.enter("and then this")
		s.shows("and then this")
		s.press("esc")
		s.shows("› and then this", "interrupted")
		s.lacks("never")
		s.press("ctrl+c")
		s.lacks("› and then this")
		s.press("up")
		s.shows("› and then this")
	})
}

// What is given back stands in the order in which it was sent, before what is
// being written.
func TestGivenBackInOrder(t *testing.T) {
	play(t, 80, 24, llmtest.Steps(calls("slow", "a.go"), says("never")), func(s *screen) {
		s.enter("be slow")
		s.wait(time.Second)
		s.press("y")
		s.enter("first of two")
		s.enter("second of two")
		s.typed("a draft")
		s.press("esc")
		s.shows("interrupted", "› first of two\n    second of two\n    a draft")
	})
}

// What was taken back in an earlier run is not given back again.
func TestPastIsNotGivenBack(t *testing.T) {
	past := []agent.Event{agent.SessionOpened{ID: "s", Mode: agent.Ask}, agent.PromptQueued{ID: 1, Text: "from long ago"}, agent.PromptWithdrawn{ID: 1}}
	set := func(o *Options) { o.Past = past }
	playWith(t, 80, 24, llmtest.Steps(says("Hello.")), set, func(s *screen) {
		s.lacks("from long ago")
	})
}

func TestCtrlCTwiceLeaves(t *testing.T) {
	play(t, 80, 24, llmtest.Steps(), func(s *screen) {
		s.press("ctrl+c")
		s.shows("again to leave")
		s.wait(3 * time.Second)
		s.lacks("again to leave")
		s.press("ctrl+c")
		s.press("ctrl+c")
		if err := <-s.ended; err != nil {
			t.Error(err)
		}
		s.ended <- nil
	})
}

func TestQuitPrefixes(t *testing.T) {
	for _, line := range []string{"/quit", "/q", "/exi", "/e"} {
		play(t, 80, 24, llmtest.Steps(), func(s *screen) {
			s.enter(line)
			if err := <-s.ended; err != nil {
				t.Error(err)
			}
			s.ended <- nil
		})
	}
}

func TestSlashCommands(t *testing.T) {
	play(t, 100, 60, llmtest.Steps(says("Hello.")), func(s *screen) {
		s.enter("hi")
		s.shows("Hello.")
		s.enter("/history")
		s.shows("1 turn")
		s.enter("/todos")
		s.shows("no todos")
		s.enter("/hlep")
		s.shows("did you mean /help")
		s.enter("/help")
		s.shows("/clear", "Shift+Tab", "Ctrl+J")
		s.enter("/clear")
		s.lacks("Hello.")
		s.enter("!list files")
		s.shows("list files")
	})
}

func TestModeIsAlwaysVisible(t *testing.T) {
	play(t, 80, 24, llmtest.Steps(), func(s *screen) {
		s.shows(" ask ")
		s.press("shift+tab")
		s.shows(" edit ")
		s.press("shift+tab")
		s.shows(" plan ")
		s.enter("/mode full")
		s.shows(" full ")
	})
}

func TestBigPaste(t *testing.T) {
	big := strings.Repeat("0123456789abcde\n", 200_000/16)
	play(t, 80, 24, llmtest.Steps(says("Read.")), func(s *screen) {
		s.paste(big)
		s.shows("12500 lines")
		s.press("enter")
		s.shows("Read.")
		if got := s.client.Requests()[0].Messages[0].Text(); got != big && got != strings.TrimRight(big, "\n") {
			t.Errorf("%d bytes were sent", len(got))
		}
	})
}

func TestDraftIsKept(t *testing.T) {
	play(t, 80, 24, llmtest.Steps(says("Hello.")), func(s *screen) {
		s.typed("half a thou")
		s.wait(2 * time.Second)
		if s.store.draft != "half a thou" {
			t.Errorf("kept %q", s.store.draft)
		}
		s.enter("ght")
		s.wait(2 * time.Second)
		if s.store.draft != "" || len(s.store.history) != 1 {
			t.Errorf("kept %q, history %q", s.store.draft, s.store.history)
		}
	})
}

func TestResizeWhileStreaming(t *testing.T) {
	reply := llmtest.Reply{Text: strings.Repeat("a line of words that goes on for a while 漢字 ", 60), Between: 50 * time.Millisecond}
	play(t, 120, 40, llmtest.Steps(reply), func(s *screen) {
		s.enter("go")
		for _, size := range [][2]int{{80, 24}, {20, 6}, {10, 3}, {1, 1}, {44, 14}, {200, 50}, {120, 40}} {
			s.emu.Resize(size[0], size[1])
			s.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		}
		s.wait(time.Minute)
		s.shows("漢字", "› ")
	})
}

func TestReaderIsNotDisturbed(t *testing.T) {
	long := llmtest.Reply{Text: strings.Repeat("- line\n", 100) + "- the end", Piece: 7, Between: 100 * time.Millisecond}
	play(t, 80, 24, llmtest.Steps(long), func(s *screen) {
		s.enter("list")
		s.wait(4 * time.Second)
		s.press("pgup")
		before := strings.Join(strings.Split(s.text(), "\n")[:10], "\n")
		s.wait(4 * time.Second)
		if after := strings.Join(strings.Split(s.text(), "\n")[:10], "\n"); after != before {
			t.Errorf("moved from\n%s\nto\n%s", before, after)
		}
		s.shows("↓")
		s.press("end")
		s.wait(time.Minute)
		s.shows("the end")
	})
}

// The help is longer than many screens: it is read from its beginning.
func TestHelpBeginsAtItsBeginning(t *testing.T) {
	play(t, 80, 24, llmtest.Steps(says("Hello.")), func(s *screen) {
		s.press("?")
		s.shows("Commands", "/help", "lines · end")
		s.press("end")
		s.shows("Ctrl+_", "y a n r: answer a question", "Shift and drag")
		s.enter("hi")
		s.shows("Hello.")
	})
	play(t, 80, 60, llmtest.Steps(says("Hello.")), func(s *screen) {
		s.enter("hi")
		s.press("?")
		s.shows("Hello.", "Commands", "Ctrl+_")
	})
}

func TestPromptOfTheCommandLineIsHistory(t *testing.T) {
	playWith(t, 80, 24, llmtest.Steps(says("Hello.")), func(o *Options) { o.Prompt = "greet me" }, func(s *screen) {
		s.shows("greet me", "Hello.")
		s.press("up")
		s.shows("› greet me")
		if len(s.store.history) != 1 || s.store.history[0] != "greet me" {
			t.Errorf("kept %q", s.store.history)
		}
	})
}

func TestEmptyScreenGreets(t *testing.T) {
	play(t, 80, 24, llmtest.Steps(says("Hello.")), func(s *screen) {
		s.shows("Type a task", "? shows the keys")
		s.lacks("tools")
	})
	playWith(t, 80, 24, llmtest.Steps(says("Hello.")), func(o *Options) { o.Info.Shell, o.Info.Tools, o.Info.Model = "/bin/sh", 12, "mo\x1b[2Jdel" }, func(s *screen) {
		s.shows("Type a task", "del, with 12 tools; commands run in /bin/sh, in")
	})
}

func TestLetterThatBeginsAWordIsNotLost(t *testing.T) {
	script := llmtest.Steps(calls("touch", "a.go"), says("Touched."))
	play(t, 80, 24, script, func(s *screen) {
		s.enter("touch it")
		s.wait(2 * time.Second)
		s.typed("yesterday")
		s.shows("› yesterday", "a.go")
		s.lacks("Touched.")
		s.wait(2 * time.Second)
		s.program.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("n")})
		s.paste(" pasted")
		s.shows("› yesterdayn pasted")
	})
}
