package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"aye/llm"
	"aye/llm/llmtest"
)

// binary is aye as people run it, built once for all tests of this package.
var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "aye-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	binary = filepath.Join(dir, "aye")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	build := append([]string{"build", "-o", binary}, buildFlags...)
	if out, err := exec.Command("go", append(build, ".")...).CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building aye: %v\n%s", err, out)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// secret is the key of every test. It must never be seen.
const secret = "sk-test-0123456789-secret"

// A world is a folder to work in, a model that follows a script, and a place
// for what aye keeps.
type world struct {
	t     *testing.T
	dir   string
	home  string
	model *llmtest.Server
}

// newWorld starts a model and makes a folder with files, given as "name",
// "content" pairs.
func newWorld(t *testing.T, script llmtest.Script, files ...string) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), home: t.TempDir(), model: llmtest.NewServer(script)}
	w.model.Key = secret
	if err := w.model.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.model.Close)
	for i := 0; i < len(files); i += 2 {
		w.write(files[i], files[i+1])
	}
	return w
}

func (w *world) write(name, content string) {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
		w.t.Fatal(err)
	}
}

// file is what a file of the folder holds, "" when it is not there.
func (w *world) file(name string) string {
	w.t.Helper()
	data, err := os.ReadFile(filepath.Join(w.dir, name))
	if err != nil && !os.IsNotExist(err) {
		w.t.Fatal(err)
	}
	return string(data)
}

// command runs aye in the folder, with the model configured.
func (w *world) command(args ...string) *exec.Cmd {
	cmd := exec.Command(binary, args...)
	cmd.Dir = w.dir
	cmd.Env = append(bareEnv(), "AYE_HOME="+w.home, "API_KEY="+secret, "API_BASE_URL="+w.model.URL(), "API_MODEL=scripted")
	return cmd
}

// bareEnv is what a program needs of the environment and nothing that
// configures aye, colours or a terminal: a test machine has its own opinions
// (CI, NO_COLOR, TERM_PROGRAM, proxies).
func bareEnv() []string {
	var env []string
	for _, name := range []string{"PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "LANG", "LC_ALL", "GOCOVERDIR",
		"SystemRoot", "SystemDrive", "ComSpec", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "LocalAppData", "AppData", "ProgramFiles"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// A result is what a run of aye left.
type result struct {
	code     int
	out, err string
}

// run runs aye to its end and looks for the key in all it said and kept.
func (w *world) run(stdin string, args ...string) result {
	w.t.Helper()
	cmd := w.command(args...)
	cmd.Stdin = strings.NewReader(stdin)
	r := finish(w.t, cmd)
	w.noSecret(r)
	return r
}

// finish runs a command to its end.
func finish(t *testing.T, cmd *exec.Cmd) result {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exited := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exited) {
		t.Fatalf("running %v: %v", cmd.Args, err)
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

func (w *world) noSecret(r result) {
	w.t.Helper()
	if strings.Contains(r.out+r.err, secret) {
		w.t.Errorf("the key is in the output:\n%s\n%s", r.out, r.err)
	}
	for name, text := range w.kept() {
		if strings.Contains(text, secret) {
			w.t.Errorf("the key is in %s", name)
		}
	}
}

// kept is all that aye left in its folder.
func (w *world) kept() map[string]string {
	w.t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(w.home, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files[strings.TrimPrefix(path, w.home)] = string(data)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return files
}

// say is a reply of words alone; calls one that calls tools.
func say(text string) llmtest.Reply { return llmtest.Reply{Text: text} }

func call(text, tool, args string) llmtest.Reply {
	return llmtest.Reply{Text: text, Calls: []llm.ToolCall{{Name: tool, Args: args}}}
}

// edits reads a.txt and edits it, as [editArgs] says.
func edits(text string) llmtest.Reply {
	return llmtest.Reply{Text: text, Calls: []llm.ToolCall{{Name: "read", Args: `{"path":"a.txt"}`}, {Name: "edit", Args: editArgs}}}
}

// expect holds a result against an exit code and pieces of what was said.
func (r result) expect(t *testing.T, code int, out string, errs ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, want %d", r.code, code)
	}
	if r.out != out {
		t.Errorf("standard output %q, want %q", r.out, out)
	}
	for _, want := range errs {
		if !strings.Contains(r.err, want) {
			t.Errorf("standard error lacks %q", want)
		}
	}
	if t.Failed() {
		t.Logf("standard error:\n%s", r.err)
	}
}
