package agenttest

import (
	"bytes"
	"errors"
	"sync"

	"aye/agent"
)

// ErrFull is what a Journal without room returns.
var ErrFull = errors.New("no space left on device")

// A Journal keeps lines in memory. It may be read while a session writes it.
type Journal struct {
	mu    sync.Mutex
	lines [][]byte
	full  bool
	room  int // lines it still takes once full is set
	syncs int
}

// Append implements [agent.Journal].
func (j *Journal) Append(line []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.full && j.room == 0 {
		return ErrFull
	}
	j.room--
	j.lines = append(j.lines, bytes.Clone(line))
	return nil
}

// Sync counts.
func (j *Journal) Sync() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.syncs++
	return nil
}

// Syncs returns how often Sync was called.
func (j *Journal) Syncs() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.syncs
}

// Fill makes every Append fail after the next n, until Free.
func (j *Journal) Fill(n int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.full, j.room = true, n
}

// Free makes room again.
func (j *Journal) Free() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.full = false
}

// Lines returns what was kept.
func (j *Journal) Lines() [][]byte {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([][]byte(nil), j.lines...)
}

// Events decodes what was kept. A line that does not decode is an error of
// the session's.
func (j *Journal) Events() ([]agent.Event, error) {
	past, skipped := agent.DecodeAll(j.Lines())
	return past, errors.Join(skipped...)
}
