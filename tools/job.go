package tools

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aye/tools/proc"
)

var errNoJobs = errors.New("no background jobs can run here: run the command without background")

// jobLook is how long a new job is watched before the model hears of it: long
// enough for a server that cannot start to say so.
const jobLook = time.Second

// background prepares a command as ShellAction does: it is judged and shown in
// the same way.
func background(c Commands, jobs *Jobs, command string, limit time.Duration) (Action, error) {
	if jobs == nil {
		return Action{}, errNoJobs
	}
	action, err := ShellAction(c, command, limit)
	if err != nil {
		return Action{}, err
	}
	action.Title = "in the background: " + action.Title
	action.Preview.Summary = "in the background"
	action.Run = func(ctx context.Context, progress func(string)) Result {
		one, err := jobs.start(c.Shell, proc.Spec{Command: command, Dir: c.Dir, Env: c.Env, Timeout: limit})
		if err != nil {
			return Result{Status: Failed, Text: err.Error()}
		}
		look, cancel := context.WithTimeout(ctx, jobLook)
		defer cancel()
		return jobs.attend(ctx, look, one, progress)
	}
	return action, nil
}

type jobArgs struct {
	ID   int   `json:"id"`
	Wait *int  `json:"wait" doc:"seconds, for its end"`
	Stop *bool `json:"stop"`
}

const maxWait = 600 // seconds

// jobTool asks nobody: what it reads and ends was allowed when it was started.
func jobTool(jobs *Jobs) Tool {
	const doc = "Read new output of a background job, wait for it or stop it"
	return Define("job", doc, func(_ context.Context, args jobArgs) (Action, error) {
		one, err := jobs.find(args.ID)
		if err != nil {
			return Action{}, err
		}
		wait, stop := 0, args.Stop != nil && *args.Stop
		if args.Wait != nil {
			wait = *args.Wait
		}
		if wait < 0 || wait > maxWait {
			return Action{}, fmt.Errorf("wait is %d: give seconds, from 0 to %d", wait, maxWait)
		}
		title := fmt.Sprintf("%d: %s", one.id, commandTitle(one.command))
		if stop {
			title = "stop " + title
		}
		return Action{Title: title, Run: func(ctx context.Context, progress func(string)) Result {
			if stop {
				one.Stop()
				return jobs.attend(ctx, ctx, one, progress)
			}
			until, cancel := context.WithTimeout(ctx, time.Duration(wait)*time.Second)
			defer cancel()
			return jobs.attend(ctx, until, one, progress)
		}}, nil
	})
}

// attend waits for a job's end, at most until the context of that name ends,
// and says to the model how the job is doing. Once it has said of a job that it
// runs, its end is news.
func (j *Jobs) attend(ctx, until context.Context, one *job, progress func(string)) Result {
	j.mu.Lock()
	one.attended++
	j.mu.Unlock()
	one.Wait(until, progress)
	j.mu.Lock()
	defer j.mu.Unlock()
	running, took := one.Running()
	if !running { // still attended: this result tells the end
		return one.ended()
	}
	one.attended--
	if !one.said {
		one.said = true
		j.announce(one)
	}
	r := one.running(took)
	if ctx.Err() != nil { // the person interrupts the turn, not the job
		r.Status = Interrupted
	}
	return r
}

// ended is the result that tells the end of a job.
func (j *job) ended() Result {
	r := shellResult(j.Outcome())
	r.Ended = j.id
	summary, _ := j.verdict()
	r.View.Summary = fmt.Sprintf("job %d: %s", j.id, summary)
	if j.stopped {
		r.Text = "[the user stopped this job]\n" + r.Text
	}
	return r
}

func (j *job) running(took time.Duration) Result {
	text := j.Unread()
	if text == "" {
		text = "[no new output]\n"
	}
	return Result{
		Status: OK,
		Text:   fmt.Sprintf("[job %d is running, for %s now; job reads on, waits or stops it]\n%s", j.id, duration(took), text),
		View:   View{Kind: Output, Summary: fmt.Sprintf("job %d: running · %s", j.id, duration(took)), Text: text},
	}
}

// verdict says in a few words how a job ended, and whether that is a failure.
func (j *job) verdict() (summary string, failed bool) {
	o := j.End()
	switch {
	case o.End == proc.NotStarted:
		return "not started", true
	case o.End == proc.Stopped && j.stopped:
		return "stopped by the user · " + duration(o.Took), false
	}
	return shellSummary(o), shellFailed(o)
}
