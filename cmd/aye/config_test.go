package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aye/tools/proc"
)

// vars is an environment out of "NAME=value" texts.
func vars(list ...string) environment {
	return func(name string) (string, bool) {
		for _, v := range list {
			if n, value, _ := strings.Cut(v, "="); n == name {
				return value, true
			}
		}
		return "", false
	}
}

func TestConfigLayers(t *testing.T) {
	t.Parallel()
	env := vars("API_KEY= k1\n", "API_BASE_URL= https://example.com/v1/ ", "API_MODEL=m1\r", "CONTEXT_MAX_CHARS= 1_000 ", "AYE_HOME="+t.TempDir())
	c, err := loadConfig(invocation{}, env)
	if err != nil {
		t.Fatal(err)
	}
	want := config{
		baseURL: setting{"https://example.com/v1", "API_BASE_URL"}, model: setting{"m1", "API_MODEL"},
		key: setting{"k1", "API_KEY"}, contextChars: 1000, contextSet: true, state: c.state, ownAgents: c.ownAgents, ownSkills: c.ownSkills,
	}
	if c != want {
		t.Errorf("from the environment\n got %+v\nwant %+v", c, want)
	}
	if missing := c.missing(); len(missing) != 0 {
		t.Errorf("missing %v, want nothing", missing)
	}

	c, err = loadConfig(invocation{model: "m2", baseURL: "http://localhost:1/v1"}, env)
	if err != nil {
		t.Fatal(err)
	}
	if c.model != (setting{"m2", "--model"}) || c.baseURL != (setting{"http://localhost:1/v1", "--base-url"}) {
		t.Errorf("flags do not win: %+v", c)
	}
}

func TestConfigMissing(t *testing.T) {
	t.Parallel()
	tests := []struct {
		env  []string
		want string
	}{
		{nil, "API_KEY API_BASE_URL API_MODEL"},
		{[]string{"API_KEY= ", "API_BASE_URL=\t", "API_MODEL="}, "API_KEY API_BASE_URL API_MODEL"},
		{[]string{"API_BASE_URL=https://example.com/v1", "API_MODEL=m"}, "API_KEY"},
		{[]string{"API_BASE_URL=http://127.0.0.1:11434/v1", "API_MODEL=m"}, ""},
		{[]string{"API_BASE_URL=http://localhost:1/v1"}, "API_MODEL"},
		{[]string{"API_BASE_URL=http://[::1]:1/v1", "API_MODEL=m"}, ""},
		{[]string{"API_BASE_URL=https://localhost.example.com/v1", "API_MODEL=m"}, "API_KEY"},
	}
	for _, tt := range tests {
		c, err := loadConfig(invocation{}, vars(append(tt.env, "AYE_HOME=/x")...))
		if err != nil {
			t.Errorf("%v: %v", tt.env, err)
		}
		if got := strings.Join(c.missing(), " "); got != tt.want {
			t.Errorf("%v: missing %q, want %q", tt.env, got, tt.want)
		}
	}
}

// A provider's own key goes to that provider alone: never to another host,
// never without TLS, never to a look-alike.
func TestProviderKeys(t *testing.T) {
	t.Parallel()
	tests := []struct{ url, want string }{
		{"https://api.openai.com/v1", "OPENAI_API_KEY"},
		{"https://API.OpenAI.com/v1", "OPENAI_API_KEY"},
		{"https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"},
		{"http://api.openai.com/v1", ""},
		{"https://api.openai.com.evil.example/v1", ""},
		{"https://evil.example/api.openai.com", ""},
		{"https://api.openai.com@evil.example/v1", ""},
		{"http://127.0.0.1:8000/v1", ""},
	}
	for _, tt := range tests {
		env := vars("OPENAI_API_KEY=a", "OPENROUTER_API_KEY=b", "ANTHROPIC_API_KEY=c")
		if got := keyFor(tt.url, env); got.origin != tt.want {
			t.Errorf("%s: key from %q, want %q", tt.url, got.origin, tt.want)
		}
		if got := keyFor(tt.url, vars("OPENAI_API_KEY=a", "API_KEY=x")); got.value != "x" {
			t.Errorf("%s: API_KEY does not win: %+v", tt.url, got)
		}
	}
}

// On the set-up screen too a key goes where it is configured to go.
func TestKeysOfAChosenEndpoint(t *testing.T) {
	t.Parallel()
	const full, shown = "https://me:pass@api.test/v1?key=12345678", "https://api.test/v1"
	tests := []struct {
		env        []string
		chosen     string
		url, keyIn string
	}{
		{[]string{"API_KEY=k", "API_BASE_URL=" + full}, shown, full, "API_KEY"},
		{[]string{"API_KEY=k", "API_BASE_URL=" + full}, "https://other.test/v1", "https://other.test/v1", ""},
		{[]string{"API_KEY=k", "API_BASE_URL=http://127.0.0.1:7/v1"}, "http://127.0.0.1:7/v1", "http://127.0.0.1:7/v1", "API_KEY"},
		{[]string{"API_KEY=k", "API_BASE_URL=http://127.0.0.1:7/v1"}, "http://127.0.0.1:8/v1", "http://127.0.0.1:8/v1", ""},
		{[]string{"API_KEY=k"}, shown, shown, "API_KEY"},
		{[]string{"API_KEY=k"}, "http://localhost:8/v1", "http://localhost:8/v1", ""},
		{[]string{"OPENAI_API_KEY=k"}, "https://api.openai.com/v1", "https://api.openai.com/v1", "OPENAI_API_KEY"},
		{[]string{"OPENAI_API_KEY=k"}, shown, shown, ""},
	}
	for _, tt := range tests {
		env := vars(append(tt.env, "AYE_HOME=/x")...)
		c, err := loadConfig(invocation{}, env)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.at(tt.chosen, env); got.baseURL.value != tt.url || got.key.origin != tt.keyIn {
			t.Errorf("%v, %s: %q with the key in %q, want %q, %q", tt.env, tt.chosen, got.baseURL.value, got.key.origin, tt.url, tt.keyIn)
		}
	}
}

// What of a base URL may be a key is not shown, and not given to commands.
func TestSecretsInTheBaseURL(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		url, shown string
		secrets    []string
	}{
		{"https://api.test/v1", "https://api.test/v1", nil},
		{"https://me:pass%2Fword1@api.test/v1", "https://api.test/v1", []string{"pass/word1"}},
		{"https://api.test/v1?key=query-key-1&v=2", "https://api.test/v1", []string{"query-key-1", "key=query-key-1&v=2"}},
	} {
		c := config{baseURL: setting{value: tt.url}, key: setting{value: "the-key"}}
		if got := c.endpoint(); got != tt.shown {
			t.Errorf("endpoint of %s: %s", tt.url, got)
		}
		got := c.secrets()
		for _, want := range append(tt.secrets, "the-key") {
			if !slices.Contains(got, want) {
				t.Errorf("secrets of %s: %q lacks %q", tt.url, got, want)
			}
		}
		if slices.Contains(got, "2") {
			t.Errorf("secrets of %s: %q", tt.url, got)
		}
		kept := slices.ContainsFunc(proc.Env([]string{"API_BASE_URL=" + tt.url}, got...), func(kv string) bool { return strings.HasPrefix(kv, "API_BASE_URL=") })
		if kept != (tt.secrets == nil) {
			t.Errorf("commands get %s: %v", tt.url, kept)
		}
	}
}

func TestContextMaxChars(t *testing.T) {
	t.Parallel()
	tests := []struct {
		value string
		want  int
		err   string
	}{
		{"600000", 600000, ""},
		{" +1_000 ", 1000, ""},
		{"abc", 0, `CONTEXT_MAX_CHARS is "abc", which is not a whole number`},
		{"", 0, "not a whole number"},
		{"1.5", 0, "not a whole number"},
		{"0", 0, "must be positive"},
		{"-1", 0, "must be positive"},
		{"99999999999999999999", 0, "not a whole number"},
	}
	for _, tt := range tests {
		got, err := contextChars(vars("CONTEXT_MAX_CHARS=" + tt.value))
		if got != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%q: %d, %v; want %d, %q", tt.value, got, err, tt.want, tt.err)
		}
	}
	if got, err := contextChars(vars()); got != 600000 || err != nil {
		t.Errorf("unset: %d, %v", got, err)
	}
}

func TestOwnFolders(t *testing.T) {
	// Not parallel: it sets HOME.
	t.Setenv("HOME", filepath.FromSlash("/home/ada"))
	for _, tt := range []struct {
		goos, want string
		env        []string
	}{
		{"linux", "/home/ada/.config/aye/AGENTS.md /home/ada/.config/aye/skills /home/ada/.agents/skills", nil},
		{"darwin", "/x/aye/AGENTS.md /x/aye/skills /home/ada/.agents/skills", []string{"XDG_CONFIG_HOME=/x"}},
		{"linux", "/home/ada/.config/aye/AGENTS.md /home/ada/.config/aye/skills /home/ada/.agents/skills", []string{"XDG_CONFIG_HOME=relative"}},
		{"linux", "/a/AGENTS.md /a/skills ", []string{"XDG_CONFIG_HOME=/x", "AYE_HOME=/a"}},
		{"windows", "/r/aye/AGENTS.md /r/aye/skills /home/ada/.agents/skills", []string{"APPDATA=/r"}},
	} {
		var c config
		c.own(vars(tt.env...), tt.goos)
		if got := filepath.ToSlash(c.ownAgents + " " + c.ownSkills[0] + " " + c.ownSkills[1]); got != tt.want {
			t.Errorf("%s %v: %q, want %q", tt.goos, tt.env, got, tt.want)
		}
	}
}

// What the person says of the context counts, then what is known of the model.
func TestWindow(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		env  []string
		want int
	}{
		{[]string{"API_MODEL=my-model"}, 150_000},
		{[]string{"API_MODEL=gpt-4o"}, 128_000},
		{[]string{"API_MODEL=anthropic/claude-sonnet-4-5-20250929"}, 200_000},
		{[]string{"API_MODEL=gpt-4o", "CONTEXT_MAX_CHARS=40000"}, 10_000},
		{[]string{"API_MODEL=gpt-4o", "API_BASE_URL=http://127.0.0.1:4000/v1"}, 150_000},
		{[]string{"API_MODEL=gpt-4o", "CONTEXT_MAX_CHARS=600000"}, 150_000},
	} {
		c, err := loadConfig(invocation{}, vars(append(tt.env, "AYE_HOME=/a")...))
		if got := c.window(); err != nil || got != tt.want {
			t.Errorf("%v: %d, %v, want %d", tt.env, got, err, tt.want)
		}
	}
}

func TestPriceAt(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		model, endpoint string
		known           bool
		input           float64
	}{
		{"gpt-4o", "https://api.openai.com/v1", true, 2.5},
		{"qwen3:8b", "http://127.0.0.1:11434/v1", true, 0},
		{"qwen3:8b", "http://localhost:11434/v1", true, 0},
		{"qwen3:8b", "http://10.0.0.7:11434/v1", false, 0},
		{"kimi-k3", "https://api.moonshot.ai/v1", true, 3},
		{"my-model", "https://example.com/v1", false, 0},
		{"my-model", ":", false, 0},
		{"my-model", "", false, 0},
	} {
		if p, known := priceAt(tt.model, tt.endpoint); known != tt.known || p.Input != tt.input {
			t.Errorf("%s at %s: %+v, %v", tt.model, tt.endpoint, p, known)
		}
	}
}

func TestStateFolder(t *testing.T) {
	// Not parallel: it sets HOME.
	t.Setenv("HOME", filepath.FromSlash("/home/ada"))
	tests := []struct {
		goos, want string
		env        []string
	}{
		{"linux", "/home/ada/.local/state/aye", nil},
		{"linux", "/s/aye", []string{"XDG_STATE_HOME=/s"}},
		{"linux", "/home/ada/.local/state/aye", []string{"XDG_STATE_HOME=relative"}},
		{"linux", "/a", []string{"XDG_STATE_HOME=/s", "AYE_HOME=/a"}},
		{"darwin", "/home/ada/.local/state/aye", nil},
		{"windows", "/l/aye", []string{"LOCALAPPDATA=/l"}},
	}
	for _, relative := range []string{"state", "./state", "~/state"} {
		if got, err := stateFolder(vars("AYE_HOME="+relative), "linux"); err == nil || !strings.Contains(err.Error(), "whole path") {
			t.Errorf("AYE_HOME=%s: %q, %v", relative, got, err)
		}
	}
	for _, tt := range tests {
		got, err := stateFolder(vars(tt.env...), tt.goos)
		if err != nil || filepath.ToSlash(got) != tt.want {
			t.Errorf("%s %v: %q, %v; want %q", tt.goos, tt.env, got, err, tt.want)
		}
	}
}

func TestMissingTextNamesTheThreeVariables(t *testing.T) {
	t.Parallel()
	text := config{}.missingText()
	for _, name := range []string{"API_KEY", "API_BASE_URL", "API_MODEL"} {
		if !strings.Contains(text, name) {
			t.Errorf("%s is not named in %q", name, text)
		}
	}
}
