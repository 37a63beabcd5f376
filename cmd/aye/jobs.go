package main

import (
	"fmt"
	"strings"

	"aye/agent"
	"aye/tools"
	"aye/tui/term"
)

// lastJob is the highest number of a job in a session so far.
func lastJob(past []agent.Event) int {
	last := 0
	for _, ev := range past {
		if j, ok := ev.(agent.JobStarted); ok {
			last = max(last, j.ID)
		}
	}
	return last
}

// endedWith names the jobs that run: "ended with aye: job 1 npm run dev".
func endedWith(jobs []tools.JobInfo) string {
	var names []string
	for _, j := range jobs {
		if j.Running {
			names = append(names, fmt.Sprintf("job %d %s", j.ID, term.Cut(term.Line(j.Command), 60)))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "ended with aye: " + strings.Join(names, ", ")
}
