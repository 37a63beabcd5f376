package agent

import (
	"context"
	"errors"
	"sync"
	"time"

	"aye/tools"
)

// A job is one call's, or one command's, work outside the session. A tool is
// foreign code: it may panic, and it may not stop when it is told to. So it
// runs on a goroutine of its own, which the session owns until it ends, and
// whoever waits for it waits a bounded time.
type job struct {
	id   string // of the call or command
	asks chan<- ask
	work *sync.WaitGroup
	now  func() time.Time
}

// An outcome is what running an action came to.
type outcome struct {
	result tools.Result
	took   time.Duration
}

// errAbandoned is what waiting for a Prepare that does not stop comes to.
var errAbandoned = errors.New("abandoned")

// leash returns a context that ends a grace after ctx does: for whoever waits
// for work that was told to stop. release ends it earlier.
func leash(ctx context.Context, work *sync.WaitGroup) (late context.Context, release func()) {
	late, release = context.WithCancel(context.WithoutCancel(ctx))
	work.Go(func() {
		select {
		case <-ctx.Done():
		case <-late.Done():
			return
		}
		patience := time.NewTimer(grace)
		defer patience.Stop()
		select {
		case <-patience.C:
			release()
		case <-late.Done():
		}
	})
	return late, release
}

// command prepares and runs the person's command.
func (j job) command(ctx, late context.Context, shell func(context.Context, string) (tools.Action, error), text string) outcome {
	act, err := j.prepare(late, func() (tools.Action, error) { return shell(ctx, text) })
	if errors.Is(err, errAbandoned) || ctx.Err() != nil {
		return outcome{result: tools.Result{Status: tools.Interrupted, Text: "Interrupted before it started."}}
	}
	if err != nil {
		return outcome{result: tools.Result{Status: tools.Failed, Text: err.Error()}}
	}
	return j.await(late, j.run(ctx, act))
}

// prepare calls do, which checks a call, and waits until late ends.
func (j job) prepare(late context.Context, do func() (tools.Action, error)) (tools.Action, error) {
	type prepared struct {
		act tools.Action
		err error
	}
	ready := make(chan prepared, 1)
	j.work.Go(func() {
		var p prepared
		defer func() {
			if r := recover(); r != nil {
				p = prepared{err: errors.New(crash(r))}
			}
			ready <- p
		}()
		p.act, p.err = do()
	})
	select {
	case p := <-ready:
		return p.act, p.err
	case <-late.Done():
		return tools.Action{}, errAbandoned
	}
}

// A run is an action under way.
type run struct {
	start time.Time
	ended <-chan outcome
}

// run starts act.
func (j job) run(ctx context.Context, act tools.Action) run {
	ended := make(chan outcome, 1)
	start := j.now()
	j.work.Go(func() {
		live, end := context.WithCancel(ctx) // progress is heard only while this lives
		var res tools.Result
		defer func() {
			end()
			if r := recover(); r != nil {
				res = failure("%s. What the call did before that is unknown: inspect before retrying.", crash(r))
			}
			switch {
			case res.Status == "":
				res.Status = tools.OK
			case res.Status == tools.Interrupted && ctx.Err() != nil:
				res = interrupted(res)
			}
			ended <- outcome{res, j.now().Sub(start)}
		}()
		res = act.Run(ctx, func(text string) { j.progress(live, text) })
	})
	return run{start, ended}
}

// progress passes output on.
func (j job) progress(live context.Context, text string) {
	if text == "" {
		return
	}
	select {
	case j.asks <- func(s *Session) { s.progress(j.id, text) }:
	case <-live.Done():
	}
}

// await waits for an outcome, and gives up on work that does not stop.
func (j job) await(late context.Context, r run) outcome {
	select {
	case out := <-r.ended:
		return out
	case <-late.Done():
	}
	select {
	case out := <-r.ended: // both were there
		return out
	default:
		said := tools.Result{Status: tools.Interrupted, Text: j.heard()}
		return outcome{interrupted(said), j.now().Sub(r.start)}
	}
}

// heard returns the end of the output so far: all there is of work that is
// given up.
func (j job) heard() string {
	said := make(chan string, 1)
	j.asks <- func(s *Session) { said <- s.heard[j.id] }
	return <-said
}
