package slash

import (
	"fmt"
	"strconv"
	"strings"

	"aye/agent"
	"aye/tui/term"
)

// NoJobs is what /jobs says where there never was one.
const NoJobs = "No command runs in the background, and none has in this session."

func jobs(args string) Action {
	fields := strings.Fields(strings.ToLower(args))
	switch {
	case len(fields) == 0:
		return ShowJobs{}
	case fields[0] == "stop" && len(fields) == 1:
		return StopJob{}
	case fields[0] == "stop" && len(fields) == 2:
		if id, err := strconv.Atoi(fields[1]); err == nil && id > 0 {
			return StopJob{id}
		}
	}
	return nil
}

// WhichJob says what /jobs stop can stop.
func WhichJob(running []agent.JobStarted) string {
	if len(running) == 0 {
		return "No job is running."
	}
	names := make([]string, len(running))
	for i, j := range running {
		names[i] = fmt.Sprintf("/jobs stop %d (%s)", j.ID, term.Cut(term.Line(j.Command), 40))
	}
	return "Say which one: " + strings.Join(names, ", ") + "."
}
