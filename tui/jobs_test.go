package tui

import (
	"testing"
	"time"

	"aye/agent"
	"aye/agent/agenttest"
	"aye/llm/llmtest"
)

// playJobs is play with background jobs.
func playJobs(t *testing.T, script llmtest.Script, do func(s *screen, jobs *agenttest.Jobs)) {
	t.Helper()
	var jobs *agenttest.Jobs // made where time is virtual
	playSession(t, 80, 24, script, func(o *agent.Options) {
		jobs = agenttest.NewJobs(0)
		o.Jobs = jobs
	}, func(*Options) {}, func(s *screen) { do(s, jobs) })
}

// The status line follows jobs while nobody does anything, and what becomes of
// them is said once.
func TestJobsOnTheScreen(t *testing.T) {
	playJobs(t, llmtest.Steps(says("It runs.")), func(s *screen, jobs *agenttest.Jobs) {
		s.enter("/jobs")
		s.shows("No command runs in the background, and none has in this session.")
		s.enter("go")
		s.lacks("1 job")
		jobs.Start("npm run dev")
		s.settle()
		s.shows("1 job   ")
		jobs.Start("make")
		s.settle()
		s.shows("2 jobs")
		jobs.End(2, "exit 2", false)
		s.settle()
		s.shows("1 job   ", "! job 2 (make) ended: exit 2")
		jobs.End(1, "exit 0", false)
		s.settle()
		s.shows("· job 1 (npm run dev) ended: exit 0")
		s.lacks("1 job   ")
		jobs.Start("told")
		jobs.End(3, "exit 0", true)
		s.settle()
		s.lacks("(told)")
	})
}

// /jobs lists them, and follows them; a job is stopped from there or by its
// number.
func TestJobsAreListedAndStopped(t *testing.T) {
	playJobs(t, llmtest.Steps(), func(s *screen, jobs *agenttest.Jobs) {
		s.enter("/jobs stop")
		s.shows("No job is running.")
		jobs.Start("npm run dev")
		jobs.Start("make")
		s.settle()
		s.enter("/jobs stop")
		s.shows("Say which one: /jobs stop 1 (npm run dev), /jobs stop 2 (make).")
		s.enter("/jobs stop 7")
		s.shows("No job 7 is running. Say which one")
		s.enter("/jobs stop 2")
		s.shows("stopping job 2: make", "job 2 (make) ended: stopped by the user", "1 job   ")

		s.enter("/jobs")
		s.shows("╶ jobs ╴ 1 running", "▸ 1  npm run dev", "2  make")
		jobs.Start("go test")
		s.wait(1100 * time.Millisecond)
		s.shows("╶ jobs ╴ 2 running", "3  go test")
		s.press("s")
		s.shows("╶ jobs ╴ 1 running", "▸ 1  npm run dev")
		s.press("q")
		s.shows("job 1 (npm run dev) ended: stopped by the user", "1 job   ")
	})
}

// A question comes to the top of the list of jobs, and the list is there, and
// goes on, when it was answered.
func TestQuestionOverTheJobs(t *testing.T) {
	script := llmtest.Steps(llmtest.Reply{Delay: 2 * time.Second, Calls: calls("touch", "a").Calls}, says("Touched."))
	playJobs(t, script, func(s *screen, jobs *agenttest.Jobs) {
		jobs.Start("npm run dev")
		s.enter("touch it")
		s.enter("/jobs")
		s.shows("1 running")
		s.wait(3 * time.Second)
		s.shows("touch a", "y once")
		s.press("n")
		s.wait(time.Second)
		s.shows("╶ jobs ╴ 1 running")
		jobs.Start("make")
		s.wait(2 * time.Second)
		s.shows("╶ jobs ╴ 2 running")
		s.press("esc")
		s.shows("Touched.", "2 jobs")
	})
}
