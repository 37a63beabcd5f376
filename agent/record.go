package agent

import (
	"bytes"
	"fmt"
)

// record is the one way anything happens: journal, fold, outbox.
func (s *Session) record(ev Event) {
	ev, err := s.keep(ev)
	s.state.Apply(ev)
	s.box.put(ev)
	if err != nil {
		s.stop(err)
	}
}

func (s *Session) recordAll(evs []Event) {
	for _, ev := range evs {
		s.record(ev)
	}
}

// keep journals ev and returns it as a reader of the journal will see it. A
// line that cannot be written waits, with all that follow it; the error is
// returned for the first only.
func (s *Session) keep(ev Event) (Event, error) {
	if s.opts.Journal == nil || !Durable(ev) {
		return ev, nil
	}
	line, err := Encode(ev, s.opts.Now())
	if err != nil {
		return ev, err
	}
	if bytes.Contains(line, []byte(`\ufffd`)) { // JSON could not hold some byte of it
		if same, _, err := Decode(line); err == nil {
			ev = same
		}
	}
	if len(s.unsaved) > 0 {
		s.unsaved = append(s.unsaved, line)
		return ev, nil
	}
	if err := s.opts.Journal.Append(line); err != nil {
		s.unsaved = append(s.unsaved, line)
		return ev, err
	}
	return ev, nil
}

// stop ends new work because an event cannot be journaled.
func (s *Session) stop(err error) {
	if s.stopping { // what follows cannot be journaled either
		return
	}
	s.stopping = true
	defer func() { s.stopping = false }()
	if s.turn != nil {
		s.turn.cancel(&unsavedError{err})
	}
	s.record(Noted{Fail, "This session cannot be saved, so work stops: " + err.Error() + ". Free some space or mend the folder, then send a message again; nothing is lost while aye stays open."})
}

// unsavedError ends a turn whose events cannot be kept.
type unsavedError struct{ err error }

func (e *unsavedError) Error() string { return "the session cannot be saved: " + e.err.Error() }

// save offers the journal what it did not take, and reports whether nothing
// is left.
func (s *Session) save() error {
	for len(s.unsaved) > 0 {
		if err := s.opts.Journal.Append(s.unsaved[0]); err != nil {
			return err
		}
		s.unsaved = s.unsaved[1:]
	}
	return nil
}

// saveAgain is save on the occasion of a command: the person may have mended
// what was wrong.
func (s *Session) saveAgain() {
	if len(s.unsaved) > 0 && s.save() == nil {
		s.record(Noted{Info, "The session is being saved again."})
	}
}

func (s *Session) saveRest() error {
	if err := s.save(); err != nil {
		return fmt.Errorf("the last %d events of the session could not be saved: %w", len(s.unsaved), err)
	}
	return nil
}

// sync asks the journal to make what it has durable.
func (s *Session) sync() {
	if s.opts.Journal == nil || len(s.unsaved) > 0 {
		return
	}
	if err := s.opts.Journal.Sync(); err != nil && !s.unsynced {
		s.unsynced = true
		s.record(Noted{Warn, "The session's journal may not survive a power failure: " + err.Error()})
	}
}
