//go:build unix

package journal_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"aye/agent/journal"
)

// TestMain lets the test binary be the process that is killed, or that runs
// out of space.
func TestMain(m *testing.M) {
	switch path := os.Getenv("JOURNAL_TEST_PATH"); os.Getenv("JOURNAL_TEST_ROLE") {
	case "append":
		exit(appendForEver(path))
	case "full":
		exit(fillUp(path))
	default:
		os.Exit(m.Run())
	}
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func child(t *testing.T, role, path string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), "JOURNAL_TEST_ROLE="+role, "JOURNAL_TEST_PATH="+path)
	return cmd
}

// appendForEver says each number once its line is appended.
func appendForEver(path string) error {
	j, err := journal.Create(path)
	for n := 0; err == nil; n++ {
		if err = j.Append(line(n)); err == nil {
			fmt.Println(n)
		}
	}
	return err
}

// TestKilled kills a process with SIGKILL while it appends: what it had
// appended is there.
func TestKilled(t *testing.T) {
	t.Parallel()
	for round := range 5 {
		path := filepath.Join(t.TempDir(), "one.jsonl")
		cmd := child(t, "append", path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		appended := 0
		for scan := bufio.NewScanner(out); scan.Scan(); appended++ {
			if appended == 200*(round+1) {
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := cmd.Wait(); err == nil {
			t.Fatal("the process was not killed")
		}
		_, found := open(t, path) // the lock went with the process
		if len(found.Lines) < appended {
			t.Errorf("%d lines were appended, %d are there", appended, len(found.Lines))
		}
		for n, l := range found.Lines {
			if !bytes.Equal(l, line(n)) {
				t.Fatalf("line %d is %s", n, l)
			}
		}
	}
}

// fillUp appends until there is no room, which comes in the middle of a line,
// then makes room and goes on.
func fillUp(path string) error {
	signal.Ignore(syscall.SIGXFSZ)
	j, err := journal.Create(path)
	if err != nil {
		return err
	}
	var room syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &room); err != nil {
		return err
	}
	little := room
	little.Cur = 1000
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &little); err != nil {
		return err
	}
	taken := 0
	for err == nil {
		if err = j.Append(line(taken)); err == nil {
			taken++
		}
	}
	for range 3 { // it stays full, and leaves nothing behind
		if j.Append(line(taken)) == nil {
			return fmt.Errorf("a full disk took a line")
		}
	}
	data, readErr := os.ReadFile(path)
	if readErr != nil || bytes.Count(data, []byte("\n")) != taken || !bytes.HasSuffix(data, []byte("\n")) {
		return fmt.Errorf("%d lines were taken, the file holds %q (%v)", taken, data, readErr)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &room); err != nil {
		return err
	}
	for n := range 10 {
		if err := j.Append(line(taken + n)); err != nil {
			return err
		}
	}
	fmt.Println(taken + 10)
	return j.Close()
}

func TestDiskFullThenFreed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "one.jsonl")
	out, err := child(t, "full", path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	_, found := open(t, path)
	if got := fmt.Sprint(len(found.Lines)); got != strings.TrimSpace(string(out)) || len(found.Skipped) > 0 {
		t.Errorf("%s lines, want %s; skipped %v", got, out, found.Skipped)
	}
	for n, l := range found.Lines {
		if !bytes.Equal(l, line(n)) {
			t.Errorf("line %d is %s", n, l)
		}
	}
}

// TestReopenWhileProcessesStart: a process that is being started has a copy
// of every open file for a moment, and must not keep the lock by it.
func TestReopenWhileProcessesStart(t *testing.T) {
	t.Parallel()
	path := create(t, 1)
	over := make(chan struct{})
	var starting sync.WaitGroup
	starting.Go(func() {
		for {
			select {
			case <-over:
				return
			default:
				_ = exec.CommandContext(t.Context(), "true").Run() // what it is does not matter
			}
		}
	})
	for range 100 {
		j, _, err := journal.Open(path)
		if err == nil {
			err = j.Close()
		}
		if err != nil {
			t.Error(err)
			break
		}
	}
	close(over)
	starting.Wait()
}

func TestPipeIsNoJournal(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := journal.Open(path); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("%v", err)
	}
}
