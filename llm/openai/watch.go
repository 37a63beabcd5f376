package openai

import (
	"context"
	"errors"
	"io"
	"time"
)

var errSilent = errors.New("the server was silent for too long")

// A watch ends a request whose server is silent for too long. Only time spent
// waiting for the server counts: a caller may take as long as it likes between
// two events. Any byte is a sign of life and starts the wait anew, but life
// without a delta ends too, after the time alone.
//
// The watch belongs to one request and its goroutine.
type watch struct {
	ctx    context.Context // ends when the watch gives up
	cancel context.CancelCauseFunc
	timer  *time.Timer
	limit  time.Duration // for one wait
	alone  time.Duration // for all waits since the last delta
	waited time.Duration // since the last delta
	begun  bool          // a delta came
}

// newWatch starts nothing: the time runs during wait.
func newWatch(ctx context.Context, limit, alone time.Duration) *watch {
	w := &watch{}
	w.allow(limit, alone)
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.timer = time.AfterFunc(time.Hour, func() { w.cancel(errSilent) })
	w.timer.Stop()
	return w
}

// wait runs f, which waits for the server, under the limit.
func (w *watch) wait(f func()) {
	start := time.Now()
	w.timer.Reset(min(w.limit, w.alone-w.waited))
	f()
	w.timer.Stop()
	w.waited += time.Since(start)
}

// progress says that a delta came: from here on, limit is idle.
func (w *watch) progress(idle time.Duration) {
	w.begun, w.limit, w.waited = true, idle, 0
}

// allow sets the limits anew, for what is waited for from here on.
func (w *watch) allow(limit, alone time.Duration) {
	w.limit, w.alone, w.waited = limit, max(alone, limit), 0
}

// silent reports whether the watch has given up.
func (w *watch) silent() bool { return errors.Is(context.Cause(w.ctx), errSilent) }

// stop ends the request.
func (w *watch) stop() {
	w.timer.Stop()
	w.cancel(nil)
}

// reader returns r with each of its reads under the watch.
func (w *watch) reader(r io.Reader) io.Reader { return watched{w, r} }

type watched struct {
	watch *watch
	r     io.Reader
}

func (r watched) Read(p []byte) (n int, err error) {
	r.watch.wait(func() { n, err = r.r.Read(p) })
	return n, err
}
