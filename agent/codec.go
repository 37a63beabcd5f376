package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// Durable reports whether ev belongs into a journal; the others are live.
func Durable(ev Event) bool {
	switch ev.(type) {
	case SessionOpened, PromptQueued, PromptAccepted, PromptWithdrawn, TurnStarted, Replied, TurnEnded,
		CallPrepared, ApprovalAsked, ApprovalSettled, ChangeCommitted, CallFinished,
		CommandStarted, CommandFinished, JobStarted, JobEnded, ModeSet, Cleared, Reminded, Pruned, Compacted, Noted:
		return true
	case TextStreamed, ThoughtStreamed, CallStreamed, CallProgress, Waiting, JobsListed:
	}
	return false
}

// Encode writes ev as one line of JSON, without the newline:
//
//	{"type":"prompt_queued","at":"2026-11-30T10:00:00Z","id":1,"text":"hello"}
//
// at is when it happened; a SessionOpened that knows its own time uses that.
// Bytes that are no UTF-8 become U+FFFD.
func Encode(ev Event, at time.Time) ([]byte, error) {
	if o, ok := ev.(SessionOpened); ok && !o.At.IsZero() {
		at = o.At
	}
	name := typeName(ev)
	if name == "" {
		return nil, fmt.Errorf("no line for an event of type %T", ev)
	}
	stamp, err := at.UTC().MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("the time of a %s event: %w", name, err)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"type":%q,"at":%s,`, name, stamp)
	head := b.Len()
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // journals are read by people too
	if err := enc.Encode(ev); err != nil {
		return nil, fmt.Errorf("encoding a %s event: %w", name, err)
	}
	line := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	// The event's own object follows the head: its opening brace goes, and
	// the comma too where it has no fields.
	line = append(line[:head], line[head+1:]...)
	if line[head] == '}' {
		line = append(line[:head-1], '}')
	}
	return line, nil
}

// An UnknownError is a whole line whose type this version does not know: a
// later aye wrote it. Skipping it is right.
type UnknownError struct{ Type string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("an event of the unknown type %q, written by a newer aye", e.Type)
}

// Decode reads what Encode wrote. Fields it does not know are passed over; a
// type it does not know is an [*UnknownError].
func Decode(line []byte) (Event, time.Time, error) {
	var head struct {
		Type string    `json:"type"`
		At   time.Time `json:"at"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, time.Time{}, fmt.Errorf("not a line of a journal: %w", err)
	}
	ev, err := decodeType(head.Type, line)
	if err != nil {
		return nil, head.At, err
	}
	if o, ok := ev.(SessionOpened); ok {
		o.At = head.At
		ev = o
	}
	return ev, head.At, nil
}

// DecodeAll reads the lines of a journal. Lines that are no events are left
// out and reported, each with its number from 1: a bad line costs itself and
// nothing else.
func DecodeAll(lines [][]byte) (past []Event, skipped []error) {
	for i, line := range lines {
		ev, _, err := Decode(line)
		if err != nil {
			skipped = append(skipped, fmt.Errorf("record %d: %w", i+1, err))
			continue
		}
		past = append(past, ev)
	}
	return past, skipped
}

func typeName(ev Event) string {
	switch ev.(type) {
	case SessionOpened:
		return "session_opened"
	case PromptQueued:
		return "prompt_queued"
	case PromptAccepted:
		return "prompt_accepted"
	case PromptWithdrawn:
		return "prompt_withdrawn"
	case TurnStarted:
		return "turn_started"
	case Replied:
		return "replied"
	case CallPrepared:
		return "call_prepared"
	case ApprovalAsked:
		return "approval_asked"
	case ApprovalSettled:
		return "approval_settled"
	case CallFinished:
		return "call_finished"
	case ChangeCommitted:
		return "change_committed"
	case TurnEnded:
		return "turn_ended"
	case CommandStarted:
		return "command_started"
	case CommandFinished:
		return "command_finished"
	case JobStarted:
		return "job_started"
	case JobEnded:
		return "job_ended"
	case ModeSet:
		return "mode_set"
	case Cleared:
		return "cleared"
	case Reminded:
		return "reminded"
	case Pruned:
		return "pruned"
	case Compacted:
		return "compacted"
	case Noted:
		return "noted"
	case TextStreamed, ThoughtStreamed, CallStreamed, CallProgress, Waiting, JobsListed:
		return liveName(ev)
	}
	return ""
}

// liveName is typeName for live events.
func liveName(ev Event) string {
	switch ev.(type) {
	case TextStreamed:
		return "text_streamed"
	case ThoughtStreamed:
		return "thought_streamed"
	case CallStreamed:
		return "call_streamed"
	case CallProgress:
		return "call_progress"
	case Waiting:
		return "waiting"
	case JobsListed:
		return "jobs_listed"
	case SessionOpened, PromptQueued, PromptAccepted, PromptWithdrawn, TurnStarted, Replied, TurnEnded,
		CallPrepared, ApprovalAsked, ApprovalSettled, ChangeCommitted, CallFinished,
		CommandStarted, CommandFinished, JobStarted, JobEnded, ModeSet, Cleared, Reminded, Pruned, Compacted, Noted:
	}
	return ""
}

func decodeType(name string, line []byte) (Event, error) {
	switch name {
	case "session_opened":
		return decode[SessionOpened](line)
	case "prompt_queued":
		return decode[PromptQueued](line)
	case "prompt_accepted":
		return decode[PromptAccepted](line)
	case "prompt_withdrawn":
		return decode[PromptWithdrawn](line)
	case "turn_started":
		return decode[TurnStarted](line)
	case "replied":
		return decode[Replied](line)
	case "call_prepared":
		return decode[CallPrepared](line)
	case "approval_asked":
		return decode[ApprovalAsked](line)
	case "approval_settled":
		return decode[ApprovalSettled](line)
	case "call_finished":
		return decode[CallFinished](line)
	case "change_committed":
		return decode[ChangeCommitted](line)
	case "turn_ended":
		return decode[TurnEnded](line)
	case "command_started":
		return decode[CommandStarted](line)
	case "command_finished":
		return decode[CommandFinished](line)
	case "job_started":
		return decode[JobStarted](line)
	case "job_ended":
		return decode[JobEnded](line)
	case "mode_set":
		return decode[ModeSet](line)
	case "cleared":
		return decode[Cleared](line)
	case "reminded":
		return decode[Reminded](line)
	case "pruned":
		return decode[Pruned](line)
	case "compacted":
		return decode[Compacted](line)
	case "noted":
		return decode[Noted](line)
	}
	return decodeLive(name, line)
}

// decodeLive is decodeType for live events.
func decodeLive(name string, line []byte) (Event, error) {
	switch name {
	case "text_streamed":
		return decode[TextStreamed](line)
	case "thought_streamed":
		return decode[ThoughtStreamed](line)
	case "call_streamed":
		return decode[CallStreamed](line)
	case "call_progress":
		return decode[CallProgress](line)
	case "waiting":
		return decode[Waiting](line)
	case "jobs_listed":
		return decode[JobsListed](line)
	}
	return nil, &UnknownError{name}
}

func decode[E Event](line []byte) (Event, error) {
	var ev E
	if err := json.Unmarshal(line, &ev); err != nil {
		return nil, fmt.Errorf("a damaged %s event: %w", typeName(ev), err)
	}
	return ev, nil
}
