package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"aye/agent"
	"aye/llm/llmtest"
	"aye/tools"
	"aye/tui/dialog"
	"aye/tui/tty"
)

// asking returns a screen of cols by rows cells, below a conversation, that
// asks about a command of so many lines.
func asking(cols, rows, lines int, banner string) *Model {
	var command strings.Builder
	for i := range lines {
		fmt.Fprintf(&command, "echo line %d\n", i+1)
	}
	m := New(context.Background(), Options{Session: port{}, Info: Info{Model: "m", Workspace: "/w", Banner: banner}}, mute{})
	m.Update(tea.WindowSizeMsg{Width: cols, Height: rows})
	m.Update(events{at: time.Now(), list: []agent.Event{
		agent.TurnStarted{Turn: 1},
		agent.TextStreamed{Text: strings.Repeat("- talk\n", 40)},
		agent.CallPrepared{CallID: "c", Tool: "shell", Title: "echo line 1", Effects: []tools.Effect{{Kind: tools.Exec}}, Preview: tools.View{Kind: tools.Command, Text: command.String()}},
		agent.ApprovalAsked{CallID: "c", Rule: "shell(echo)"},
		agent.Waiting{For: agent.ForApproval},
	}})
	return m
}

func rowsOf(m *Model) []string { return strings.Split(ansi.Strip(m.View()), "\n") }

// A frame with more rows than the screen would lose its first one, which is
// where the banner stands.
func TestFramesFitTheScreen(t *testing.T) {
	for rows := minHeight; rows <= 30; rows++ {
		for _, lines := range []int{1, 4, 100} {
			for _, banner := range []string{"", "tour: a script"} {
				m := asking(44, rows, lines, banner)
				for _, draft := range []string{"", strings.Repeat("draft\n", 20)} {
					m.compose.SetText(draft)
					m.stale = true
					got := rowsOf(m)
					if len(got) != rows {
						t.Errorf("%d rows, %d lines, banner %q: the frame has %d rows:\n%s", rows, lines, banner, len(got), strings.Join(got, "\n"))
					}
					if rows >= 10 && !strings.Contains(got[0], banner) {
						t.Errorf("%d rows, %d lines: the banner is not at the top:\n%s", rows, lines, strings.Join(got, "\n"))
					}
				}
			}
		}
	}
}

// The wheel scrolls what the pointer is on, and what covers everything.
func TestWheelScrollsWhatIsUnderThePointer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := asking(80, 24, 60, "")
		before := rowsOf(m)
		at := m.dock.from + 3
		m.Update(tty.Wheel{Delta: 1, X: 5, Y: at})
		if got := rowsOf(m); !strings.Contains(got[m.dock.from+1], "echo line 4") || got[0] != before[0] {
			t.Errorf("over the dialog:\n%s", strings.Join(got, "\n"))
		}
		m.Update(tty.Wheel{Delta: -1, X: 5, Y: 0})
		if got := rowsOf(m); !strings.Contains(got[m.dock.from+1], "echo line 4") || !strings.Contains(strings.Join(got[:m.dock.from], "\n"), "·") {
			t.Errorf("over the conversation:\n%s", strings.Join(got, "\n"))
		}
		time.Sleep(dialog.Quiet)
		m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("?")})
		m.View()
		m.Update(tty.Wheel{Delta: 2, X: 5, Y: 5})
		if got := rowsOf(m); !strings.Contains(got[1], "echo line 7") {
			t.Errorf("over everything:\n%s", strings.Join(got, "\n"))
		}
	})
}

func TestQueuedMessagesComeBackInTheirOrder(t *testing.T) {
	script := llmtest.Steps(calls("slow", "a.go"), says("never"))
	play(t, 80, 24, script, func(s *screen) {
		s.enter("be slow")
		s.wait(time.Second)
		s.press("y")
		s.enter("first")
		big := strings.Repeat("a pasted line\n", 3000)
		s.paste(big)
		s.enter(" second")
		s.typed("third")
		s.press("esc")
		s.shows("› first\n    [paste 1 · 3000 lines] second\n    third")
		if got := s.model.compose.Text(); got != "first\n"+big+" second\nthird" {
			t.Errorf("%d bytes came back", len(got))
		}
	})
}

// A menu that is open belongs to the message being written: its Escape is not
// a no, and its letters are no answers.
func TestMenuBelowAQuestion(t *testing.T) {
	script := llmtest.Steps(calls("touch", "a.go"), says("As you say."))
	play(t, 80, 24, script, func(s *screen) {
		s.enter("touch it")
		s.wait(time.Second)
		s.typed("/")
		s.shows("/help", "y once")
		s.wait(2 * time.Second)
		s.typed("a")
		s.wait(2 * time.Second)
		s.press("esc")
		s.shows("› /a", "y once")
		s.lacks("/help", "denied")
		s.wait(2 * time.Second)
		s.press("esc")
		s.shows("As you say.", "denied")
	})
}
