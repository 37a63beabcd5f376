package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"aye/agent"
	"aye/agent/permit"
	"aye/llm"
	"aye/llm/markup"
	"aye/llm/openai"
	"aye/tools"
	"aye/tools/change"
	"aye/tools/proc"
	"aye/tools/skill"
	"aye/tools/workspace"
	"aye/tui"
)

// A session is an agent's session with all it stands on. Whoever opened it
// closes it.
type session struct {
	*agent.Session
	info  tui.Info
	past  []agent.Event // of a session that goes on
	notes []string      // what a person should know first

	seen  *workspace.Seen
	stop  context.CancelFunc
	ended <-chan error   // what Run returned
	files *workspace.Dir // open as long as the session is
	jobs  *tools.Jobs
	left  string // once it is closed: what ended with it, a line; ""
	keep  *keeper
}

// A sessionWant is how a front end wants its session.
type sessionWant struct {
	in         invocation
	unattended bool      // nobody can answer
	lines      io.Writer // gets each journal line too; may be nil
	banner     string
}

// openSession wires a session and sets it going. It reads files of the
// workspace and asks nothing of the network.
func openSession(ctx context.Context, conf config, want sessionWant) (*session, error) {
	files, err := openWorkspace(want.in.dir, workspace.Options{Records: conf.records()})
	if err != nil {
		return nil, err
	}
	s := &session{files: files, seen: workspace.NewSeen(), jobs: tools.NewJobs(), notes: change.Recover(ctx, files)}
	opts, err := s.options(conf, want)
	if err != nil {
		return nil, errors.Join(err, files.Close())
	}
	if s.keep, s.past, err = openKeeper(conf, want, files.Name()); err != nil {
		return nil, errors.Join(err, files.Close())
	}
	opts.ID, opts.Journal = s.keep.id, s.keep
	s.jobs.After(lastJob(s.past))
	s.notes = append(s.notes, s.keep.notes...)
	if s.past == nil {
		s.Session = agent.New(opts)
	} else {
		s.Session = agent.Resume(opts, s.past)
	}
	s.start(ctx)
	return s, nil
}

// start lets the session run. Its life does not end with ctx: whoever opened
// it closes it, after its turn was told to end.
func (s *session) start(ctx context.Context) {
	ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	s.ended = ended
	go func() { ended <- s.Run(ctx) }()
}

// close ends the session: its turn, its commands and children, its journal.
// It returns when nothing of it is left; the error says what was not saved.
func (s *session) close() error {
	s.stop()
	for range s.Events() { // so that its last words do not wait for a reader
	}
	err := <-s.ended
	s.left = endedWith(s.jobs.List())
	s.jobs.Close()
	return errors.Join(err, s.keep.Close(), s.files.Close())
}

func openWorkspace(dir string, opts workspace.Options) (*workspace.Dir, error) {
	if dir == "" {
		dir = "."
	}
	files, err := workspace.OpenWith(dir, opts)
	if err != nil {
		return nil, &exit{exitUsage, err.Error()}
	}
	return files, nil
}

// options are what the agent is given, but for its journal.
func (s *session) options(conf config, want sessionWant) (agent.Options, error) {
	environ := os.Environ()
	shell, err := proc.Find(environ)
	if err != nil {
		return agent.Options{}, err
	}
	if !shell.POSIX() {
		s.notes = append(s.notes, "Git Bash was not found: commands run in "+shell.Name+"; install Git for Windows for a better shell")
	}
	skills := skill.Load(s.files, conf.ownSkills[:]...)
	for _, p := range skills.Problems {
		s.notes = append(s.notes, fmt.Sprintf("skill %s: %s", p.Path, p.Reason))
	}
	commands := tools.Commands{Shell: shell, Dir: s.files.Name(), Env: proc.Env(environ, conf.secrets()...)}
	catalog := tools.Catalog(tools.Deps{Workspace: s.files, Seen: s.seen, Skills: skills, Commands: commands, Jobs: s.jobs})
	policy, err := permit.New(permit.Options{Allow: want.in.allow, Deny: want.in.deny, Tools: names(catalog), Foreign: !shell.POSIX()})
	if err != nil {
		return agent.Options{}, &exit{exitUsage, err.Error()}
	}
	s.info = tui.Info{
		Version: version(), Workspace: s.files.Name(), Branch: branch(s.files.Name()), Home: homeFolder(),
		Model: conf.model.value, Endpoint: conf.endpoint(), Window: conf.window(), Shell: shell.Name, Tools: len(catalog),
		Banner: want.banner, Skills: shownSkills(skills),
	}
	told := &instructions{files: s.files, own: conf.ownAgents, facts: facts(s.files, shell, skills)}
	s.notes = append(s.notes, told.check()...)
	s.info.Overhead = overhead(told.system(), catalog)
	tokens, chars := conf.bounds()
	return agent.Options{
		Version: version(), Workspace: s.files.Name(), Endpoint: s.info.Endpoint, Model: s.info.Model,
		Client:       client(conf),
		System:       told.system,
		Instructions: told.nested,
		Tools:        catalog,
		Jobs:         s.jobs,
		Policy:       policy,
		Mode:         want.in.mode,
		Unattended:   want.unattended,
		MaxRounds:    want.in.maxRounds,
		Window:       tokens, MaxChars: chars,
		Forget: func(kept []workspace.Sight) {
			s.seen.Forget()
			s.seen.Add(kept...)
			told.forget()
		},
		Shell: func(_ context.Context, command string) (tools.Action, error) {
			return tools.ShellAction(commands, command, 0)
		},
	}, nil
}

func names(catalog []tools.Tool) []string {
	var names []string
	for _, t := range catalog {
		names = append(names, t.Name)
	}
	return names
}

// client talks to the configured endpoint. It does no work yet.
func client(conf config) llm.Client {
	return llm.Retry(markup.New(wire(conf)), llm.RetryOptions{})
}

// wire is the client that client decorates.
func wire(conf config) *openai.Client {
	return openai.New(openai.Options{
		BaseURL: conf.baseURL.value, Key: conf.key.value,
		Transport: openai.Transport(http.ProxyFromEnvironment), // which leaves this machine's own addresses alone
		UserAgent: "aye/" + version(),
	})
}

// homeFolder is the person's, for showing paths; "" where there is none.
func homeFolder() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(home); err == nil {
		return real // as the workspace's name is
	}
	return home
}
