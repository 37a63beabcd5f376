package search

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

func compile(t testing.TB, expr string, literally bool) *Pattern {
	t.Helper()
	p, err := Compile(expr, literally)
	if err != nil {
		t.Fatalf("%q: %v", expr, err)
	}
	return p
}

// linesOf are the numbers of the lines that a pattern finds.
func linesOf(p *Pattern, text string) (found []int) {
	f := finder{p: p, m: newMachine(p.program, func() bool { return false })}
	f.begin()
	for from := 0; ; {
		line, ok := f.next([]byte(text), from)
		if !ok {
			return found
		}
		found = append(found, countLines([]byte(text[:line.from]))+1)
		from = line.next
	}
}

var ends = regexp.MustCompile(`\r\n|\n|\r`)

// plainly are the same numbers, found by package regexp line by line.
func plainly(re *regexp.Regexp, text string) (found []int) {
	lines := ends.Split(text, -1)
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	for n, line := range lines {
		if re.MatchString(line) {
			found = append(found, n+1)
		}
	}
	return found
}

func TestMachineFindsWhatRegexpFinds(t *testing.T) {
	t.Parallel()
	text := "func (a T) String() string {\r\n\n  err != nil\r\rfoo bar\nfoobar_12 ünïcödé K\xff\xfe x\nTODO: Fix\n\na\n aaa aab\nΣίσυφος ſ\r\nlast"
	for _, expr := range []string{
		`func \(.*\) String\(\) string`, `\berr\b.*!= nil`, `[A-Za-z]+_[a-z]*\d{2,}`, `(?i)todo.*fix`, `^$`, `^`, `$`, `x*`, `^a+$`, `a{2}b`, `\bfoo\b`, `\Bbar`, `foo\B`,
		`(?i)k`, `(?i)σίσυφοσ`, `(?i)S`, `\x{fffd}`, `[^a]`, `.`, `^.{3}$`, `\s`, `^\s`, `\s$`, `ü`, `[[:upper:]]{2}`, `\pL+é`, `last$`, `\Alast\z`, `a|b|last`, `(foo|err).*(bar|nil)`,
		`\W\d`, `^(a|b)?$`, `nowhere`, `[^\x00-\x7f]`, `\Qa\E`, `(?-s).$`, `x|^$`, `(^|\s)foo`, `12\b`, `string \{$`, `_`, `z|_`, ``, `foo|FIX|last`, `(?i)FOO|Σ|bar`, `(err|todo)( |:)`, `(?i)x|_|aab|q|w|z|y`,
	} {
		re := regexp.MustCompile(strings.ReplaceAll(expr, ".", `[^\r\n]`))
		got, want := linesOf(compile(t, expr, false), text), plainly(re, text)
		if !equal(got, want) {
			t.Errorf("%q is found in lines %v, want %v", expr, got, want)
		}
	}
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for n := range a {
		if a[n] != b[n] {
			return false
		}
	}
	return true
}

// FuzzPattern holds that for any pattern and any text the machine finds the
// lines that package regexp finds, and that a bad pattern is an error that
// names its place.
func FuzzPattern(f *testing.F) {
	for _, expr := range []string{`a.*b`, `(?i)ks`, `\b_\b`, `^a|b$`, `[^a]\pL`, `(a*)*b{2,3}`, `foo(`, `(?i)straße`, `x{0}`, `\B`, "[", `a\|b`} {
		f.Add(expr, "foo a_b\r\nb\n\xffK s\rab", false)
		f.Add(expr, "a{\nfoo(\n", true)
	}
	f.Fuzz(func(t *testing.T, expr, text string, literally bool) {
		if len(expr) > 200 || len(text) > 2000 {
			return
		}
		p, err := Compile(expr, literally)
		if err != nil {
			if m, ok := err.(*Mistake); !ok || m.At > len(expr) || m.Why == "" {
				t.Fatalf("%q: %#v", expr, err)
			}
			return
		}
		if len(p.program.inst)*len(text) > 100_000 {
			return // right, and slow
		}
		re := p.spans()
		if got, want := linesOf(p, text), plainly(re, text); !equal(got, want) {
			t.Fatalf("%q (%v) is found in lines %v of %q, want %v", expr, re, got, text, want)
		}
		if literally {
			if got, want := linesOf(p, text), plainly(regexp.MustCompile(regexp.QuoteMeta(expr)), text); !equal(got, want) {
				t.Fatalf("literal %q in lines %v of %q, want %v", expr, got, text, want)
			}
		}
	})
}

func TestMistakesNameThePlace(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]string{
		`foo(`:          "( is not closed at character 4: foo▸(",
		`\d(`:           "( is not closed at character 3",
		`(a(b)`:         "( is not closed at character 1: ▸(a(b)",
		`[(](`:          "( is not closed at character 4",
		`[](](`:         "( is not closed at character 5",
		`a)`:            ") closes nothing at character 2: a▸)",
		`(?<=x)y`:       "at character 1: ▸(?<=x)y",
		`é(?!x)`:        "at character 2: é▸(?!x)",
		`[`:             "[ is not closed at character 1",
		`a[b`:           "[ is not closed at character 2",
		`*a`:            "* has nothing before it to repeat at character 1",
		`a**`:           "at character 2",
		`a\`:            `\ is last at character 2`,
		`(a)\1`:         `\1 is no known escape at character 4`,
		`\Zx`:           `\Z is no known escape at character 1`,
		`[z-a]`:         "z-a is no range",
		`a{2,1}`:        "{2,1}",
		`(a{900}){900}`: "too large",
		"a\nb":          "line end",
		`a\r\n`:         "line end",
		`[\n]`:          "line end",
		strings.Repeat("x", 300) + "(" + strings.Repeat("y", 300): "character 301: …" + strings.Repeat("x", 30) + "▸(" + strings.Repeat("y", 29) + "…",
	} {
		if _, err := Compile(expr, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", expr, err, want)
		}
	}
	for _, expr := range []string{`a{`, `a\|b`, `{}`, `]`, `a{,3}`, `\<`} { // these mean something
		compile(t, expr, false)
	}
	for _, expr := range []string{`foo(`, `[`, `\`, `(?<=x)y`, `*`} {
		if got := linesOf(compile(t, expr, true), "x\n"+expr+"\n"); !equal(got, []int{2}) {
			t.Errorf("literal %q is found in %v", expr, got)
		}
	}
}

func TestHabit(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]string{`a\|b`: "| is the alternative", `\(x\)`: "( begins a group", `a|b`: "", `a\\|b`: "", `\<x`: `\b`} {
		if got := Habit(expr); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("Habit(%s) = %q", expr, got)
		}
	}
}

// An expression whose states are many, or whose alternatives are, costs no
// more than its size times the text.
func TestMachineBeginsAnewWhenItIsTooLarge(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for r := rand.New(rand.NewPCG(1, 2)); text.Len() < 60_000; {
		text.WriteByte("ab"[r.IntN(2)])
	}
	p := compile(t, `(a|b)*a(a|b){18}c`, false)
	m := newMachine(p.program, func() bool { return false })
	if at := m.find([]byte(text.String()), 0); at >= 0 {
		t.Errorf("found at %d", at)
	}
	if len(m.next) > maxTable+int(m.width)*2 {
		t.Errorf("the table has %d entries", len(m.next))
	}
	if at := m.find([]byte(text.String()+"a"+strings.Repeat("b", 18)+"c"), 0); at < 0 {
		t.Error("not found")
	}
	calls := 0
	if at := newMachine(p.program, func() bool { calls++; return calls > 3 }).find([]byte(text.String()), 0); at >= 0 || calls != 4 {
		t.Errorf("stopped: %d after %d calls", at, calls)
	}
}

// The steps of a long expression's states count, too: they took gigabytes.
func TestMachineForgetsLongStates(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 4000)
	for n := range text {
		text[n] = "ab"[r.IntN(2)]
	}
	p := compile(t, "a.{1000}.{1000}[^abx]", false)
	text[len(text)-2001] = 'a'
	most := 0
	var m *machine
	m = newMachine(p.program, func() bool {
		held := 0
		for _, s := range m.states {
			held += len(s.steps)
		}
		most = max(most, held)
		return false
	})
	if at := m.find(text, 0); at >= 0 || m.made < 3000 {
		t.Errorf("found at %d, with %d states", at, m.made)
	}
	if most == 0 || most > maxHeld+len(p.program.inst) {
		t.Errorf("its states had %d steps", most)
	}
	if at := m.find(append(text, 'c'), 0); at < 0 {
		t.Error("not found")
	}
}

// FuzzLiteral holds that both ways to look for a literal find its first place.
func FuzzLiteral(f *testing.F) {
	f.Add("Ab_", "xxaB_ab_Ab_ab_Ab_", 3)
	f.Add("@", "``````````@``", 0)
	f.Add("aa", "aaaaaaaaaaaaaaaaaaaaaaa", 20)
	f.Fuzz(func(t *testing.T, text, in string, from int) {
		if text == "" || from < 0 || from > len(in) {
			return
		}
		folded := strings.ContainsFunc(text, func(r rune) bool { return r > 127 || strings.ContainsRune("ksKS", r) })
		for _, fold := range []bool{false, true} {
			text, in := text, in
			if fold {
				if folded {
					return
				}
				text = strings.ToLower(text)
			}
			want := strings.Index(in[from:], text)
			if fold {
				lower := []byte(in[from:])
				for n, c := range lower {
					if 'A' <= c && c <= 'Z' {
						lower[n] += 'a' - 'A'
					}
				}
				want = strings.Index(string(lower), text)
			}
			if want += from; want < from {
				want = len(in)
			}
			l := newLiteral(text, fold)
			if got := l.inPairs([]byte(in), from); got != want {
				t.Fatalf("%q in %q from %d, fold %v: %d, want %d", text, in, from, fold, got, want)
			}
			if got := l.byRarest([]byte(in), from); !fold && got != want {
				t.Fatalf("%q in %q from %d: %d, want %d", text, in, from, got, want)
			}
		}
	})
}
