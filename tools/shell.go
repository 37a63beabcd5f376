package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"aye/tools/proc"
	"aye/tools/risk"
)

// Commands says where and how commands run.
type Commands struct {
	Shell proc.Shell
	Dir   string   // the workspace's root, absolute
	Env   []string // as proc.Env made it
}

// place is where commands run, for telling their risk.
func (c Commands) place() risk.Place {
	at := risk.Place{Root: c.Dir, POSIX: c.Shell.POSIX()}
	for _, kv := range c.Env {
		name, value, _ := strings.Cut(kv, "=")
		if name == "HOME" || at.Home == "" && strings.EqualFold(name, "USERPROFILE") {
			at.Home = value
		}
	}
	return at
}

type shellArgs struct {
	Cmd     string `json:"cmd"`
	Timeout *int   `json:"timeout" doc:"seconds, 120 if absent"`

	Background *bool `json:"background" doc:"as a job: servers, long builds"`
}

func shellTool(c Commands, jobs *Jobs) Tool {
	const doc = "Run a command: no terminal, empty input; what it starts ends with it"
	return Define("shell", doc, func(_ context.Context, args shellArgs) (Action, error) {
		var limit time.Duration
		if args.Timeout != nil {
			if most := int(proc.MaxTimeout.Seconds()); *args.Timeout < 1 || *args.Timeout > most {
				return Action{}, fmt.Errorf("timeout is %d: give seconds, from 1 to %d", *args.Timeout, most)
			}
			limit = time.Duration(*args.Timeout) * time.Second
		}
		if args.Background != nil && *args.Background {
			return background(c, jobs, args.Cmd, limit)
		}
		return ShellAction(c, args.Cmd, limit)
	})
}

// ShellAction prepares a command, a model's or a person's own. A limit of 0 is
// proc.DefaultTimeout.
func ShellAction(c Commands, command string, limit time.Duration) (Action, error) {
	if strings.TrimSpace(command) == "" {
		return Action{}, errors.New("the command is empty: give one to run")
	}
	if strings.ContainsRune(command, 0) {
		return Action{}, errors.New(`the command holds a NUL character, which no command can: let the command make it, as printf '\0' does`)
	}
	if !c.Shell.POSIX() && strings.Contains(strings.TrimSpace(command), "\n") {
		return Action{}, errors.New("commands run in cmd.exe here, which reads one line only: join them with && or put them into a .cmd file and run that")
	}
	return Action{
		Title:   commandTitle(command),
		Effects: []Effect{{Kind: Exec, Target: command, Risk: risk.Of(command, c.place())}},
		Preview: View{Kind: Command, Text: command},
		Run: func(ctx context.Context, progress func(string)) Result {
			return shellResult(c.Shell.Run(ctx, proc.Spec{Command: command, Dir: c.Dir, Env: c.Env, Timeout: limit, Progress: progress}))
		},
	}, nil
}

// commandTitle is a command's first line, shortened.
func commandTitle(command string) string {
	const longest = 120 // characters
	first, rest, _ := strings.Cut(strings.TrimSpace(command), "\n")
	title := strings.TrimSpace(first)
	if cut := title[:byteAt(title, longest)]; cut != title {
		return cut + "…"
	}
	if rest != "" {
		title += " …"
	}
	return title
}

// shellResult says what a command came to: to the model its exit code, what is
// to be said about it, and its output; to a person the same with the code in
// the summary.
func shellResult(o proc.Outcome) Result {
	if o.End == proc.NotStarted {
		return Result{Status: Failed, Text: o.Err.Error(), View: View{Kind: Output, Summary: "not started", Text: o.Err.Error(), Failed: true}}
	}
	text := ""
	for _, note := range shellNotes(o) {
		text += "[" + note + "]\n"
	}
	text += o.Output
	r := Result{
		Status: OK,
		Text:   fmt.Sprintf("exit_code=%d\n%s", o.Code, text),
		View:   View{Kind: Output, Summary: shellSummary(o), Text: text, Failed: shellFailed(o)},
	}
	switch o.End {
	case proc.TimedOut, proc.Stuck:
		r.Status = Failed
	case proc.Cancelled:
		r.Status = Interrupted
	case proc.Exited, proc.NotStarted, proc.Stopped:
	}
	return r
}

func shellFailed(o proc.Outcome) bool {
	return o.End != proc.Stopped && (o.End != proc.Exited || o.Code != 0)
}

func shellSummary(o proc.Outcome) string {
	how := fmt.Sprintf("exit %d", o.Code)
	switch {
	case o.End == proc.TimedOut:
		how = "time limit"
	case o.End == proc.Cancelled:
		how = "interrupted"
	case o.End == proc.Stopped:
		how = "stopped"
	case o.End == proc.Stuck:
		how = "ended: no terminal"
	case o.Signal != "":
		how = o.Signal
	}
	return how + " · " + duration(o.Took)
}

// duration writes a time for people: "0.3 s", "2 min 5 s".
func duration(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	d = d.Round(time.Second)
	return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
}

// shellNotes are the things about a command that its code and output do not
// say.
func shellNotes(o proc.Outcome) []string {
	var notes []string
	const ended = "the command and all that it started were ended"
	switch {
	case o.End == proc.TimedOut:
		notes = append(notes, fmt.Sprintf("time limit of %s reached: %s; give a longer timeout, at most %d seconds, or run less", duration(o.Limit), ended, int(proc.MaxTimeout.Seconds())))
	case o.End == proc.Cancelled:
		notes = append(notes, "interrupted: "+ended+"; some of it may have happened, so inspect before running it again")
	case o.End == proc.Stopped:
		notes = append(notes, "stopped: "+ended)
	case o.End == proc.Stuck:
		notes = append(notes, "it waited for a terminal: "+ended)
	case o.Signal != "":
		notes = append(notes, "ended by a signal: "+o.Signal)
	}
	if n := len(o.Left); n > 0 {
		were := "processes were"
		if n == 1 {
			were = "process was"
		}
		notes = append(notes, fmt.Sprintf("%d background %s still running and ended with the command: %s", n, were, processList(o.Left)))
	}
	if len(o.Alive) > 0 {
		notes = append(notes, "could not be ended and still running: "+processList(o.Alive))
	}
	if (o.End != proc.Exited || o.Code != 0) && o.End != proc.Cancelled && o.End != proc.Stopped {
		notes = append(notes, shellHints(o.Output)...)
	}
	return notes
}

func processList(ps []proc.Process) string {
	const shown = 5
	var names []string
	for _, p := range ps[:min(len(ps), shown)] {
		names = append(names, fmt.Sprintf("%s (pid %d)", strings.Join(strings.Fields(p.Command), " "), p.PID))
	}
	if n := len(ps) - shown; n > 0 {
		names = append(names, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(names, ", ")
}

// askers are what programs print when they want to talk to a person, and what
// the model should do instead.
var askers = []struct {
	hint string
	said []string
}{
	{"there is no terminal here: use a form that asks nothing (an option such as --yes or -m, cat in place of an editor or pager) or ask the user to do it", []string{
		"not a terminal", "not from a terminal", "not a tty", "no tty present", "terminal is required", "Inappropriate ioctl for device",
		"EOF when reading a line", "Aborting commit due to empty commit message", "TERM environment variable not set",
	}},
	{"it wants a password or key that it cannot ask for here: ask the user to log in or to run it in a terminal of their own", []string{
		"terminal prompts disabled", "could not read Username", "could not read Password", "a password is required",
		"Host key verification failed", "Permission denied (publickey", "Authentication token manipulation error",
	}},
}

func shellHints(output string) []string {
	var hints []string
	for _, a := range askers {
		for _, said := range a.said {
			if strings.Contains(output, said) {
				hints = append(hints, a.hint)
				break
			}
		}
	}
	return hints
}
