package tty

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// name writes a message the way the tables below do.
func name(m tea.Msg) string {
	switch m := m.(type) {
	case tea.KeyMsg:
		return m.String()
	case tea.MouseMsg:
		return fmt.Sprintf("mouse %s %d,%d", tea.MouseEvent(m), m.X, m.Y)
	case Paste:
		return fmt.Sprintf("paste %q", string(m))
	case Wheel:
		return fmt.Sprintf("wheel %+d", m.Delta)
	default:
		return fmt.Sprintf("%T%v", m, m)
	}
}

func names(msgs []tea.Msg) string {
	var s []string
	for _, m := range msgs {
		s = append(s, name(m))
	}
	return strings.Join(s, " | ")
}

// silence expires whatever a decoder waits for.
func silence(d *decoder) (msgs []tea.Msg) {
	for range 10 {
		if d.wait() == 0 {
			break
		}
		msgs = append(msgs, d.expire()...)
	}
	return msgs
}

func TestDecode(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a", "a"},
		{"ab ", "a | b |  "},
		{"日é👍", "日 | é | 👍"},
		{"\r", "enter"}, {"\n", "ctrl+j"}, {"\t", "tab"}, {"\x7f", "backspace"}, {"\x03", "ctrl+c"}, {"\x00", "ctrl+@"},
		{"\x1b", "esc"}, {"\x1b\x1b", "esc | esc"}, {"\x1b\x1bx", "esc | alt+x"},
		{"\x1bx", "alt+x"}, {"\x1b日", "alt+日"}, {"\x1b\r", "alt+enter"}, {"\x1b\x7f", "alt+backspace"},
		{"\x1b[", "alt+["}, {"\x1bO", "alt+O"}, {"\x1b]", "alt+]"}, {"\x1b[\r", "alt+[ | enter"},
		{"\x1b[A", "up"}, {"\x1bOA", "up"}, {"\x1b\x1b[A", "alt+up"}, {"\x1b[1;5C", "ctrl+right"}, {"\x1b[1;65D", "left"},
		{"\x1b[3~", "delete"}, {"\x1b[5;5~", "ctrl+pgup"}, {"\x1b[7$", "shift+home"}, {"\x1b[8^", "ctrl+end"},
		{"\x1b[a", "shift+up"}, {"\x1bOa", "ctrl+up"}, {"\x1b[[A", "f1"}, {"\x1b[24~", "f12"}, {"\x1bOp", "0"}, {"\x1bOM", "enter"},
		{"\x1b[Z", "shift+tab"}, {"\x1b[I", "tea.FocusMsg{}"}, {"\x1b[O", "tea.BlurMsg{}"},
		// newlines that are not Enter
		{"\x1b[13;2u", "alt+enter"}, {"\x1b[27;2;13~", "alt+enter"}, {"\x1b[13;5u", "alt+enter"}, {"\x1b[13u", "enter"},
		// kitty's and xterm's other keys
		{"\x1b[27u", "esc"}, {"\x1b[99;5u", "ctrl+c"}, {"\x1b[106;5u", "ctrl+j"}, {"\x1b[97;3u", "alt+a"},
		{"\x1b[97;2u", "A"}, {"\x1b[49:33;2u", "!"}, {"\x1b[97;1:3u", ""}, {"\x1b[127;5u", "alt+backspace"},
		{"\x1b[9;2u", "shift+tab"}, {"\x1b[32;5u", "ctrl+@"}, {"\x1b[57400u", "1"}, {"\x1b[57419u", "up"},
		{"\x1b[57441;2u", ""}, {"\x1b[99;9u", ""}, {"\x1b[27;5;99~", "ctrl+c"}, {"\x1b[99;133u", "ctrl+c"},
		{"\x1b[47;5u", "ctrl+_"}, {"\x1b[45:95;6u", "ctrl+_"}, {"\x1b[45:95;4u", "alt+_"}, {"\x1b[54;6u", "ctrl+^"}, {"\x1b[46;5u", ""},
		{"\x1b[228u", "ä"}, {"\x1b[91;5u", "esc"},
		// mouse
		{"\x1b[<0;3;4M", "mouse left press 2,3"}, {"\x1b[<0;3;4m", "mouse left release 2,3"}, {"\x1b[<35;3;4M", ""},
		{"\x1b[M !!", "mouse left press 0,0"}, {"\x1b[M`\xff\xff", "wheel -1"}, {"\x1b[M#!!", "mouse release 0,0"},
		{"\x1b[<64;1;1M\x1b[<64;1;1M\x1b[<65;1;1M", "wheel -1"}, {"\x1b[<66;1;1M", ""},
		// reports: known, unknown, late, cut
		{"\x1b]11;rgb:0000/0000/0000\x1b\\", "tty.Background{true}"}, {"\x1b]11;rgb:ffff/ffff/ffff\a", "tty.Background{false}"},
		{"\x1b]11;#fafafa\a", "tty.Background{false}"}, {"\x1b]11;rgba:1e/1e/2e/ff\a", "tty.Background{true}"},
		{"\x1b]11;rgb:zz/0/0\aq", "q"}, {"\x1b]11;rgb:///\aq", "q"}, {"\x1b]10;rgb:00/00/00\x1b\\q", "q"},
		{"\x1b[?62;4cq", "tty.answered{} | q"}, {"\x1b[12;40Rq", "q"}, {"\x1b[?2026;2$yq", "q"}, {"\x1b[>0;276;0cq", "q"},
		{"\x1bP>|WezTerm 1\x1b\\q", "q"}, {"\x1bP1+r5463\x1b\\q", "q"}, {"\x1b_Gi=1;OK\x1b\\q", "q"}, {"\x1b^x\x1b\\q", "q"}, {"\x1bXx\aq\x1b\\q", "q"},
		{"\x1b]11;rgb:00", ""}, {"\x1b]52;c;aGk=\x18q", "q"}, {"\x1b]0;t\x1b[A", "up"}, {"\x1b\\q", "q"},
		{"\x1b[99999999999999999999~q", "q"}, {"\x1b[1;2", ""}, {"\x1b[?1;2", ""}, {"\x1b[38:2:1:2mq", "q"}, {"\x1b[201~q", "q"},
		{"\x80\xffa\xe6\x97", "a"}, {"\u0085\u009bA", "A"},
		// pastes
		{"\x1b[200~hi\r\nyou\rthere\x1b[201~\r", `paste "hi\nyou\nthere" | enter`},
		{"\x1b[200~\x1b[201~x", "x"}, {"\x1b[200~\x1b[A\x1b]0;\a\x1b[20\x1b[201~", `paste "\x1b[A\x1b]0;\a\x1b[20"`},
		{"ab\x1b[200~c\x1b[201~de\x1b[200~f\x1b[201~", `a | b | paste "c" | d | e | paste "f"`},
		{"\x1b[200~a\x1b[201~rm -rf /\ry\r", `paste "a" | paste "rm -rf /\ny\n"`}, // its own end mark inside
		{"\x1b[200~un\xe6", `paste "un\xe6"`},
		// not bracketed
		{"one\rtwo\r", `paste "one\ntwo\n"`}, {"typed\r", "t | y | p | e | d | enter"}, {"\r\n", "enter | ctrl+j"},
		{strings.Repeat("x", 33) + "\r", `paste "` + strings.Repeat("x", 33) + `" | enter`},
		{"one\rtwo\x1b[A", `paste "one\ntwo" | up`},
	} {
		var d decoder
		got := names(append(d.feed([]byte(c.in)), silence(&d)...))
		if got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

// feedAll feeds chunks one read each, then lets the silence pass.
func feedAll(d *decoder, chunks ...string) string {
	var msgs []tea.Msg
	for _, c := range chunks {
		msgs = append(msgs, d.feed([]byte(c))...)
	}
	return names(append(msgs, silence(d)...))
}

func TestBurst(t *testing.T) {
	for _, c := range []struct {
		chunks []string
		want   string
	}{
		{[]string{"a\rb", "c\rd", "\r"}, `paste "a\nbc\nd" | enter`},
		{[]string{"a\rb\xe6", "\x97\xa5c\rd"}, `paste "a\nb日c\nd"`},
		{[]string{strings.Repeat("y", 40), "more\rlines"}, `paste "` + strings.Repeat("y", 40) + `more\nlines"`},
		{[]string{"one\r", "two\r", "three"}, `paste "one\ntwo\nthree"`},
		{[]string{"one\rtwo", "\r", "three"}, `paste "one\ntwo\nthree"`},
		{[]string{"one\r"}, "o | n | e | enter"},
		{[]string{strings.Repeat("y", 40), "\r"}, `paste "` + strings.Repeat("y", 40) + `" | enter`},
	} {
		if got := feedAll(&decoder{}, c.chunks...); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.chunks, got, c.want)
		}
	}
	told := &decoder{}
	told.feed([]byte("\x1b[?2004;2$y"))
	if got, want := feedAll(told, "a\rb\r"), "a | enter | b | enter"; got != want {
		t.Errorf("a terminal that brackets pastes: got %s, want %s", got, want)
	}
}

func TestPasteWhoseEndIsLate(t *testing.T) {
	d := &decoder{}
	got := names(d.feed([]byte("\x1b[200~first")))
	if w := d.wait(); w != pasteWait {
		t.Errorf("waits %v in a paste", w)
	}
	got += names(d.expire()) + " / "
	got += names(d.feed([]byte("second\rthird"))) + names(d.expire()) + " / " // more of it: still no keys
	got += names(d.feed([]byte("fourth\x1b[201~x"))) + " / "
	want := `paste "first" / paste "second\nthird" / paste "fourth" | x / `
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}

	d = &decoder{}
	d.feed([]byte("\x1b[200~lost end"))
	d.expire()
	if got := names(d.feed([]byte("y"))) + names(d.feed([]byte("\r"))); got != "yenter" {
		t.Errorf("keys after a paste that never ended: got %s", got)
	}
}

func TestPasteOverTheCap(t *testing.T) {
	d := &decoder{}
	d.feed([]byte("\x1b[200~"))
	block := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	for range 17 {
		d.feed(block)
	}
	msgs := d.feed([]byte("\x1b[201~z"))
	if len(msgs) != 3 || len(msgs[0].(Paste)) != maxPaste || msgs[1] != (PasteCut{Kept: maxPaste, Dropped: 1 << 20}) {
		t.Fatalf("%d messages, %T %v", len(msgs), msgs[0], msgs[1:])
	}
}

func TestLongControlStringIsDropped(t *testing.T) {
	d := &decoder{}
	d.feed([]byte("\x1b]52;c;"))
	for range 100 {
		if got := names(d.feed(bytes.Repeat([]byte("QUJD"), 1000))); got != "" {
			t.Fatalf("typed %s", got)
		}
	}
	if len(d.buf) > maxItem+4000 {
		t.Errorf("holds %d bytes", len(d.buf))
	}
	if got := names(d.feed([]byte("\x1b\\ok"))); got != "o | k" {
		t.Errorf("after it: %s", got)
	}
}

func TestWaits(t *testing.T) {
	for in, want := range map[string]time.Duration{
		"": 0, "a": 0, "\x1b": escWait, "\x1b\x1b": escWait, "\x1b[": seqWait, "\x1b[1;": seqWait,
		"\x1b]11;": stringWait, "\xe6": seqWait, "a\rb": burstWait,
	} {
		var d decoder
		d.feed([]byte(in))
		if got := d.wait(); got != want {
			t.Errorf("%q: waits %v, want %v", in, got, want)
		}
	}
}

// plain is everything that msgs typed or pasted, with keys by name and line
// breaks left out: what must not depend on how bytes fell into reads.
func plain(msgs []tea.Msg) string {
	var s strings.Builder
	delta := 0
	for _, m := range msgs {
		switch m := m.(type) {
		case Paste:
			s.WriteString(strings.NewReplacer("\n", "", "\r", "").Replace(string(m)))
		case Wheel:
			delta += m.Delta
		case tea.KeyMsg:
			switch {
			case m.Type == tea.KeyRunes && !m.Alt, m.Type == tea.KeySpace && !m.Alt:
				s.WriteString(string(m.Runes))
			case m.Type == tea.KeyTab:
				s.WriteString("\t")
			case m.Type == tea.KeyEnter && !m.Alt, m.Type == tea.KeyCtrlJ && !m.Alt:
			default:
				s.WriteString("<" + m.String() + ">")
			}
		default:
			s.WriteString("<" + name(m) + ">")
		}
	}
	return fmt.Sprintf("%s wheel %d", s.String(), delta)
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{
		"\x1b[200~hello\r\nworld\x1b[201~\x1b[A\x1b\x1b[A日本\x1b]11;rgb:00/00/00\x1b\\",
		"\x1b[<64;1;1M\x1b[M`!!\x1b[[A\x1b[7$\x1bOa\x1bP+r\x1b\\\x1b[?62c\x1b[13;2u",
		"\xe6\x97\xff\x1b\x1b\x1b[\r\x1b[1;\x1b[2", "\x1b]0;x\a\x1b_\a\x1b\\\x1b\\",
	} {
		f.Add([]byte(s), uint(3))
	}
	f.Fuzz(func(t *testing.T, in []byte, at uint) {
		whole, split, bytewise := decoder{brackets: true}, decoder{brackets: true}, decoder{brackets: true}
		want := whole.feed(in)
		i := int(at % uint(len(in)+1))
		got := append(split.feed(in[:i]), split.feed(in[i:])...)
		var each []tea.Msg
		for _, b := range in {
			each = append(each, bytewise.feed([]byte{b})...)
		}
		for _, d := range []*decoder{&whole, &split, &bytewise} {
			if !bytes.Equal(d.buf, whole.buf) || d.paste.mode != whole.paste.mode {
				t.Fatalf("%q split at %d: holds %q in mode %v, want %q in mode %v", in, i, d.buf, d.paste.mode, whole.buf, whole.paste.mode)
			}
		}
		if plain(got) != plain(want) || plain(each) != plain(want) {
			t.Fatalf("%q\nwhole %s\nsplit %s (at %d)\nbytes %s", in, plain(want), plain(got), i, plain(each))
		}
		silence(&whole)
		if whole.wait() != 0 || len(whole.buf) != 0 {
			t.Fatalf("%q: after silence still holds %q", in, whole.buf)
		}
	})
}

// Sequences that Bubble Tea knows must be the same keys here. Left out are those
// where it is wrong or ambiguous: ESC [ O x, ESC [ 3 ; 2 ~, and Alt+F1 to F4.
func TestSameKeysAsBubbleTea(t *testing.T) {
	var seqs []string
	for _, mod := range []string{"", "1;2", "1;3", "1;4", "1;5", "1;6", "1;7", "1;8"} {
		for _, final := range "ABCDHF" {
			seqs = append(seqs, "\x1b["+mod+string(final))
		}
	}
	for n := range 35 {
		seqs = append(seqs, fmt.Sprintf("\x1b[%d~", n), fmt.Sprintf("\x1b[%d;3~", n))
	}
	seqs = append(seqs, "\x1b[5;5~", "\x1b[6;7~", "\x1b[7^", "\x1b[7$", "\x1b[7@", "\x1b[8^", "\x1b[8$", "\x1b[8@",
		"\x1b[[A", "\x1b[[E", "\x1bOP", "\x1bOS", "\x1b[1;2P", "\x1b[1;2S", "\x1b[15;2~", "\x1b[20;2~", "\x1b[a", "\x1b[d", "\x1b[Z", "\x1bOA", "\x1bOD")
	for b := 1; b < 0x80; b++ {
		if b != esc {
			seqs = append(seqs, string(rune(b)))
			if !strings.ContainsRune("[O]P_^X\\", rune(b)) {
				seqs = append(seqs, "\x1b"+string(rune(b)))
			}
		}
	}
	for _, s := range seqs {
		want, ok := teaKey(t, s)
		if !ok {
			continue
		}
		var d decoder
		got := d.feed([]byte(s))
		if len(got) != 1 || name(got[0]) != want.String() {
			t.Errorf("%q: got %s, Bubble Tea says %s", s, names(got), want)
		}
	}
}

type firstKey struct{ got *tea.KeyMsg }

func (m firstKey) Init() tea.Cmd { return nil }
func (m firstKey) View() string  { return "" }
func (m firstKey) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if k, ok := msg.(tea.KeyMsg); ok {
		*m.got = k
		return m, tea.Quit
	}
	return m, nil
}

// teaKey asks Bubble Tea what seq is; ok is false when it knows no such key. It
// reads seq and then, in another read, a mark.
func teaKey(t *testing.T, seq string) (k tea.KeyMsg, ok bool) {
	t.Helper()
	got := tea.KeyMsg{}
	in := io.MultiReader(strings.NewReader(seq), strings.NewReader("§"))
	if _, err := tea.NewProgram(firstKey{&got}, tea.WithInput(in), tea.WithOutput(io.Discard), tea.WithoutRenderer(), tea.WithoutSignals()).Run(); err != nil {
		t.Fatal(err)
	}
	return got, got.String() != "§"
}

func BenchmarkDecodePaste(b *testing.B) {
	text := bytes.Repeat([]byte("0123456789abcde\r"), 1<<16)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		var d decoder
		d.feed(pasteStart())
		for rest := text; len(rest) > 0; {
			n := min(4095, len(rest))
			d.feed(rest[:n])
			rest = rest[n:]
		}
		if msgs := d.feed(pasteEnd); len(msgs) != 1 {
			b.Fatal(len(msgs))
		}
	}
}

func pasteStart() []byte { return []byte("\x1b[200~") }
