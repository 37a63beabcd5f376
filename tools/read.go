package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"aye/tools/skill"
	"aye/tools/text"
	"aye/tools/workspace"
)

type readArgs struct {
	Path   string `json:"path"`
	Offset *int   `json:"offset" doc:"lines to skip; -N: the last N lines"`
	Limit  *int   `json:"limit" doc:"lines to read, 200 if absent"`
}

func readTool(ws *workspace.Dir, seen *workspace.Seen, skills *skill.Catalog) Tool {
	tool := Define("read", "Read a text file with line numbers.", func(_ context.Context, a readArgs) (Action, error) {
		if folder, rel, ok := skills.Folder(a.Path); ok {
			return a.ofSkill(folder, rel)
		}
		r := reading{ws: ws, seen: seen}
		return a.prepare(&r, a.Path)
	})
	tool.ReadOnly = true
	return tool
}

// ofSkill reads what a skill of the person's refers to, outside the workspace.
// Nothing there is changed, so what was seen of it does not matter.
func (a readArgs) ofSkill(folder, rel string) (Action, error) {
	ws, err := workspace.Open(folder)
	if err != nil {
		return Action{}, err
	}
	defer ws.Close()
	r := reading{ws: ws}
	action, err := a.prepare(&r, rel)
	if err != nil {
		return action, err
	}
	action.Title = a.Path
	action.Effects[0].Target = a.Path
	action.Run = func(ctx context.Context, _ func(string)) Result {
		again, err := workspace.Open(folder)
		if err != nil {
			return failed(err)
		}
		defer again.Close()
		r.ws = again
		return r.run(ctx)
	}
	return action, nil
}

// prepare makes r the reading of a file in r.ws.
func (a readArgs) prepare(r *reading, path string) (Action, error) {
	ws := r.ws
	rel, err := ws.Resolve(path)
	if err != nil {
		return Action{}, err
	}
	r.rel, r.limit, r.page = rel, maxLines, page{room: maxText}
	if a.Offset != nil {
		r.offset = max(*a.Offset, -math.MaxInt) // so that it has a positive, too
	}
	if a.Limit != nil {
		r.limit = *a.Limit
	}
	if r.limit < 1 {
		return Action{}, fmt.Errorf("limit is %d; it counts lines to read and must be 1 or more", r.limit)
	}
	f, _, err := ws.OpenFile(rel) // to refuse now what cannot be read
	if err != nil {
		return Action{}, missingPath(ws, path, err)
	}
	f.Close()
	action := Action{
		Title:   titleOf(path, rel),
		Effects: []Effect{{Kind: Read, Target: rel, Risk: riskOf(path, rel, workspace.Secret)}},
		Run:     func(ctx context.Context, _ func(string)) Result { return r.run(ctx) },
	}
	if action.Effects[0].Risk != "" {
		action.Preview = View{Kind: Plain, Text: "What is in it will be sent to the model."}
	}
	return action, nil
}

// A reading is one call of read.
type reading struct {
	ws     *workspace.Dir
	seen   *workspace.Seen // nil: nobody asks
	rel    string
	offset int // negative: from the end
	limit  int

	page    page
	decoded *text.Decoder // what is read, as UTF-8
	total   int           // lines of the file; negative: not known, lines are numbered from the end
	sum     workspace.Sum // "" of a file too large to be changed
}

func (r *reading) run(ctx context.Context) Result {
	// A folder on the way may have become a link since it was looked at.
	if now, err := r.ws.Resolve(r.rel); err != nil {
		return failed(err)
	} else if now != r.rel {
		return failed(fmt.Errorf("%s is reached by a link now, which leads to %s; read that", r.rel, now))
	}
	f, info, err := r.ws.OpenFile(r.rel)
	if err != nil {
		return failed(err)
	}
	defer f.Close()
	err = r.fill(ctx, f, info.Size())
	var foreign *foreignError
	switch {
	case errors.As(err, &foreign):
		words := notText(r.rel, info.Size(), foreign.why).Error() + "; it is not shown. Use shell with file or xxd to look into it."
		return Result{Status: OK, Text: words, View: View{Summary: fmt.Sprintf("not text, %d bytes", info.Size())}}
	case ctx.Err() != nil:
		return Result{Status: Interrupted, Text: r.page.out.String() + "[interrupted]\n"}
	case err != nil:
		return failed(fmt.Errorf("%s could not be read to its end; it may have been changed just now", r.rel))
	}
	res := Result{Status: OK, Text: r.text(), View: View{Summary: r.summary()}}
	if r.sum != "" && r.seen != nil {
		res.Seen = r.page.sights(r.rel, r.sum, r.total)
		r.seen.Add(res.Seen...)
	}
	return res
}

// A foreignError says that a file is no text.
type foreignError struct{ why error }

func (e *foreignError) Error() string { return e.why.Error() }

// fill reads what was asked for. A file that may be changed is read whole: all
// of it goes through the hash that tells later whether it still is what was
// shown.
func (r *reading) fill(ctx context.Context, f *os.File, size int64) error {
	if r.offset < 0 {
		done, err := r.fromEnd(ctx, f, size)
		if done || err != nil {
			return err
		}
	}
	sum := workspace.NewSummer()
	var in io.Reader = &untilDone{ctx, f}
	if size <= maxEdited {
		in = io.TeeReader(in, sum)
	}
	s, err := r.decode(in)
	if err != nil {
		return err
	}
	if err = r.lines(s); err == nil && size <= maxEdited {
		r.sum = sum.Sum()
	}
	return err
}

// decode makes lines of the bytes of a file.
func (r *reading) decode(in io.Reader) (*text.Scanner, error) {
	d, err := text.NewDecoder(in)
	if err != nil {
		return nil, &foreignError{err}
	}
	r.decoded = d
	return text.NewScanner(d, keepOfLine), nil
}

// lines reads what was asked for and counts the rest.
func (r *reading) lines(s *text.Scanner) error {
	skipped, err := s.Skip(r.offset)
	if err != nil {
		return err
	}
	if r.total = skipped; skipped < r.offset {
		return nil
	}
	added, over, err := r.page.fill(s, skipped+1, r.limit)
	if err != nil {
		return err
	}
	if r.total += added; over {
		r.total++
	}
	left, err := s.Count()
	r.total += left
	return err
}

// fromEnd reads the last lines of a file that is too large to be read for
// their numbers: they are numbered from the end. Of another file, and of one
// that has no more lines, it only finds the offset.
func (r *reading) fromEnd(ctx context.Context, f *os.File, size int64) (done bool, err error) {
	s, err := r.decode(&untilDone{ctx, f})
	if err != nil {
		return false, err
	}
	// In UTF-16 line ends are not to be found backwards, byte by byte.
	if size <= maxEdited || strings.HasPrefix(r.decoded.Encoding().Name(), "UTF-16") {
		total, err := s.Count()
		r.offset = max(0, total+r.offset)
		return false, rewound(f, err)
	}
	start, lines, err := text.Tail(&untilDoneAt{ctx, f}, size, -r.offset)
	if start == 0 || err != nil {
		r.offset = 0
		return false, rewound(f, err)
	}
	if s, err = r.decode(&untilDone{ctx, io.NewSectionReader(f, start, size-start)}); err != nil {
		return false, err
	}
	r.offset, r.total = -lines, -1
	_, _, err = r.page.fill(s, -lines, min(lines, r.limit))
	return true, err
}

// rewound goes back to a file's beginning, unless something went wrong.
func rewound(f io.Seeker, err error) error {
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	return err
}

// text is the lines and what there is to say about them: what is not shown is
// named, and how to get it.
func (r *reading) text() string {
	switch {
	case r.total == 0:
		return fmt.Sprintf("[%s is empty: 0 lines]\n", r.rel)
	case r.page.shown == 0:
		return fmt.Sprintf("[offset %d is past the end: %s has %s]\n", r.offset, r.rel, plural(r.total, "line"))
	}
	next := r.offset + r.page.shown
	switch {
	case r.total < 0 && next < 0:
		r.page.note("numbered from the end, -1 is the last line; lines %d to -1 are not shown; continue with offset %d", next, next)
	case r.total < 0:
		r.page.note("numbered from the end, -1 is the last line; the file is too large to count its lines")
	case next < r.total:
		r.page.note("lines %d–%d of %d are not shown; continue with offset %d", next+1, r.total, r.total, next)
	}
	if long := r.page.long; len(long) > 0 {
		first := fmt.Sprintf("sed -n %dp FILE", long[0])
		if long[0] < 0 {
			first = fmt.Sprintf("tail -n %d FILE | head -n 1", -long[0])
		}
		r.page.note("too long and cut: line %s; shell shows a part of one: %s | cut -c %d-%d", numbers(long), first, keepOfLine+1, 3*keepOfLine)
	}
	if r.page.ends.CRLF > 0 {
		r.page.note("%s", r.page.ends.Note())
	}
	encoding := r.decoded.Encoding()
	if r.page.strange {
		r.page.note(`bytes that are not %s, and NUL, are shown as \xNN`, encoding.Name())
	}
	if note := encoding.Note(); note != "" {
		if !strings.HasPrefix(encoding.Name(), "UTF-8") {
			note = "not UTF-8: " + note
		}
		return "[" + note + "]\n" + r.page.out.String()
	}
	return r.page.out.String()
}

func (r *reading) summary() string {
	switch {
	case r.total == 0:
		return "empty"
	case r.page.shown == 0:
		return "past the end"
	case r.total < 0:
		return "last " + plural(-r.offset, "line")
	case r.page.shown == r.total:
		return plural(r.total, "line")
	}
	return fmt.Sprintf("lines %d–%d of %d", r.offset+1, r.offset+r.page.shown, r.total)
}

// untilDone reads a file until a context ends.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u *untilDone) Read(b []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(b)
}

// untilDoneAt is untilDone for reading at places.
type untilDoneAt struct {
	ctx context.Context
	r   io.ReaderAt
}

func (u *untilDoneAt) ReadAt(b []byte, at int64) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.ReadAt(b, at)
}
