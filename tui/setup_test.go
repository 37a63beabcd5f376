package tui

import (
	"context"
	"errors"
	"fmt"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"aye/llm/llmtest"
	"aye/llm/openai"
	"aye/tui/setup"
)

// blank is a set-up of which nothing is configured.
func blank() Configured {
	return Configured{Complete: openai.Complete, KeyFrom: func(string) string { return "" }}
}

// withSetup starts on the set-up screen; connect decides about choices.
func withSetup(t *testing.T, servers []Server, connect func(Choice) error, do func(s *screen)) {
	t.Helper()
	withConfigured(t, blank(), servers, connect, do)
}

// withConfigured starts there with what is configured.
func withConfigured(t *testing.T, conf Configured, servers []Server, connect func(Choice) error, do func(s *screen)) {
	t.Helper()
	playWith(t, 80, 24, llmtest.Steps(says("Hello.")), func(o *Options) {
		session := o.Session
		o.Session = nil
		o.Setup = &Setup{
			Configured: conf,
			Probe:      func(context.Context) []Server { return servers },
			Connect: func(_ context.Context, c Choice) (Opened, error) {
				return Opened{Session: session, Info: Info{Model: c.Model}, Notes: []string{"keep it so"}}, connect(c)
			},
		}
	}, do)
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
		s.shows("The base URL is missing")
		s.paste("https://api.example.com/v1\n")
		s.press("enter")
		s.typed("sekret")
		s.lacks("sekret")
		s.press("enter")
		s.typed("big-model q")
		s.press("enter")
		s.shows("The endpoint refused the key", "big-model q", "tab shift+tab fields")
		if got != (Choice{BaseURL: "https://api.example.com/v1", Key: "sekret", Model: "big-model q"}) {
			t.Errorf("chose %+v", got)
		}
	})
}

func TestSetupGoesBackWhileItConnects(t *testing.T) {
	playWith(t, 80, 24, llmtest.Steps(), func(o *Options) {
		o.Session = nil
		o.Setup = &Setup{
			Configured: blank(),
			Probe:      func(context.Context) []Server { return []Server{{Name: "Ollama", Models: []string{"qwen3-coder"}}} },
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
			for _, text := range []string{"url.test", "the key", "Model here"} {
				s.typed(text)
				if text == "the key" {
					s.shows("*******")
				} else {
					s.shows(text)
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

// What can be chosen is said whole on a narrow screen.
func TestSetupSaysItsChoicesWhole(t *testing.T) {
	withSetup(t, nil, func(Choice) error { return nil }, func(s *screen) {
		s.emu.Resize(44, 14)
		s.send(tea.WindowSizeMsg{Width: 44, Height: 14})
		s.shows("› t  Take the tour: offline, a scripted", "nothing of yours is touched", "e  Enter an endpoint: base URL, key,", "     model")
	})
}

// A base URL that is none does not let the person go on, blind, to the key.
func TestSetupStaysAtABaseURLThatIsNone(t *testing.T) {
	for typed, why := range map[string]string{"": "The base URL is missing", "sk-a-key": "has to start with http", "ftp://x.test": "no other protocol", "http://": "names no host"} {
		withSetup(t, nil, func(Choice) error { return nil }, func(s *screen) {
			s.press("e")
			s.typed(typed)
			s.press("enter")
			s.shows(why)
			s.typed("#seen")
			s.shows(typed + "#seen")
			s.lacks("***")
		})
	}
}

func TestSetupCompletesTheBaseURL(t *testing.T) {
	for _, key := range []string{"enter", "tab"} {
		for typed, want := range map[string]string{"localhost:11434/v1": "http://localhost:11434/v1", "api.example.com/v1/chat/completions": "https://api.example.com/v1"} {
			var got Choice
			withSetup(t, nil, func(c Choice) error { got = c; return nil }, func(s *screen) {
				s.press("e")
				s.typed(typed)
				s.press(key)
				s.shows("Base URL  " + want + "\n")
				s.press("tab")
				s.typed("m")
				s.press("enter")
				if got != (Choice{BaseURL: want, Model: "m"}) {
					t.Errorf("chose %+v", got)
				}
			})
		}
	}
}

// What failed can be put right where the caret is.
func TestSetupGoesToTheFault(t *testing.T) {
	for field, want := range map[setup.Field]string{FieldURL: "test/v1seen", FieldKey: "*******", FieldModel: "mmmseen"} {
		withSetup(t, nil, func(Choice) error { return &Fault{Field: field, Err: errors.New("this is wrong")} }, func(s *screen) {
			s.press("e")
			for _, text := range []string{"https://x.test/v1", "kkk", "mmm"} {
				s.typed(text)
				s.press("enter")
			}
			s.shows("This is wrong")
			s.typed("seen")
			s.shows(want)
		})
	}
	withSetup(t, nil, func(Choice) error { return nil }, func(s *screen) {
		s.press("e")
		s.press("tab")
		s.press("tab")
		s.typed("m")
		s.press("enter")
		s.shows("The base URL is missing")
		s.typed("here")
		s.shows("Base URL  here")
	})
}

func TestSetupKnowsWhatIsConfigured(t *testing.T) {
	conf := blank()
	conf.Known = Choice{BaseURL: "https://api.example.com/v1", Model: "big"}
	conf.Missing = "API_KEY is not set."
	conf.KeyFrom = func(url string) string { return map[bool]string{true: "MY_KEY"}[url == "https://x.test/v1"] }
	servers := []Server{{Name: "Ollama", URL: "http://127.0.0.1:11434/v1", Models: []string{"small", "big"}}}
	var got Choice
	withConfigured(t, conf, servers, func(c Choice) error { got = c; return nil }, func(s *screen) {
		s.shows("API_KEY is not set.", "› e  Complete what is configured: https://api.example.com/v1 big")
		s.press("1")
		s.shows("› big")
		s.press("esc")
		s.press("e")
		s.shows("Base URL  https://api.example.com/v1", "Model     big", "empty where none is needed")
		s.typed("sekret")
		s.lacks("sekret")
		s.press("enter")
		s.press("enter")
		if want := (Choice{BaseURL: "https://api.example.com/v1", Key: "sekret", Model: "big"}); got != want {
			t.Errorf("chose %+v, want %+v", got, want)
		}
	})
	conf.Known = Choice{BaseURL: "https://x.test/v1"}
	withConfigured(t, conf, nil, func(c Choice) error { got = c; return nil }, func(s *screen) {
		s.press("e")
		s.shows("empty: the key in MY_KEY")
		s.typed("m")
		s.shows("Model     m")
	})
}

// A server that was picked may want a key: the form asks for it, and for no more.
func TestSetupAsksForTheKeyOfAPickedServer(t *testing.T) {
	servers := []Server{{Name: "vLLM", URL: "http://127.0.0.1:8000/v1", Models: []string{"small"}}}
	var got Choice
	withSetup(t, servers, func(c Choice) error {
		if got = c; c.Key == "" {
			return &Fault{Field: FieldKey, Err: errors.New("it wants a key")}
		}
		return nil
	}, func(s *screen) {
		s.press("e")
		s.press("tab")
		s.typed("the key of another server")
		s.press("esc")
		s.press("1")
		s.lacks("***")
		s.shows("It wants a key", "Base URL  http://127.0.0.1:8000/v1", "Model     small")
		s.typed("sekret")
		s.press("enter")
		s.press("enter")
		s.shows("keep it so")
		if want := (Choice{BaseURL: servers[0].URL, Key: "sekret", Model: "small"}); got != want {
			t.Errorf("chose %+v, want %+v", got, want)
		}
	})
}

func TestSetupKeepsTheModelForAServerThatNamesNone(t *testing.T) {
	conf := blank()
	conf.Known = Choice{Model: "big"}
	withConfigured(t, conf, []Server{{Name: "llama.cpp", URL: "http://127.0.0.1:8080/v1"}}, func(Choice) error { return nil }, func(s *screen) {
		s.press("1")
		s.shows("Base URL  http://127.0.0.1:8080/v1", "Model     big")
	})
}
