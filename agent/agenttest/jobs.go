package agenttest

import (
	"context"
	"fmt"
	"sync"

	"aye/tools"
)

// Jobs are background jobs without processes: the test says when one starts
// and ends.
type Jobs struct {
	mu   sync.Mutex
	list []tools.JobInfo
	last int
	news chan tools.JobInfo
}

// NewJobs returns jobs that are numbered from after+1 on.
func NewJobs(after int) *Jobs { return &Jobs{last: after, news: make(chan tools.JobInfo, 1000)} }

// Start makes news of a job that runs, and returns its number.
func (j *Jobs) Start(command string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last++
	info := tools.JobInfo{ID: j.last, Command: command, Running: true}
	j.list = append(j.list, info)
	j.news <- info
	return j.last
}

// End makes news of the end of a job, if it runs. told: a call's result says
// so too.
func (j *Jobs) End(id int, summary string, told bool) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	for i := range j.list {
		if one := &j.list[i]; one.ID == id && one.Running {
			one.Running, one.Summary, one.Failed, one.Told = false, summary, summary != "exit 0", told
			j.news <- *one
			return true
		}
	}
	return false
}

// Watch implements [agent.Jobs].
func (j *Jobs) Watch(ctx context.Context, tell func(tools.JobInfo)) {
	for {
		select {
		case <-ctx.Done():
			return
		case n := <-j.news:
			tell(n)
		}
	}
}

// List implements [agent.Jobs].
func (j *Jobs) List() []tools.JobInfo {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]tools.JobInfo(nil), j.list...)
}

// Stop implements [agent.Jobs]: the job ends at once.
func (j *Jobs) Stop(id int) error {
	if !j.End(id, "stopped by the user", false) {
		return fmt.Errorf("no job %d is running", id)
	}
	return nil
}
