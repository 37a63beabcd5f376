package tuitest_test

import (
	"os/exec"
	"strings"
	"testing"

	"aye/tui/tuitest"
)

func TestScreenShowsWhatAProgramPrints(t *testing.T) {
	t.Parallel()
	s := tuitest.Start(t, 20, 4, exec.Command("sh", "-c", `printf 'a\033[1mb\033[0m \n%s' "$(stty size)"; read x; echo "got $x"; exit 3`))
	text := s.Wait(`4 20`)
	if got := strings.Split(text, "\n")[0]; got != "ab" {
		t.Errorf("first row is %q, want %q", got, "ab")
	}
	s.Type("yes\r")
	s.Wait(`got yes`)
	if code := s.Exit(); code != 3 {
		t.Errorf("exit code %d, want 3", code)
	}
}

func TestScreenTellsItsNewSize(t *testing.T) {
	t.Parallel()
	s := tuitest.Start(t, 20, 4, exec.Command("sh", "-c", `trap 'stty size; exit 0' WINCH; echo ready; while :; do read x; done`))
	s.Wait(`ready`)
	s.Resize(33, 7)
	s.Wait(`7 33`)
	if code := s.Exit(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
}

func TestScreenAnswersTheTerminalsQueries(t *testing.T) {
	t.Parallel()
	// CPR: "where is the cursor?"; the answer arrives as input.
	s := tuitest.Start(t, 40, 4, exec.Command("sh", "-c", `stty raw -echo; printf 'ab\033[6n'; dd bs=1 count=6 2>/dev/null | tr -d '\033' ; stty sane`))
	s.Wait(`ab\[1;3R`)
	s.Exit()
}
