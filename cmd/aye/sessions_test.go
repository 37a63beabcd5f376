package main

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"aye/agent"
)

// keptSession writes a session's file as far as its first event.
func keptSession(t *testing.T, s sessions, id, workspace string) {
	t.Helper()
	line, err := agent.Encode(agent.SessionOpened{ID: id, Workspace: workspace}, time.Unix(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.path(id), append(line, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSessionsAreFound(t *testing.T) {
	t.Parallel()
	s := sessions{t.TempDir()}
	keptSession(t, s, "20260101-000000-aaaaaa", "/w")
	keptSession(t, s, "20260102-000000-bbbbbb", "/w")
	keptSession(t, s, "20260103-000000-cccccc", "/other")
	for name, content := range map[string]string{"20260104-000000-dddddd": "", "20260105-000000-eeeeee": "rubbish\n", "20260106-000000-ffffff": `{"type":"turn_started"}` + "\n"} {
		if err := os.WriteFile(s.path(name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := s.last("/w"); err != nil || got != "20260102-000000-bbbbbb" {
		t.Errorf("the last of /w: %q, %v", got, err)
	}
	if _, err := s.last("/new"); err == nil || !strings.Contains(err.Error(), "no session of /new") {
		t.Errorf("the last of a folder without: %v", err)
	}
	tests := []struct{ id, want, err string }{
		{"20260101-000000-aaaaaa", "20260101-000000-aaaaaa", ""},
		{"20260102", "20260102-000000-bbbbbb", ""},
		{"2026010", "", "6 sessions begin with 2026010"},
		{"1999", "", "no session 1999; the latest of this folder: 20260102-000000-bbbbbb and 20260101-000000-aaaaaa"},
		{"20260103", "", "belongs to /other: go there, or add --dir /other"},
		{"20260105", "", "does not begin as a session"},
		{"../x", "", "no session ../x"},
	}
	for _, tt := range tests {
		got, err := s.named(tt.id, "/w")
		if got != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: %q, %v; want %q, %q", tt.id, got, err, tt.want, tt.err)
		}
	}
}

func TestNoSessionsYet(t *testing.T) {
	t.Parallel()
	s := sessions{t.TempDir() + "/none"}
	if _, err := s.last("/w"); err == nil || err.(*exit).code != exitUsage {
		t.Errorf("last of none: %v", err)
	}
	if _, err := s.named("x", "/w"); err == nil || err.(*exit).code != exitUsage {
		t.Errorf("named of none: %v", err)
	}
}

func TestSessionIDsSortByTimeAndDiffer(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 30, 15, 0, 0, 0, time.UTC)
	a, b, c := newSessionID(at), newSessionID(at), newSessionID(at.Add(time.Second))
	if a == b {
		t.Errorf("two sessions of one second are both named %s", a)
	}
	if !slices.IsSorted([]string{a, c}) {
		t.Errorf("%s is not before %s", a, c)
	}
}
