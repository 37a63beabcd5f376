package openai

import (
	"strings"
	"testing"
)

func TestBaseURL(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"https://api.openai.com/v1", "https://api.openai.com/v1"},
		{"  https://api.openai.com/v1/ \n", "https://api.openai.com/v1"},
		{`"https://api.openai.com/v1"`, "https://api.openai.com/v1"},
		{"https://api.openai.com/v1///", "https://api.openai.com/v1"},
		{"https://api.openai.com/v1/chat/completions", "https://api.openai.com/v1"},
		{"https://api.openai.com/v1/chat/completions/", "https://api.openai.com/v1"},
		{"HTTP://localhost:11434/v1", "http://localhost:11434/v1"},
		{"http://localhost:11434", "http://localhost:11434"},
		{"http://[::1]:8080/v1", "http://[::1]:8080/v1"},
		{"https://x.test/openai/deployments/a%2Fb?api-version=1", "https://x.test/openai/deployments/a%2Fb?api-version=1"},
		{"https://x.test/v1#part", "https://x.test/v1"},
		{"https://me:pass@x.test/v1", "https://me:pass@x.test/v1"},
	}
	for _, tt := range tests {
		if got, err := BaseURL(tt.in); err != nil || got != tt.want {
			t.Errorf("%q: got %q %v, want %q", tt.in, got, err, tt.want)
		}
	}
}

func TestBaseURLErrors(t *testing.T) {
	t.Parallel()
	const secret = "sk-secret"
	for in, says := range map[string]string{
		"": "empty", " \t\n": "empty", `""`: "empty",
		secret: "http://", "localhost:11434/v1": "http://", "api.openai.com/v1": "http://", "192.168.1.2:8080": "http://",
		"ftp://x.test": "no other protocol", "file:///" + secret: "no other protocol", "unix:" + secret: "http://",
		"http://": "no host", "http:///v1/" + secret: "no host", "https:/x.test/" + secret: "no host", "http://:8080/": "no host",
		"http://x.test/%zz" + secret: "http://", "http://x.test:port/" + secret: "http://", "http://x\x7f/" + secret: "http://",
	} {
		_, err := BaseURL(in)
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), secret) {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		" api.openai.com/v1/ ":        "https://api.openai.com/v1",
		"'api.openai.com'":            "https://api.openai.com",
		"http://api.openai.com/v1":    "http://api.openai.com/v1",
		"localhost":                   "http://localhost",
		"localhost:11434/v1":          "http://localhost:11434/v1",
		"127.0.0.1/v1":                "http://127.0.0.1/v1",
		"[::1]:8080/v1":               "http://[::1]:8080/v1",
		"192.168.1.2/v1":              "http://192.168.1.2/v1",
		"gpu.lan/v1":                  "http://gpu.lan/v1",
		"ollama:11434":                "http://ollama:11434",
		"gpu.example.com:8000/v1":     "https://gpu.example.com:8000/v1",
		"api.example.com:443/v1":      "https://api.example.com:443/v1",
		"me:pass@api.example.com/v1":  "https://me:pass@api.example.com/v1",
		"x.test/v1/chat/completions/": "https://x.test/v1",
	} {
		if got, err := Complete(in); err != nil || got != want {
			t.Errorf("%q: got %q %v, want %q", in, got, err, want)
		}
	}
	const secret = "sk-secret"
	for _, in := range []string{"", secret, secret + "/v1", "unix:" + secret, "https:/x.test/" + secret, "ftp://x.test/" + secret, "x..test/" + secret, "sk_" + secret + ".a.b", strings.Repeat(secret, 9) + ".a", "two words.test", ":8080"} {
		if got, err := Complete(in); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%q: got %q, %v", in, got, err)
		}
	}
}

func TestLocal(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST.": true, "127.0.0.1": true, "::1": true, "192.168.1.7": true, "10.0.0.1": true, "ollama": true, "gpu.local": true, "host.docker.internal": true, "0.0.0.0": true, "fd00::1": true,
		"api.openai.com": false, "8.8.8.8": false, "2001:4860:4860::8888": false, "notlocal.com": false,
	} {
		if got := local(host); got != want {
			t.Errorf("local(%q) = %v", host, got)
		}
	}
}

// A cleaned URL is clean: cleaning it again changes nothing.
func FuzzBaseURL(f *testing.F) {
	for _, s := range []string{"https://api.openai.com/v1/", "http://[::1]:8080/v1/chat/completions//", " 'http://a/%2F/?x=%20#y'", "http://a/chat/completions/chat/completions", "//x", "http://u:p@h:1", "http://0/0/chat/completion'#0", "http://0/v1'/chat/completions", "http://a/%2F/?x=%20 #", "http://0-v1'/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got, err := BaseURL(in)
		if err != nil {
			return
		}
		u, err := parseBase(got)
		if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
			t.Fatalf("%q became %q: %v", in, got, err)
		}
		if again := u.String(); again != got {
			t.Errorf("%q became %q became %q", in, got, again)
		}
	})
}

func TestIsLoopback(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{
		"http://localhost:11434/v1": true, "http://LOCALHOST./v1": true, "http://127.0.0.2/v1": true, "http://[::1]:8080": true,
		"http://ai.localhost/v1": true, "http://10.0.0.1/v1": false, "http://localhost.example.com/v1": false,
		"http://127.0.0.1.example.com": false, "http://0.0.0.0/v1": false, "": false, "://": false,
	} {
		if got := IsLoopback(in); got != want {
			t.Errorf("IsLoopback(%q) = %v, want %v", in, got, want)
		}
	}
}
