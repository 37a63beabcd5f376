package proc

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"
)

func TestEnv(t *testing.T) {
	t.Parallel()
	got := Env([]string{
		"PATH=/bin", "HOME=/home/me", "API_KEY=k", "OPENAI_API_KEY=k", "x_api_key=k", "HF_TOKEN=t",
		"ANTHROPIC_AUTH_TOKEN=t", "GITHUB_TOKEN=stays", "MY_AUTH=Bearer sk-0123456789", "COPY=short",
		"NOT=shorter", "EMPTY=", "PAGER=less", "TERM=xterm-256color", "FORCE_COLOR=1", "SSH_ASKPASS=/bin/ask",
		"=C:=C:\\dir", "GIT_EDITOR=vi", "API_KEY_DOC=stays",
	}, "", "sk-0123456789", "short")
	for _, kv := range []string{
		"PATH=/bin", "HOME=/home/me", "GITHUB_TOKEN=stays", "NOT=shorter", "EMPTY=", "=C:=C:\\dir", "API_KEY_DOC=stays",
		"PAGER=cat", "TERM=dumb", "GIT_EDITOR=true", "GIT_TERMINAL_PROMPT=0", "GIT_PAGER=cat", "NO_COLOR=1",
	} {
		if !slices.Contains(got, kv) {
			t.Errorf("%s is missing", kv)
		}
	}
	names := map[string]bool{}
	for _, kv := range got {
		name, _, _ := strings.Cut(kv, "=")
		if names[name] {
			t.Errorf("%s is there twice", name)
		}
		names[name] = true
	}
	for _, name := range []string{
		"API_KEY", "OPENAI_API_KEY", "x_api_key", "HF_TOKEN", "ANTHROPIC_AUTH_TOKEN", "MY_AUTH", "COPY", "FORCE_COLOR", "SSH_ASKPASS",
	} {
		if names[name] {
			t.Errorf("%s is still there", name)
		}
	}
}

// A key that is there in base64, as in a header for Basic authentication,
// is there.
func TestEnvKnowsBase64(t *testing.T) {
	t.Parallel()
	const key = "sk-0123456789>?>?>?"
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding} {
		for _, around := range [][2]string{{"", ""}, {"u:", ""}, {"user:", "\n"}, {"abc", "defg"}} {
			kv := "HEADER=Basic " + encoding.EncodeToString([]byte(around[0]+key+around[1]))
			if got := Env([]string{kv}, key); slices.Contains(got, kv) {
				t.Errorf("%s is still there (%q)", kv, around)
			}
		}
	}
	other := "HEADER=Basic " + base64.StdEncoding.EncodeToString([]byte("user:sk-0123456788"))
	if got := Env([]string{other}, key); !slices.Contains(got, other) {
		t.Errorf("%s is gone", other)
	}
}

func TestWithMark(t *testing.T) {
	t.Parallel()
	if got := withMark([]string{"A=b"}, "m"); got[len(got)-1] != "AYE_COMMAND=m" {
		t.Errorf("got %q", got)
	}
	if got := withMark([]string{"AYE_COMMAND=outer"}, "m"); got[len(got)-1] != "AYE_COMMAND=outer m" {
		t.Errorf("the outer mark is lost: %q", got)
	}
}
