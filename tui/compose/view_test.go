package compose

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"aye/tui/tuitest"
)

// Views are golden: one file a script, with the view at three widths.
func TestViews(t *testing.T) {
	scenes := map[string]string{
		"empty":    "",
		"one-line": "fix the failing test",
		"prose":    "Please look at the parser and find out why an unclosed list is not reported; then write a test for it.<alt+b><alt+b>",
		"wide":     "日本語のテキストは単語の間に空白がありません。それでも折り返します。 mixed with English words and 漢字<left><left>",
		"emoji":    "family 👨‍👩‍👧‍👦 flag 🇨🇭 thumbs 👍🏽 keycap 1️⃣ e\u0301 heart ❤️ done<home>",
		"hidden":   "{a\tb\x1b[31m\u202erm -rf\u200b\x00\u00ad\u3164}<left>",
		"long":     "one<ctrl+j>two<ctrl+j>three<ctrl+j>four<ctrl+j>five<ctrl+j>six<ctrl+j>seven<up><up><up><up>",
		"word":     "a_word_that_is_longer_than_any_row_of_the_narrow_screens_and_is_cut_where_it_must https://example.com/path",
		"chip":     "compare {" + numbered(812) + "} with this",
		"commands": "/h<down>",
		"files":    "see @o<down><down>",
		"search":   "draft<ctrl+r>test",
		"nothing":  "draft<ctrl+r>xyzzy",
	}
	for name, script := range scenes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			for _, width := range []int{80, 44, 20} {
				m := composer(width, 5)
				m.SetHistory([]string{"first thing", "write a test for it"})
				m.SetCommands([]Command{{"help", "what there is to know"}, {"history", "messages so far"}, {"clear", "start over"}})
				m.SetFiles([]string{"tui/root.go", "a/long/way/down/to/some/other/file.go", "doc.go"})
				press(t, m, script)
				out.WriteString(strings.Repeat("-", width) + "\n" + shown(m) + "\n")
			}
			tuitest.Golden(t, "testdata/"+name+".txt", out.String())
		})
	}
}

// A text that is scrolled fills the room it has, and shows the caret.
func TestScrolling(t *testing.T) {
	m := composer(30, 4)
	press(t, m, "{"+strings.TrimSuffix(numbered(20), "\n")+"}")
	if got, want := shown(m), "↑ line 16\n  line 17\n  line 18\n  line 19▏"; got != want {
		t.Errorf("at the end:\n%s", got)
	}
	press(t, m, strings.Repeat("<up>", 10))
	if got, want := shown(m), "↑ line 9▏\n  line 10\n  line 11\n↓ line 12"; got != want {
		t.Errorf("ten up:\n%s", got)
	}
	press(t, m, "<ctrl+home>")
	if got, want := shown(m), "› ▏line 0\n  line 1\n  line 2\n↓ line 3"; got != want {
		t.Errorf("at the start:\n%s", got)
	}
	m.Resize(30, 2)
	press(t, m, "<ctrl+end><ctrl+u><backspace>")
	if got, want := shown(m), "↑ line 17\n  line 18▏"; got != want {
		t.Errorf("after deleting the last line:\n%s", got)
	}
	m.Resize(30, 40)
	if got := len(m.View()); got != 19 {
		t.Errorf("%d rows where all fit", got)
	}
}

// In one row the search still shows what is looked for, and no menu is open
// that could not be seen.
// A menu that has no room for all it offers says so, wherever the choice is.
func TestMenuSaysThatThereIsMore(t *testing.T) {
	var commands []Command
	for _, name := range []string{"a1", "a2", "a3", "a4", "a5", "a6", "a7"} {
		commands = append(commands, Command{Name: name})
	}
	for _, tt := range []struct {
		rows int
		want string
	}{
		{8, "  /a1|  /a2|  /a3|  /a4|  /a5|  /a6|› /a7|› /▏"},
		{7, "  /a3|  /a4|  /a5|  /a6|› /a7|  … 2 more|› /▏"},
		{3, "› /a7|  … 6 more|› /▏"},
		{2, "› /a7|› /▏"},
	} {
		m := composer(40, tt.rows)
		m.SetCommands(commands)
		press(t, m, "/<up>")
		if got := strings.ReplaceAll(ansi.Strip(shown(m)), "\n", "|"); got != tt.want {
			t.Errorf("%d rows: %s, want %s", tt.rows, got, tt.want)
		}
	}
}

func TestOneRow(t *testing.T) {
	m := composer(30, 1)
	m.SetHistory([]string{"run the tests"})
	m.SetCommands([]Command{{"help", ""}, {"history", ""}})
	press(t, m, "<ctrl+r>run")
	if got, want := shown(m), "  history: run▏"; !strings.HasPrefix(got, want) {
		t.Errorf("search: %q, want %q", got, want)
	}
	press(t, m, "<esc>/h<tab>")
	if m.Open() {
		t.Error("a menu is open in no room")
	}
}

func TestUpAndDownKeepTheColumn(t *testing.T) {
	m := composer(40, 9)
	press(t, m, "a long line here<ctrl+j>ab<ctrl+j>日本語日本語<left><up><up>X")
	if got, want := m.Text(), "a long linXe here\nab\n日本語日本語"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A word that was broken over two rows goes up into the row before them when it
// becomes short enough (found by fuzzing).
func TestShortenedWordGoesUp(t *testing.T) {
	m := composer(8, 5)
	press(t, m, " 0")
	m.Paste(strings.Repeat("\n", 50) + "0")
	check(t, m)
	m.View()
	press(t, m, "<backspace>")
	check(t, m)
}

// FuzzKeys presses anything. No key may lose text: what was on the screen is
// there, in the history, in what was sent, or can be undone.
func FuzzKeys(f *testing.F) {
	var names []string
	for name := range keys {
		names = append(names, name)
	}
	slices.Sort(names) // so that what was found is found again
	f.Add([]byte("hello\x80\x81\x82 world"), uint8(20), "日本 e\u0301 text")
	f.Add([]byte("\x85\x86ab\xff\xfe\x90\x91\xa0"), uint8(9), numbered(60))
	f.Add([]byte{'/', 'h', 0x83, 0x84, '@', 0x83, 0x88}, uint8(44), "\xff\x00\x1b[200~")
	f.Fuzz(func(t *testing.T, script []byte, width uint8, paste string) {
		m := composer(int(width), 1+int(width)%7)
		m.SetHistory([]string{"one", "two\nlines", pasteOpen + numbered(70) + pasteClose})
		m.SetCommands([]Command{{"help", "x"}, {"quit", ""}})
		m.SetFiles([]string{"a.go", "b/日本.go"})
		for i, b := range script {
			before, version := m.Text(), m.version
			if len(before) > 32<<10 {
				return // cutting and putting in doubles; enough
			}
			ev := Event{}
			switch {
			case b >= ' ' && b < 0x7f:
				ev = m.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{rune(b)}})
			case b == 0xff:
				m.Paste(paste)
			case b == 0xfe:
				m.Resize(int(width)+i, 1+i%9)
			case b == 0xfd && utf8.ValidString(paste):
				ev = m.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(paste)})
			case b >= 0x80:
				ev = m.Key(named[names[int(b-0x80)%len(names)]])
			}
			check(t, m)
			if ev.Kind == Ignored && b >= 0x80 && b < 0xfd && m.version != version {
				t.Fatal("a key that was ignored changed the text")
			}
			if ev.Kind == Sent && ev.Text != before {
				t.Fatalf("sent %q, shown was %q", ev.Text, before)
			}
			if m.Text() != before && ev.Kind != Sent && !m.finds(before) {
				t.Fatalf("%q is lost; now %q", before, m.Text())
			}
		}
	})
}

// finds reports whether text can be brought back: by undo, by redo, or from the
// history.
func (m *Model) finds(text string) bool {
	if strings.TrimSpace(text) == "" || len(m.undo) > 0 || len(m.redo) > 0 {
		return true
	}
	for i := range len(m.history.entries) + 1 {
		other := composer(80, 5)
		other.SetDraft(m.history.get(i))
		if other.Text() == text {
			return true
		}
	}
	return false
}

func filled(lines int) *Model {
	m := composer(80, 10)
	m.SetText(strings.TrimSuffix(numbered(lines), "\n"))
	m.View()
	return m
}

func benchmarkKey(b *testing.B, m *Model) {
	m.move(pos{len(m.lines) / 2, 3})
	x, back := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'x'}}, named["backspace"]
	b.ReportAllocs()
	for b.Loop() {
		m.Key(x)
		m.View()
		m.Key(back)
		m.View()
		m.undo = m.undo[:0]
	}
}

func BenchmarkKeyIn10Lines(b *testing.B)    { benchmarkKey(b, filled(10)) }
func BenchmarkKeyIn10000Lines(b *testing.B) { benchmarkKey(b, filled(10_000)) }

func BenchmarkKeyInLineOf200KB(b *testing.B) {
	m := composer(80, 10)
	m.SetText(strings.Repeat("0123456789 ", 200<<10/11))
	m.View()
	m.move(pos{0, 100 << 10})
	x, back := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'x'}}, named["backspace"]
	for b.Loop() {
		m.Key(x)
		m.View()
		m.Key(back)
		m.View()
		m.undo = m.undo[:0]
	}
}

func BenchmarkPaste1MB(b *testing.B) {
	text := strings.Repeat("0123456789abcde\n", 1<<16)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		m := composer(80, 10)
		m.Paste(text)
		m.View()
		if len(m.Text()) != len(text) {
			b.Fatal(len(m.Text()))
		}
	}
}

func BenchmarkSetText1MB(b *testing.B) {
	text := strings.Repeat("0123456789abcde\n", 1<<16)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		m := composer(80, 10)
		m.SetText(text)
		m.View()
	}
}
