package tools

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"

	"aye/tools/text"
	"aye/tools/workspace"
)

// keepOfLine is how many bytes of an over-long line are shown at each end.
const keepOfLine = 2000

type readArgs struct {
	Path   string `json:"path"`
	Offset *int   `json:"offset" doc:"lines to skip"`
	Limit  *int   `json:"limit" doc:"lines to read, 200 if absent"`
}

func readTool(ws *workspace.Dir) Tool {
	tool := Define("read", "Read a text file with line numbers.", func(_ context.Context, a readArgs) (Action, error) {
		rel, err := ws.Resolve(a.Path)
		if err != nil {
			return Action{}, err
		}
		r := reading{ws: ws, rel: rel, limit: maxLines}
		if a.Offset != nil {
			r.offset = *a.Offset
		}
		if a.Limit != nil {
			r.limit = *a.Limit
		}
		if r.offset < 0 {
			return Action{}, fmt.Errorf("offset is %d; it counts lines to skip and must be 0 or more", r.offset)
		}
		if r.limit < 1 {
			return Action{}, fmt.Errorf("limit is %d; it counts lines to read and must be 1 or more", r.limit)
		}
		f, _, err := ws.OpenFile(rel) // to refuse now what cannot be read
		if err != nil {
			return Action{}, missingPath(ws, a.Path, err)
		}
		f.Close()
		return Action{
			Title:   titleOf(a.Path, rel),
			Effects: []Effect{{Kind: Read, Target: rel, Risk: riskOf(a.Path, rel, workspace.Secret)}},
			Run:     func(ctx context.Context, _ func(string)) Result { return r.run(ctx) },
		}, nil
	})
	tool.ReadOnly = true
	return tool
}

// A reading is one call of read.
type reading struct {
	ws     *workspace.Dir
	rel    string
	offset int
	limit  int

	out     strings.Builder
	chars   int
	shown   int
	total   int
	ends    text.Ends
	strange bool  // bytes that are not UTF-8 were shown
	long    []int // numbers of lines that were cut
}

func (r *reading) run(ctx context.Context) Result {
	f, info, err := r.ws.OpenFile(r.rel)
	if err != nil {
		return failed(err)
	}
	defer f.Close()
	if res, done := r.foreign(f, info); done {
		return res
	}
	if err := r.lines(text.NewScanner(&untilDone{ctx, f}, keepOfLine)); err != nil {
		if ctx.Err() != nil {
			return Result{Status: Interrupted, Text: r.out.String() + "[interrupted]\n"}
		}
		return failed(fmt.Errorf("%s could not be read to its end", r.rel))
	}
	return Result{Status: OK, Text: r.text(), View: View{Summary: r.summary()}}
}

// foreign answers for a file that is not shown as lines.
func (r *reading) foreign(f io.ReadSeeker, info fs.FileInfo) (Result, bool) {
	head := make([]byte, text.SniffLen)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return failed(fmt.Errorf("%s could not be read", r.rel)), true
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return failed(fmt.Errorf("%s could not be read", r.rel)), true
	}
	var words string
	switch kind := text.Sniff(head[:n], n < len(head)); kind {
	case text.Binary:
		words = fmt.Sprintf("%s is binary, %d bytes; it is not shown. Use shell with file or xxd to look into it.", r.rel, info.Size())
	case text.UTF16LE, text.UTF16BE:
		words = fmt.Sprintf("%s is text in %v, %d bytes; only UTF-8 is shown. Use shell: iconv -f UTF-16 -t UTF-8 shows it.", r.rel, kind, info.Size())
	case text.UTF8, text.Legacy:
		return Result{}, false
	}
	return Result{Status: OK, Text: words, View: View{Summary: fmt.Sprintf("not UTF-8 text, %d bytes", info.Size())}}, true
}

// lines reads what was asked for and counts the rest.
func (r *reading) lines(s *text.Scanner) error {
	skipped, err := s.Skip(r.offset)
	if err != nil {
		return err
	}
	r.total = skipped
	for r.shown < r.limit {
		line, err := s.Next()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		r.total++
		if !r.add(line) {
			break
		}
	}
	left, err := s.Count()
	r.total += left
	return err
}

// add writes one line, unless it does not fit any more.
func (r *reading) add(line text.Scanned) bool {
	number := r.total
	if number == 1 {
		line.Head, _ = text.TrimBOM(line.Head)
	}
	shown, clean := text.Show(line.Head)
	if line.Omitted > 0 {
		tail, tailClean := text.Show(line.Tail)
		clean = clean && tailClean
		shown += fmt.Sprintf("[… %d bytes left out …]", line.Omitted) + tail
	}
	entry := fmt.Sprintf("%d: %s", number, shown)
	if line.End != "" {
		entry += "\n"
	}
	chars := utf8.RuneCountInString(entry)
	if r.shown > 0 && r.chars+chars > maxText {
		return false
	}
	r.out.WriteString(entry)
	r.chars += chars
	r.shown++
	r.ends.Add(line.End)
	r.strange = r.strange || !clean
	if line.Omitted > 0 {
		r.long = append(r.long, number)
	}
	return true
}

// text is the lines and what there is to say about them: what is not shown is
// named, and how to get it.
func (r *reading) text() string {
	switch {
	case r.total == 0:
		return fmt.Sprintf("[%s is empty: 0 lines]\n", r.rel)
	case r.shown == 0:
		return fmt.Sprintf("[offset %d is past the end: %s has %s]\n", r.offset, r.rel, plural(r.total, "line"))
	}
	var notes []string
	next := r.offset + r.shown
	if next < r.total {
		notes = append(notes, fmt.Sprintf("lines %d–%d of %d are not shown; continue with offset %d", next+1, r.total, r.total, next))
	}
	if len(r.long) > 0 {
		notes = append(notes, fmt.Sprintf("too long and cut: line %s; shell shows a part of one: sed -n %dp FILE | cut -c %d-%d",
			numbers(r.long), r.long[0], keepOfLine+1, 3*keepOfLine))
	}
	if r.ends.CRLF > 0 {
		notes = append(notes, r.ends.Note())
	}
	if r.strange {
		notes = append(notes, `the file is not UTF-8; such bytes are shown as \xNN`)
	}
	if len(notes) == 0 {
		return r.out.String()
	}
	if r.ends.Missing {
		r.out.WriteByte('\n')
	}
	for _, note := range notes {
		r.out.WriteString("[" + note + "]\n")
	}
	return r.out.String()
}

// numbers lists line numbers, the first five.
func numbers(lines []int) string {
	list := strings.Trim(fmt.Sprint(lines[:min(len(lines), 5)]), "[]")
	if list = strings.ReplaceAll(list, " ", ", "); len(lines) > 5 {
		list += ", …"
	}
	return list
}

func (r *reading) summary() string {
	switch {
	case r.total == 0:
		return "empty"
	case r.shown == 0:
		return "past the end"
	case r.shown == r.total:
		return plural(r.total, "line")
	}
	return fmt.Sprintf("lines %d–%d of %d", r.offset+1, r.offset+r.shown, r.total)
}

// untilDone is a reader that fails when a context ends.
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
