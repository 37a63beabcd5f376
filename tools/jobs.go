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
	work sync.WaitGroup // one for each job that runs

	mu     sync.Mutex
	list   []*job // by number
	last   int    // the last number given
	closed bool
	news   []JobInfo     // not told yet
	wake   chan struct{} // holds a token when there may be news
}

type job struct {
	*proc.Job
	id      int
	command string

	// With Jobs.mu:
	said     bool // it was said that it runs, so its end is news
	attended int  // calls that tell its end if it comes while they wait, or have
	stopped  bool // by the person
}

// A JobInfo is what people see of a job.
type JobInfo struct {
	ID      int           `json:"id"`
	Command string        `json:"command"` // foreign text
	Running bool          `json:"running"`
	Took    time.Duration `json:"took"`             // so far, or until it ended
	Last    string        `json:"last,omitzero"`    // the last line of its output; foreign text
	Summary string        `json:"summary,omitzero"` // how it ended: "exit 1 · 2.3 s"
	Failed  bool          `json:"failed,omitzero"`  // it ended, and neither with 0 nor because it was stopped
	Told    bool          `json:"told,omitzero"`    // in the news of its end: a call's result tells it too
}

const (
	maxRunning = 16  // jobs at a time
	maxJobs    = 100 // jobs remembered; ended ones are forgotten first
)

// NewJobs returns an empty table.
func NewJobs() *Jobs {
	j := &Jobs{wake: make(chan struct{}, 1)}
	j.life, j.end = context.WithCancel(context.Background())
	return j
}

// After has the jobs numbered from id+1 on: the numbers up to there are those
// of earlier runs of the session, and may still be talked of.
func (j *Jobs) After(id int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last = max(j.last, id)
}

// Close ends all jobs, at once, and returns when nothing of them is left.
func (j *Jobs) Close() {
	j.mu.Lock()
	j.closed = true
	j.mu.Unlock()
	j.end()
	j.work.Wait()
}

// List returns the jobs of the session, the oldest first.
func (j *Jobs) List() []JobInfo {
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []JobInfo
	for _, one := range j.list {
		out = append(out, one.info())
	}
	return out
}

// Stop has a job end because the person wants it, and does not wait for that.
// Its error is for the person.
func (j *Jobs) Stop(id int) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, one := range j.list {
		if running, _ := one.Running(); one.id == id && running {
			one.stopped = true
			one.Stop()
			return nil
		}
	}
	if names := j.running(); names != "" {
		return fmt.Errorf("no job %d is running; running: %s", id, names)
	}
	return fmt.Errorf("no job is running")
}

// Watch tells of jobs, in order: that one runs, once it has outlived the first
// look at it, and that such a one has ended. It returns when ctx ends. One
// watcher at a time gets all the news.
func (j *Jobs) Watch(ctx context.Context, tell func(JobInfo)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-j.wake:
		}
		j.mu.Lock()
		news := j.news
		j.news = nil
		j.mu.Unlock()
		for _, n := range news {
			tell(n)
		}
	}
}

// announce makes news of how a job is doing. j.mu is held.
func (j *Jobs) announce(one *job) {
	info := one.info()
	info.Told = !info.Running && one.attended > 0
	j.news = append(j.news, info)
	select {
	case j.wake <- struct{}{}:
	default: // the token is there
	}
}

func (one *job) info() JobInfo {
	running, took := one.Running()
	info := JobInfo{ID: one.id, Command: one.command, Running: running, Took: took, Last: one.Last()}
	if !running {
		info.Summary, info.Failed = one.verdict()
	}
	return info
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
	one := &job{Job: sh.Start(j.life, spec), id: j.last, command: spec.Command}
	j.list = append(j.list, one)
	j.work.Go(func() {
		<-one.Ended()
		j.mu.Lock()
		defer j.mu.Unlock()
		if one.said {
			j.announce(one)
		}
	})
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
		return nil, fmt.Errorf("there is no job %d, jobs end with aye; running: %s", id, names)
	}
	return nil, fmt.Errorf("there is no job %d and none is running: jobs end with aye; start one with shell and background: true", id)
}
