package main

import (
	"reflect"
	"strings"
	"testing"

	"aye/agent"
)

func TestParse(t *testing.T) {
	t.Parallel()
	chat, run := commands()[0], commands()[1]
	plain := invocation{command: chat, api: "openai", mode: agent.Ask, format: "text"}
	with := func(change func(*invocation)) invocation {
		in := plain
		change(&in)
		return in
	}
	tests := []struct {
		line string
		want invocation
	}{
		{"", plain},
		{"fix the bug", with(func(in *invocation) { in.words = []string{"fix", "the", "bug"} })},
		{"hello", with(func(in *invocation) { in.words = []string{"hello"} })},
		{"-C /x --model=m fix", with(func(in *invocation) { in.dir, in.model, in.words = "/x", "m", []string{"fix"} })},
		{"fix --model m it", with(func(in *invocation) { in.model, in.words = "m", []string{"fix", "it"} })},
		{"-model m", with(func(in *invocation) { in.model = "m" })},
		{"--model= x", with(func(in *invocation) { in.words = []string{"x"} })},
		{"-c", with(func(in *invocation) { in.cont = true })},
		{"--continue=false", plain},
		{"-r 2026", with(func(in *invocation) { in.resume = "2026" })},
		{"-- --model", with(func(in *invocation) { in.words = []string{"--model"} })},
		{"-- run", with(func(in *invocation) { in.words = []string{"run"} })},
		{"--mode plan -- version", with(func(in *invocation) { in.mode, in.words = agent.Plan, []string{"version"} })},
		{"explain -- -c", with(func(in *invocation) { in.words = []string{"explain", "-c"} })},
		{"-", with(func(in *invocation) { in.words = []string{"-"} })},
		{"--allow edit --allow shell(ls*) --deny write", with(func(in *invocation) {
			in.allow, in.deny = []string{"edit", "shell(ls*)"}, []string{"write"}
		})},
		{"run it", with(func(in *invocation) { in.command, in.words = run, []string{"it"} })},
		{"run run", with(func(in *invocation) { in.command, in.words = run, []string{"run"} })},
		{"-C /x run it --format json", with(func(in *invocation) {
			in.command, in.dir, in.format, in.words = run, "/x", "json", []string{"it"}
		})},
		{"run --max-rounds 3 it", with(func(in *invocation) { in.command, in.maxRounds, in.words = run, 3, []string{"it"} })},
		{"version --help", with(func(in *invocation) { in.command, in.help = commands()[3], true })},
		{"-h", with(func(in *invocation) { in.help = true })},
		{"--version", with(func(in *invocation) { in.version = true })},
		{"-V", with(func(in *invocation) { in.version = true })},
		{"run -v", with(func(in *invocation) { in.command, in.version = run, true })},
	}
	for _, tt := range tests {
		got, err := parse(strings.Fields(tt.line))
		if err != nil {
			t.Errorf("aye %s: %v", tt.line, err)
			continue
		}
		if got.command.name != tt.want.command.name {
			t.Errorf("aye %s: command %q, want %q", tt.line, got.command.name, tt.want.command.name)
		}
		// Functions cannot be compared.
		got.command, tt.want.command = command{}, command{}
		if len(got.words) == 0 {
			got.words = nil
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("aye %s\n got %+v\nwant %+v", tt.line, got, tt.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct{ line, want string }{
		{"--modle x", "unknown flag --modle; did you mean --model?"},
		{"--continu", "unknown flag --continu; did you mean --continue?"},
		{"-x", "unknown flag -x."},
		{"--xyzzy=1", "unknown flag --xyzzy."},
		{"--model", "--model needs a value: --model NAME"},
		{"-C", "-C needs a value: -C DIR"},
		{"--continue=maybe", "--continue takes no value"},
		{"--mode yolo", `--mode: "yolo" is not known; it can be ask, plan, edit or full`},
		{"--api anthropic", `--api: "anthropic" is not known; it can be openai`},
		{"run --format xml x", "text, json or events"},
		{"--max-rounds 0", "not a whole number from 1 on"},
		{"--max-rounds many", "not a whole number from 1 on"},
		{"verson", `unknown command "verson"; did you mean aye version? To send it as a message: aye -- verson`},
		{"tuor", "did you mean aye tour?"},
		{"--format json fix it", "--format does not go with aye"},
		{"version --model x", "--model does not go with aye version"},
		{"tour now", `aye tour takes no words: "now" is too much`},
		{"-c -r x", "exclude each other"},
		{"-c --no-session", "--no-session does not go with --continue"},
	}
	for _, tt := range tests {
		_, err := parse(strings.Fields(tt.line))
		if err == nil {
			t.Errorf("aye %s: no error, want %q", tt.line, tt.want)
			continue
		}
		if !strings.Contains(err.Error(), tt.want) {
			t.Errorf("aye %s: %q, want %q", tt.line, err, tt.want)
		}
		if code := err.(*exit).code; code != exitUsage {
			t.Errorf("aye %s: exit code %d, want %d", tt.line, code, exitUsage)
		}
	}
}

func TestHelpNamesEveryFlagAndFitsATerminal(t *testing.T) {
	t.Parallel()
	for _, c := range commands() {
		var out strings.Builder
		if err := writeHelp(&out, c); err != nil {
			t.Fatal(err)
		}
		for _, name := range c.flags {
			if !strings.Contains(out.String(), "--"+name) {
				t.Errorf("the help of %s does not name --%s", c.title(), name)
			}
		}
		if c.name == "" {
			for _, p := range providerKeys {
				if !strings.Contains(out.String(), p.variable) {
					t.Errorf("the help does not name %s", p.variable)
				}
			}
			for _, name := range []string{"API_KEY", "CONTEXT_MAX_CHARS", "AYE_HOME", "HTTPS_PROXY", "NO_PROXY", "VISUAL", "EDITOR", "NO_COLOR", "-V, --version"} {
				if !strings.Contains(out.String(), name) {
					t.Errorf("the help does not name %s", name)
				}
			}
		}
		for line := range strings.Lines(out.String()) {
			if n := len([]rune(line)) - 1; n > 80 {
				t.Errorf("the help of %s has a line of %d cells:\n%s", c.title(), n, line)
			}
		}
	}
}

// The help of a command that there is none of names those there are.
func TestHelpOfNoCommand(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"xyzzy": `there is no command "xyzzy". There are run, tour, version and help.`,
		"tuor":  `there is no command "tuor"; did you mean aye help tour? There are`,
	} {
		if err := dispatch(t.Context(), []string{"help", word}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("aye help %s: %v, want %q", word, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("run --model x -- -y")
	f.Add("--mode=plan fix it -c")
	f.Fuzz(func(t *testing.T, line string) {
		in, err := parse(strings.Fields(line))
		if err == nil && in.command.run == nil {
			t.Errorf("%q: neither a command nor an error", line)
		}
	})
}
