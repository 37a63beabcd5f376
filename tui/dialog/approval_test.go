package dialog

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"aye/agent"
	"aye/tools"
	"aye/tools/change"
	"aye/tui/term"
	"aye/tui/theme"
)

// key returns the message of a key, named as Bubble Tea names it.
func key(name string) tea.KeyMsg {
	for t := tea.KeyType(-128); t < 128; t++ {
		if k := (tea.KeyMsg{Type: t}); t != tea.KeyRunes && k.String() == name {
			return k
		}
	}
	if name == "pasted y" {
		return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("y"), Paste: true}
	}
	rest, alt := strings.CutPrefix(name, "alt+")
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(rest), Alt: alt}
}

func exec(command string) Request {
	return Request{CallID: "c1", Tool: "shell", Title: term.Cut(term.Line(command), 40),
		Effects: []tools.Effect{{Kind: tools.Exec, Target: command}},
		Preview: tools.View{Kind: tools.Command, Text: command}, Rule: "shell(go test*)"}
}

// A desk is a person in front of a stack.
type desk struct {
	t       *testing.T
	stack   Stack
	w, h    int
	answers []agent.Answer
	yields  chan tea.Msg // of commands
}

func newDesk(t *testing.T, r Request) *desk {
	d := &desk{t: t, w: 80, h: 20, yields: make(chan tea.Msg, 1000)}
	d.run(d.stack.Push(NewApproval(theme.New(true), r, d.answer)))
	d.view()
	t.Cleanup(func() { d.wait(1100) }) // no clock is left running
	return d
}

func (d *desk) answer(a agent.Answer) tea.Cmd {
	d.answers = append(d.answers, a)
	return nil
}

// run runs a command; deliver hands on what it yields, as Bubble Tea does.
func (d *desk) run(cmd tea.Cmd) {
	if cmd != nil {
		go func() { d.yields <- cmd() }()
	}
}

func (d *desk) deliver() {
	for {
		select {
		case msg := <-d.yields:
			if batch, ok := msg.(tea.BatchMsg); ok {
				for _, cmd := range batch {
					d.run(cmd)
				}
			} else if msg != nil {
				_, cmd := d.stack.Update(msg)
				d.run(cmd)
			}
		default:
			return
		}
	}
}

func (d *desk) send(msg tea.Msg) Outcome {
	outcome, cmd := d.stack.Update(msg)
	d.run(cmd)
	d.view()
	return outcome
}

// press is a key that nothing follows at once.
func (d *desk) press(name string) Outcome {
	d.t.Helper()
	outcome := d.send(key(name))
	if a, is := d.stack.Top().(*Approval); is && a.chosen != "" {
		open := len(d.stack.open)
		d.wait(int(Alone.Milliseconds()))
		if len(d.stack.open) < open {
			return Closed
		}
	}
	return outcome
}

// view draws, checks the frame, and returns it without colours.
func (d *desk) view() string {
	d.t.Helper()
	rows := d.stack.View(d.w, d.h)
	if len(rows) > d.h {
		d.t.Fatalf("%d rows where %d are allowed", len(rows), d.h)
	}
	for i, row := range rows {
		if term.Width(row) > d.w {
			d.t.Fatalf("a row of %d cells where %d are allowed: %q", term.Width(row), d.w, row)
		}
		if all := colours.FindAllString(row, -1); len(all) > 0 && all[len(all)-1] != "\x1b[0m" && all[len(all)-1] != "\x1b[m" {
			d.t.Fatalf("a row leaves its colour on: %q", row)
		}
		rows[i] = strings.TrimRight(colours.ReplaceAllString(row, ""), " ")
		for _, r := range rows[i] {
			if r < ' ' || r >= 0x7f && r < 0xa0 {
				d.t.Fatalf("control character %U in %q", r, rows[i])
			}
		}
	}
	return strings.Join(rows, "\n")
}

// colours is all that may reach the terminal besides text.
var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

func (d *desk) wait(ms int) {
	time.Sleep(time.Duration(ms) * time.Millisecond)
	synctest.Wait()
	d.deliver()
	d.view()
}

// press is a key, some time after the last one, and what becomes of it.
type press struct {
	wait int // ms before
	key  string
	want Outcome
}

const ok = 400 // ms

var approvals = []struct {
	name    string
	presses []press
	want    string // "": no answer
}{
	{"y once", []press{{ok, "y", Closed}}, "allow "},
	{"a always", []press{{ok, "a", Closed}}, "always "},
	{"n no", []press{{ok, "n", Closed}}, "deny "},
	{"Esc no", []press{{ok, "esc", Closed}}, "deny "},
	{"y at once", []press{{0, "y", Ignored}}, ""},
	{"y too soon", []press{{399, "y", Ignored}}, ""},
	{"n too soon", []press{{399, "n", Ignored}}, ""},
	{"Esc too soon", []press{{399, "esc", Ignored}}, ""},
	{"a key restarts the quiet", []press{{300, "y", Ignored}, {300, "y", Ignored}, {399, "y", Ignored}, {400, "y", Closed}}, "allow "},
	{"typing ahead", []press{{10, "t", Ignored}, {90, "r", Ignored}, {90, "y", Ignored}, {90, " ", Ignored}, {90, "a", Ignored}, {90, "enter", Ignored}}, ""},
	{"typing after the quiet", []press{{ok, "s", Ignored}, {90, "a", Ignored}, {90, "y", Ignored}}, ""},
	{"a rest between words", []press{{ok, "f", Ignored}, {90, "i", Ignored}, {90, "x", Ignored}, {600, "a", Ignored}, {999, "n", Ignored}, {1000, "y", Closed}}, "allow "},
	{"Enter never approves", []press{{ok, "enter", Ignored}, {ok, "enter", Ignored}, {5000, "enter", Ignored}}, ""},
	{"nor does a blank", []press{{ok, " ", Ignored}, {ok, "tab", Ignored}, {ok, "Y", Ignored}}, ""},
	{"a paste never answers", []press{{ok, "pasted y", Ignored}, {399, "y", Ignored}}, ""},
	{"a reason", []press{{ok, "r", Kept}, {0, "n", Kept}, {0, "o", Kept}, {0, " ", Kept}, {0, "y", Kept}, {0, "enter", Closed}}, "deny no y"},
	{"a pasted reason", []press{{ok, "r", Kept}, {0, "pasted y", Kept}, {0, "enter", Closed}}, "deny y"},
	{"no reason after all", []press{{ok, "r", Kept}, {0, "y", Kept}, {0, "esc", Kept}, {399, "y", Ignored}, {400, "y", Closed}}, "allow "},
	{"Ctrl+C is not ours", []press{{ok, "ctrl+c", Ignored}, {0, "r", Kept}, {0, "ctrl+c", Ignored}}, ""},
	{"everything, then yes", []press{{ok, "?", Kept}, {399, "y", Kept}, {400, "y", Closed}}, "allow "},
	{"everything, then back", []press{{ok, "v", Kept}, {ok, "j", Kept}, {0, "q", Kept}, {399, "y", Ignored}, {400, "n", Closed}}, "deny "},
	{"everything, then why not", []press{{ok, "?", Kept}, {ok, "r", Kept}, {0, "x", Kept}, {0, "enter", Closed}}, "deny x"},
	{"paste while reading everything", []press{{ok, "?", Kept}, {ok, "pasted y", Kept}}, ""},
}

func TestApprovalAnswers(t *testing.T) {
	t.Parallel()
	for _, test := range approvals {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, exec("go test ./..."))
				for i, p := range test.presses {
					d.wait(p.wait)
					if got := d.press(p.key); got != p.want {
						t.Errorf("key %d, %q: outcome %d, want %d", i, p.key, got, p.want)
					}
				}
				got := ""
				for _, a := range d.answers {
					got += fmt.Sprintf("%s %s", a.Choice, a.Note)
					if a.CallID != "c1" {
						t.Errorf("the answer is about call %q", a.CallID)
					}
				}
				if got != test.want {
					t.Errorf("answered %q, want %q", got, test.want)
				}
				if (len(d.stack.open) == 0) != (test.want != "") {
					t.Errorf("%d dialogs are open", len(d.stack.open))
				}
			})
		})
	}
}

// What follows a letter at once shows that it was the beginning of a word, or
// of a paste that the terminal did not mark.
func TestLettersAnswerAlone(t *testing.T) {
	t.Parallel()
	for _, then := range []struct {
		what string
		msg  tea.Msg
	}{{"a letter", key("e")}, {"Enter", key("enter")}, {"the same letter", key("y")}, {"a paste", Paste("y")}, {"a new look", Shown{}}} {
		for _, first := range []string{"y", "a", "n"} {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, exec("go test ./..."))
				d.wait(ok)
				d.send(key(first))
				d.wait(int(Alone.Milliseconds()) - 1)
				d.send(then.msg)
				d.wait(int(Pause.Milliseconds()))
				if len(d.answers) != 0 || len(d.stack.open) != 1 {
					t.Errorf("%s, then %s: %v", first, then.what, d.answers)
				}
				if d.press("y"); len(d.answers) != 1 {
					t.Errorf("%s, then %s, then y: %v", first, then.what, d.answers)
				}
			})
		}
	}
}

func TestPasteMessageNeverAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, exec("ls"))
		d.wait(1000)
		if got := d.send(Paste("y\ny\n")); got != Ignored {
			t.Errorf("outcome %d", got)
		}
		if got := d.press("y"); got != Ignored || len(d.answers) != 0 {
			t.Errorf("y right after a paste: outcome %d, %v", got, d.answers)
		}
		d.wait(400)
		d.press("r")
		d.send(Paste("because\nof this"))
		d.press("enter")
		if len(d.answers) != 1 || d.answers[0].Note != "because of this" {
			t.Errorf("%v", d.answers)
		}
	})
}

func TestNoRuleNoAlways(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := exec("rm -rf /")
		r.Rule = ""
		d := newDesk(t, r)
		d.wait(500)
		if view := d.view(); strings.Contains(view, "always") {
			t.Errorf("always is offered:\n%s", view)
		}
		if d.press("a") != Ignored || len(d.answers) != 0 {
			t.Error("a answered")
		}
	})
}

// A rule that is not in sight cannot be added.
func TestAlwaysNeedsItsRuleInSight(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := exec("ls")
		r.Rule = "shell(" + strings.Repeat("long ", 40) + "*)"
		d := newDesk(t, r)
		d.w, d.h = 30, 5
		d.view()
		d.wait(500)
		if d.press("a") != Ignored || len(d.answers) != 0 {
			t.Errorf("a answered although its rule is not in sight:\n%s", d.view())
		}
		d.w, d.h = 60, 16
		if view := d.view(); strings.Contains(view, "long") || !strings.Contains(view, "n no   r no, because…   ? all, always…") {
			t.Errorf("a rule of many rows takes the room of what would happen:\n%s", view)
		}
		d.wait(500)
		d.press("?")
		if view := d.view(); !strings.Contains(view, "a always: the rule at the end") || !strings.Contains(view, r.Rule[:40]) {
			t.Errorf("the whole screen does not say where the rule is:\n%s", view)
		}
		d.wait(500)
		d.press("q")
		d.w, d.h = 30, 60
		d.view()
		d.wait(500)
		if d.press("a") != Closed || len(d.answers) != 1 {
			t.Errorf("a did not answer although its rule is in sight")
		}
	})
}

// On a narrow screen a rule that is wider than a row is at the end of the page:
// the page is for what would happen.
func TestWideRuleLeavesThePageItsRows(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := exec("ls")
		r.Rule = "edit({a.go,docs/b.md,docs/c.md,new/n.txt})"
		d := newDesk(t, r)
		for _, size := range []struct {
			w    int
			want string
		}{{44, "a always: the rule at the end"}, {80, "a always: " + r.Rule}} {
			d.w, d.h = size.w, 14
			d.view()
			d.wait(500)
			d.press("?")
			if view := d.view(); !strings.Contains(view, "y once   "+size.want) && !strings.Contains(view, "\n "+size.want) {
				t.Errorf("%d cells wide the keys do not say %q:\n%s", size.w, size.want, view)
			}
			d.wait(500)
			d.press("q")
		}
	})
}

// The title names the one changed file wherever it has room for it; only then
// is the row spared that names it again.
func TestOneFileIsNamedOnce(t *testing.T) {
	t.Parallel()
	for w := 20; w <= 120; w++ {
		for _, maxRows := range []int{4, 6, 8, 14} {
			a := NewApproval(theme.New(true), editRequest(), nil)
			view := ansi.Strip(strings.Join(a.View(w, maxRows), "\n"))
			whole := strings.Contains(view, " edit parser.go  +3 −1 ")
			if n := strings.Count(strings.ReplaceAll(view, "edit in parser.go", ""), "parser.go"); n == 0 || !whole && !strings.Contains(view, "parser.go  +3  −1") {
				t.Errorf("%dx%d: the file is not named with its lines:\n%s", w, maxRows, view)
			} else if w >= 44 && maxRows >= 6 && n != 1 {
				t.Errorf("%dx%d: the file is named %d times:\n%s", w, maxRows, n, view)
			}
		}
	}
}

// The key line is dim until keys count; no key is needed for it to change.
func TestReadyShows(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, exec("ls"))
		a := d.stack.Top().(*Approval)
		d.wait(399)
		if a.ready {
			t.Error("ready before its time")
		}
		d.wait(1)
		if !a.ready {
			t.Error("not ready after 400 ms")
		}
		d.press("x")
		if a.ready {
			t.Error("still ready after a key")
		}
		d.wait(999)
		if a.ready {
			t.Error("ready in the middle of a message")
		}
		d.wait(1)
		if !a.ready {
			t.Error("not ready again")
		}
	})
}

// An approval that was covered is new to the screen when it comes to light.
func TestUncoveredApprovalWaitsAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, exec("ls"))
		d.wait(1000)
		second := exec("pwd")
		second.CallID = "c2"
		d.run(d.stack.Push(NewApproval(theme.New(true), second, d.answer)))
		d.view()
		if d.press("y") != Ignored {
			t.Error("the second was answered at once")
		}
		d.wait(400)
		if d.press("y") != Closed || d.answers[0].CallID != "c2" {
			t.Fatalf("%v", d.answers)
		}
		if d.press("y") != Ignored || len(d.answers) != 1 {
			t.Error("the uncovered one was answered at once")
		}
		d.wait(400)
		if d.press("n") != Closed || d.answers[1].CallID != "c1" {
			t.Errorf("%v", d.answers)
		}
	})
}

func TestSettle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, exec("ls"))
		d.stack.Settle("other")
		if len(d.stack.open) != 1 {
			t.Error("closed for another call")
		}
		d.run(d.stack.Settle("c1"))
		if len(d.stack.open) != 0 || len(d.answers) != 0 {
			t.Errorf("%d open, answers %v", len(d.stack.open), d.answers)
		}
		if d.press("y") != Ignored {
			t.Error("an empty stack took a key")
		}
		d.wait(500)
	})
}

// ATTACKS A01, A02: blanks do not hide the tail, a long command cannot be
// allowed unseen, and its tail is always in sight.
func TestLongCommand(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 60 {
		lines = append(lines, fmt.Sprintf("echo step %d", i))
	}
	command := strings.Join(lines, "\n") + "\necho ok" + strings.Repeat(" ", 400) + strings.Repeat("\t", 99) + strings.Repeat("\n", 80) + "; touch M"
	for _, reach := range [][]string{{"end"}, strings.Fields(strings.Repeat("pgdown ", 15)), {"?", "end"}, {"v", "G"}} {
		synctest.Test(t, func(t *testing.T) {
			d := newDesk(t, exec(command))
			d.h = 14
			view := d.view()
			for _, want := range []string{"$ echo step 0", "; touch M", "⋮", "rows 1–", "blanks⟩", "n no"} {
				if !strings.Contains(view, want) && want != "blanks⟩" {
					t.Errorf("no %q in\n%s", want, view)
				}
			}
			d.wait(500)
			if d.press("y") != Kept || len(d.answers) != 0 {
				t.Fatal("allowed before its end was in sight")
			}
			if view := d.view(); !strings.Contains(view, "see it to its end first") {
				t.Errorf("nothing says why:\n%s", view)
			}
			for _, k := range reach {
				d.wait(500)
				if d.press(k) != Kept {
					t.Errorf("%s was not taken", k)
				}
			}
			d.wait(500)
			if got := d.press("y"); got != Closed || len(d.answers) != 1 {
				t.Errorf("not allowed although the end was in sight: %d\n%s", got, d.view())
			}
		})
	}
	a := NewApproval(theme.New(true), exec(command), nil)
	rows := ansi.Strip(strings.Join(a.effectRows(76, false, false), "\n"))
	if !strings.Contains(rows, "echo ok⟨") || !strings.Contains(rows, "⟨79 empty lines⟩") {
		t.Errorf("long runs of blanks are not folded:\n%s", rows)
	}
	all := ansi.Strip(strings.Join(a.effectRows(76, true, false), "\n"))
	if strings.Contains(all, "⟨") || strings.Count(all, "\n") < 140 {
		t.Errorf("everything is abridged:\n%s", all)
	}
}

// A yes before the end was in sight is answered with why it is none, on the
// whole screen too.
func TestReadingSaysWhyYesIsNone(t *testing.T) {
	t.Parallel()
	const why = "see it to its end first"
	for _, key := range []string{"y", "a"} {
		for _, h := range []int{3, 5, 14} {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, exec(strings.Repeat("echo\n", 60)+"touch M"))
				d.h = h
				d.wait(500)
				d.press("?")
				d.wait(500)
				if view := d.view(); strings.Contains(view, why) {
					t.Errorf("said before it is true:\n%s", view)
				}
				d.press(key)
				if view := d.view(); !strings.Contains(view, why) || len(d.answers) != 0 {
					t.Errorf("%s at %d rows: nothing says why it does nothing (%v):\n%s", key, h, d.answers, view)
				}
				d.send(Wheel(1000))
				if view := d.view(); strings.Contains(view, why) {
					t.Errorf("still said at the end:\n%s", view)
				}
				d.wait(500)
				if d.press(key); len(d.answers) != 1 {
					t.Errorf("%s at the end answers %v", key, d.answers)
				}
			})
		}
	}
}

// ATTACKS A03 and D: at any size the keys are there, and nothing can be
// allowed that was not seen.
func TestTinyScreens(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{20, 3}, {20, 2}, {20, 1}, {40, 4}, {10, 6}, {300, 30}, {1, 1}} {
		synctest.Test(t, func(t *testing.T) {
			d := newDesk(t, exec(strings.Repeat("echo 一个命令; ", 40)))
			d.w, d.h = size[0], size[1]
			a := d.stack.Top().(*Approval)
			a.page.seen = false // what the first, larger, screen showed
			d.view()
			d.wait(500)
			seen := a.page.seen
			if d.press("y"); (len(d.answers) == 1) != seen {
				t.Errorf("%v: seen %v, answers %v", size, seen, d.answers)
			}
			d.wait(500)
			d.press("n")
			if len(d.answers) != 1 {
				t.Errorf("%v: %v", size, d.answers)
			}
		})
	}
}

// What is not in the preview is told all the same.
func TestEffectsThePreviewHides(t *testing.T) {
	t.Parallel()
	r := Request{Tool: "shell", Title: "lists files", Preview: tools.View{Kind: tools.Command, Text: "ls"},
		Effects: []tools.Effect{{Kind: tools.Exec, Target: "rm -rf ~", Risk: "can delete what cannot be brought back"}, {Kind: tools.Write, Target: "a.txt"}}}
	a := NewApproval(theme.New(true), r, nil)
	view := ansi.Strip(strings.Join(a.View(80, 20), "\n"))
	for _, want := range []string{"$ ls", "exec rm -rf ~", "write a.txt", "! can delete what cannot be brought back", "runs a command, writes 1 file"} {
		if !strings.Contains(view, want) {
			t.Errorf("no %q in\n%s", want, view)
		}
	}
}

func TestHiddenCharactersAreCounted(t *testing.T) {
	t.Parallel()
	r := exec("cat \u202egpj.exe\u200b; e\u00adcho")
	view := ansi.Strip(strings.Join(NewApproval(theme.New(true), r, nil).View(80, 20), "\n"))
	for _, want := range []string{"! 3 hidden characters", "<U+202E>", "<U+200B>", "<U+00AD>"} {
		if !strings.Contains(view, want) {
			t.Errorf("no %q in\n%s", want, view)
		}
	}
	d := change.FileDiff{Path: "a.go", Kind: change.Changed, Added: 1, Hunks: []change.Hunk{{Old: 1, New: 1, Lines: []change.Line{{Op: "+", Text: "x\u200by"}, {Op: " ", Text: "was\u200bthere"}}}}}
	w := Request{Tool: "edit", Title: "a.go", Preview: tools.View{Kind: tools.Diff, Diffs: []change.FileDiff{d}}, Effects: []tools.Effect{{Kind: tools.Write, Target: "a.go"}}}
	if view := ansi.Strip(strings.Join(NewApproval(theme.New(true), w, nil).View(80, 20), "\n")); !strings.Contains(view, "! 1 hidden character,") {
		t.Errorf("of a diff:\n%s", view)
	}
}
