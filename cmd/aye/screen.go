package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/term"

	"aye/agent"
	"aye/cmd/aye/tour"
	"aye/llm"
	"aye/llm/openai"
	"aye/tools/workspace"
	"aye/tui"
)

// chatCommand is the chat on the full screen; without a terminal it does the
// task as aye run would.
func chatCommand(ctx context.Context, in invocation) error {
	if !onTerminal() {
		if len(in.words) > 0 {
			return runCommand(ctx, in)
		}
		return usagef("the chat needs a terminal on standard input and output; for scripts there is aye run \"what to do\"")
	}
	conf, err := loadConfig(in, os.LookupEnv)
	if err != nil {
		return err
	}
	name, err := workspaceName(in.dir)
	if err != nil {
		return err
	}
	kept := store{conf.state, name}
	d := &desk{ctx: ctx, conf: conf, in: in, store: kept}
	opts := tui.Options{
		Info:    tui.Info{Version: version(), Workspace: name, Home: homeFolder()},
		Prompt:  strings.Join(in.words, " "),
		Light:   lightBackground(os.LookupEnv),
		Store:   d,
		History: kept.History(), Draft: kept.Draft(),
		Files: d.files, Edit: editor(os.LookupEnv), Price: priceAt,
	}
	if len(conf.missing()) > 0 {
		d.ask(&opts)
	} else if err := d.open(&opts); err != nil {
		return errors.Join(err, d.close())
	}
	return d.show(opts)
}

// tourCommand is the guided demo. It keeps nothing.
func tourCommand(ctx context.Context, in invocation) error {
	if !onTerminal() {
		return usagef("the tour needs a terminal on standard input and output")
	}
	// Not the person's configuration: the tour goes without, whatever is in it.
	d := &desk{ctx: ctx, conf: config{contextChars: defaultContextChars}, in: in}
	s, err := d.tour(ctx)
	if err != nil {
		return errors.Join(err, d.close())
	}
	return d.show(tui.Options{
		Info: s.info, Session: s, Warnings: s.notes, Light: lightBackground(os.LookupEnv),
		Files: d.files, Edit: editor(os.LookupEnv), Price: priceAt,
	})
}

func onTerminal() bool {
	return term.IsTerminal(os.Stdin.Fd()) && term.IsTerminal(os.Stdout.Fd())
}

// workspaceName is the folder aye works in, links resolved.
func workspaceName(dir string) (string, error) {
	files, err := openWorkspace(dir, workspace.Options{})
	if err != nil {
		return "", err
	}
	return files.Name(), files.Close()
}

// lightBackground guesses by what some terminals say about themselves; the
// screen asks the terminal and corrects it.
func lightBackground(env environment) bool {
	colours := strings.Split(variable(env, "COLORFGBG").value, ";")
	return slices.Contains([]string{"7", "15"}, colours[len(colours)-1])
}

// A desk is what stands behind the screen: it opens sessions for it, keeps
// what was typed, and puts everything away at the end. Its methods are called
// from the screen's own goroutines.
type desk struct {
	ctx     context.Context
	conf    config
	in      invocation
	store   store
	current atomic.Pointer[session]   // the one on the screen; nil: none yet
	guide   atomic.Pointer[tour.Tour] // what a tour stands on
}

// show runs the screen and puts everything away.
func (d *desk) show(opts tui.Options) error {
	lipgloss.SetColorProfile(colours(os.LookupEnv))
	err := tui.Run(d.ctx, opts)
	s := d.current.Load()
	err = errors.Join(err, d.close())
	if s != nil && s.left != "" {
		fmt.Fprintln(os.Stderr, s.left)
	}
	if err == nil && s != nil && s.keep.kept() {
		fmt.Printf("To go on with this session: aye --resume %s\n", s.keep.id)
	}
	return err
}

// open opens the session that is configured.
func (d *desk) open(opts *tui.Options) error {
	s, err := openSession(d.ctx, d.conf, sessionWant{in: d.in})
	if err != nil {
		return err
	}
	d.current.Store(s)
	opts.Session, opts.Info, opts.Past, opts.Warnings = s, s.info, s.past, s.notes
	return nil
}

// ask lets the person choose a model first.
func (d *desk) ask(opts *tui.Options) {
	opts.Setup = &tui.Setup{
		Probe:   func(ctx context.Context) []tui.Server { return probe(ctx, d.conf.servers(), d.at) },
		Connect: d.connect,
		Configured: tui.Configured{
			Known:    tui.Choice{BaseURL: d.conf.endpoint(), Model: d.conf.model.value},
			Missing:  d.conf.partly(),
			Complete: openai.Complete,
			KeyFrom:  d.keyFrom,
		},
	}
}

// at is the configuration for an endpoint that the person chose.
func (d *desk) at(baseURL string) config { return d.conf.at(baseURL, os.LookupEnv) }

// keyFrom names the variable that holds the key for an endpoint being typed.
func (d *desk) keyFrom(baseURL string) string {
	url, err := openai.Complete(baseURL)
	if err != nil {
		return ""
	}
	if key := d.at(url).key; key.value != "" {
		return key.origin
	}
	return ""
}

// connect opens a session for what the person chose on the set-up screen.
func (d *desk) connect(ctx context.Context, c tui.Choice) (tui.Opened, error) {
	if c.Tour {
		s, err := d.tour(ctx)
		if err != nil {
			return tui.Opened{}, err
		}
		return tui.Opened{Session: s, Info: s.info, Notes: s.notes}, nil
	}
	url, err := openai.BaseURL(c.BaseURL)
	if err != nil {
		return tui.Opened{}, &tui.Fault{Field: tui.FieldURL, Err: err}
	}
	conf := d.at(url)
	conf.model = setting{strings.TrimSpace(c.Model), "set-up"}
	if key := strings.TrimSpace(c.Key); key != "" {
		conf.key = setting{key, "set-up"}
	}
	if conf.model.value == "" {
		return tui.Opened{}, &tui.Fault{Field: tui.FieldModel, Err: errors.New("the model needs a name: the one the endpoint knows it by")}
	}
	unlisted, err := try(ctx, conf)
	if err != nil {
		return tui.Opened{}, fault(err)
	}
	s, err := openSession(d.ctx, conf, sessionWant{in: d.in})
	if err != nil {
		return tui.Opened{}, err
	}
	d.current.Store(s)
	if unlisted != "" {
		s.notes = append(s.notes, unlisted)
	}
	return tui.Opened{Session: s, Info: s.info, Past: s.past, Notes: append(s.notes, toKeep(conf))}, nil
}

// fault tells in which field of the form the cause of err is.
func fault(err error) error {
	e := (*llm.Error)(nil)
	switch {
	case !errors.As(err, &e):
		return err
	case e.Kind == llm.Auth:
		return &tui.Fault{Field: tui.FieldKey, Err: err}
	}
	return &tui.Fault{Field: tui.FieldURL, Err: err}
}

// toKeep says how the choice holds next time.
func toKeep(conf config) string {
	address := "=" + conf.endpoint()
	if conf.endpoint() != conf.baseURL.value {
		address = " to the address you gave"
	}
	text := "To begin with this model next time, set API_BASE_URL" + address + " and API_MODEL=" + conf.model.value
	if conf.key.value != "" {
		text += ", and API_KEY to the key"
	}
	return text + "."
}

// tour opens a session with the scripted model in a scratch folder, and says
// the first words for the person.
func (d *desk) tour(ctx context.Context) (*session, error) {
	t, err := tour.Start(d.ctx)
	if err != nil {
		return nil, err
	}
	conf := d.conf
	conf.state = "" // what happens in a scratch folder is recorded nowhere
	conf.baseURL, conf.key, conf.model = setting{t.URL(), "tour"}, setting{}, setting{tour.Model, "tour"}
	s, err := openSession(d.ctx, conf, sessionWant{
		in:     invocation{dir: t.Dir(), noSession: true, mode: agent.Ask},
		banner: tour.Banner,
	})
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	if err := s.Send(ctx, agent.Prompt{Text: tour.Prompt}); err != nil {
		return nil, errors.Join(err, s.close(), t.Close())
	}
	d.current.Store(s)
	d.guide.Store(t)
	return s, nil
}

// close ends what was opened, the session before what it stands on.
func (d *desk) close() error {
	var errs []error
	if s := d.current.Load(); s != nil {
		errs = append(errs, s.close())
	}
	if t := d.guide.Load(); t != nil {
		errs = append(errs, t.Close())
	}
	return errors.Join(errs...)
}

// AddHistory keeps a message. The tour's are nobody's history, and where no
// session is to be kept, nor is what was typed in it.
func (d *desk) AddHistory(text string) error {
	if d.in.noSession || d.guide.Load() != nil {
		return nil
	}
	return d.store.AddHistory(text)
}

// SaveDraft keeps what is being written, as AddHistory keeps what was sent. An
// earlier draft that was sent or cleared is forgotten in any case.
func (d *desk) SaveDraft(text string) error {
	if d.in.noSession && text != "" || d.guide.Load() != nil {
		return nil
	}
	return d.store.SaveDraft(text)
}

const mostFiles = 50_000 // offered for completion

var errEnough = errors.New("enough files")

// files lists the workspace for completion.
func (d *desk) files(ctx context.Context) ([]string, error) {
	s := d.current.Load()
	if s == nil {
		return nil, nil
	}
	var names []string
	_, err := s.files.Walk(ctx, ".", workspace.Scope{Depth: -1}, func(rel string) error {
		if names = append(names, rel); len(names) == mostFiles {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	slices.Sort(names)
	return names, nil
}
