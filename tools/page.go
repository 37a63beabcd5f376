package tools

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"aye/tools/text"
	"aye/tools/workspace"
)

// Limits of a page of lines, in lines, characters and bytes of a line's
// beginning and end.
const (
	keepOfLine    = 2000 // of read, which shows the rest only by shell
	excerptAround = 3
	excerptLines  = 40
	excerptChars  = 4000
	excerptKeep   = 500
)

// A page is lines of a file as the model is shown them: with their numbers, as
// many as there is room for.
type page struct {
	room  int // characters; the first line is shown even so
	out   strings.Builder
	chars int
	shown int
	whole [][2]int // runs of lines [from, to) that nothing was left out of
	long  []int    // numbers of lines that were cut

	ends    text.Ends
	strange bool // bytes that are no text were shown
}

// add writes the line with this number, unless it does not fit any more.
func (p *page) add(number int, line text.Scanned) bool {
	if line.Omitted > 0 {
		line = shorten(line, keepOfLine)
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
	if p.shown > 0 && p.chars+chars > p.room {
		return false
	}
	p.out.WriteString(entry)
	p.chars += chars
	p.shown++
	p.ends.Add(line.End)
	p.strange = p.strange || !clean
	p.saw(number, line.Omitted > 0)
	return true
}

// shorten leaves more out of a line that is not shown whole anyway.
func shorten(line text.Scanned, keep int) text.Scanned {
	if n := keep; n < len(line.Head) {
		for n > 0 && !utf8.RuneStart(line.Head[n]) {
			n--
		}
		line.Omitted += int64(len(line.Head) - n)
		line.Head = line.Head[:n]
	}
	if n := len(line.Tail) - keep; n > 0 {
		for n < len(line.Tail) && !utf8.RuneStart(line.Tail[n]) {
			n++
		}
		line.Omitted += int64(n)
		line.Tail = line.Tail[n:]
	}
	return line
}

// saw notes that the line with this number was shown, whole or cut.
func (p *page) saw(number int, cut bool) {
	last := len(p.whole) - 1
	switch {
	case cut:
		p.long = append(p.long, number)
	case last >= 0 && p.whole[last][1] == number-1:
		p.whole[last][1] = number
	default:
		p.whole = append(p.whole, [2]int{number - 1, number})
	}
}

// fill adds up to n lines of s, whose next line has this number. over says that
// one more was taken from s, for which there was no room.
func (p *page) fill(s *text.Scanner, number, n int) (added int, over bool, err error) {
	for added < n {
		line, err := s.Next()
		if err == io.EOF {
			return added, false, nil
		} else if err != nil {
			return added, false, err
		}
		if !p.add(number+added, line) {
			return added, true, nil
		}
		added++
	}
	return added, false, nil
}

// note adds a line that is no part of the file.
func (p *page) note(format string, args ...any) {
	if p.ends.Missing {
		p.out.WriteByte('\n')
		p.ends.Missing = false
	}
	fmt.Fprintf(&p.out, "["+format+"]\n", args...)
}

// tooLong says what to do about lines that were cut, if there were any.
func (p *page) tooLong() bool {
	if len(p.long) > 0 {
		p.note("too long to be shown whole, line %s: change parts of the file with edit; if nothing of it is needed, remove it with shell first", numbers(p.long))
	}
	return len(p.long) > 0
}

// sights is what the model has seen through the page, of a file with this
// content and so many lines.
func (p *page) sights(path string, sum workspace.Sum, lines int) []workspace.Sight {
	if p.shown == 0 && lines > 0 {
		return nil
	}
	// Something was seen, if only a part of a line.
	sights := []workspace.Sight{{Path: path, Sum: sum, Lines: lines}}
	for n, run := range p.whole {
		sight := workspace.Sight{Path: path, Sum: sum, From: run[0], To: run[1], Lines: lines}
		if n == 0 {
			sights[0] = sight
			continue
		}
		sights = append(sights, sight)
	}
	return sights
}

// numbers lists line numbers, the first five.
func numbers(lines []int) string {
	list := strings.Trim(fmt.Sprint(lines[:min(len(lines), 5)]), "[]")
	if list = strings.ReplaceAll(list, " ", ", "); len(lines) > 5 {
		list += ", …"
	}
	return list
}
