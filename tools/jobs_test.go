//go:build unix

package tools

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
)

func newJobs(t *testing.T) *Jobs {
	t.Helper()
	jobs := NewJobs()
	t.Cleanup(jobs.Close)
	return jobs
}

func call(ctx context.Context, t *testing.T, tool Tool, args string, progress func(string)) Result {
	t.Helper()
	action, err := tool.Prepare(ctx, args)
	if err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	return action.Run(ctx, progress)
}

func quietly(string) {}

// W35: a server runs on while the model does other things.
func TestJob(t *testing.T) {
	t.Parallel()
	c, jobs := commands(t), newJobs(t)
	shell, job := shellTool(c, jobs), jobTool(jobs)
	const server = `echo ready; until [ -e go ]; do sleep 0.01; done; echo served; exit 3`
	r := call(t.Context(), t, shell, `{"cmd": "`+server+`", "background": true}`, quietly)
	if r.Status != OK || !strings.HasPrefix(r.Text, "[job 1 is running, for ") || !strings.HasSuffix(r.Text, "ready\n") || r.View.Kind != Output || !strings.HasPrefix(r.View.Summary, "job 1: running · ") || r.View.Failed {
		t.Errorf("started: %+v", r)
	}
	if l := jobs.List(); len(l) != 1 || l[0].ID != 1 || l[0].Command != server || !l[0].Running || l[0].Took < jobLook {
		t.Errorf("listed: %+v", l)
	}
	if r := call(t.Context(), t, job, `{"id": 1}`, quietly); r.Status != OK || !strings.HasSuffix(r.Text, "]\n[no new output]\n") {
		t.Errorf("nothing new: %+v", r)
	}
	if err := os.WriteFile(filepath.Join(c.Dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	live := ""
	r = call(t.Context(), t, job, `{"id": 1, "wait": 60}`, func(s string) { live += s })
	if r.Status != OK || r.Text != "exit_code=3\nserved\n" || !strings.HasPrefix(r.View.Summary, "job 1: exit 3 · ") || !r.View.Failed {
		t.Errorf("ended: %+v", r)
	}
	if live != "served\n" {
		t.Errorf("shown while it was waited for: %q", live)
	}
	if r := call(t.Context(), t, job, `{"id": 1, "stop": true}`, quietly); r.Text != "exit_code=3\n" {
		t.Errorf("read again: %+v", r)
	}
	if l := jobs.List(); len(l) != 1 || l[0].Running {
		t.Errorf("listed: %+v", l)
	}
}

// What cannot start says so at once.
func TestJobThatEndsAtOnce(t *testing.T) {
	t.Parallel()
	r := call(t.Context(), t, shellTool(commands(t), newJobs(t)), `{"cmd": "echo port in use >&2; exit 1", "background": true}`, quietly)
	if r.Text != "exit_code=1\nport in use\n" || !r.View.Failed {
		t.Errorf("got %+v", r)
	}
	c := commands(t)
	if err := os.Remove(c.Dir); err != nil {
		t.Fatal(err)
	}
	r = call(t.Context(), t, shellTool(c, newJobs(t)), `{"cmd": "true", "background": true}`, quietly)
	if r.Status != Failed || !strings.Contains(r.Text, "is gone") {
		t.Errorf("without its folder: %+v", r)
	}
}

func TestJobIsStoppedGently(t *testing.T) {
	t.Parallel()
	jobs := newJobs(t)
	call(t.Context(), t, shellTool(commands(t), jobs), `{"cmd": "trap 'echo tidied; exit 0' TERM; sleep 3000 & wait", "background": true}`, quietly)
	r := call(t.Context(), t, jobTool(jobs), `{"id": 1, "stop": true}`, quietly)
	if r.Status != OK || !strings.HasPrefix(r.Text, "exit_code=0\n[stopped: ") || !strings.HasSuffix(r.Text, "tidied\n") || r.View.Failed || !strings.HasPrefix(r.View.Summary, "job 1: stopped · ") {
		t.Errorf("got %+v", r)
	}
}

// The end of a turn, even within the first look, is not that of its jobs; the
// end of the session is.
func TestJobsEndWithTheSession(t *testing.T) {
	t.Parallel()
	c, jobs := commands(t), NewJobs()
	ctx, cancel := context.WithCancel(t.Context())
	r := call(ctx, t, shellTool(c, jobs), `{"cmd": "trap '' TERM; sh -c 'echo $$ > pid; echo up; exec sleep 3000' & wait", "background": true}`, func(string) { cancel() })
	if r.Status != Interrupted || !strings.HasPrefix(r.Text, "[job 1 is running, ") {
		t.Errorf("interrupted: %+v", r)
	}
	text, err := os.ReadFile(filepath.Join(c.Dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, 0); err != nil {
		t.Errorf("the job did not live on: %v", err)
	}
	if r := call(ctx, t, jobTool(jobs), `{"id": 1, "wait": 600}`, quietly); r.Status != Interrupted {
		t.Errorf("an interrupted wait: %+v", r)
	}
	jobs.Close()
	if l := jobs.List(); len(l) != 1 || l[0].Running {
		t.Errorf("after the end: %+v", l)
	}
	if r := call(t.Context(), t, shellTool(c, jobs), `{"cmd": "true", "background": true}`, quietly); r.Status != Failed {
		t.Errorf("after the end a job starts: %+v", r)
	}
	expectDead(t, pid)
}

// expectDead tells a process that nobody has waited for, since its parent is
// gone, from one that lives.
func expectDead(t *testing.T, pid int) {
	t.Helper()
	if syscall.Kill(pid, 0) != nil {
		return
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err == nil && !strings.Contains(string(stat), ") Z ") {
		t.Errorf("process %d is alive: %s", pid, stat)
	}
}

// A job that writes and is not read costs no more than any command.
func TestJobOutputIsBounded(t *testing.T) {
	t.Parallel()
	jobs := newJobs(t)
	r := call(t.Context(), t, shellTool(commands(t), jobs), `{"cmd": "yes", "background": true}`, quietly)
	if len(r.Text) > 17_000 || !strings.Contains(r.Text, "left out") {
		t.Errorf("%d bytes: %.100q", len(r.Text), r.Text)
	}
}

func TestJobIsAskedAsShellIs(t *testing.T) {
	t.Parallel()
	c, jobs := commands(t), newJobs(t)
	front, err := shellTool(c, jobs).Prepare(t.Context(), `{"cmd": "git push"}`)
	if err != nil {
		t.Fatal(err)
	}
	back, err := shellTool(c, jobs).Prepare(t.Context(), `{"cmd": "git push", "background": true}`)
	if err != nil {
		t.Fatal(err)
	}
	if len(back.Effects) != 1 || back.Effects[0] != front.Effects[0] || back.Preview.Text != front.Preview.Text || back.Title != "in the background: git push" {
		t.Errorf("prepared %+v, and in front %+v", back, front)
	}
	if len(jobs.List()) != 0 {
		t.Error("it runs already")
	}
}

func TestJobRefuses(t *testing.T) {
	t.Parallel()
	c, jobs := commands(t), newJobs(t)
	for _, tc := range []struct {
		tool       Tool
		args, want string
	}{
		{shellTool(c, nil), `{"cmd": "true", "background": true}`, "without background"},
		{shellTool(c, jobs), `{"cmd": " ", "background": true}`, "empty"},
		{jobTool(nil), `{"id": 1}`, "without background"},
		{jobTool(jobs), `{"id": 1}`, "background: true"},
		{jobTool(jobs), `{}`, "id"},
	} {
		if _, err := tc.tool.Prepare(t.Context(), tc.args); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s %s: %v, want %q", tc.tool.Name, tc.args, err, tc.want)
		}
	}
	call(t.Context(), t, shellTool(c, jobs), `{"cmd": "sleep 3000", "background": true}`, quietly)
	for args, want := range map[string]string{`{"id": 7}`: "running: 1: sleep 3000", `{"id": 1, "wait": 601}`: "from 0 to 600", `{"id": 1, "wait": -1}`: "from 0 to 600"} {
		if _, err := jobTool(jobs).Prepare(t.Context(), args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}

// There is a limit to how many run, and to how many are remembered.
func TestManyJobs(t *testing.T) {
	t.Parallel()
	c, jobs := commands(t), newJobs(t)
	var all sync.WaitGroup
	for range maxRunning {
		all.Go(func() {
			call(t.Context(), t, shellTool(c, jobs), `{"cmd": "exec sleep 3000", "background": true}`, quietly)
		})
	}
	all.Wait()
	if r := call(t.Context(), t, shellTool(c, jobs), `{"cmd": "true", "background": true}`, quietly); r.Status != Failed || !strings.Contains(r.Text, "stop one of them first (1: exec sleep 3000, ") {
		t.Errorf("one more: %+v", r)
	}
	jobs.mu.Lock()
	running := jobs.list
	jobs.mu.Unlock()
	for _, one := range running {
		one.Stop()
	}
	for _, one := range running {
		<-one.Ended()
	}
	jobs.mu.Lock()
	defer jobs.mu.Unlock()
	for len(jobs.list) < maxJobs {
		jobs.list = append(jobs.list, running[0])
	}
	jobs.forget()
	if len(jobs.list) != maxJobs-1 {
		t.Errorf("%d jobs are remembered", len(jobs.list))
	}
}

// watched collects the news of jobs; next waits for one.
func watched(t *testing.T, jobs *Jobs) (next func() JobInfo) {
	t.Helper()
	news := make(chan JobInfo, 100)
	ctx, cancel := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() { jobs.Watch(ctx, func(j JobInfo) { news <- j }) })
	t.Cleanup(func() { cancel(); work.Wait() })
	return func() JobInfo {
		t.Helper()
		select {
		case n := <-news:
			return n
		case <-t.Context().Done():
			t.Fatal("no news came")
			return JobInfo{}
		}
	}
}

// That a job runs, and that it has ended, is news at once; the end of one that
// a call waits for is marked as told, and the call names it.
func TestJobsAreNews(t *testing.T) {
	t.Parallel()
	c, jobs := commands(t), newJobs(t)
	next := watched(t, jobs)
	shell, job := shellTool(c, jobs), jobTool(jobs)
	const server = `echo; echo up; echo; until [ -e go ]; do sleep 0.01; done; exit 3`
	call(t.Context(), t, shell, `{"cmd": "`+server+`", "background": true}`, quietly)
	if n := next(); n.ID != 1 || n.Command != server || !n.Running || n.Last != "up" || n.Told || n.Summary != "" || n.Took < jobLook {
		t.Errorf("it runs: %+v", n)
	}
	call(t.Context(), t, job, `{"id": 1}`, quietly) // does not tell of an end
	if err := os.WriteFile(filepath.Join(c.Dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if n := next(); n.ID != 1 || n.Running || n.Told || !n.Failed || !strings.HasPrefix(n.Summary, "exit 3 · ") {
		t.Errorf("its end: %+v", n)
	}
	if r := call(t.Context(), t, job, `{"id": 1}`, quietly); r.Ended != 1 {
		t.Errorf("read after its end: %+v", r)
	}

	call(t.Context(), t, shell, `{"cmd": "sleep 3000", "background": true}`, quietly)
	next()
	if r := call(t.Context(), t, job, `{"id": 2, "stop": true}`, quietly); r.Ended != 2 {
		t.Errorf("stopped: %+v", r)
	}
	if n := next(); n.ID != 2 || n.Running || !n.Told || n.Failed || !strings.HasPrefix(n.Summary, "stopped · ") {
		t.Errorf("its end: %+v", n)
	}
}

// What ends within the first look is told by its call alone.
func TestShortJobsAreNoNews(t *testing.T) {
	t.Parallel()
	c, jobs := commands(t), newJobs(t)
	next := watched(t, jobs)
	shell := shellTool(c, jobs)
	if r := call(t.Context(), t, shell, `{"cmd": "true", "background": true}`, quietly); r.Ended != 1 {
		t.Errorf("got %+v", r)
	}
	call(t.Context(), t, shell, `{"cmd": "sleep 3000", "background": true}`, quietly)
	if n := next(); n.ID != 2 {
		t.Errorf("news: %+v", n)
	}
}

// A person stops a job; its end says who did.
func TestJobIsStoppedByThePerson(t *testing.T) {
	t.Parallel()
	c, jobs := commands(t), newJobs(t)
	next := watched(t, jobs)
	if err := jobs.Stop(1); err == nil || err.Error() != "no job is running" {
		t.Errorf("without jobs: %v", err)
	}
	call(t.Context(), t, shellTool(c, jobs), `{"cmd": "echo up; sleep 3000", "background": true}`, quietly)
	next()
	if err := jobs.Stop(7); err == nil || err.Error() != "no job 7 is running; running: 1: echo up; sleep 3000" {
		t.Errorf("another: %v", err)
	}
	if err := jobs.Stop(1); err != nil {
		t.Error(err)
	}
	if n := next(); n.Running || n.Failed || !strings.HasPrefix(n.Summary, "stopped by the user · ") || n.Last != "up" {
		t.Errorf("its end: %+v", n)
	}
	if r := call(t.Context(), t, jobTool(jobs), `{"id": 1}`, quietly); !strings.HasPrefix(r.Text, "[the user stopped this job]\nexit_code=") {
		t.Errorf("the model reads %q", r.Text)
	}
	if err := jobs.Stop(1); err == nil {
		t.Error("it was stopped twice")
	}
}

// The numbers of an earlier run are not given again.
func TestJobsAreNumberedOn(t *testing.T) {
	t.Parallel()
	jobs := newJobs(t)
	jobs.After(4)
	if _, err := jobTool(jobs).Prepare(t.Context(), `{"id": 4}`); err == nil || err.Error() != "there is no job 4 and none is running: jobs end with aye; start one with shell and background: true" {
		t.Errorf("a job of an earlier run: %v", err)
	}
	if r := call(t.Context(), t, shellTool(commands(t), jobs), `{"cmd": "true", "background": true}`, quietly); r.Ended != 5 {
		t.Errorf("got %+v", r)
	}
}

// The title of the approval says that a command stays.
func TestBackgroundIsSaid(t *testing.T) {
	t.Parallel()
	action, err := shellTool(commands(t), newJobs(t)).Prepare(t.Context(), `{"cmd": "npm run dev", "background": true}`)
	if err != nil || action.Preview.Summary != "in the background" || action.Preview.Text != "npm run dev" || action.Title != "in the background: npm run dev" {
		t.Errorf("%+v, %v", action, err)
	}
}
