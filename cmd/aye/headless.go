package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"syscall"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"aye/agent"
	"aye/llm"
	"aye/tools"
	"aye/tui"
	"aye/tui/term"
)

// output is standard output. When its reader has gone, the run is over.
type output struct {
	to     io.Writer
	json   bool // what is written is whole lines of JSON
	broken context.CancelCauseFunc
}

func (o *output) Write(p []byte) (int, error) {
	text := p
	if o.json {
		text = inert(p)
	}
	if _, err := o.to.Write(text); err != nil {
		o.broken(unprinted(err))
		return 0, err
	}
	return len(p), nil
}

// inert is JSON with those characters escaped that a terminal would obey, or
// not show, where it is printed on one. They stand in strings only; of the
// controls, encoding/json leaves those above ASCII.
func inert(line []byte) []byte {
	if !bytes.ContainsFunc(line, unseen) {
		return line
	}
	var out []byte
	for _, r := range string(line) {
		switch {
		case !unseen(r):
			out = utf8.AppendRune(out, r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}

func unseen(r rune) bool { return r >= 0x7f && r <= 0x9f || unicode.Is(unicode.Cf, r) }

// unprinted is how a run ends whose output cannot be written. A reader that
// has had enough, as in aye run | head, wants no complaint.
func unprinted(err error) *exit {
	if errors.Is(err, syscall.EPIPE) {
		return &exit{code: exitFailed}
	}
	return &exit{exitFailed, "standard output cannot be written: " + err.Error()}
}

// A headless front end follows one turn. It is a fold over events, as the
// screen is.
type headless struct {
	format string
	live   bool // standard output is a terminal: words appear there as they come
	out    io.Writer
	errs   io.Writer

	state   agent.State
	meter   agent.Meter
	titles  map[string]string // of calls
	cleaner term.Cleaner
	midLine bool // live words stand on an unfinished line

	queued  bool // the task
	answer  string
	turns   int
	rounds  int
	refused []refusal
	ended   bool
	end     agent.TurnEnded
	failure error // around the turn: the journal, standard output
}

// A refusal is a call that was not allowed.
type refusal struct {
	Tool   string `json:"tool"`
	Title  string `json:"title"`
	Reason string `json:"reason"`
}

func newHeadless(format string, out, errs io.Writer) *headless {
	return &headless{format: format, out: out, errs: errs, titles: map[string]string{}, meter: agent.Meter{Price: priceAt}}
}

// say prints a line for people.
func (h *headless) say(line string) {
	if h.midLine {
		fmt.Fprintln(h.out)
		h.midLine = false
	}
	fmt.Fprintln(h.errs, strings.TrimRight(term.Clean(line), "\n"))
}

// take follows one event. What comes before the task is queued mends an
// earlier session, and is not about the task.
func (h *headless) take(ev agent.Event) {
	h.state.Apply(ev)
	h.meter.Apply(ev)
	if _, ok := ev.(agent.PromptQueued); ok {
		h.queued = true
	}
	if !h.queued {
		return
	}
	switch ev := ev.(type) {
	case agent.TextStreamed:
		h.stream(ev.Text)
	case agent.Replied:
		h.takeReply(ev)
	case agent.CallPrepared:
		h.titles[ev.CallID] = ev.Title
	case agent.CallFinished:
		h.takeResult(ev)
	case agent.TurnStarted:
		h.turns++
	case agent.TurnEnded:
		h.ended, h.end, h.rounds = true, ev, h.rounds+ev.Rounds
		h.saySpent()
	case agent.Noted:
		h.say(string(ev.Level) + ": " + ev.Text)
	case agent.Reminded, agent.Pruned, agent.Compacted, agent.JobEnded:
		if remark := tui.Remark(ev); remark != "" {
			h.say("· " + remark)
		}
	case agent.PromptWithdrawn:
		h.takeBack()
	case agent.Waiting:
		if ev.For == agent.ForRetry {
			h.say(fmt.Sprintf("retrying in %s: %s", time.Until(ev.Until).Round(time.Second), ev.Detail))
		}
	case agent.SessionOpened, agent.PromptQueued, agent.PromptAccepted,
		agent.ApprovalAsked, agent.ApprovalSettled, agent.ChangeCommitted,
		agent.CommandStarted, agent.CommandFinished, agent.JobStarted, agent.JobsListed, agent.ModeSet, agent.Cleared,
		agent.ThoughtStreamed, agent.CallStreamed, agent.CallProgress:
	}
}

// saySpent says what the turn took.
func (h *headless) saySpent() {
	s := h.meter.Last()
	if s.Usage.Input+s.Usage.Output == 0 {
		return
	}
	h.say("tokens: " + term.Usage(s.Usage.Input, s.Usage.Cached, s.Usage.Output, s.Usage.Estimated, s.KnownCost()))
}

// takeBack ends a run whose turn could not begin: a note has said why.
func (h *headless) takeBack() {
	if h.turns == 0 {
		h.ended = true
		h.fail(errors.New("the task was not begun"))
	}
}

func (h *headless) stream(text string) {
	if !h.live {
		return
	}
	text = h.cleaner.Clean(text)
	if text == "" {
		return
	}
	fmt.Fprint(h.out, text)
	h.midLine = !strings.HasSuffix(text, "\n")
}

// takeReply keeps the answer. Words that lead up to calls are no answer.
func (h *headless) takeReply(ev agent.Replied) {
	h.stream(h.cleaner.Flush())
	text := ev.Message.Text()
	if len(ev.Message.Calls()) == 0 && !ev.Cut {
		h.answer = text
		return
	}
	if strings.TrimSpace(text) != "" && !h.live {
		h.say(text)
	}
}

func (h *headless) takeResult(ev agent.CallFinished) {
	title, prepared := h.titles[ev.CallID]
	if !prepared {
		title = "call"
	}
	if ev.Result.Status == tools.Denied {
		h.refused = append(h.refused, refusal{ev.Tool, title, ev.Result.Text})
	}
	h.say(fmt.Sprintf("  %-6s %s  %s", ev.Tool, term.Line(title), outcome(ev.Result)))
}

// outcome says in a few words how a call ended.
func outcome(r tools.Result) string {
	first, _, _ := strings.Cut(strings.TrimSpace(r.Text), "\n")
	switch r.Status {
	case tools.OK:
		return term.Line(r.View.Summary)
	case tools.Denied:
		return "refused: " + term.Line(first)
	case tools.Interrupted:
		return "interrupted"
	case tools.Failed:
		if r.View.Summary != "" { // a command at its time limit
			return "failed: " + term.Line(r.View.Summary)
		}
		return "failed: " + term.Line(first)
	}
	return ""
}

// fail says that something around the turn went wrong: then the run did,
// however the turn ended.
func (h *headless) fail(err error) { h.failure = err }

// finish prints the answer and returns the error that says how aye ends.
func (h *headless) finish() error {
	verdict := h.verdict()
	var err error
	switch {
	case h.format == "json":
		err = h.printObject(verdict)
	case h.live && h.midLine:
		_, err = fmt.Fprintln(h.out)
	case h.format == "text" && !h.live && h.answer != "":
		_, err = fmt.Fprintln(h.out, strings.TrimRight(h.answer, "\n"))
	}
	if err != nil && verdict == nil {
		return unprinted(err)
	}
	if verdict == nil {
		return nil // not the nil *exit
	}
	return verdict
}

// verdict is nil for an answer, else the exit code with its sentence.
func (h *headless) verdict() *exit {
	if h.failure != nil {
		return &exit{exitFailed, h.failure.Error()}
	}
	if !h.ended {
		return &exit{exitFailed, "the session ended before the answer did"}
	}
	switch h.end.Reason {
	case agent.Finished:
		switch n := len(h.refused); n {
		case 0:
			return nil
		case 1:
			return &exit{exitRefused, "a call was refused; its line above says why"}
		default:
			return &exit{exitRefused, fmt.Sprintf("%d calls were refused; their lines above say why", n)}
		}
	case agent.Cancelled:
		return &exit{exitInterrupted, "interrupted"}
	case agent.Limited:
		text := h.end.Err
		if text == "" {
			text = "stopped after " + requests(h.end.Worked()) + ", and one without tools to say where it stands; --max-rounds allows more"
		}
		return &exit{exitLimited, text}
	case agent.Broken:
		return &exit{exitFailed, h.end.Err}
	}
	return &exit{exitFailed, "the turn ended in a way this aye does not know: " + string(h.end.Reason)}
}

func requests(n int) string {
	if n == 1 {
		return "1 request"
	}
	return fmt.Sprintf("%d requests", n)
}

// object is what --format json prints.
type object struct {
	Answer  string              `json:"answer"`
	Session string              `json:"session"`
	Model   string              `json:"model"`
	Turns   int                 `json:"turns"`
	Rounds  int                 `json:"rounds"`
	Usage   usage               `json:"usage"`
	Changes []agent.ChangedFile `json:"changes"`
	Refused []refusal           `json:"refused"`
	Error   *string             `json:"error"`
}

// usage counts tokens. The cost is null where the price is not known.
type usage struct {
	llm.Usage
	Cached  int      `json:"cached"` // said also when it is 0
	CostUSD *float64 `json:"cost_usd"`
}

// cost is what the replies cost, nil where that is not known.
func (h *headless) cost() *float64 {
	total := h.meter.Total
	if !total.Known() || total.Replies == 0 {
		return nil
	}
	usd := math.Round(total.Cost*1e9) / 1e9 // not 0.030000000000000002
	return &usd
}

func (h *headless) printObject(verdict *exit) error {
	o := object{
		Answer: h.answer, Session: h.state.Opened.ID, Model: h.state.Opened.Model, Turns: h.turns, Rounds: h.rounds,
		Usage:   usage{Usage: h.state.Usage, Cached: h.state.Usage.Cached, CostUSD: h.cost()},
		Changes: h.state.Changes, Refused: h.refused,
	}
	if o.Changes == nil {
		o.Changes = []agent.ChangedFile{}
	}
	if o.Refused == nil {
		o.Refused = []refusal{}
	}
	if verdict != nil && verdict.code != exitRefused {
		o.Error = &verdict.text
	}
	enc := json.NewEncoder(h.out)
	enc.SetEscapeHTML(false)
	return enc.Encode(o)
}
