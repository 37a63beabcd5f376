package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"aye/agent"
	"aye/agent/agenttest"
	"aye/llm"
	"aye/tools"
)

// withJobs gives the session jobs, and a tool that tells the end of job 1.
func (st *stage) withJobs() *agenttest.Jobs {
	jobs := agenttest.NewJobs(0)
	st.opts.Jobs = jobs
	st.opts.Tools = append(st.opts.Tools, tools.Tool{Name: "job", Prepare: func(context.Context, string) (tools.Action, error) {
		return tools.Action{Title: "1", Run: func(context.Context, func(string)) tools.Result {
			return tools.Result{Text: "exit_code=0", Ended: 1}
		}}, nil
	}})
	return jobs
}

func jobCall(id string) llm.ToolCall { return llm.ToolCall{ID: id, Name: "job", Args: "{}"} }

const jobOver = "<reminder>Job 1 (npm run dev) ended: exit 0. The job tool reads the rest of its output.</reminder>"

// A job that ends while nothing else goes on is news at once: a front end hears
// of it, the next request carries it, and nothing starts by itself.
func TestJobEndsBetweenTurns(t *testing.T) {
	scene(t, nil, func(st *stage) {
		jobs := st.withJobs()
		began := time.Now()
		turns := 0
		evs := st.play(func(ev agent.Event) bool {
			switch ev := ev.(type) {
			case agent.TurnEnded:
				if turns++; turns == 2 {
					return false
				}
				jobs.Start("npm run dev")
				time.AfterFunc(time.Hour, func() { jobs.End(1, "exit 0", false) })
			case agent.JobEnded:
				want(t, "an hour and the two words of the answer later", time.Since(began).Round(time.Minute), time.Hour)
				want(t, "its summary", ev.Summary, "exit 0")
				time.AfterFunc(time.Hour, func() { st.send(agent.Prompt{Text: "and now?"}) })
			}
			return true
		}, "hi")
		want(t, "ends", len(all[agent.JobEnded](evs)), 1)
		requests := st.model.Requests()
		want(t, "requests", len(requests), 2)
		want(t, "the second", words(requests[1].Messages), strings.Join([]string{"hi", "done", jobOver, "and now?"}, " "))
		want(t, "jobs left", len(st.state().Jobs), 0)
	})
}

// While the model works the news waits for its place, behind results, and is
// left out where a result of the same round tells it.
func TestJobEndsInATurn(t *testing.T) {
	for name, tt := range map[string]struct {
		second agenttest.Reply
		told   bool
		want   string
	}{
		"another call":  {agenttest.Call(call("2", "slow", "a")), false, "hi [slow] (6) [slow] (6) " + jobOver},
		"the job's own": {agenttest.Call(call("2", "slow", "a"), jobCall("3")), false, "hi [slow] (6) [slow] [job] (6) (11)"},
		"told already":  {agenttest.Call(call("2", "slow", "a")), true, "hi [slow] (6) [slow] (6)"},
		"no call":       {agenttest.Say("I am done, with many words."), false, "hi [slow] (6) I am done, with many words. " + jobOver},
	} {
		t.Run(name, func(t *testing.T) {
			scene(t, replies(agenttest.Call(call("1", "slow", "a")), tt.second, agenttest.Say("fine")), func(st *stage) {
				st.opts.Mode = agent.Full
				jobs := st.withJobs()
				jobs.Start("npm run dev")
				st.play(func(ev agent.Event) bool {
					switch ev.(type) {
					case agent.Waiting:
						if len(st.model.Requests()) == 2 {
							jobs.End(1, "exit 0", tt.told)
						}
					case agent.TurnEnded:
						return false
					}
					return true
				}, "hi")
				got := words(st.state().Messages)
				got = strings.TrimSuffix(got, " fine")
				want(t, "messages", got, tt.want)
			})
		})
	}
}

// A conversation that was cleared knows nothing of the jobs before it.
func TestJobOfAClearedConversation(t *testing.T) {
	scene(t, nil, func(st *stage) {
		jobs := st.withJobs()
		st.play(func(ev agent.Event) bool {
			switch ev := ev.(type) {
			case agent.TurnEnded:
				jobs.Start("npm run dev")
			case agent.JobStarted:
				if ev.ID == 1 {
					go st.send(agent.Clear{})
				}
				if ev.ID == 2 {
					jobs.End(1, "exit 0", false)
					jobs.End(2, "exit 2", false)
				}
			case agent.Cleared:
				jobs.Start("make")
			case agent.JobEnded:
				return ev.ID != 2
			}
			return true
		}, "hi")
		want(t, "messages", words(st.state().Messages), "<reminder>Job 2 (make) ended: exit 2. The job tool reads the rest of its output.</reminder>")
	})
}

// A person lists and stops jobs; a wrong number is said to be one.
func TestJobIsStoppedByThePerson(t *testing.T) {
	scene(t, nil, func(st *stage) {
		jobs := st.withJobs()
		evs := st.play(func(ev agent.Event) bool {
			switch ev := ev.(type) {
			case agent.TurnEnded:
				jobs.Start("npm run dev")
			case agent.JobStarted:
				go func() {
					st.send(agent.StopJob{ID: 7})
					st.send(agent.StopJob{ID: 1})
					st.send(agent.ListJobs{})
				}()
			case agent.JobsListed:
				want(t, "listed", len(ev.Jobs), 1)
				want(t, "running", ev.Jobs[0].Running, false)
				return false
			}
			return true
		}, "hi")
		want(t, "the note", all[agent.Noted](evs)[0].Text, "Nothing was stopped: no job 7 is running.")
	})
}

// Without jobs the commands say so.
func TestNoJobs(t *testing.T) {
	scene(t, nil, func(st *stage) {
		evs := st.play(func(ev agent.Event) bool {
			if is[agent.TurnEnded](ev) {
				go func() {
					st.send(agent.StopJob{ID: 1})
					st.send(agent.ListJobs{})
				}()
			}
			return !is[agent.JobsListed](ev)
		}, "hi")
		want(t, "the note", all[agent.Noted](evs)[0].Text, "No jobs can run here.")
	})
}

// What ran when aye was ended has ended with it, and the model is told so.
func TestJobsEndWithAye(t *testing.T) {
	scene(t, nil, func(st *stage) {
		st.withJobs()
		past := []agent.Event{agent.SessionOpened{ID: "test"}, agent.JobStarted{ID: 1, Command: "npm run dev"}, agent.JobStarted{ID: 3, Command: "make"}, agent.JobEnded{ID: 3, Command: "make", Summary: "exit 0"}}
		evs := st.resumed(past, "is it up?")
		want(t, "ends", slices.Equal(all[agent.JobEnded](evs), []agent.JobEnded{{ID: 1, Command: "npm run dev"}}), true)
		asked := words(st.model.Requests()[0].Messages)
		if !strings.HasSuffix(asked, "<reminder>Job 1 (npm run dev) ended with aye.</reminder> is it up?") {
			t.Errorf("the model was sent %s", asked)
		}
		want(t, "the last number", st.state().LastJob, 3)
	})
}

// A summary keeps which jobs run.
func TestLedgerOfJobs(t *testing.T) {
	var s agent.State
	for _, ev := range []agent.Event{
		agent.JobStarted{ID: 1, Command: "old"}, agent.Cleared{},
		agent.JobStarted{ID: 2, Command: "npm run dev"}, agent.JobStarted{ID: 3, Command: "make"}, agent.JobEnded{ID: 3, Summary: "exit 0"},
	} {
		s.Apply(ev)
	}
	if got := agent.LedgerOf(s, 1000); !strings.Contains(got, "Background jobs that run:\n- 2: npm run dev") || strings.Contains(got, "old") || strings.Contains(got, "make") {
		t.Errorf("the ledger is\n%s", got)
	}
}

// The end of a session does not wait for news that nobody takes.
func TestJobNewsAtTheEnd(t *testing.T) {
	scene(t, nil, func(st *stage) {
		jobs := st.withJobs()
		st.play(func(ev agent.Event) bool {
			if is[agent.TurnEnded](ev) {
				for range 500 {
					jobs.Start("serve")
				}
				synctest.Wait()
				return false
			}
			return true
		}, "hi")
	})
}
