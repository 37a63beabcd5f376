package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"sync"
)

// A Sum is a file's whole content, hashed.
type Sum string

// SumOf hashes content.
func SumOf(content []byte) Sum {
	sum := sha256.Sum256(content)
	return Sum(hex.EncodeToString(sum[:16]))
}

// SumFile hashes a regular file's content, whatever its size.
func (d *Dir) SumFile(rel string) (Sum, error) {
	f, _, err := d.OpenFile(rel)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", sentence(rel, "cannot be read", err)
	}
	return Sum(hex.EncodeToString(sum.Sum(nil)[:16])), nil
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
	whole = len(f.spans) == 1 && f.spans[0].from <= 0 && f.spans[0].to >= f.lines
	return f.sum, whole, true
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
