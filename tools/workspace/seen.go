package workspace

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"slices"
	"sync"
)

// A Sum is a file's whole content, hashed.
type Sum string

// SumOf hashes content.
func SumOf(content []byte) Sum {
	sum := sha256.Sum256(content)
	return asSum(sum[:])
}

func asSum(sum []byte) Sum { return Sum(hex.EncodeToString(sum[:16])) }

// A Summer hashes content that is written to it piece by piece. It is for one
// goroutine.
type Summer struct{ h hash.Hash }

// NewSummer returns a Summer of nothing yet.
func NewSummer() Summer { return Summer{sha256.New()} }

// Write takes the next piece; it never fails.
func (s Summer) Write(piece []byte) (int, error) { return s.h.Write(piece) }

// Sum is the hash of all that was written.
func (s Summer) Sum() Sum { return asSum(s.h.Sum(nil)) }

// SumFile hashes a regular file's content, whatever its size.
func (d *Dir) SumFile(rel string) (Sum, error) {
	f, _, err := d.OpenFile(rel)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := NewSummer()
	if _, err := io.Copy(sum, f); err != nil {
		return "", sentence(rel, "cannot be read", err)
	}
	return sum.Sum(), nil
}

// A Sight is what the model was shown of a file: its lines [From, To), counted
// from 0, when its content was Sum and it had Lines lines. Content that the
// model itself wrote counts as shown.
type Sight struct {
	Path  string `json:"path"` // resolved
	Sum   Sum    `json:"sum"`
	From  int    `json:"from"`
	To    int    `json:"to"`
	Lines int    `json:"lines"`
}

// Seen is what the model has before its eyes of each file. Any goroutine may
// use it.
type Seen struct {
	mu    sync.Mutex
	files map[string]*sighted // by path
}

type sighted struct {
	sum   Sum
	lines int
	spans []span // sorted, apart
}

type span struct{ from, to int }

// NewSeen returns a Seen of a model that has seen nothing yet.
func NewSeen() *Seen { return &Seen{files: map[string]*sighted{}} }

// Add takes up what the model was shown. Sights of the same content add up;
// one of other content takes the place of all before.
func (s *Seen) Add(sights ...Sight) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, g := range sights {
		f := s.files[g.Path]
		if f == nil || f.sum != g.Sum {
			f = &sighted{sum: g.Sum, lines: g.Lines}
			s.files[g.Path] = f
		}
		f.add(span{g.From, g.To})
	}
}

// add puts n among the spans and makes one of those that touch it. A span that
// is empty says only that something of the content was shown.
func (f *sighted) add(n span) {
	var spans []span
	for _, o := range f.spans {
		if o.to < n.from || n.to < o.from {
			spans = append(spans, o)
			continue
		}
		n = span{min(n.from, o.from), max(n.to, o.to)}
	}
	f.spans = append(spans, n)
	slices.SortFunc(f.spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
}

// covers says whether all of n is in sight.
func (f *sighted) covers(n span) bool {
	return n.from >= n.to || slices.ContainsFunc(f.spans, func(o span) bool { return o.from <= n.from && n.to <= o.to })
}

// Of says what the model knows of a file: the content it saw and whether it saw
// all of it. ok is false when it saw nothing.
func (s *Seen) Of(path string) (sum Sum, whole, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[path]
	if f == nil {
		return "", false, false
	}
	return f.sum, f.covers(span{0, f.lines}), true
}

// Gaps lists the runs of lines [from, to) of a file that the model has not
// seen, when its content is sum and it has lines lines.
func (s *Seen) Gaps(path string, sum Sum, lines int) [][2]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	var gaps [][2]int
	at := 0
	if f := s.files[path]; f != nil && f.sum == sum {
		for _, o := range f.spans {
			if o.from > at {
				gaps = append(gaps, [2]int{at, o.from})
			}
			at = max(at, o.to)
		}
	}
	if at < lines {
		gaps = append(gaps, [2]int{at, lines})
	}
	return gaps
}

// A Swap is a change that the model made: lines [From, To) of content Was have
// become lines [From, End) of content Now, which has Lines lines.
type Swap struct {
	Path          string
	Was, Now      Sum
	From, To, End int
	Lines         int
}

// After returns what is in sight once e was done: lines around the change that
// were seen before, wherever they are now, and the new lines, unless they may
// hold a rest of lines that were not.
func (s *Seen) After(e Swap) []Sight {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := sighted{sum: e.Now, lines: e.Lines}
	now.add(span{e.From, e.From})
	was := s.files[e.Path]
	if was == nil || was.sum != e.Was {
		was = &sighted{}
	}
	if was.covers(span{e.From, e.To}) {
		now.add(span{e.From, e.End})
	}
	for _, o := range was.spans {
		if o.from < e.From {
			now.add(span{o.from, min(o.to, e.From)})
		}
		if o.to > e.To {
			now.add(span{max(o.from, e.To) + e.End - e.To, o.to + e.End - e.To})
		}
	}
	sights := make([]Sight, len(now.spans))
	for n, o := range now.spans {
		sights[n] = Sight{e.Path, e.Now, o.from, o.to, e.Lines}
	}
	return sights
}

// Drop forgets a file, which is gone.
func (s *Seen) Drop(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.files, path)
}

// Forget forgets everything: the model no longer has it before its eyes.
func (s *Seen) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.files)
}
