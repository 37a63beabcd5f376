package workspace

import (
	"fmt"
	"testing"
)

func TestSeen(t *testing.T) {
	t.Parallel()
	s := NewSeen()
	a, b := SumOf([]byte("a")), SumOf([]byte("b"))
	check := func(what string, sum Sum, whole bool, gaps string) {
		t.Helper()
		gotSum, gotWhole, _ := s.Of("f")
		if got := fmt.Sprint(s.Gaps("f", sum, 10)); gotSum != sum || gotWhole != whole || got != gaps {
			t.Errorf("%s: %s, whole %v, gaps %s; want %s, %v, %s", what, gotSum, gotWhole, got, sum, whole, gaps)
		}
	}
	s.Add(Sight{"f", a, 2, 4, 10})
	check("a part", a, false, "[[0 2] [4 10]]")
	s.Add(Sight{"f", a, 6, 8, 10}, Sight{"f", a, 0, 1, 10})
	check("parts", a, false, "[[1 2] [4 6] [8 10]]")
	s.Add(Sight{"f", a, 4, 6, 10}, Sight{"f", a, 8, 10, 10}, Sight{"f", a, 1, 2, 10})
	check("all parts", a, true, "[]")
	s.Add(Sight{"f", b, 0, 0, 10})
	check("other content", b, false, "[[0 10]]")
	s.Add(Sight{"f", b, 0, 10, 10})
	check("whole", b, true, "[]")
	if gaps := s.Gaps("f", a, 3); fmt.Sprint(gaps) != "[[0 3]]" {
		t.Errorf("gaps of unknown content: %v", gaps)
	}
	s.Add(Sight{"empty", a, 0, 0, 0})
	if _, whole, ok := s.Of("empty"); !whole || !ok {
		t.Error("an empty file was not seen whole")
	}
	s.Drop("f")
	if _, _, ok := s.Of("f"); ok {
		t.Error("dropped and still there")
	}
	s.Forget()
	if _, _, ok := s.Of("empty"); ok {
		t.Error("forgotten and still there")
	}
}

func TestSummer(t *testing.T) {
	t.Parallel()
	s := NewSummer()
	for _, piece := range []string{"one ", "", "two"} {
		if n, err := s.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Fatal(n, err)
		}
	}
	if s.Sum() != SumOf([]byte("one two")) {
		t.Error("in pieces and as a whole are two sums")
	}
}

// FuzzAfter holds Seen to a model: a set of lines that were seen, of a file
// that is read and changed again and again.
func FuzzAfter(f *testing.F) {
	f.Add([]byte{0, 1, 5, 1, 2, 3, 4})
	f.Add([]byte{1, 0, 0, 9, 0, 0, 20, 1, 3, 0, 2})
	f.Fuzz(func(t *testing.T, steps []byte) {
		next := func(n int) int {
			if len(steps) == 0 || n <= 0 {
				return 0
			}
			b := int(steps[0])
			steps = steps[1:]
			return b % n
		}
		s, seen, version := NewSeen(), make([]bool, 20), 0
		known := false
		sum := func() Sum { return SumOf([]byte{byte(version), byte(version >> 8)}) }
		for len(steps) > 0 {
			from := next(len(seen) + 1)
			to := from + next(len(seen)+1-from)
			if next(2) == 0 {
				s.Add(Sight{"f", sum(), from, to, len(seen)})
				for n := from; n < to; n++ {
					seen[n] = true
				}
				known = true
				continue
			}
			inner := true
			for _, one := range seen[from:to] {
				inner = inner && one
			}
			e := Swap{Path: "f", Was: sum(), From: from, To: to, End: from + next(5)}
			fresh := make([]bool, e.End-e.From)
			for n := range fresh {
				fresh[n] = inner
			}
			seen = append(append(append([]bool{}, seen[:from]...), fresh...), seen[to:]...)
			version++
			e.Now, e.Lines = sum(), len(seen)
			s.Add(s.After(e)...)
			known = true
		}
		if !known {
			return
		}
		_, whole, ok := s.Of("f")
		all := true
		left := make([]bool, len(seen))
		for _, gap := range s.Gaps("f", sum(), len(seen)) {
			for n := gap[0]; n < gap[1]; n++ {
				left[n] = true
			}
		}
		for n, one := range seen {
			all = all && one
			if left[n] == one {
				t.Fatalf("line %d of %d: seen %v, in a gap %v", n, len(seen), one, left[n])
			}
		}
		if whole != all || !ok {
			t.Fatalf("whole %v, want %v; known %v", whole, all, ok)
		}
	})
}
