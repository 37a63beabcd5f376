package main

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aye/agent"
	"aye/tools/cause"
)

// sessionEnd is how a session's journal ends.
const sessionEnd = ".jsonl"

// newSessionID names a session: names sort by time, and two of the same second
// differ.
func newSessionID(now time.Time) string {
	var chance [3]byte
	_, _ = rand.Read(chance[:]) // never fails, says its documentation
	return now.UTC().Format("20060102-150405-") + hex.EncodeToString(chance[:])
}

// sessions are the journals in a folder.
type sessions struct{ dir string }

func (s sessions) path(id string) string { return filepath.Join(s.dir, id+sessionEnd) }

// ids lists all sessions, latest first.
func (s sessions) ids() ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the sessions in %s cannot be listed: %w", s.dir, cause.Of(err))
	}
	var ids []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), sessionEnd); ok && e.Type().IsRegular() {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	slices.Reverse(ids)
	return ids, nil
}

// last finds the latest session of a workspace. It reads the first line of
// each file, from the latest on, until one fits.
func (s sessions) last(workspace string) (string, error) {
	ids, err := s.ids()
	if err != nil {
		return "", err
	}
	for _, id := range ids {
		if opened, err := s.opening(id); err == nil && opened.Workspace == workspace {
			return id, nil
		}
	}
	return "", usagef("there is no session of %s to go on with", workspace)
}

// named finds a session by its id or the beginning of it.
func (s sessions) named(id, workspace string) (string, error) {
	ids, err := s.ids()
	if err != nil {
		return "", err
	}
	var fit []string
	for _, known := range ids {
		if known == id {
			fit = []string{known}
			break
		}
		if strings.HasPrefix(known, id) {
			fit = append(fit, known)
		}
	}
	switch {
	case len(fit) == 0:
		return "", usagef("there is no session %s%s. aye --continue goes on with the last one of this folder", id, s.recent(ids, workspace))
	case len(fit) > 1:
		return "", usagef("%d sessions begin with %s: %s and others; write more of the one you mean", len(fit), id, fit[0])
	}
	opened, err := s.opening(fit[0])
	if err != nil {
		return "", err
	}
	if opened.Workspace != workspace {
		return "", usagef("the session %s belongs to %s: go there, or add --dir %[2]s", fit[0], opened.Workspace)
	}
	return fit[0], nil
}

// recent names the latest sessions of a workspace, for an error.
func (s sessions) recent(ids []string, workspace string) string {
	const most = 3
	var names []string
	for _, id := range ids {
		if opened, err := s.opening(id); err == nil && opened.Workspace == workspace {
			names = append(names, id)
		}
		if len(names) == most {
			break
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "; the latest of this folder: " + list(names, "and")
}

// opening reads the first event of a session.
func (s sessions) opening(id string) (agent.SessionOpened, error) {
	f, err := os.Open(s.path(id))
	if err != nil {
		return agent.SessionOpened{}, fmt.Errorf("the session %s cannot be read: %w", id, cause.Of(err))
	}
	defer f.Close()
	line, err := bufio.NewReaderSize(f, 64<<10).ReadSlice('\n')
	if err != nil {
		return agent.SessionOpened{}, fmt.Errorf("the session %s is empty or damaged at its beginning", id)
	}
	ev, _, err := agent.Decode(bytes.TrimPrefix(line, []byte("\ufeff"))) // an editor's
	opened, ok := ev.(agent.SessionOpened)
	if err != nil || !ok {
		return agent.SessionOpened{}, fmt.Errorf("the session %s does not begin as a session of aye does", id)
	}
	return opened, nil
}
