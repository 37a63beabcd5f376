package agent_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"aye/agent"
	"aye/agent/agenttest"
)

// TestDiskFull fills the disk after each number of lines: the work stops, the
// screen goes on, and when there is room again everything is in the journal.
func TestDiskFull(t *testing.T) {
	for room := range 12 {
		t.Run(fmt.Sprint(room), func(t *testing.T) {
			scene(t, replies(
				agenttest.Call(call("1", "look", "a"), call("2", "touch", "b"), call("3", "touch", "c")),
				agenttest.Say("fine"),
			), func(st *stage) {
				st.opts.Mode = agent.Full
				st.journal.Fill(room)
				freed := false
				evs := st.play(func(ev agent.Event) bool {
					switch ev := ev.(type) {
					case agent.Noted:
						if ev.Level == agent.Fail && !freed {
							contains(t, "note", ev.Text, "cannot be saved", "no space left")
							st.journal.Free()
							st.send(agent.SetMode{Mode: agent.Full})
							freed = true
						}
					case agent.PromptWithdrawn:
						st.send(agent.Prompt{Text: "go on"})
					case agent.TurnEnded:
						if ev.Reason == agent.Broken {
							contains(t, "error", ev.Err, "cannot be saved: no space left")
							st.send(agent.Prompt{Text: "go on"})
						}
						return ev.Reason != agent.Finished
					}
					return true
				}, "hi") // play holds the journal's fold against the session
				want(t, "noticed", freed, true)
				said := 0
				for _, n := range all[agent.Noted](evs) {
					if strings.Contains(n.Text, "being saved again") {
						said++
					}
				}
				want(t, "said that it is saved again", said, 1)
			})
		})
	}
}

// TestNothingRunsWhileNothingIsSaved: the change that could not be recorded
// does not happen, and later messages come back.
func TestNothingRunsWhileNothingIsSaved(t *testing.T) {
	scene(t, replies(agenttest.Call(call("1", "touch", "a"))), func(st *stage) {
		st.opts.Mode = agent.Full
		st.journal.Fill(5) // up to the reply
		st.replay = false
		ends := 0
		st.session = agent.New(st.opts)
		evs, err := agenttest.Play(st.Context(), st.session, func(ev agent.Event) bool {
			switch ev.(type) {
			case agent.SessionOpened:
				st.send(agent.Prompt{Text: "hi"})
			case agent.TurnEnded:
				if ends++; ends == 1 {
					st.send(agent.RunCommand{Command: "ls"})
					st.send(agent.Prompt{Text: "again"})
				}
			}
			return !is[agent.PromptWithdrawn](ev)
		})
		if !errors.Is(err, agenttest.ErrFull) {
			t.Errorf("Run returned %v", err)
		}
		if err := agenttest.Check(evs); err != nil {
			t.Fatal(err)
		}
		want(t, "changes", len(all[agent.ChangeCommitted](evs)), 0)
		want(t, "commands", len(all[agent.CommandStarted](evs)), 0)
		want(t, "turns", len(all[agent.TurnStarted](evs)), 1)
		want(t, "lines", len(st.journal.Lines()), 5)
	})
}

// TestRestIsSavedAtTheEnd: what the journal did not take is offered again
// when the session ends.
func TestRestIsSavedAtTheEnd(t *testing.T) {
	scene(t, nil, func(st *stage) {
		st.journal.Fill(0)
		st.play(func(ev agent.Event) bool {
			if is[agent.Noted](ev) {
				st.journal.Free()
				return false
			}
			return true
		})
		if n := len(st.journal.Lines()); n < 2 {
			t.Errorf("%d lines", n)
		}
	})
}

func TestJournalIsSyncedWhenATurnEnds(t *testing.T) {
	scene(t, nil, func(st *stage) {
		st.play(nil, "hi")
		want(t, "syncs", st.journal.Syncs(), 2) // the turn's end and the session's
	})
}

// A brittle journal keeps lines, and cannot promise that they stay.
type brittle struct{ agenttest.Journal }

func (*brittle) Sync() error { return errors.New("input/output error") }

func TestTheWarningThatNothingIsDurableComesOnce(t *testing.T) {
	scene(t, nil, func(st *stage) {
		st.opts.Journal, st.replay = &brittle{}, false
		ends := 0
		evs := st.play(func(ev agent.Event) bool {
			if is[agent.TurnEnded](ev) {
				if ends++; ends == 1 {
					st.send(agent.Prompt{Text: "again"})
				}
			}
			return ends < 2
		}, "hi")
		noted := all[agent.Noted](evs)
		want(t, "notes", len(noted), 1)
		contains(t, "note", noted[0].Text, "power failure: input/output error")
	})
}

// TestAClockNoLineCanHold: what cannot be encoded cannot be saved, and is
// said, and that is all.
func TestAClockNoLineCanHold(t *testing.T) {
	scene(t, nil, func(st *stage) {
		st.replay = false
		st.opts.Now = func() time.Time { return time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC) }
		evs := st.play(nil, "hi")
		want(t, "reason", st.ended(evs).Reason, agent.Broken)
		contains(t, "note", all[agent.Noted](evs)[0].Text, "cannot be saved")
	})
}

func TestWithoutAJournal(t *testing.T) {
	scene(t, nil, func(st *stage) {
		st.opts.Journal, st.replay = nil, false
		want(t, "reason", st.ended(st.play(nil, "hi")).Reason, agent.Finished)
	})
}

// TestBytesThatAreNoText: what JSON cannot hold is the same live as replayed.
func TestBytesThatAreNoText(t *testing.T) {
	bad := "a\xff\xfe\x00\ud7ff\u2028<b>"
	c := call("1", "look", "a")
	c.Args = `{"path":"` + "\xff" + `"}`
	scene(t, replies(agenttest.Call(c), agenttest.Say(bad)), func(st *stage) {
		st.play(nil, bad) // play compares the fold of the journal with the live state
		first := st.state().Messages[0].Text()
		want(t, "text", first, "a\ufffd\ufffd\x00\ud7ff\u2028<b>")
	})
}

// TestReadersSeeWhatIsKept holds that a reader of the events and a reader of
// the journal get the same ones.
func TestReadersSeeWhatIsKept(t *testing.T) {
	scene(t, nil, func(st *stage) {
		evs := st.play(nil, "a\xffb")
		kept, err := st.journal.Events()
		if err != nil {
			t.Fatal(err)
		}
		var durable []agent.Event
		for _, ev := range evs {
			if agent.Durable(ev) {
				durable = append(durable, ev)
			}
		}
		if !reflect.DeepEqual(durable, kept) {
			t.Errorf("read\n%s\nkept\n%s", show(durable), show(kept))
		}
	})
}
