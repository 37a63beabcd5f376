package agent_test

import (
	"runtime"
	"testing"

	"aye/agent"
	"aye/agent/agenttest"
)

// W69: four times the messages cost about four times the work to compact, not
// sixteen times. What is counted is memory that is asked for, which does not
// depend on how busy the machine is.
func TestCompactionIsLinear(t *testing.T) {
	cost := func(messages int) float64 {
		opts, _ := agenttest.Options(nil)
		opts.Window = 3 * messages
		s := agent.Resume(opts, turns(messages/4, 400))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if parts := agent.CompactOf(s); parts == 0 {
			t.Fatal("not compacted")
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	small, large := cost(3_000), cost(12_000)
	t.Logf("%.0f bytes for 3,000 messages, %.1f times that for 12,000", small, large/small)
	if large > 7*small {
		t.Errorf("12,000 messages cost %.1f times what 3,000 do", large/small)
	}
}
