package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"aye/agent"
)

// frame is how long events are gathered before they are drawn together.
const frame = 16 * time.Millisecond

// batchRoom bounds one batch, so that a flood is drawn in slices.
const batchRoom = 4096

// events is a batch from the session.
type events struct {
	list []agent.Event
	at   time.Time
}

// closed says that the session has ended.
type closed struct{}

// listen waits for events. Each batch asks for the next one, so the session
// is read only as fast as the screen is drawn. The first event after a pause
// comes at once; under load a batch gathers what arrives within a frame of
// the last one.
func listen(ch <-chan agent.Event, last time.Time) tea.Cmd {
	return func() tea.Msg {
		ev, ok := <-ch
		if !ok {
			return closed{}
		}
		batch := []agent.Event{ev}
		timer := time.NewTimer(time.Until(last.Add(frame)))
		defer timer.Stop()
		for len(batch) < batchRoom {
			select {
			case ev, ok := <-ch:
				if !ok {
					return events{batch, time.Now()}
				}
				batch = append(batch, ev)
			case <-timer.C:
				return events{drain(ch, batch), time.Now()}
			}
		}
		return events{batch, time.Now()}
	}
}

// drain adds what is ready.
func drain(ch <-chan agent.Event, batch []agent.Event) []agent.Event {
	for len(batch) < batchRoom {
		select {
		case ev, ok := <-ch:
			if !ok {
				return batch // the next listen sees the end
			}
			batch = append(batch, ev)
		default:
			return batch
		}
	}
	return batch
}
