package tui

import (
	"context"
	"errors"
	"fmt"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"aye/llm/llmtest"
)

// withSetup starts on the set-up screen; connect decides about choices.
func withSetup(t *testing.T, servers []Server, connect func(Choice) error, do func(s *screen)) {
	t.Helper()
	var s *screen
	playWith(t, 80, 24, llmtest.Steps(says("Hello.")), func(o *Options) {
		session := o.Session
		o.Session = nil
		o.Setup = &Setup{
			Probe: func(context.Context) []Server { return servers },
			Connect: func(_ context.Context, c Choice) (Opened, error) {
				return Opened{Session: session, Info: Info{Model: c.Model}, Notes: []string{"keep it so"}}, connect(c)
			},
		}
	}, func(on *screen) { s = on; do(s) })
}

func TestSetupPicksALocalServer(t *testing.T) {
	servers := []Server{{Name: "Ollama", URL: "http://127.0.0.1:11434/v1", Models: []string{"qwen3-coder", "llama3"}}}
	var got Choice
	withSetup(t, servers, func(c Choice) error { got = c; return nil }, func(s *screen) {
		s.shows("Ollama", "qwen3-coder and 1 more", "Take the tour")
		s.press("1")
		s.shows("llama3", "1 of 2")
		s.press("j")
		s.press("enter")
		s.shows("keep it so", "› ")
		if got.BaseURL != servers[0].URL || got.Model != "llama3" {
			t.Errorf("chose %+v", got)
		}
		s.enter("hi")
		s.shows("Hello.")
	})
}

// Without a model and without a server, Enter is the tour.
func TestSetupBeginsAtTheTour(t *testing.T) {
	var got Choice
	withSetup(t, nil, func(c Choice) error { got = c; return nil }, func(s *screen) {
		s.shows("› t")
		s.press("enter")
		s.shows("keep it so")
		if got != (Choice{Tour: true}) {
			t.Errorf("chose %+v", got)
		}
	})
}

func TestSetupFormSaysWhatIsMissing(t *testing.T) {
	var got Choice
	refuse := errors.New("the endpoint refused the key")
	withSetup(t, nil, func(c Choice) error { got = c; return refuse }, func(s *screen) {
		s.shows("No model server answers")
		s.press("e")
		s.press("enter")
		s.press("enter")
		s.press("enter")
		s.shows("The URL is missing")
		s.paste("https://api.example.com/v1\n")
		s.press("enter")
		s.typed("sekret")
		s.lacks("sekret")
		s.press("enter")
		s.typed("big-model q")
		s.press("enter")
		s.shows("The endpoint refused the key", "big-model q")
		if got != (Choice{BaseURL: "https://api.example.com/v1", Key: "sekret", Model: "big-model q"}) {
			t.Errorf("chose %+v", got)
		}
	})
}

func TestSetupGoesBackWhileItConnects(t *testing.T) {
	playWith(t, 80, 24, llmtest.Steps(), func(o *Options) {
		o.Session = nil
		o.Setup = &Setup{
			Probe: func(context.Context) []Server { return []Server{{Name: "Ollama", Models: []string{"qwen3-coder"}}} },
			Connect: func(ctx context.Context, _ Choice) (Opened, error) {
				<-ctx.Done()
				return Opened{}, fmt.Errorf("asking for models: %w", ctx.Err())
			},
		}
	}, func(s *screen) {
		s.press("1")
		s.shows("Connecting…")
		s.press("esc")
		s.shows("› 1  Ollama")
		s.lacks("Connecting…", "cancel", "sking for models")
	})
}

func TestSetupLeaves(t *testing.T) {
	withSetup(t, nil, func(Choice) error { return nil }, func(s *screen) {
		s.press("q")
		if err := <-s.ended; err != nil {
			t.Error(err)
		}
		s.ended <- nil
	})
}

// What the person is at is on the screen at any size: the choice, the field,
// and what went wrong with it.
func TestSetupFitsSmallScreens(t *testing.T) {
	servers := []Server{{Name: "Ollama", URL: "http://127.0.0.1:11434/v1", Models: []string{"qwen3-coder", "llama3"}}}
	refuse := errors.New("the key was refused")
	for _, size := range [][2]int{{20, 6}, {44, 14}, {30, 8}, {80, 24}} {
		withSetup(t, servers, func(Choice) error { return refuse }, func(s *screen) {
			s.emu.Resize(size[0], size[1])
			s.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			s.shows("› 1")
			s.press("j")
			s.shows("› t")
			s.press("j")
			s.shows("› e")
			s.press("enter")
			for _, label := range []string{"URL", "Key", "Model"} {
				s.typed(label + " here")
				if label == "Key" {
					s.shows("********")
				} else {
					s.shows(label + " here")
				}
				s.press("enter")
			}
			s.shows("Model here", "The key was refused")
			s.press("esc")
			s.press("1")
			s.shows("› qwen3")
			s.press("j")
			s.shows("› llama3")
		})
	}
}
