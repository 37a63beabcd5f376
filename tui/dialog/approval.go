package dialog

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"aye/agent"
	"aye/tools"
	"aye/tui/theme"
)

// Quiet is how long an approval must have been on the screen without a key
// before one answers it.
const Quiet = 400 * time.Millisecond

// Pause is how long it must have been quiet after text went to the composer
// below: hands that write a message rest between words, and its next letter
// would be an answer.
const Pause = time.Second

// Alone is how long nothing may follow a letter that answers. What follows at
// once shows that it began something else: a word, or a paste that the
// terminal does not mark.
const Alone = 50 * time.Millisecond

// A Request is what an approval asks.
type Request struct {
	CallID  string
	Tool    string
	Title   string
	Effects []tools.Effect
	Preview tools.View
	Rule    string // what the choice Always would add; "": it is not offered
}

// An Approval asks whether a call may happen.
type Approval struct {
	Request
	th     theme.Theme
	answer func(agent.Answer) tea.Cmd

	quiet    time.Time     // since when; zero: not on the screen yet
	needs    time.Duration // of quiet
	ready    bool          // keys count; what the key line shows
	chosen   agent.Choice  // by letter, if it stays alone; "": nothing
	letter   tea.KeyMsg    // the last key that chose
	back     *tea.KeyMsg   // a letter that did not stay alone: see TakeBack
	answered bool
	hurried  bool // the last key was to allow what had not been seen to its end
	ruled    bool // the rule is in sight

	page   page
	effect cached // as docked
	reason *field // being typed
	pager  *Pager // everything, on the whole screen
	caret  [2]int // of reason, in the last View
}

// armed is the message that redraws the key line once keys count.
type armed struct{}

// alone is the message that nothing followed the key that chose.
type alone struct{ in *Approval }

// NewApproval asks about r. answer is called once, with the person's word.
func NewApproval(th theme.Theme, r Request, answer func(agent.Answer) tea.Cmd) *Approval {
	return &Approval{Request: r, th: th, answer: answer}
}

// Update takes the keys of CLI.md. Keys that mean nothing here, and all keys
// before the approval is ready, are ignored.
func (a *Approval) Update(msg tea.Msg) (Outcome, tea.Cmd) {
	switch msg := msg.(type) {
	case Shown:
		needs := Quiet
		if !a.undisturbed() { // somebody is typing
			needs = max(needs, a.needs)
		}
		return Kept, a.disturb(needs)
	case armed:
		a.ready = a.undisturbed()
		return Kept, nil
	case alone:
		if msg.in == a && a.chosen != "" {
			return a.say(a.chosen, "")
		}
		return Kept, nil
	case theme.Theme:
		a.th, a.effect = msg, cached{}
		if a.pager != nil {
			a.pager.Update(msg)
		}
		return Kept, nil
	case Paste:
		return a.paste(string(msg))
	case Wheel:
		return a.turn(msg), nil
	case tea.KeyMsg:
		return a.key(msg)
	}
	return Ignored, nil
}

// disturb begins a time of quiet anew.
func (a *Approval) disturb(needs time.Duration) tea.Cmd {
	a.quiet, a.needs, a.ready, a.chosen = time.Now(), needs, false, ""
	return tea.Tick(needs, func(time.Time) tea.Msg { return armed{} })
}

func (a *Approval) undisturbed() bool {
	return !a.quiet.IsZero() && a.chosen == "" && time.Since(a.quiet) >= a.needs
}

// turn scrolls; it is nobody's answer, so the time of quiet goes on.
func (a *Approval) turn(by Wheel) Outcome {
	a.hurried = false
	switch {
	case a.pager != nil:
		a.pager.page.move(int(by))
	case a.page.long():
		a.page.move(int(by))
	default:
		return Ignored
	}
	return Kept
}

// paste goes into the reason, if one is being typed; it never answers.
func (a *Approval) paste(text string) (Outcome, tea.Cmd) {
	if a.reason != nil {
		a.reason.insert(text)
		return Kept, nil
	}
	if a.pager != nil {
		return Kept, a.disturb(Quiet)
	}
	a.giveBack()
	return Ignored, a.disturb(Quiet)
}

// giveBack keeps a letter that was to answer for whom the text is that it
// begins.
func (a *Approval) giveBack() {
	if a.chosen != "" {
		letter := a.letter
		a.back = &letter
	}
}

// TakeBack returns, once, a letter that looked like an answer and was the
// beginning of what has just been ignored: it comes before that.
func (a *Approval) TakeBack() (letter tea.KeyMsg, ok bool) {
	if a.back == nil {
		return letter, false
	}
	letter, a.back = *a.back, nil
	return letter, true
}

func (a *Approval) key(k tea.KeyMsg) (Outcome, tea.Cmd) {
	key := k.String()
	switch {
	case a.answered || key == "ctrl+c":
		return Ignored, nil
	case a.reason != nil:
		return a.typeReason(k)
	case k.Paste:
		return a.paste(string(k.Runes))
	case !a.undisturbed():
		return a.early(k)
	}
	a.ready, a.hurried, a.letter = true, false, k
	if a.pager != nil {
		return a.readingKey(key)
	}
	switch key {
	case "y":
		return a.allow(agent.Allow)
	case "a":
		if a.Rule != "" && a.ruled {
			return a.allow(agent.Always)
		}
	case "n":
		return a.settle(agent.Deny)
	case "esc":
		return a.say(agent.Deny, "")
	case "r":
		a.reason = &field{}
		return Kept, nil
	case "?", "v":
		return Kept, a.read()
	default:
		if a.page.long() && a.page.scroll(key) {
			return Kept, nil
		}
	}
	return Ignored, a.disturb(quietAfter(k))
}

// quietAfter is how long it must be quiet after a key that went to the
// composer: an answer given too early may soon be given again, other text is a
// message that goes on.
func quietAfter(k tea.KeyMsg) time.Duration {
	switch k.String() {
	case "y", "a", "n", "r", "v", "?":
		return Quiet
	}
	if k.Type == tea.KeyRunes || k.Type == tea.KeySpace {
		return Pause
	}
	return Quiet
}

// early takes a key that came too soon to answer: it was meant for something
// else. Only what moves the text is obeyed, and only keys that write nothing.
func (a *Approval) early(k tea.KeyMsg) (Outcome, tea.Cmd) {
	key := k.String()
	if a.pager != nil {
		a.pager.scroll(key)
		return Kept, a.disturb(Quiet)
	}
	if len(key) > 1 && a.page.long() && a.page.scroll(key) {
		return Kept, a.disturb(Quiet)
	}
	a.giveBack()
	return Ignored, a.disturb(max(a.needs, quietAfter(k)))
}

// readingKey takes a key while everything is shown on the whole screen.
func (a *Approval) readingKey(key string) (Outcome, tea.Cmd) {
	switch key {
	case "y":
		return a.allow(agent.Allow)
	case "a":
		switch {
		case a.Rule == "":
		case a.ruled || a.pager.page.seen:
			return a.allow(agent.Always)
		default:
			a.hurried = true
		}
	case "n":
		return a.settle(agent.Deny)
	case "r":
		a.pager, a.reason = nil, &field{}
	case "q", "esc", "?", "v":
		a.pager = nil
		return Kept, a.disturb(Quiet)
	default:
		a.pager.scroll(key)
	}
	return Kept, nil
}

// read shows everything, on the whole screen.
func (a *Approval) read() tea.Cmd {
	a.pager = NewPager(a.th, a.Tool+" "+a.Title, func(width int) []string { return a.effectRows(width, true, false) })
	return a.disturb(Quiet)
}

// allow answers yes, if the end of what would happen was on the screen.
func (a *Approval) allow(choice agent.Choice) (Outcome, tea.Cmd) {
	if !a.page.seen && (a.pager == nil || !a.pager.page.seen) {
		a.hurried = true
		return Kept, nil
	}
	return a.settle(choice)
}

// settle answers, if the key stays alone.
func (a *Approval) settle(choice agent.Choice) (Outcome, tea.Cmd) {
	a.chosen = choice
	return Kept, tea.Tick(Alone, func(time.Time) tea.Msg { return alone{a} })
}

func (a *Approval) say(choice agent.Choice, note string) (Outcome, tea.Cmd) {
	a.answered = true
	return Closed, a.answer(agent.Answer{CallID: a.CallID, Choice: choice, Note: note})
}

// typeReason takes a key while the reason of a denial is typed: all of them
// are text, and none allows anything.
func (a *Approval) typeReason(k tea.KeyMsg) (Outcome, tea.Cmd) {
	switch k.String() {
	case "enter":
		return a.say(agent.Deny, a.reason.text())
	case "esc":
		a.reason = nil
		return Kept, a.disturb(Quiet)
	}
	a.reason.key(k)
	return Kept, nil
}

// Full tells whether the approval wants the whole screen.
func (a *Approval) Full() bool { return a.pager != nil }

// Cursor returns the caret of the reason that is being typed.
func (a *Approval) Cursor() (x, y int, ok bool) {
	return a.caret[0], a.caret[1], a.reason != nil
}
