package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"aye/agent"
	"aye/agent/journal"
)

// A keeper is a session's journal as this command wants it: made only when
// there is something to keep, left out with --no-session, copied for those
// who follow the events. It implements agent.Journal.
type keeper struct {
	id    string
	dir   string    // of the journals; "": nothing is kept
	lines io.Writer // may be nil
	notes []string

	first []byte           // the opening, held until something follows it
	file  *journal.Journal // nil until then
}

// openKeeper returns the journal of a new session, or of the one that goes on
// with its past.
func openKeeper(conf config, want sessionWant, workspace string) (*keeper, []agent.Event, error) {
	k := &keeper{id: newSessionID(time.Now()), lines: want.lines}
	if want.in.noSession {
		return k, nil, nil
	}
	k.dir = conf.sessions().dir
	if !want.in.cont && want.in.resume == "" {
		return k, nil, nil
	}
	var err error
	if want.in.cont {
		k.id, err = conf.sessions().last(workspace)
	} else {
		k.id, err = conf.sessions().named(want.in.resume, workspace)
	}
	if err != nil {
		return nil, nil, err
	}
	past, err := k.reopen(conf.sessions().path(k.id))
	return k, past, err
}

// reopen opens an earlier journal and reads it.
func (k *keeper) reopen(path string) ([]agent.Event, error) {
	file, found, err := journal.Open(path)
	if err != nil {
		return nil, err
	}
	k.file = file
	for _, skip := range found.Skipped {
		k.notes = append(k.notes, fmt.Sprintf("session %s: line %d is left out: %s", k.id, skip.Line, skip.Why))
	}
	if found.Copy != "" {
		k.notes = append(k.notes, "session "+k.id+": its end was torn off; what there was is kept in "+found.Copy)
	}
	past, unknown := agent.DecodeAll(found.Lines)
	if len(unknown) > 0 {
		k.notes = append(k.notes, fmt.Sprintf("session %s: %d entries are of a kind this aye does not know; the rest goes on", k.id, len(unknown)))
	}
	if len(past) == 0 {
		return nil, errors.Join(fmt.Errorf("the session %s holds nothing to go on with", k.id), k.Close())
	}
	return past, nil
}

// Append keeps a line. A session's file begins with its second event: one in
// which nothing happened leaves nothing behind.
func (k *keeper) Append(line []byte) error {
	if err := k.write(line); err != nil {
		return err
	}
	if k.lines != nil {
		// A reader that went away ends the run, but is no fault of the journal.
		_, _ = k.lines.Write(append(line[:len(line):len(line)], '\n'))
	}
	return nil
}

func (k *keeper) write(line []byte) error {
	if k.dir == "" {
		return nil
	}
	if k.file == nil {
		if k.first == nil {
			k.first = slices.Clone(line)
			return nil
		}
		if err := k.create(); err != nil {
			return err
		}
	}
	if k.first != nil {
		if err := k.file.Append(k.first); err != nil {
			return err
		}
		k.first = nil
	}
	return k.file.Append(line)
}

func (k *keeper) create() error {
	file, err := journal.Create(sessions{k.dir}.path(k.id)) // and its folder
	k.file = file
	return err
}

// kept tells whether there is a file to go on with.
func (k *keeper) kept() bool { return k.file != nil }

// Sync makes what was kept last through a power failure.
func (k *keeper) Sync() error {
	if k.file == nil {
		return nil
	}
	return k.file.Sync()
}

// Close closes the file.
func (k *keeper) Close() error {
	if k.file == nil {
		return nil
	}
	return k.file.Close()
}
