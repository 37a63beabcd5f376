package agent

import (
	"context"
	"fmt"
	"slices"

	"aye/tools"
)

// watchJobs makes events of what becomes of background jobs.
func (s *Session) watchJobs(ctx context.Context) {
	if s.opts.Jobs == nil {
		return
	}
	s.work.Go(func() {
		s.opts.Jobs.Watch(ctx, func(j tools.JobInfo) {
			select {
			case s.asks <- func(s *Session) { s.jobNews(j) }:
			case <-ctx.Done(): // the next run of the session says that they ended
			}
		})
	})
}

func (s *Session) jobNews(j tools.JobInfo) {
	if j.Running {
		s.record(JobStarted{ID: j.ID, Command: j.Command})
		return
	}
	s.record(JobEnded{ID: j.ID, Command: j.Command, Summary: j.Summary, Failed: j.Failed, Told: j.Told})
}

func (s *Session) listJobs() {
	var list []tools.JobInfo
	if s.opts.Jobs != nil {
		list = s.opts.Jobs.List()
	}
	s.record(JobsListed{list})
}

func (s *Session) stopJob(id int) {
	if s.opts.Jobs == nil {
		s.record(Noted{Warn, "No jobs can run here."})
		return
	}
	if err := s.opts.Jobs.Stop(id); err != nil {
		s.record(Noted{Warn, fmt.Sprintf("Nothing was stopped: %v.", err)})
	}
}

// applyJobEnded takes a job off the list and tells the model, who may wait for
// it: of a job that is known to the conversation, and where no result has said
// so.
func (s *State) applyJobEnded(ev JobEnded) {
	s.Jobs = slices.DeleteFunc(s.Jobs, func(j JobStarted) bool { return j.ID == ev.ID })
	if ev.Told || ev.ID <= s.strange {
		return
	}
	of := fmt.Sprintf("Job %d (%s) ended", ev.ID, oneLine(ev.Command, 80))
	if ev.Summary == "" {
		s.tell(ev.ID, "<reminder>"+of+" with aye.</reminder>")
		return
	}
	s.tell(ev.ID, "<reminder>"+of+": "+ev.Summary+". The job tool reads the rest of its output.</reminder>")
}
