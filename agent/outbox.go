package agent

// An outbox holds events the front end has not taken yet. Live text is merged
// into its neighbour up to mergeSize, so a slow reader gets fewer, larger
// events; facts are never merged or dropped. When outboxRoom is used up the
// session stops listening to its workers, and the pressure reaches the socket.
type outbox struct {
	ch    chan Event
	queue []Event
}

const (
	outboxRoom = 64
	mergeSize  = 1 << 10 // bytes: text is copied for each piece that joins it
)

func (b *outbox) put(ev Event) {
	if n := len(b.queue); n > 0 {
		if both, ok := merge(b.queue[n-1], ev); ok {
			b.queue[n-1] = both
			return
		}
	}
	b.queue = append(b.queue, ev)
}

// merge makes one live event of two neighbours, where the second adds to the
// first or replaces it.
func merge(a, b Event) (Event, bool) {
	switch b := b.(type) {
	case TextStreamed:
		a, ok := a.(TextStreamed)
		return TextStreamed{a.Text + b.Text}, ok && len(a.Text) < mergeSize
	case ThoughtStreamed:
		a, ok := a.(ThoughtStreamed)
		return ThoughtStreamed{a.Text + b.Text}, ok && len(a.Text) < mergeSize
	case CallProgress:
		a, ok := a.(CallProgress)
		return CallProgress{b.CallID, a.Text + b.Text}, ok && a.CallID == b.CallID && len(a.Text) < mergeSize
	case CallStreamed:
		a, ok := a.(CallStreamed)
		return b, ok && a.CallID == b.CallID
	case Waiting:
		_, ok := a.(Waiting)
		return b, ok
	case JobsListed:
		_, ok := a.(JobsListed)
		return b, ok
	case SessionOpened, PromptQueued, PromptAccepted, PromptWithdrawn, TurnStarted, Replied, TurnEnded,
		CallPrepared, ApprovalAsked, ApprovalSettled, ChangeCommitted, CallFinished,
		CommandStarted, CommandFinished, JobStarted, JobEnded, ModeSet, Cleared, Reminded, Pruned, Compacted, Noted: // facts
	}
	return nil, false
}

func (b *outbox) full() bool { return len(b.queue) >= outboxRoom }

// next returns the channel and event to offer; the nil channel blocks forever.
func (b *outbox) next() (chan<- Event, Event) {
	if len(b.queue) == 0 {
		return nil, nil
	}
	return b.ch, b.queue[0]
}

func (b *outbox) pop() {
	b.queue[0] = nil
	b.queue = b.queue[1:]
}
