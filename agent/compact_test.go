package agent_test

import (
	"context"
	"iter"
	"strings"

	"aye/agent/agenttest"
	"aye/llm"
)

// isSummary reports whether req asks for a summary.
func isSummary(req llm.Request) bool {
	return strings.HasPrefix(req.System, "You summarise an earlier part")
}

// A summariser answers requests for summaries with its own replies, in order
// and the last one again and again, and passes the others on.
type summariser struct {
	*agenttest.Model
	replies []agenttest.Reply
	asked   *agenttest.Model
}

func (s *summariser) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Event, error] {
	if !isSummary(req) {
		return s.Model.Stream(ctx, req)
	}
	if s.asked == nil {
		s.asked = agenttest.NewModel(s.replies...)
	}
	return s.asked.Stream(ctx, req)
}
