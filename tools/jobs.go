package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"aye/tools/proc"
)

// Jobs are the commands of a session that run in the background. They outlive
// the turn that started them, and end with the session: whoever made Jobs
// closes it. All of it may be called from any goroutine.
type Jobs struct {
	life context.Context
	end  context.CancelFunc

	mu     sync.Mutex
	list   []*job // by number
	last   int    // the last number given
	closed bool
}

type job struct {
	*proc.Job
	id      int
	command string
}

// A JobInfo is what people see of a job.
type JobInfo struct {
	ID      int
	Command string // foreign text
	Running bool
	Took    time.Duration // so far, or until it ended
}

const (
	maxRunning = 16  // jobs at a time
	maxJobs    = 100 // jobs remembered; ended ones are forgotten first
)

// NewJobs returns an empty table.
func NewJobs() *Jobs {
	j := &Jobs{}
	j.life, j.end = context.WithCancel(context.Background())
	return j
}

// Close ends all jobs, at once, and returns when nothing of them is left.
func (j *Jobs) Close() {
	j.mu.Lock()
	j.closed = true
	list := slices.Clone(j.list)
	j.mu.Unlock()
	j.end()
	for _, one := range list {
		<-one.Ended()
	}
}

// List returns the jobs of the session, the oldest first.
func (j *Jobs) List() []JobInfo {
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []JobInfo
	for _, one := range j.list {
		running, took := one.Running()
		out = append(out, JobInfo{one.id, one.command, running, took})
	}
	return out
}

// start starts a command. Its error is for the model.
func (j *Jobs) start(sh proc.Shell, spec proc.Spec) (*job, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	running := 0
	for _, one := range j.list {
		if now, _ := one.Running(); now {
			running++
		}
	}
	switch {
	case j.closed:
		return nil, errors.New("the session is ending: no job starts any more")
	case running >= maxRunning:
		return nil, fmt.Errorf("%d jobs are running, and no more may: stop one of them first (%s)", running, j.running())
	}
	j.forget()
	j.last++
	one := &job{sh.Start(j.life, spec), j.last, spec.Command}
	j.list = append(j.list, one)
	return one, nil
}

// forget drops the oldest ended jobs when there are many.
func (j *Jobs) forget() {
	for over := len(j.list) - maxJobs + 1; over > 0; over-- {
		i := slices.IndexFunc(j.list, func(one *job) bool { now, _ := one.Running(); return !now })
		if i < 0 {
			return
		}
		j.list = slices.Delete(j.list, i, i+1)
	}
}

// running names the running jobs.
func (j *Jobs) running() string {
	var names []string
	for _, one := range j.list {
		if now, _ := one.Running(); now {
			names = append(names, fmt.Sprintf("%d: %s", one.id, commandTitle(one.command)))
		}
	}
	return strings.Join(names, ", ")
}

// find returns a job. Its error is for the model.
func (j *Jobs) find(id int) (*job, error) {
	if j == nil {
		return nil, errNoJobs
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, one := range j.list {
		if one.id == id {
			return one, nil
		}
	}
	if names := j.running(); names != "" {
		return nil, fmt.Errorf("there is no job %d; running: %s", id, names)
	}
	return nil, fmt.Errorf("there is no job %d, none is running: jobs end with the session; start one with shell and background: true", id)
}
