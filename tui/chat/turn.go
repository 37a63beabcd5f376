package chat

import (
	"strings"
	"time"

	"aye/agent"
	"aye/tui/term"
)

// A turnEnd says how a turn ended. One that the answer above it ended well, in
// little time, needs no word.
type turnEnd struct {
	reason agent.Reason
	rounds int
	err    string
	took   time.Duration
}

const briefTurn = 10 * time.Second // not worth a word

func (t *turnEnd) rows(lk *look) []string {
	th := lk.th
	spent := count(t.rounds, "round")
	if t.took >= time.Second {
		spent = seconds(t.took) + " · " + spent
	}
	switch t.reason {
	case agent.Finished:
		if t.took < briefTurn {
			return nil
		}
		return []string{th.Dim.Render(term.Cut("done in "+spent, lk.width))}
	case agent.Cancelled:
		return []string{th.Ask.Render(term.Cut("interrupted", lk.width))}
	case agent.Limited:
		if t.err != "" {
			return paint(th.Ask, term.Wrap(t.err, lk.width))
		}
		return paint(th.Ask, term.Wrap("stopped at the limit after "+spent+"; say \"go on\" for more", lk.width))
	case agent.Broken:
	}
	text := strings.TrimSpace(t.err)
	if text == "" {
		text = "the turn failed"
	}
	return (&note{level: agent.Fail, text: text}).rows(lk)
}

func (t *turnEnd) guess(int) int { return 1 }
