//go:build unix

package tools

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"aye/tools/proc"
)

func commands(t *testing.T) Commands {
	t.Helper()
	sh, err := proc.Find(os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	return Commands{Shell: sh, Dir: t.TempDir(), Env: proc.Env(os.Environ())}
}

func runShell(ctx context.Context, t *testing.T, c Commands, args map[string]any) Result {
	t.Helper()
	text, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	action, err := shellTool(c, nil).Prepare(ctx, string(text))
	if err != nil {
		t.Fatal(err)
	}
	return action.Run(ctx, func(string) {})
}

func TestShellPrepares(t *testing.T) {
	t.Parallel()
	c := commands(t)
	const command = "echo a\necho b > made"
	action, err := shellTool(c, nil).Prepare(t.Context(), `{"cmd": "echo a\necho b > made", "timeout": 5}`)
	if err != nil {
		t.Fatal(err)
	}
	if action.Title != "echo a …" || len(action.Effects) != 1 || action.Effects[0] != (Effect{Kind: Exec, Target: command}) {
		t.Errorf("prepared %+v", action)
	}
	if action.Preview.Kind != Command || action.Preview.Text != command {
		t.Errorf("shows %+v", action.Preview)
	}
	if files, _ := os.ReadDir(c.Dir); len(files) != 0 {
		t.Errorf("it ran: %v", files)
	}
}

func TestShellRefuses(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		`{"cmd": ""}`:                      "empty",
		`{"cmd": " \n\t"}`:                 "empty",
		`{"cmd": "a\u0000b"}`:              "NUL",
		`{"cmd": "ls", "timeout": 0}`:      "from 1 to 3600",
		`{"cmd": "ls", "timeout": -1}`:     "from 1 to 3600",
		`{"cmd": "ls", "timeout": 120000}`: "from 1 to 3600",
		`{"cmd": "ls", "timeout": 9e18}`:   "timeout",
		// In nanoseconds these are 0.3 s, when the rest is cut off.
		`{"cmd": "ls", "timeout": 18446744074}`: "from 1 to 3600",
		`{"command": "ls"}`:                     "cmd",
		`{}`:                                    "cmd",
	} {
		if _, err := shellTool(commands(t), nil).Prepare(t.Context(), args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}

func TestShellResults(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, cmd     string
		timeout       int
		status        Status
		text, summary string // text: its beginning and, after "…", a part of the rest
		failed        bool
	}{
		{"success", "echo hi", 0, OK, "exit_code=0\nhi\n", "exit 0 · 0.", false},
		{"failure", "echo no >&2; exit 3", 0, OK, "exit_code=3\nno\n", "exit 3 · 0.", true},
		{"signal", "kill -9 $$", 0, OK, "exit_code=-9\n[ended by a signal: killed]\n", "killed · 0.", true},
		{"time limit", "echo begun; exec sleep 300", 1, Failed, "exit_code=-15\n[time limit of 1.0 s reached: …begun\n", "time limit · 1.", true},
		{"one in the background", "sleep 311 & echo ok", 0, OK, "exit_code=0\n[1 background process was still running and ended with the command: …ok\n", "exit 0 · 0.", false},
		{"background", "sleep 311 & sleep 311 & echo ok", 0, OK, "exit_code=0\n[2 background processes were still running and ended with the command: …ok\n", "exit 0 · 0.", false},
		{"wants a person", "echo 'fatal: could not read Username for x: terminal prompts disabled'; exit 128", 0, OK, "exit_code=128\n[it wants a password …fatal: ", "exit 128 · ", true},
		{"not asked for", "echo 'not a tty'", 0, OK, "exit_code=0\nnot a tty\n", "exit 0 · ", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			args := map[string]any{"cmd": tc.cmd}
			if tc.timeout > 0 {
				args["timeout"] = tc.timeout
			}
			r := runShell(t.Context(), t, commands(t), args)
			begin, part, _ := strings.Cut(tc.text, "…")
			if r.Status != tc.status || !strings.HasPrefix(r.Text, begin) || !strings.Contains(r.Text[len(begin):], part) {
				t.Errorf("the model gets %v, %q", r.Status, r.Text)
			}
			if r.View.Kind != Output || !strings.HasPrefix(r.View.Summary, tc.summary) || r.View.Failed != tc.failed {
				t.Errorf("people get %+v", r.View)
			}
			if _, rest, _ := strings.Cut(r.Text, "\n"); rest != r.View.Text {
				t.Errorf("people read %q, the model %q", r.View.Text, rest)
			}
		})
	}
}

func TestShellInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	action, err := ShellAction(commands(t), "echo begun; sleep 300", 0)
	if err != nil {
		t.Fatal(err)
	}
	r := action.Run(ctx, func(string) { cancel() })
	// A machine that is busy may not let the shell end on SIGTERM in time.
	_, rest, _ := strings.Cut(r.Text, "\n")
	ended := strings.HasPrefix(r.Text, "exit_code=-15\n") || strings.HasPrefix(r.Text, "exit_code=-9\n")
	if r.Status != Interrupted || !ended || !strings.HasPrefix(rest, "[interrupted: ") || !strings.HasSuffix(rest, "begun\n") || !strings.HasPrefix(r.View.Summary, "interrupted · ") {
		t.Errorf("got %+v", r)
	}
}

func TestShellWithoutItsFolder(t *testing.T) {
	t.Parallel()
	c := commands(t)
	if err := os.Remove(c.Dir); err != nil {
		t.Fatal(err)
	}
	if r := runShell(t.Context(), t, c, map[string]any{"cmd": "ls"}); r.Status != Failed || !strings.Contains(r.Text, c.Dir+", where commands run, is gone") {
		t.Errorf("got %+v", r)
	}
}

func TestCommandTitle(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"ls":                     "ls",
		"  ls  \n":               "ls",
		"ls\nrm x":               "ls …",
		strings.Repeat("界", 120): strings.Repeat("界", 120),
		strings.Repeat("界", 121): strings.Repeat("界", 120) + "…",
	} {
		if got := commandTitle(command); got != want {
			t.Errorf("%q is titled %q", command, got)
		}
	}
}

func TestDuration(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{0: "0.0 s", 2345 * time.Millisecond: "2.3 s", 59 * time.Second: "59.0 s", 125 * time.Second: "2 min 5 s", time.Hour: "60 min 0 s"} {
		if got := duration(d); got != want {
			t.Errorf("%v is %q", d, got)
		}
	}
}

func TestShellRisk(t *testing.T) {
	t.Parallel()
	c := commands(t)
	c.Env = append(c.Env, "HOME=/home/ada")
	for command, want := range map[string]string{
		"go test ./...":      "",
		"rm -rf dist":        "",
		"rm -rf " + c.Dir:    "deletes the whole workspace",
		"echo x > ~/.bashrc": "writes outside the workspace: ~/.bashrc",
		"git push":           "sends commits to another repository",
	} {
		action, err := ShellAction(c, command, 0)
		if err != nil || len(action.Effects) != 1 || action.Effects[0].Risk != want || action.Effects[0].Target != command {
			t.Errorf("%q: %+v, %v", command, action.Effects, err)
		}
	}
}

// cmd.exe would run the first line and drop the rest, unsaid.
func TestShellOneLineForCmd(t *testing.T) {
	t.Parallel()
	c := Commands{Shell: proc.Shell{Name: "cmd.exe"}, Dir: t.TempDir()}
	if _, err := ShellAction(c, "cd x\ndir", 0); err == nil || !strings.Contains(err.Error(), "&&") {
		t.Errorf("two lines: %v", err)
	}
	if _, err := ShellAction(c, "cd x && dir\n", 0); err != nil {
		t.Errorf("one line: %v", err)
	}
}
