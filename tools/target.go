package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"aye/tools/change"
	"aye/tools/text"
	"aye/tools/workspace"
)

// maxEdited is the largest file that is changed, in bytes: its old and new
// content are held in memory and shown.
const maxEdited = 64 << 20

// A target is a file that a call is to change, as it is now, and what the
// model has seen of it.
type target struct {
	ws    *workspace.Dir
	seen  *workspace.Seen
	given string // the path as the model wrote it
	rel   string

	exists  bool
	missing error // that it does not exist
	data    []byte
	info    fs.FileInfo
	sum     workspace.Sum // of data
	doc     text.Doc      // data as text
	foreign error         // that data is no text
}

// look finds what is at a path. That nothing is there is no error.
func look(ws *workspace.Dir, seen *workspace.Seen, given string) (target, error) {
	rel, err := ws.Resolve(given)
	if err != nil {
		return target{}, err
	}
	t := target{ws: ws, seen: seen, given: given, rel: rel}
	t.data, t.info, err = ws.ReadFile(rel, maxEdited)
	switch {
	case err == nil:
		t.exists, t.sum = true, workspace.SumOf(t.data)
		t.doc, t.foreign = text.Decode(t.data)
	case errors.Is(err, workspace.ErrTooLarge):
		return target{}, fmt.Errorf("%w; change it with shell", err)
	case errors.Is(err, fs.ErrNotExist):
		t.missing = err
	default:
		return target{}, err
	}
	return t, nil
}

// again looks once more.
func (t target) again() (target, error) { return look(t.ws, t.seen, t.given) }

// Knowledge is what the model knows of a file's content.
type knowledge int

const (
	unread   knowledge = iota // it has not seen the file
	outdated                  // it has seen other content
	partial                   // it has seen some lines
	complete                  // it has seen all of it
)

func (t target) known() knowledge {
	switch sum, whole, ok := t.seen.Of(t.rel); {
	case !ok:
		return unread
	case sum != t.sum:
		return outdated
	case !whole:
		return partial
	}
	return complete
}

// secret says why lines of the file are not shown to a model that has not
// read them with the user's leave; "" for ordinary files.
func (t target) secret() string { return riskOf(t.given, t.rel, workspace.Secret) }

// gone says, of a file that is not there, that the model has seen it; else "".
func (t target) gone() string {
	if _, _, ok := t.seen.Of(t.rel); ok && !t.exists {
		return fmt.Sprintf("%s was removed since you saw it", t.rel)
	}
	return ""
}

// notText says that a file is no text, with the decoder's word for why.
func notText(rel string, size int64, why error) error {
	if rest, ok := strings.CutPrefix(why.Error(), "is binary"); ok {
		return fmt.Errorf("%s is binary, %d bytes%s", rel, size, rest)
	}
	return fmt.Errorf("%s %w, %d bytes", rel, why, size)
}

// notText says what keeps the target from being taken as text, or nil.
func (t target) notText() error {
	if t.foreign == nil {
		return nil
	}
	return notText(t.rel, int64(len(t.data)), t.foreign)
}

// change is the change of the target to other content, which must be text: a
// person cannot allow what cannot be shown. In UTF-8 everything can.
func (t target) change(after []byte) (change.Set, error) {
	if _, err := t.doc.DecodeLike(after); err != nil && !utf8.Valid(after) {
		return change.Set{}, fmt.Errorf("%s: what it would become %w, and cannot be shown to the user; leave that character out", t.rel, err)
	}
	file := change.File{Path: t.rel, Before: t.data, After: after, Existed: t.exists, Mode: t.ws.NewFileMode()}
	if t.exists {
		file.Mode = t.info.Mode() & workspace.Permissions
	}
	return change.New(file)
}

// wrote is what the model has seen of the file once it is after: what it wrote
// itself, and what it had seen and is still there.
func (t target) wrote(after version) []workspace.Sight {
	was, is := text.Split(t.doc.Bytes()), text.Split(after.text)
	same := func(a, b text.Line) bool { return a.End == b.End && bytes.Equal(a.Text, b.Text) }
	from, tail := 0, 0
	for from < len(was) && from < len(is) && same(was[from], is[from]) {
		from++
	}
	for tail < len(was)-from && tail < len(is)-from && same(was[len(was)-1-tail], is[len(is)-1-tail]) {
		tail++
	}
	return t.seen.After(workspace.Swap{
		Path: t.rel, Was: t.sum, Now: after.sum,
		From: from, To: len(was) - tail, End: len(is) - tail, Lines: len(is),
	})
}

// A refusal says why a call does nothing and shows the text that it needed to
// know of: what it shows counts as read, so that the next try succeeds.
type refusal struct {
	short string // for people
	why   string // a sentence for the model
	shown string // lines of the file
	seen  []workspace.Sight
}

func (r refusal) result(seen *workspace.Seen) Result {
	seen.Add(r.seen...)
	words := r.why
	if r.shown != "" {
		words += "\n" + r.shown
	}
	view := View{Kind: Plain, Summary: r.short, Text: "Nothing was written."}
	if len(r.seen) > 0 {
		view.Text += " The model was shown the text and may try again."
	}
	return Result{Status: Failed, Text: words, View: view, Seen: r.seen}
}

// refuse is the action of a call that is refused: it only reads.
func (t target) refuse(r refusal) Action {
	return Action{
		Title:   titleOf(t.given, t.rel),
		Effects: []Effect{{Kind: Read, Target: t.rel, Risk: t.secret()}},
		Run:     func(context.Context, func(string)) Result { return r.result(t.seen) },
	}
}

// hidden is the error about a file that was not seen as it is and whose lines
// must not be shown.
func (t target) hidden() error {
	what := "you have not seen it as it is now"
	if t.known() == partial {
		what = "you have not seen all of it"
	}
	return fmt.Errorf("%s %s, so it is not shown here, and %s. Nothing was written: read it first (the user is asked), then repeat the call", t.rel, t.secret(), what)
}

// unseen shows the lines of the file that the model has not seen, as many as
// there is room for.
func (t target) unseen() (shown string, sights []workspace.Sight) {
	v := t.version()
	lines := v.lines()
	s := text.NewScanner(bytes.NewReader(v.text), maxText/2)
	p := page{room: maxText}
	at := 0
	for _, gap := range t.seen.Gaps(t.rel, t.sum, lines) {
		skipped, _ := s.Skip(gap[0] - at) // reading from memory does not fail
		if skipped > 0 {
			p.note("lines %d–%d: you have seen them", at+1, gap[0])
		}
		added, over, _ := p.fill(s, gap[0]+1, gap[1]-gap[0])
		if at = gap[0] + added; over || at < gap[1] {
			p.tooLong()
			p.note("lines %d–%d of %d are not shown: read with offset %d, then repeat the call; or change a part with edit", at+1, lines, lines, at)
			return strings.TrimSuffix(p.out.String(), "\n"), p.sights(t.rel, t.sum, lines)
		}
	}
	switch {
	case p.tooLong():
	case lines == 0:
		p.note("the file is empty; repeat the call if it still is right")
	default:
		p.note("now you have seen all of it: repeat the call if it still is right, or change a part with edit")
	}
	return strings.TrimSuffix(p.out.String(), "\n"), p.sights(t.rel, t.sum, lines)
}
