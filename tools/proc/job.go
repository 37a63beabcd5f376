package proc

import (
	"context"
	"strings"
	"sync"
	"time"
)

// A Job is a command that runs in the background. Its output is kept, head and
// tail, until it is read.
type Job struct {
	began   time.Time
	stop    func() // asks it to end, once
	ended   chan struct{}
	outcome Outcome // once ended is closed

	mu     sync.Mutex
	unread keeper
	latest string            // the end of all output, read or not
	news   func(text string) // gets output as it comes, while somebody watches
}

// Start runs a command in the background until it ends, is stopped, or ctx
// ends. Without a Timeout there is none. Whoever starts a job waits for its
// end. Progress, Room and Stop of spec are the job's own.
func (s Shell) Start(ctx context.Context, spec Spec) *Job {
	stopped := make(chan struct{})
	j := &Job{
		began: time.Now(), stop: sync.OnceFunc(func() { close(stopped) }), ended: make(chan struct{}),
		unread: keeper{max: MaxOutput / 2},
	}
	if spec.Timeout <= 0 {
		spec.Timeout = NoTimeout
	}
	spec.Progress, spec.Room, spec.Stop = j.take, MaxOutput, stopped
	go func() {
		defer close(j.ended)
		j.outcome = s.Run(ctx, spec)
	}()
	return j
}

func (j *Job) take(text string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.unread.keep([]byte(text))
	j.latest += text
	if over := len(j.latest) - latestRoom; over > 0 {
		j.latest = strings.ToValidUTF8(j.latest[over:], "")
	}
	if j.news != nil {
		j.news(text)
	}
}

// Stop asks the job to end: SIGTERM, [TermGrace] later SIGKILL. It does not
// wait for that.
func (j *Job) Stop() { j.stop() }

// Ended is closed when nothing of the job is left.
func (j *Job) Ended() <-chan struct{} { return j.ended }

// Running tells whether the job has not ended, and for how long it has run, or
// did.
func (j *Job) Running() (bool, time.Duration) {
	if closed(j.ended) {
		return false, j.outcome.Took
	}
	return true, time.Since(j.began)
}

// Unread returns what the job has put out since the last call.
func (j *Job) Unread() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	text := j.unread.text()
	j.unread = keeper{max: j.unread.max}
	return text
}

// latestRoom is how many bytes of the end of the output are kept for Last.
const latestRoom = 1 << 10

// Last returns the last line of the output that is not blank, or the end of a
// long one: for people who want to know how the job is doing. It is still
// unread.
func (j *Job) Last() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	text := strings.TrimSpace(j.latest)
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// Outcome says what an ended job came to; its Output is what was not read yet.
func (j *Job) Outcome() Outcome {
	o := j.End()
	o.Output = j.Unread()
	return o
}

// End is Outcome without the output, which stays unread.
func (j *Job) End() Outcome {
	<-j.ended
	o := j.outcome
	o.Output = ""
	return o
}

// Wait waits for the job's end, or until ctx ends, and hands on what comes
// meanwhile to news, which may be nil.
func (j *Job) Wait(ctx context.Context, news func(text string)) {
	j.watch(news)
	defer j.watch(nil)
	select {
	case <-j.ended:
	case <-ctx.Done():
	}
}

func (j *Job) watch(news func(string)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.news = news
}
