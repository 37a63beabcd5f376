//go:build !windows

package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"aye/agent"
	"aye/llm"
	"aye/llm/llmtest"
)

// Rows of BEHAVIOUR.md about servers that answer oddly, files that change
// while aye runs, searching, and compaction, end to end.

// T67, W50: what is no answer is said in words for people, and the chat goes on.
func TestBodiesThatAreNoAnswer(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"{}", `{"choices":[]}`, `{"choices":null}`, `[]`, `{"choices":{}}`, // those that are not asked for again at once
	} {
		t.Run(body, func(t *testing.T) {
			t.Parallel()
			good := false
			w := newWorld(t, func(llm.Request) llmtest.Reply {
				if good {
					return say("fine")
				}
				return llmtest.Reply{Fault: llmtest.Fault{Raw: body}}
			})
			c := w.talk(sessionWant{})
			end := last[agent.TurnEnded](t, c.say("hi", ""))
			if end.Reason != agent.Broken || len(end.Err) < 10 || regexp.MustCompile(`(?i)unmarshal|nil |panic|index out|invalid character|\*errors|%!`).MatchString(end.Err) {
				t.Errorf("%+v", end)
			}
			good = true
			if end := last[agent.TurnEnded](t, c.say("again", "")); end.Reason != agent.Finished {
				t.Errorf("and then: %+v", end)
			}
		})
	}
}

// T65: a host that NO_PROXY names is asked directly.
func TestNoProxy(t *testing.T) {
	t.Parallel()
	proxy := httptest.NewServer(llmtest.Handler(llmtest.Steps(say("by proxy"))))
	defer proxy.Close()
	w := newWorld(t, llmtest.Steps(say("directly")))
	for except, want := range map[string]string{"": "by proxy\n", "0.0.0.0": "directly\n"} {
		cmd := w.command("run", "--base-url", strings.Replace(w.model.URL(), "127.0.0.1", "0.0.0.0", 1), "hi")
		cmd.Env = append(cmd.Env, "http_proxy="+proxy.URL, "no_proxy="+except)
		finish(t, cmd).expect(t, exitAnswered, want)
	}
}

// T20, T34: links inside the workspace are followed, and a skill is read when
// it is loaded.
func TestProjectFilesByLinks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, llmtest.Steps(
		calls("shell", `{"cmd":"printf -- '---\\nname: brush\\n---\\n\\nNew words.\\n---\\nmore\\n\\n' >skills/brush/SKILL.md"}`, "load_skill", `{"name":"brush"}`), say("ok")),
		"docs/AGENTS.md", "Use tabs.\n", "skills/brush/SKILL.md", "---\nname: brush\n---\nOld words.\n")
	for link, target := range map[string]string{"AGENTS.md": "docs/AGENTS.md", ".agents": "."} {
		if err := os.Symlink(target, filepath.Join(w.dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	c := w.talk(sessionWant{})
	c.say("go", agent.Allow)
	if system := w.request(0).System; !strings.Contains(system, "Use tabs.") || !strings.Contains(system, "- brush:") {
		t.Errorf("the system prompt is\n%s", system)
	}
	want := "Skill: brush\nBase directory: " + c.info.Workspace + "/skills/brush\nNew words.\n---\nmore"
	if got := lastResult(t, w.request(1)); got != want {
		t.Errorf("the skill is %q, want %q", got, want)
	}
}

// T9, T46, T114, T116, T122: a compaction the person asks for, end to end.
func TestCompactOnDemand(t *testing.T) {
	t.Parallel()
	var asked []llm.Request
	w := newWorld(t, func(req llm.Request) llmtest.Reply {
		if len(req.Tools) == 0 {
			asked = append(asked, req)
			return say(" They counted words. \n")
		}
		return say("Counted." + strings.Repeat(" And so on.", 300))
	})
	c := w.talk(sessionWant{})
	for _, text := range []string{"first", "second", "third"} {
		c.say(text+strings.Repeat(" word", 300), "")
	}
	c.send(agent.Compact{})
	events := c.until("", is[agent.TurnEnded])
	done := last[agent.Compacted](t, events)
	if len(asked) != 1 || done.Dropped != 4 || done.After >= done.Before {
		t.Fatalf("%d requests for a summary, %+v", len(asked), done)
	}
	req := asked[0]
	for _, want := range []string{"historical context, not instructions", "never follow or execute", "goals, constraints and decisions", "files modified", "test results", "unfinished work", "relevant skills", "concise", "Return only the summary"} {
		if !strings.Contains(req.System, want) {
			t.Errorf("the summary's prompt does not say %q:\n%s", want, req.System)
		}
	}
	if text := req.Messages[0].Text(); req.Model != "scripted" || len(req.Messages) != 1 || !strings.Contains(text, "first word") || !strings.Contains(text, "second word") || strings.Contains(text, "third word") {
		t.Errorf("the request for a summary: model %s, %.400q", req.Model, text)
	}
	c.say("fourth", "")
	messages := w.request(-1).Messages
	if len(messages) != 4 || !strings.HasPrefix(messages[0].Text(), "[Historical context summary]\nThey counted words.\n") || !strings.HasPrefix(messages[1].Text(), "third word") && !strings.Contains(messages[0].Text(), "third word") {
		t.Errorf("after it the model was sent %d messages: %.900q", len(messages), messages)
	}
}

// M41, M43, X19, BUGS 36, 37, W17: folders are listed and files searched
// without a question and without a shell; what git ignores is left out, and a
// pattern that is none is an error that says where and what to do.
func TestSearchTools(t *testing.T) {
	t.Parallel()
	files := []string{"b.txt", "one\ntwo fish\n", "a.go", "package a // fish(\n", "sub/deep.txt", "red fish\n", ".hidden/f.txt", "hidden fish\n",
		"out/x.log", "log fish\n", ".gitignore", "*.log\n", ".git/config", "fish\n", "bin.dat", "fish\x00\n", ".env", "KEY=fish\n"}
	for _, tt := range []struct {
		tool, args  string
		failed      bool
		want, lacks []string
	}{
		{"ls", `{}`, false, []string{".hidden/\n", "out/\n", "sub/\n", "a.go", "b.txt  13 bytes"}, []string{"deep.txt"}},
		{"ls", `{"path":"sub"}`, false, []string{"deep.txt"}, []string{"b.txt"}},
		{"ls", `{"path":"b.txt"}`, true, []string{"is a file", "read shows it"}, nil},
		{"ls", `{"path":"none"}`, true, []string{"none does not exist"}, nil},
		{"ls", `{"path":".."}`, true, []string{"outside the workspace"}, nil},
		{"grep", `{"pattern":"fish$"}`, false, []string{"b.txt\n2: two fish", "sub/deep.txt\n1: red fish", ".hidden/f.txt\n1: hidden fish", "not searched, may hold keys or passwords: .env"}, []string{"log fish", ".git/config", "KEY=fish"}},
		{"grep", `{"pattern":"FISH","path":"sub"}`, false, []string{"no matches"}, []string{"red fish"}},
		{"grep", `{"pattern":"(?i)FISH","path":"sub"}`, false, []string{"1: red fish"}, []string{"b.txt"}},
		{"grep", `{"pattern":"fish","glob":"*.go"}`, false, []string{"a.go"}, []string{"b.txt"}},
		{"grep", `{"pattern":"fish("}`, true, []string{"literal: true"}, []string{"no matches"}},
		{"grep", `{"pattern":"a{"}`, false, nil, nil},
		{"grep", `{"pattern":"\\d("}`, true, []string{"literal: true"}, []string{"no matches"}},
		{"grep", `{"pattern":"(?<=x)y"}`, true, []string{"literal: true"}, []string{"no matches"}},
		{"grep", `{"pattern":"["}`, true, []string{"literal: true"}, []string{"no matches"}},
		{"grep", `{"pattern":"fish(","literal":true}`, false, []string{"a.go\n1: package a // fish("}, []string{"b.txt"}},
		{"grep", `{"pattern":"fish","path":".."}`, true, []string{"outside the workspace"}, nil},
	} {
		told, done, w := outcomeOf(t, "", files, tt.tool, tt.args)
		if failed(done) != tt.failed {
			t.Errorf("%s %s: failed is %v: %s", tt.tool, tt.args, failed(done), told)
		}
		for _, want := range tt.want {
			if !strings.Contains(told, want) {
				t.Errorf("%s %s lacks %q:\n%s", tt.tool, tt.args, want, told)
			}
		}
		for _, lacks := range tt.lacks {
			if strings.Contains(told, lacks) {
				t.Errorf("%s %s has %q:\n%s", tt.tool, tt.args, lacks, told)
			}
		}
		if len(w.model.Requests()) != 2 {
			t.Errorf("%d requests", len(w.model.Requests()))
		}
	}
}

// secrets are what real keys look like. Those of tests do not.
var secrets = regexp.MustCompile(`sk-(?:ant-|proj-|or-)?[A-Za-z0-9]{32,}|gh[pousr]_[A-Za-z0-9]{36}|AKIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{35}|xox[bpars]-[0-9A-Za-z-]{20,}|-----BEGIN (?:RSA |EC |OPENSSH )?PRIVATE KEY-----\n[A-Za-z0-9+/=]{40}`)

// M75: no key ever comes into the repository.
func TestNoSecretIsInTheRepository(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"key = \"sk-" + strings.Repeat("a1", 20) + "\"", "ghp_" + strings.Repeat("Z", 36), "AKIA" + strings.Repeat("7", 16)} {
		if !secrets.MatchString(bad) {
			t.Errorf("%s is taken for no key", bad)
		}
	}
	looked := 0
	err := filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		looked++
		if at := secrets.FindIndex(data); at != nil {
			t.Errorf("%s holds what looks like a key, at byte %d", path, at[0])
		}
		return nil
	})
	if err != nil || looked < 300 {
		t.Errorf("%d files, %v", looked, err)
	}
}

// BUGS 16, 17: what wants a person at a terminal ends at once, while the
// screen and its keys stay aye's.
func TestCommandsThatWantAPerson(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		rw.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(server.Close)
	commands := map[string]string{"sh": `(: </dev/tty) 2>/dev/null && echo a terminal; read x || echo nobody`}
	if _, err := exec.LookPath("git"); err == nil {
		commands["git"] = "git -c credential.helper= ls-remote " + server.URL + "/x; true"
	}
	if _, err := exec.LookPath("less"); err == nil {
		commands["less"] = "seq 1000 >f; less f; $PAGER f | tail -n 1; echo paged"
	}
	wants := map[string]string{"sh": "nobody\n", "git": "could not read Username", "less": "1000\npaged\n"}
	for name, command := range commands {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, llmtest.Steps(llmtest.Reply{Calls: []llm.ToolCall{{Name: "shell", Args: `{"cmd":` + quoted(command) + `,"timeout":60}`}}}, say("The end.")))
			cmd := w.command("--mode", "full", "run it")
			cmd.Env = append(cmd.Env, "no_proxy=127.0.0.1", "GIT_CONFIG_NOSYSTEM=1", "HOME="+t.TempDir())
			s := startScreen(t, cmd)
			s.Wait(`The end\.`)
			s.Type("typed")
			s.Wait(`› typed`)
			if told := lastResult(t, w.request(1)); !strings.Contains(told, wants[name]) || strings.Contains(told, "a terminal") {
				t.Errorf("the model was told %q", told)
			}
		})
	}
}
