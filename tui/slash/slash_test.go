package slash

import (
	"reflect"
	"strings"
	"testing"

	"aye/agent"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		entry string
		want  Action
	}{
		{"fix the test", Prompt{"fix the test"}},
		{"", Prompt{""}},
		{" /help", Prompt{" /help"}}, // a blank in front makes it a message
		{"what is /help", Prompt{"what is /help"}},
		{"/usr/bin/go fails, why?", Prompt{"/usr/bin/go fails, why?"}},
		{"/help", ShowHelp{}},
		{"/HELP", ShowHelp{}},
		{"/help ", ShowHelp{}},
		{"/clear", Clear{}},
		{"/todos", ShowTodos{}},
		{"/history", ShowHistory{}},
		{"/jobs", ShowJobs{}},
		{"/jobs stop", StopJob{}},
		{"/Jobs  STOP  12 ", StopJob{12}},
		{"/jobs stop 0", Unknown{"/jobs takes one of stop NUMBER."}},
		{"/jobs stop -1", Unknown{"/jobs takes one of stop NUMBER."}},
		{"/jobs stop 1 2", Unknown{"/jobs takes one of stop NUMBER."}},
		{"/jobs start", Unknown{"/jobs takes one of stop NUMBER."}},
		{"/cost", ShowCost{}},
		{"/context", ShowContext{}},
		{"/Skills", ShowSkills{}},
		{"/compact", Compact{}},
		{"/COMPACT  the Parser, please ", Compact{"the Parser, please"}},
		{"/comapct", Unknown{"/comapct: unknown; did you mean /compact?"}},
		{"/quit", Quit{}},
		{"/qui", Quit{}},
		{"/q", Quit{}},
		{"/e", Quit{}},
		{"/exi", Quit{}},
		{"/exit", Quit{}},
		{"/mode", ShowMode{}},
		{"/mode plan", SetMode{agent.Plan}},
		{"/mode  FULL ", SetMode{agent.Full}},
		{"/mode\tedit", SetMode{agent.Edit}},
		{"/mode wild", Unknown{"/mode takes one of plan|ask|edit|full."}},
		{"/quit now", Unknown{"/quit takes nothing after it; nothing was done."}},
		{"/q now", Unknown{"/quit takes nothing after it; nothing was done."}},
		{"/clear the cache, please", Unknown{"/clear takes nothing after it; nothing was done."}},
		{"/", Unknown{"Type a command after the /; /help shows them all."}},
		{"/hlep", Unknown{"/hlep: unknown; did you mean /help?"}},
		{"/h", Unknown{"/h: unknown; did you mean /help?"}},
		{"/his", Unknown{"/his: unknown; did you mean /history?"}},
		{"/quitt", Unknown{"/quitt: unknown; did you mean /quit?"}},
		{"/claer", Unknown{"/claer: unknown; did you mean /clear?"}},
		{"/xyzzy", Unknown{"/xyzzy: unknown; /help shows all commands."}},
		{"/\x1b[2J", Unknown{"/<U+001B>[2j: unknown; /help shows all commands."}},
		{"!ls -la", Run{"ls -la", false}},
		{"! ls", Run{"ls", false}},
		{"!!ls", Run{"ls", true}},
		{"!!  git  diff ", Run{"git  diff", true}},
		{"!echo a\necho b", Run{"echo a\necho b", false}},
		{"!!!", Run{"!", true}},
		{"!", Unknown{"Type a command after the !, as in !git status; !! also shows its output to the model."}},
		{"!! ", Unknown{"Type a command after the !, as in !git status; !! also shows its output to the model."}},
	} {
		if got := Parse(test.entry); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q: %#v, want %#v", test.entry, got, test.want)
		}
	}
}

// Each row of the table can be typed, and is in /help.
func TestTable(t *testing.T) {
	t.Parallel()
	help := Help([]Key{{"ctrl+o", "open or fold outputs"}})
	for _, c := range Commands() {
		if a, unknown := Parse(c.Name).(Unknown); unknown {
			t.Errorf("%s is unknown: %s", c.Name, a.Why)
		}
		if c.Doc == "" || !strings.Contains(help, "`"+c.Name) {
			t.Errorf("%s is not in the help:\n%s", c.Name, help)
		}
	}
	for _, want := range []string{"`ctrl+o`: open or fold outputs", "`!command`"} {
		if !strings.Contains(help, want) {
			t.Errorf("no %q in the help", want)
		}
	}
}

func TestModes(t *testing.T) {
	t.Parallel()
	got := Modes(agent.Ask)
	if strings.Count(got, "(now)") != 1 || !strings.Contains(got, "`/mode ask`: every change and every command is asked *(now)*") {
		t.Error(got)
	}
}

// FuzzParse reads anything; a command of the person's is never changed.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"/help", "/hlep x", "!ls", "!!ls", "/", "!", "hello", "/\xff", "/mode plan", "/宽"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, entry string) {
		switch a := Parse(entry).(type) {
		case Prompt:
			if a.Text != entry {
				t.Errorf("a message was changed: %q", a.Text)
			}
		case Run:
			if !strings.Contains(entry, a.Command) || strings.TrimSpace(a.Command) != a.Command {
				t.Errorf("%q became the command %q", entry, a.Command)
			}
		case Unknown:
			if a.Why == "" || strings.ContainsAny(a.Why, "\x1b\n\r") {
				t.Errorf("%q: %q", entry, a.Why)
			}
		case SetMode, ShowMode, ShowHelp, Clear, Quit, ShowTodos, ShowHistory, ShowCost, ShowContext, ShowSkills, Compact, ShowJobs, StopJob:
			if entry[0] != '/' {
				t.Errorf("%q became %#v", entry, a)
			}
		}
	})
}

func TestWhichJob(t *testing.T) {
	t.Parallel()
	if got := WhichJob(nil); got != "No job is running." {
		t.Error(got)
	}
	got := WhichJob([]agent.JobStarted{{ID: 1, Command: "npm run dev"}, {ID: 12, Command: "a\n\x1b[2J"}})
	if got != "Say which one: /jobs stop 1 (npm run dev), /jobs stop 12 (a⏎<U+001B>[2J)." {
		t.Error(got)
	}
}
