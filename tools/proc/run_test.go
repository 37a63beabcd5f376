//go:build unix

package proc

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func try(t *testing.T, command string, change ...func(*Spec)) Outcome {
	t.Helper()
	return tryIn(t.Context(), t, command, change...)
}

func tryIn(ctx context.Context, t *testing.T, command string, change ...func(*Spec)) Outcome {
	t.Helper()
	sh, err := Find(os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	// A home of its own: editors and shells leave their history there.
	env := Env(append(os.Environ(), "HOME="+t.TempDir()))
	spec := Spec{Command: command, Dir: t.TempDir(), Env: env, Timeout: 30 * time.Second}
	for _, c := range change {
		c(&spec)
	}
	return sh.Run(ctx, spec)
}

func TestRun(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, command string
		code          int
		signal, out   string
	}{
		{"both outputs in order", "echo 1; echo 2 >&2; echo 3; echo 4 >&2", 0, "", "1\n2\n3\n4\n"},
		{"exit code", "echo x; exit 7", 7, "", "x\n"},
		{"no final newline", "printf x", 0, "", "x"},
		{"nothing", ":", 0, "", ""},
		{"signal", "kill -SEGV $$", -11, "segmentation fault", ""},
		{"input is empty", "cat; read x || echo none", 0, "", "none\n"},
		{"no terminal", "tty; (: </dev/tty) 2>/dev/null || echo cannot", 0, "", "not a tty\ncannot\n"},
		{"colours", `printf '\033[31mred\033[0m\n'`, 0, "", "red\n"},
		{"unknown program", "no-such-program-1 2>/dev/null", 127, "", ""},
		{"environment", "echo $TERM $PAGER $GIT_TERMINAL_PROMPT", 0, "", "dumb cat 0\n"},
		{"output closed early", "exec >&- 2>&-; exit 3", 3, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			o := try(t, tc.command)
			if o.End != Exited || o.Code != tc.code || o.Signal != tc.signal || o.Output != tc.out || o.Err != nil || o.Left != nil {
				t.Errorf("got %+v", o)
			}
		})
	}
}

// On a busy machine the reader may first run when the time to drain the pipe
// is over. What the command wrote is there all the same.
func TestOutputIsReadAfterTheDeadline(t *testing.T) {
	t.Parallel()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	defer write.Close() // stays open, as by a process that could not be ended
	want := strings.Repeat("x", 40_000)
	if _, err := write.WriteString(want); err != nil {
		t.Fatal(err)
	}
	if err := read.SetReadDeadline(time.Now().Add(-time.Second)); err != nil {
		t.Fatal(err)
	}
	r := &run{pipe: read, chunks: make(chan []byte), free: make(chan []byte, 2), eof: make(chan struct{})}
	go r.read()
	got := ""
	for !closed(r.eof) {
		select {
		case chunk := <-r.chunks:
			got += string(chunk)
			r.free <- chunk[:cap(chunk)]
		case <-r.eof:
		}
	}
	if got != want {
		t.Errorf("%d bytes of %d arrived", len(got), len(want))
	}
}

// T108: a program that does not write UTF-8 is read in the locale's character set.
func TestRunCharset(t *testing.T) {
	t.Parallel()
	sh, err := Find(append(os.Environ(), "LC_ALL=")) // what is there may say otherwise
	if err != nil {
		t.Fatal(err)
	}
	for locale, want := range map[string]string{
		"de_DE.ISO-8859-1": "für\nfür\nascii\n",
		"ru_RU.KOI8-R":     "fЭr\nfür\nascii\n",
		"en_US.UTF-8":      "f\uFFFDr\nfür\nascii\n",
	} {
		sh.Charset = systemCharset(lookup([]string{"LANG=" + locale}))
		o := sh.Run(t.Context(), Spec{Command: `printf 'f\374r\nf\303\274r\nascii\n'`, Dir: t.TempDir(), Env: Env(os.Environ())})
		if o.Output != want {
			t.Errorf("%s: %q, want %q", locale, o.Output, want)
		}
	}
}

func TestRunFolder(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in := func(s *Spec) { s.Dir = dir }
	if o := try(t, "pwd; echo $PWD", in); o.Output != dir+"\n"+dir+"\n" {
		t.Errorf("runs in %q", o.Output)
	}
	// BUGS 19: the folder that a command leaves is nobody's but its own.
	if o := try(t, "mkdir d; cd d; rm -rf ../d", in); o.Code != 0 {
		t.Errorf("got %+v", o)
	}
	if o := try(t, "pwd", in); o.Output != dir+"\n" {
		t.Errorf("the next runs in %q", o.Output)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if o := try(t, "pwd", in); o.End != NotStarted || o.Err == nil || !strings.Contains(o.Err.Error(), dir) || !strings.Contains(o.Err.Error(), "gone") {
		t.Errorf("without its folder: %+v", o)
	}
}

func TestRunNotStarted(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"echo a\x00b":                          "NUL",
		"true " + strings.Repeat("x", 300_000): "too long",
	} {
		o := try(t, command)
		if runtime.GOOS == "linux" || want == "NUL" {
			if o.End != NotStarted || o.Err == nil || !strings.Contains(o.Err.Error(), want) {
				t.Errorf("%.20q: %+v", command, o)
			}
		}
	}
	sh := Shell{Path: filepath.Join(t.TempDir(), "sh"), Args: []string{"-c"}}
	if o := sh.Run(t.Context(), Spec{Command: "true", Dir: t.TempDir()}); o.End != NotStarted || !strings.Contains(o.Err.Error(), "is gone") {
		t.Errorf("without its shell: %+v", o)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if o := tryIn(ctx, t, "echo x > made"); o.End != Cancelled || o.Output != "" {
		t.Errorf("cancelled before it began: %+v", o)
	}
}

func TestRunKeepsKeysAway(t *testing.T) {
	t.Parallel()
	env := Env(append(os.Environ(), "API_KEY=sk-abcdef-secret", "OTHER=x sk-abcdef-secret y", "OPENROUTER_API_KEY=another"), "sk-abcdef-secret")
	o := try(t, "env; cat /proc/self/environ 2>/dev/null; true", func(s *Spec) { s.Env = env })
	if strings.Contains(o.Output, "sk-abcdef") || strings.Contains(o.Output, "another") || !strings.Contains(o.Output, "PATH=") {
		t.Errorf("the environment is\n%s", o.Output)
	}
}

func TestRunBigOutput(t *testing.T) {
	t.Parallel()
	o := try(t, "i=0; while [ $i -lt 20000 ]; do echo \"line $i ------------------------------------------------------------------------------------\"; i=$((i+1)); done")
	if o.Code != 0 || len(o.Output) > MaxOutput+100 || len(o.Output) < MaxOutput-500 {
		t.Errorf("%d bytes kept, exit %d", len(o.Output), o.Code)
	}
	if !strings.HasPrefix(o.Output, "line 0 ---") || !strings.Contains(o.Output, "\nline 19999 ---") || !strings.Contains(o.Output, " lines, ") {
		t.Errorf("head, tail or note is missing: %.200q", o.Output)
	}
}

// yes for a while: memory stays flat, and what is sent live is little.
func TestRunEndlessOutput(t *testing.T) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	live, calls := 0, 0
	o := try(t, "yes", func(s *Spec) {
		s.Timeout = 500 * time.Millisecond
		s.Progress = func(text string) { live += len(text); calls++ }
	})
	runtime.GC()
	runtime.ReadMemStats(&after)
	if o.End != TimedOut || !strings.Contains(o.Output, "lines, ") {
		t.Errorf("got %v, %.100q", o.End, o.Output)
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 4<<20 {
		t.Errorf("the heap has grown by %d bytes", grown)
	}
	if calls == 0 || live > (calls+1)*(liveText+60) || calls > 100 {
		t.Errorf("%d bytes live in %d pieces", live, calls)
	}
}

func TestRunLive(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	seen := make(chan string, 100)
	done := make(chan Outcome, 1)
	go func() {
		done <- try(t, "echo first; until [ -e go ]; do sleep 0.01; done; echo second", func(s *Spec) {
			s.Dir = dir
			s.Progress = func(text string) { seen <- text }
		})
	}()
	if got := <-seen; got != "first\n" {
		t.Errorf("live: %q", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if o := <-done; o.Output != "first\nsecond\n" {
		t.Errorf("got %+v", o)
	}
	close(seen)
	rest := ""
	for text := range seen {
		rest += text
	}
	if rest != "second\n" {
		t.Errorf("live, the rest: %q", rest)
	}
}

func TestRunTimeout(t *testing.T) {
	t.Parallel()
	o := try(t, "echo before; trap 'echo tidied; exit 5' TERM; sleep 300 & wait", func(s *Spec) { s.Timeout = 300 * time.Millisecond })
	if o.End != TimedOut || o.Code != 5 || o.Output != "before\ntidied\n" || o.Limit != 300*time.Millisecond || o.Alive != nil {
		t.Errorf("got %+v", o)
	}
	if o := try(t, "true", func(s *Spec) { s.Timeout = 100 * time.Hour }); o.Limit != MaxTimeout {
		t.Errorf("the limit is %v", o.Limit)
	}
	if o := try(t, "true", func(s *Spec) { s.Timeout = 0 }); o.Limit != 2*time.Minute {
		t.Errorf("the limit is %v", o.Limit)
	}
}

// BUGS 16 and 17: programs that want to talk to a person end at once.
func TestRunInteractive(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ program, command string }{
		{"git", "git init -q . && git -c user.name=a -c user.email=a@b commit --allow-empty"},
		{"git", "git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x && git log"},
		{"vi", "echo text > f; vi f"},
		{"less", "echo text > f; less f"},
		{"sh", "printf 'name: '; read name"},
		{"sh", "sh -i"},
		{"ssh", "ssh -o ConnectTimeout=2 -p 1 nobody@127.0.0.1"},
		{"su", "su nobody -c true"},
	} {
		if _, err := exec.LookPath(tc.program); err != nil {
			continue // of these at least sh is everywhere
		}
		t.Run(tc.command, func(t *testing.T) {
			t.Parallel()
			if o := try(t, tc.command, func(s *Spec) { s.Timeout = 20 * time.Second }); o.End != Exited && o.End != Stuck {
				t.Errorf("got %+v", o)
			}
		})
	}
}

// BUGS 17: a rebase that stopped goes on without an editor.
func TestGitRebase(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Log("there is no git here; TestRunInteractive asks with other programs")
		return
	}
	o := try(t, `set -e
git init -q . && git config user.name a && git config user.email a@b && git config core.editor vi
echo 1 > f; git add f; git commit -qm one
git checkout -qb other; echo 2 > f; git commit -qam two
git checkout -q -; echo 3 > f; git commit -qam three
git rebase other >/dev/null 2>&1 || true
echo 4 > f; git add f
git rebase --continue >/dev/null 2>&1
git log --format=%s`)
	if o.Code != 0 || o.Output != "three\ntwo\none\n" {
		t.Errorf("got %+v", o)
	}
}

func BenchmarkRun(b *testing.B) {
	sh, err := Find(os.Environ())
	if err != nil {
		b.Fatal(err)
	}
	spec := Spec{Command: "true", Dir: b.TempDir(), Env: Env(os.Environ())}
	b.Run("Run", func(b *testing.B) {
		for b.Loop() {
			if o := sh.Run(b.Context(), spec); o.Code != 0 {
				b.Fatal(o)
			}
		}
	})
	b.Run("exec alone", func(b *testing.B) {
		for b.Loop() {
			cmd := exec.Command(sh.Path, "-c", spec.Command)
			cmd.Dir, cmd.Env = spec.Dir, spec.Env
			if err := cmd.Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("scan of all processes", func(b *testing.B) {
		t := &tree{pid: os.Getpid()}
		for b.Loop() {
			t.list()
		}
	})
}

// eventually polls until ok, or gives up.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatal("never: " + what)
		}
		runtime.Gosched()
	}
}

// unique returns a time to sleep for that no other test uses, nor begins with.
func unique() string { return fmt.Sprintf("3%08d", time.Now().UnixNano()%1e8) }
