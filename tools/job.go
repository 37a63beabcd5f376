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
	action.Run = func(ctx context.Context, progress func(string)) Result {
		one, err := jobs.start(c.Shell, proc.Spec{Command: command, Dir: c.Dir, Env: c.Env, Timeout: limit})
		if err != nil {
			return Result{Status: Failed, Text: err.Error()}
		}
		look, cancel := context.WithTimeout(ctx, jobLook)
		defer cancel()
		one.Wait(look, progress)
		return one.result(ctx)
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
				one.Wait(ctx, progress)
			} else if wait > 0 {
				until, cancel := context.WithTimeout(ctx, time.Duration(wait)*time.Second)
				defer cancel()
				one.Wait(until, progress)
			}
			return one.result(ctx)
		}}, nil
	})
}

// result says how a job is doing.
func (j *job) result(ctx context.Context) Result {
	running, took := j.Running()
	if !running {
		r := shellResult(j.Outcome())
		r.View.Summary = fmt.Sprintf("job %d: %s", j.id, r.View.Summary)
		return r
	}
	text := j.Unread()
	if text == "" {
		text = "[no new output]\n"
	}
	r := Result{
		Status: OK,
		Text:   fmt.Sprintf("[job %d is running, for %s now; job reads on, waits or stops it]\n%s", j.id, duration(took), text),
		View:   View{Kind: Output, Summary: fmt.Sprintf("job %d: running · %s", j.id, duration(took)), Text: text},
	}
	if ctx.Err() != nil { // the person interrupts the turn, not the job
		r.Status = Interrupted
	}
	return r
}
