package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/google/renameio/v2/maybe"

	"aye/cause"
)

// A store keeps what a person typed: the history of messages, and the draft
// of the one that was not sent. Several ayes may use it at the same time.
type store struct {
	dir       string // the state folder
	workspace string
}

const (
	historyMax   = 1000    // messages offered
	historyBytes = 1 << 20 // read from the end of the file, before the first frame; it is only ever appended to
)

// historyEntry is one line of history.jsonl.
type historyEntry struct {
	Workspace string `json:"workspace"`
	Text      string `json:"text"`
}

func (s store) historyPath() string { return filepath.Join(s.dir, "history.jsonl") }

// draftPath names the workspace's draft by a hash: a path is no file name.
func (s store) draftPath() string {
	sum := sha256.Sum256([]byte(s.workspace))
	return filepath.Join(s.dir, "drafts", hex.EncodeToString(sum[:8]))
}

// History returns the messages sent from this workspace, oldest first. What
// cannot be read is left out: history is a convenience.
func (s store) History() []string {
	f, err := os.Open(s.historyPath())
	if err != nil {
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > historyBytes {
		// The first line of what is read is then cut, and no entry.
		if _, err := f.Seek(-historyBytes, io.SeekEnd); err != nil {
			return nil
		}
	}
	var texts []string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, historyBytes)
	for lines.Scan() {
		var e historyEntry
		if json.Unmarshal(lines.Bytes(), &e) == nil && e.Workspace == s.workspace && e.Text != "" {
			texts = append(texts, e.Text)
		}
	}
	texts = slices.Compact(texts)
	return texts[max(0, len(texts)-historyMax):]
}

// AddHistory appends a message, in one write.
func (s store) AddHistory(text string) error {
	line, err := json.Marshal(historyEntry{s.workspace, text})
	if err != nil {
		return err
	}
	if err := makePrivate(s.dir); err != nil {
		return err
	}
	f, err := os.OpenFile(s.historyPath(), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("the message is not in the history: %w", cause.Of(err))
	}
	defer f.Close()
	if _, err := f.Write(slices.Concat(lineStart(f), line, []byte("\n"))); err != nil {
		return fmt.Errorf("the message is not in the history: %w", cause.Of(err))
	}
	return nil
}

// lineStart is the line end that a write which died half-way left out.
func lineStart(f *os.File) []byte {
	last := make([]byte, 1)
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil || size == 0 {
		return nil
	}
	if _, err := f.ReadAt(last, size-1); err != nil || bytes.Equal(last, []byte("\n")) {
		return nil
	}
	return []byte("\n")
}

// Draft returns what was being written in this workspace when aye was left.
func (s store) Draft() string {
	data, err := os.ReadFile(s.draftPath())
	if err != nil {
		return ""
	}
	return string(data)
}

// SaveDraft keeps a draft, whole or not at all; an empty one is forgotten.
func (s store) SaveDraft(text string) error {
	if text == "" {
		if err := os.Remove(s.draftPath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the old draft stays: %w", cause.Of(err))
		}
		return nil
	}
	if err := makePrivate(filepath.Dir(s.draftPath())); err != nil {
		return err
	}
	if err := maybe.WriteFile(s.draftPath(), []byte(text), 0o600); err != nil {
		return fmt.Errorf("the draft is not kept: %w", cause.Of(err))
	}
	return nil
}

// makePrivate makes a folder, and those above it, that only its owner reads.
func makePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("aye cannot keep anything in %s: %w; set AYE_HOME to a folder that can be written", dir, cause.Of(err))
	}
	return nil
}
