package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/term"

	"aye/agent"
	"aye/tools/cause"
)

// runCommand does one task without the screen: the answer on standard output,
// everything else on standard error.
func runCommand(ctx context.Context, in invocation) error {
	conf, err := loadConfig(in, os.LookupEnv)
	if err != nil {
		return err
	}
	if len(conf.missing()) > 0 {
		return usagef("%s", conf.missingText())
	}
	prompt, err := runPrompt(ctx, in, conf.contextChars)
	if err != nil {
		return err
	}
	ctx, gone := context.WithCancelCause(ctx)
	defer gone(nil)
	out := &output{to: os.Stdout, json: in.format != "text", broken: gone}
	want := sessionWant{in: in, unattended: true}
	if in.format == "events" {
		want.lines = out
	}
	s, err := openSession(ctx, conf, want)
	if err != nil {
		return err
	}
	front := newHeadless(in.format, out, os.Stderr)
	front.live = in.format == "text" && term.IsTerminal(os.Stdout.Fd())
	for _, note := range s.notes {
		front.say("note: " + note)
	}
	if err := drive(ctx, s, prompt, front); err != nil {
		front.fail(err)
	}
	if s.left != "" {
		front.say(s.left)
	}
	if e := (*exit)(nil); errors.As(context.Cause(ctx), &e) {
		front.fail(e)
	}
	return front.finish()
}

// drive sends the prompt and follows the session until its turn has ended and
// everything of it is gone. When ctx ends the turn is interrupted and still
// followed to its end.
func drive(ctx context.Context, s *session, prompt string, front *headless) error {
	told := context.WithoutCancel(ctx)
	if err := s.Send(told, agent.Prompt{Text: prompt}); err != nil {
		return errors.Join(err, s.close())
	}
	interrupt := ctx.Done()
	for {
		select {
		case ev, ok := <-s.Events():
			if !ok {
				return s.close()
			}
			front.take(ev)
			if front.ended {
				return s.close()
			}
		case <-interrupt:
			interrupt = nil
			if err := s.Send(told, agent.Cancel{}); err != nil {
				return errors.Join(err, s.close())
			}
		}
	}
}

// runPrompt is the task: the words, and what standard input holds when it is
// no terminal. What cannot fit the model's context is refused here, where it
// can still be said which input was too much.
func runPrompt(ctx context.Context, in invocation, maxChars int) (string, error) {
	prompt := strings.TrimSpace(strings.Join(in.words, " "))
	if term.IsTerminal(os.Stdin.Fd()) {
		if prompt == "" {
			return "", usagef("there is no task: %s \"what to do\", or give it on standard input", in.command.title())
		}
		return prompt, nil
	}
	piped, err := readPiped(ctx, os.Stdin, int64(maxChars)*utf8.UTFMax)
	if err != nil {
		return "", err
	}
	if utf8.RuneCountInString(piped) > maxChars {
		return "", usagef("standard input holds more than the %d characters that the model's context does (CONTEXT_MAX_CHARS): give a part of it, or name the file and let the model read what it needs", maxChars)
	}
	if strings.TrimSpace(piped) == "" {
		piped = ""
	}
	switch {
	case prompt == "" && piped == "":
		return "", usagef("there is no task: %s \"what to do\", or give it on standard input", in.command.title())
	case prompt == "":
		return piped, nil
	case piped == "":
		return prompt, nil
	}
	return prompt + "\n\n" + piped, nil
}

// patience is how long standard input may say nothing before a person is told
// that aye waits for it.
const patience = time.Second

// readPiped reads at most a little more than limit bytes. The goroutine that
// reads cannot be interrupted; when ctx ends first, the program is about to.
func readPiped(ctx context.Context, from *os.File, limit int64) (string, error) {
	type read struct {
		data []byte
		err  error
	}
	done := make(chan read, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(from, limit+1))
		done <- read{data, err}
	}()
	waiting := time.NewTimer(patience)
	defer waiting.Stop()
	for {
		select {
		case r := <-done:
			if r.err != nil && !errors.Is(r.err, os.ErrClosed) && len(r.data) > 0 {
				return "", fmt.Errorf("standard input broke off: %w", cause.Of(r.err))
			}
			if !utf8.Valid(r.data) {
				return "", usagef("standard input is not text (UTF-8): name the file in the task instead, and the model can look at it")
			}
			return string(r.data), nil
		case <-waiting.C:
			fmt.Fprintln(os.Stderr, "aye: reading standard input to its end; where there is none, use </dev/null")
		case <-ctx.Done():
			return "", &exit{code: exitInterrupted}
		}
	}
}
