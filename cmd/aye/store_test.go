package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestHistoryIsKeptForEachWorkspace(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b")
	s, other := store{dir, "/w"}, store{dir, "/other"}
	for _, text := range []string{"one", "two\nlines \x1b[31m", "two\nlines \x1b[31m", "three"} {
		if err := s.AddHistory(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := other.AddHistory("elsewhere"); err != nil {
		t.Fatal(err)
	}
	if got, want := s.History(), []string{"one", "two\nlines \x1b[31m", "three"}; !reflect.DeepEqual(got, want) {
		t.Errorf("history %q, want %q", got, want)
	}
	if got, want := other.History(), []string{"elsewhere"}; !reflect.DeepEqual(got, want) {
		t.Errorf("the other's history %q, want %q", got, want)
	}
}

// A line that a crash cut in half costs that line, not the one after it.
func TestHistorySurvivesATornLine(t *testing.T) {
	t.Parallel()
	s := store{t.TempDir(), "/w"}
	if err := s.AddHistory("before"); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(s.historyPath(), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"workspace":"/w","te`); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.AddHistory("after"); err != nil {
		t.Fatal(err)
	}
	if got, want := s.History(), []string{"before", "after"}; !reflect.DeepEqual(got, want) {
		t.Errorf("history %q, want %q", got, want)
	}
}

func TestHistoryIsBounded(t *testing.T) {
	t.Parallel()
	s := store{t.TempDir(), "/w"}
	var lines strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&lines, "{\"workspace\":\"/w\",\"text\":\"%d %s\"}\n", i, strings.Repeat("x", 500))
	}
	if err := os.WriteFile(s.historyPath(), []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	got := s.History()
	if len(got) != historyMax {
		t.Fatalf("%d messages, want %d", len(got), historyMax)
	}
	if !strings.HasPrefix(got[len(got)-1], "2999 ") {
		t.Errorf("the last message is %.10q", got[len(got)-1])
	}
}

func TestDraft(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, other := store{dir, "/w"}, store{dir, "/other"}
	if got := s.Draft(); got != "" {
		t.Errorf("draft of a new workspace: %q", got)
	}
	if err := s.SaveDraft(""); err != nil {
		t.Errorf("forgetting a draft that is not there: %v", err)
	}
	const text = "half a thought\n\x00日本"
	if err := s.SaveDraft(text); err != nil {
		t.Fatal(err)
	}
	if got := s.Draft(); got != text {
		t.Errorf("draft %q, want %q", got, text)
	}
	if got := other.Draft(); got != "" {
		t.Errorf("another workspace's draft: %q", got)
	}
	if err := s.SaveDraft(""); err != nil {
		t.Fatal(err)
	}
	if got := s.Draft(); got != "" {
		t.Errorf("a forgotten draft came back: %q", got)
	}
}

func TestStoreSaysWhereItCannotWrite(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := store{filepath.Join(file, "aye"), "/w"}
	for _, err := range []error{s.AddHistory("x"), s.SaveDraft("x")} {
		if err == nil || !strings.Contains(err.Error(), "AYE_HOME") {
			t.Errorf("error %v, want one that says what to set", err)
		}
	}
}
