package catalog

import (
	"math"
	"strings"
	"testing"

	"aye/llm"
)

func TestLookup(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		model string
		name  string // "": unknown
	}{
		{"gpt-4o", "gpt-4o"},
		{"openai/gpt-4o", "gpt-4o"},
		{" GPT-4o ", "gpt-4o"},
		{"gpt-4o-2024-08-06", "gpt-4o"},
		{"gpt-4o-2024-05-13", "gpt-4o-2024-05-13"},
		{"gpt-4.1-mini-2025-04-14", "gpt-4-1-mini"},
		{"gpt-4-1106-preview", "gpt-4-1106-preview"},
		{"gpt-4-0613", "gpt-4"},
		{"gpt-5.1-codex", "gpt-5-1-codex"},
		{"claude-opus-4-1-20250805", "claude-opus-4-1"},
		{"claude-opus-4-20250514", "claude-opus-4"},
		{"anthropic/claude-opus-4.1", "claude-opus-4-1"},
		{"anthropic/claude-3.5-sonnet:beta", "claude-3-5-sonnet"},
		{"claude-3-5-sonnet-latest", "claude-3-5-sonnet"},
		{"claude-3-5-sonnet@20240620", "claude-3-5-sonnet"},
		{"claude-sonnet-4-6[1m]", "claude-sonnet-4-6"},
		{"us.anthropic.claude-3-5-haiku-20241022-v1:0", "claude-3-5-haiku"},
		{"models/gemini-2.5-pro-preview-06-05", "gemini-2-5-pro"},
		{"gemini-3-pro-preview", "gemini-3-pro"},
		{"qwen3:8b", "qwen3"},
		{"qwen3-coder:30b-a3b-q4_K_M", "qwen3-coder"},
		{"Qwen/Qwen2.5-Coder-32B-Instruct-AWQ", "qwen2-5-coder"},
		{"llama3.1:70b-instruct-q8_0", "llama3-1"},
		{"meta-llama/Llama-3.3-70B-Instruct-Turbo", "llama-3-3"},
		{"deepseek/deepseek-r1:free", "deepseek-r1"},
		{"deepseek-ai/DeepSeek-V3-0324", "deepseek-v3"},
		{"gpt-oss:20b", "gpt-oss"},
		{"accounts/fireworks/models/glm-4p6", ""},
		{"gpt-4o-audio-preview", ""}, // another price: better none than this one's
		{"gpt-5-foo", ""},
		{"o3-pro", ""},
		{"o1-mini", ""},
		{"qwen3x", ""},
		{"my-model", ""},
		{"free", ""},
		{"", ""},
		{"-", ""},
		{"2024-08-06", ""},
	} {
		e, ok := Lookup(test.model)
		if e.Name != test.name || ok != (test.name != "") {
			t.Errorf("%q is %q, %v, want %q", test.model, e.Name, ok, test.name)
		}
		if ok && e.Window < 8000 {
			t.Errorf("%q has a window of %d", test.model, e.Window)
		}
	}
}

// Each name is in the form that Lookup compares with, once, and each row says
// what a row must.
func TestTable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	rows := append(closed(), open()...)
	for _, r := range rows {
		for _, name := range strings.Fields(r.names) {
			if normal(name) != name || seen[name] {
				t.Errorf("%s: twice, or not in the form %q", name, normal(name))
			}
			seen[name] = true
			if e, ok := Lookup(name); !ok || e.Name != name {
				t.Errorf("%s is found as %q", name, e.Name)
			}
		}
		p := r.price
		switch {
		case r.window < 8000 || r.output < 0 || r.output > r.window:
			t.Errorf("%s: window %d, output %d", r.names, r.window, r.output)
		case r.at == "-" != p.Free():
			t.Errorf("%s: a price without a seller, or the other way round", r.names)
		case p.Cached > p.Input || p.Input > p.Output || p.Long.Cached > p.Long.Input || p.Long.Input > p.Long.Output:
			t.Errorf("%s: %+v cannot be right", r.names, p)
		case p.Above > 0 && (p.Long.Input <= p.Input || p.Above >= r.window):
			t.Errorf("%s: beyond %d it is no dearer: %+v", r.names, p.Above, p)
		}
	}
	if n := len(seen); n < 50 {
		t.Errorf("the table has only %d names", n)
	}
}

func TestPriceAt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		model, host string
		local       bool
		known       bool
		input       float64
	}{
		{"gpt-4o", "api.openai.com", false, true, 2.5},
		{"openai/gpt-4o", "openrouter.ai", false, true, 2.5},
		{"gpt-4o", "127.0.0.1", true, true, 2.5}, // a proxy's
		{"gpt-4o-audio-preview", "api.openai.com", false, false, 0},
		{"qwen3:8b", "localhost", true, true, 0},
		{"anything", "localhost", true, true, 0},
		{"gpt-oss:120b-cloud", "localhost", true, false, 0},
		{"kimi-k2:cloud", "localhost", true, false, 0},
		{"qwen3:8b", "gpu.example.com", false, false, 0},
		{"kimi-k3", "api.moonshot.ai", false, true, 3},
		{"moonshotai/kimi-k3", "openrouter.ai", false, false, 0},
		{"deepseek/deepseek-r1:free", "openrouter.ai", false, true, 0},
		{"deepseek/deepseek-r1:free", "example.com", false, false, 0},
		{"my-model", "example.com", false, false, 0},
	} {
		p, known := PriceAt(test.model, test.host, test.local)
		if known != test.known || p.Input != test.input {
			t.Errorf("%s at %s: %+v, %v", test.model, test.host, p, known)
		}
	}
}

func TestCost(t *testing.T) {
	t.Parallel()
	p, _ := PriceAt("gemini-2.5-pro", "", false)
	for _, test := range []struct {
		u    llm.Usage
		want float64
	}{
		{llm.Usage{}, 0},
		{llm.Usage{Input: 100_000, Cached: 60_000, Output: 1000}, 0.05 + 0.0075 + 0.01},
		{llm.Usage{Input: 200_000}, 0.25},
		{llm.Usage{Input: 300_000, Output: 1000}, 0.75 + 0.015},
		{llm.Usage{Input: 100, Cached: 200}, 0.0000125}, // a server that counts wrong
	} {
		if got := p.Cost(test.u); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%+v costs %v, want %v", test.u, got, test.want)
		}
	}
}

// FuzzLookup takes any name; what it finds does not hang on how it is written.
func FuzzLookup(f *testing.F) {
	for _, s := range []string{"gpt-4o", "a/b/c:free", "@", "us.anthropic.claude-3-haiku-20240307-v1:0", "宽", "-:-._", "o3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, model string) {
		e, ok := Lookup(model)
		if !ok {
			return
		}
		if again, _ := Lookup(e.Name); again != e {
			t.Errorf("%q is %+v, its name %+v", model, e, again)
		}
		if up, ok := Lookup("provider/" + e.Name + ":free"); !ok || up != e {
			t.Errorf("%q with decoration is %+v", model, up)
		}
	})
}

func BenchmarkLookup(b *testing.B) {
	for b.Loop() {
		if _, ok := Lookup("openrouter/some/unknown-model-2025-04-14:free"); ok {
			b.Fatal("known")
		}
	}
}
