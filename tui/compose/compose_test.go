package compose

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"aye/tui/term"
	"aye/tui/theme"
)

// named is how tests write keys that are not text: <up>, <ctrl+a>.
var named = func() map[string]tea.KeyMsg {
	all := map[string]tea.KeyMsg{}
	for t := tea.KeyType(-70); t < 128; t++ {
		for _, alt := range []bool{false, true} {
			k := tea.KeyMsg{Type: t, Alt: alt}
			if t != tea.KeyRunes && t != tea.KeySpace && k.String() != "" {
				all[k.String()] = k
			}
		}
	}
	for _, r := range "bfd_<>" {
		k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: true}
		all[k.String()] = k
	}
	return all
}()

// press types what script says: text, <key>, and {pasted text}. It returns the
// last event that was neither Used nor Ignored.
func press(t testing.TB, m *Model, script string) (last Event) {
	t.Helper()
	for script != "" {
		var ev Event
		if name, rest, ok := strings.Cut(strings.TrimPrefix(script, "<"), ">"); ok && script[0] == '<' {
			k, known := named[name]
			if !known {
				t.Fatalf("no key <%s>", name)
			}
			ev, script = m.Key(k), rest
		} else if text, rest, ok := strings.Cut(strings.TrimPrefix(script, "{"), "}"); ok && script[0] == '{' {
			m.Paste(text)
			script = rest
		} else {
			r, n := utf8.DecodeRuneInString(script)
			k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}
			if r == ' ' {
				k.Type = tea.KeySpace
			}
			ev, script = m.Key(k), script[n:]
		}
		check(t, m)
		if ev.Kind > Used {
			last = ev
		}
	}
	return last
}

// check holds what must be true after every key.
func check(t testing.TB, m *Model) {
	t.Helper()
	if m.at.line >= len(m.lines) || m.at.off > len(m.lines[m.at.line].text) {
		t.Fatalf("caret %v outside the text", m.at)
	}
	view := m.View()
	if len(view) == 0 || len(view) > m.maxRows {
		t.Fatalf("%d lines, at most %d allowed", len(view), m.maxRows)
	}
	for i, l := range view {
		if w := term.Width(l); w > m.width {
			t.Fatalf("line %d is %d cells wide, at most %d: %q", i, w, m.width, l)
		}
		if strings.ContainsAny(l, "\n\r\t\x07") || strings.IndexByte(l, chipMark) >= 0 {
			t.Fatalf("line %d holds a control character: %q", i, l)
		}
	}
	if x, y := m.Cursor(); x < 0 || x >= m.width || y < 0 || y >= len(view) {
		t.Fatalf("caret at %d,%d of %d lines of %d", x, y, len(view), m.width)
	}
	for _, l := range m.lines {
		if l.width == 0 {
			continue
		}
		whole := line{text: l.text}
		if got, want := fmt.Sprint(l.wrapped(l.width)), fmt.Sprint(whole.wrapped(l.width)); got != want {
			t.Fatalf("rows of %q at %d: %s, from the start %s", l.text, l.width, got, want)
		}
	}
}

func composer(width, rows int) *Model {
	m := New(theme.New(true))
	m.Resize(width, rows)
	return m
}

// shown is the view with the caret as ▏.
func shown(m *Model) string {
	x, y := m.Cursor()
	out := append([]string(nil), m.View()...)
	out[y] = withCaret(out[y], x)
	return strings.Join(out, "\n")
}

func withCaret(l string, x int) string {
	at := 0
	for i := 0; i < len(l); {
		if at >= x {
			return l[:i] + "▏" + l[i:]
		}
		c, w := cluster(l[i:])
		at += w
		i += len(c)
	}
	return l + strings.Repeat(" ", max(0, x-at)) + "▏"
}

func TestEditing(t *testing.T) {
	for script, want := range map[string]string{
		"hello":                                                 "hello|",
		"hello<left><left>X":                                    "helX|lo",
		"hello<home>X<end>Y":                                    "XhelloY|",
		"ab<ctrl+j>cd":                                          "ab\ncd|",
		"ab<alt+enter>cd<up>X":                                  "abX|\ncd",
		`ab\<enter>cd`:                                          "ab\ncd|",
		`a\\b<left>\<enter>`:                                    "|",
		"日本語<left><backspace>":                                  "日|語",
		"e\u0301x<left><backspace>":                             "|x",
		"👨‍👩‍👧!<left><backspace>":                               "|!",
		"🇨🇭🇩🇪<backspace>":                                       "🇨🇭|",
		"one two three<ctrl+w>":                                 "one two |",
		"one two-three<alt+backspace>":                          "one two-|",
		"one two<alt+b><alt+b><alt+d>":                          "| two",
		"one two<alt+b><ctrl+k><ctrl+a><ctrl+y>":                "two|one ",
		"a b c<ctrl+w><ctrl+w><ctrl+y>":                         "a b c|",
		"a b<ctrl+w>x<ctrl+w><ctrl+y>":                          "a x|",
		"ab<ctrl+j>cd<ctrl+a><ctrl+u>X":                         "abX|cd",
		"ab<ctrl+j>cd<up><ctrl+k>":                              "ab|cd",
		"ab<left><ctrl+u>":                                      "|b",
		"ab<ctrl+j>cd<ctrl+home><delete><ctrl+d><delete>":       "|cd",
		"ab<ctrl+j><backspace><backspace>":                      "a|",
		"one two<ctrl+_>":                                       "one|",
		"one two<ctrl+_><ctrl+_><alt+_><alt+_>":                 "one two|",
		"one two<ctrl+w><ctrl+_>":                               "one two|",
		"a<ctrl+j>b<ctrl+home><ctrl+k><ctrl+k><ctrl+_><ctrl+_>": "|a\nb",
		"{pasted\ntext}!":                                       "pasted\ntext!|",
		"{a\tb\x1b[31mc\x00}":                                   "a\tb\x1b[31mc\x00|",
		"{\xff\xfebad}":                                         "\ufffdbad|",
		"foo(bar)<alt+b>X<alt+f>Y":                              "foo(XbarY|)",
		"ab<left>e<left><right>\u0301":                          "ae\u0301|b",
		"e\u0301<left><delete>":                                 "|",
		"ab<ctrl+left><ctrl+right>c":                            "abc|",
	} {
		m := composer(40, 5)
		press(t, m, script)
		text := m.Text()
		at := 0
		for _, l := range m.lines[:m.at.line] {
			at += len(l.text) + 1
		}
		at += m.at.off
		if got := text[:at] + "|" + text[at:]; got != want {
			t.Errorf("%s\n got %q\nwant %q", script, got, want)
		}
	}
}

func TestSending(t *testing.T) {
	for _, c := range []struct {
		script string
		want   Event
	}{
		{"hi<enter>", Event{Sent, "hi", "hi"}},
		{"a<ctrl+j>b<enter>", Event{Sent, "a\nb", "a\nb"}},
		{`a\<enter>b<enter>`, Event{Sent, "a\nb", "a\nb"}},
		{`C:\\<enter>`, Event{Sent, `C:\\`, `C:\\`}},
		{"<enter>", Event{}}, {"  <enter>", Event{}}, {"x<shift+tab>", Event{}},
	} {
		m := composer(40, 5)
		if got := press(t, m, c.script); got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.script, got, c.want)
		}
		if c.want.Kind == Sent && !m.Empty() {
			t.Errorf("%s: leaves %q", c.script, m.Text())
		}
	}
}

func TestKeysThatAreNotOurs(t *testing.T) {
	for _, name := range []string{"up", "down", "home", "end", "ctrl+d", "esc", "shift+tab", "tab", "pgup", "f1", "ctrl+c", "ctrl+z", "left"} {
		m := composer(40, 5)
		if ev := m.Key(named[name]); ev.Kind != Ignored {
			t.Errorf("%s on an empty composer: %+v", name, ev)
		}
	}
}

func TestHistoryKeepsTheDraft(t *testing.T) {
	for script, want := range map[string]string{
		"<up>":                                            "three\nlines",
		"<up><up><up>":                                    "two",
		"draft<up><down>":                                 "draft",
		"draft<ctrl+p><ctrl+p><ctrl+n><ctrl+n>":           "draft",
		"draft<ctrl+p><ctrl+p>X<ctrl+n><ctrl+p>":          "twoX",
		"draft<ctrl+p><ctrl+p><enter>":                    "draft", // what was sent is another entry
		"draft<ctrl+r>one<esc>":                           "draft",
		"draft<ctrl+r>one<enter>":                         "one",
		"draft<ctrl+r>one<enter><ctrl+n><ctrl+n><ctrl+n>": "draft",
		"<ctrl+r>o<ctrl+r><enter>":                        "one",
		"<ctrl+r>o<ctrl+r><ctrl+s><enter>":                "two",
		"<ctrl+r>tx<backspace><enter>":                    "three\nlines",
		"x<ctrl+r>nothing like it<enter>":                 "x",
		"<ctrl+r>{one}<tab>":                              "one",
	} {
		m := composer(40, 5)
		m.SetHistory([]string{"one", "two", "three\nlines"})
		press(t, m, script)
		if got := m.Text(); got != want {
			t.Errorf("%s: got %q, want %q", script, got, want)
		}
	}
}

func TestClear(t *testing.T) {
	m := composer(40, 5)
	press(t, m, "long draft")
	if got := m.Clear(); got != "long draft" || !m.Empty() {
		t.Errorf("returns %q and leaves %q", got, m.Text())
	}
	press(t, m, "<up>")
	if got := m.Text(); got != "long draft" {
		t.Errorf("Up brings %q", got)
	}
	m.Clear()
	press(t, m, "waiting<up>")
	m.Clear()
	if got := m.Text(); got != "waiting" {
		t.Errorf("the draft behind a cleared entry: %q", got)
	}
	if got := composer(40, 5).Clear(); got != "" {
		t.Errorf("nothing to clear: %q", got)
	}
}

func TestSetTextCanBeUndone(t *testing.T) {
	m := composer(40, 5)
	press(t, m, "before")
	m.SetText("from the\r\neditor")
	if got := m.Text(); got != "from the\neditor" {
		t.Errorf("text %q", got)
	}
	press(t, m, "<ctrl+_>")
	if got := m.Text(); got != "before" {
		t.Errorf("undone: %q", got)
	}
}

func numbered(lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

func TestChips(t *testing.T) {
	big := numbered(812)
	long := strings.Repeat("x", 5000) + "\xff\x1b[2J"
	m := composer(60, 5)
	press(t, m, "see {"+big+"} and {"+long+"}!")
	if got, want := strings.Join(m.View(), "\n"), "› see [paste 1 · 812 lines] and [paste 2 · 4.9 KB]!"; got != want {
		t.Errorf("view %q, want %q", got, want)
	}
	want := "see " + big + " and " + long + "!"
	if m.Text() != want {
		t.Error("the text is not what was pasted")
	}

	draft := m.Draft()
	other := composer(60, 5)
	other.SetDraft(draft)
	if other.Text() != want || other.Draft() != draft || len(other.View()) != 1 {
		t.Errorf("a draft comes back as %.80q", other.View())
	}

	press(t, m, "<left><backspace>")
	if got, want := m.View()[0], "› see [paste 1 · 812 lines] and !"; got != want || strings.Contains(m.Text(), "xxx") {
		t.Errorf("after deleting a chip: %q", got)
	}
	press(t, m, "<ctrl+_>")
	if m.Text() != want {
		t.Error("undo does not bring a chip back")
	}
	press(t, m, "<ctrl+w><ctrl+y><ctrl+y>")
	if got := m.Text(); got != "see "+big+" and "+long+long+"!" {
		t.Error("a chip cut and put in twice is not there twice")
	}
	press(t, m, "<ctrl+_>")

	ev := press(t, m, "<enter>")
	if ev.Text != want || ev.Draft != draft {
		t.Error("sent is not what was shown")
	}
	press(t, m, "<up>")
	if m.Text() != want || len(m.View()) != 1 {
		t.Errorf("the history gives %.80q", m.View())
	}
	press(t, m, "{"+numbered(50)+"}")
	if n := strings.Count(m.Draft(), pasteOpen); n != 2 {
		t.Errorf("%d chips: 50 lines are no chip", n)
	}
}

func TestCompletion(t *testing.T) {
	commands := []Command{{"help", "what there is"}, {"history", "messages so far"}, {"clear", "start over"}, {"quit", "leave"}}
	files := []string{"README.md", "cmd/aye/main.go", "tui/root.go", "tui/tty/doc.go"}
	for script, want := range map[string]string{
		"/h":                     "/h",
		"/he<tab>":               "/help ",
		"/h<tab><tab>":           "/help ",
		"/h<tab><down><enter>":   "/history ",
		"/h<down><down><enter>":  "/history ",
		"/h<up><tab>":            "/history ",
		"/<down><down><up><tab>": "/help ",
		"/clr<tab>":              "/clear ",
		"/h<esc><down>":          "/h",
		"say /h<tab>":            "say /h",
		"look at @root<tab>":     "look at @tui/root.go ",
		"@doc<down><enter>":      "@tui/tty/doc.go ",
		"@go<down><down>":        "@go",
		"@roo<tab> x":            "@tui/root.go  x",
		"@<tab> x":               "@README.md  x",
		"a@roo<tab>":             "a@roo",
		"@root<esc>x":            "@rootx",
		"@root <left><tab><tab>": "@tui/root.go  ",
		"@zzz<tab>":              "@zzz",
	} {
		m := composer(60, 9)
		m.SetCommands(commands)
		m.SetFiles(files)
		press(t, m, script)
		if got := m.Text(); got != want {
			t.Errorf("%s: got %q, want %q\n%s", script, got, want, shown(m))
		}
	}
}

// That a menu was closed, by Escape or by the history, is over with the text it
// was closed for.
func TestCompletionAfterAnotherText(t *testing.T) {
	for _, before := range []string{"<ctrl+r>que<enter>", "<ctrl+r>que<tab>", "<up>", "/q<esc>", "@m<esc>", "/q<ctrl+r>"} {
		for script, want := range map[string]string{"/m<tab>": "/mode ", "@ma<tab>": "@main.go "} {
			m := composer(60, 9)
			m.SetHistory([]string{"question", "/quit"})
			m.SetCommands([]Command{{"mode", ""}, {"quit", ""}})
			m.SetFiles([]string{"main.go"})
			press(t, m, before)
			m.Clear()
			press(t, m, script)
			if got := m.Text(); got != want {
				t.Errorf("%s, cleared, %s: got %q, want %q", before, script, got, want)
			}
		}
	}
	for script, want := range map[string]string{
		"/m<ctrl+r><esc><tab>":      "/mode ",
		"/m<ctrl+r>zzz<enter><tab>": "/mode ",
		"/m<esc><tab>":              "/mode ",
	} {
		m := composer(60, 9)
		m.SetHistory([]string{"question"})
		m.SetCommands([]Command{{"mode", ""}, {"quit", ""}})
		press(t, m, script)
		if got := m.Text(); got != want {
			t.Errorf("%s: got %q, want %q", script, got, want)
		}
	}
	m := composer(60, 9)
	m.SetCommands([]Command{{"mode", ""}, {"quit", ""}})
	m.SetHistory([]string{"question"})
	press(t, m, "/mo<esc><up>") // the entry is left for the draft behind it
	m.Clear()
	if press(t, m, "<tab>"); m.Text() != "/mode " {
		t.Errorf("the draft that came back: %q", m.Text())
	}
}

func TestFilesAreAskedFor(t *testing.T) {
	m := composer(60, 9)
	if ev := press(t, m, "@"); ev.Kind != WantFiles || !m.Open() {
		t.Fatalf("event %+v, open %v", ev, m.Open())
	}
	if ev := press(t, m, "ro<tab>"); ev.Kind == WantFiles {
		t.Fatalf("event %+v: they are asked for once", ev)
	}
	if got := m.View()[0]; !strings.Contains(got, "listing files") {
		t.Errorf("while waiting: %q", got)
	}
	m.SetFiles([]string{"tui/root.go"})
	if got := m.View()[0]; !strings.Contains(got, "@tui/root.go") {
		t.Errorf("when they came: %q", got)
	}
	if ev := press(t, m, "<enter><enter>"); ev.Text != "@tui/root.go " {
		t.Errorf("sent %+v", ev)
	}
}

func TestEnterSendsWhatIsShown(t *testing.T) {
	m := composer(60, 9)
	m.SetCommands([]Command{{"help", ""}, {"history", ""}})
	m.SetFiles([]string{"tui/root.go"})
	for _, text := range []string{"/hel", "ask @ro", "@ro"} {
		if ev := press(t, m, text+"<enter>"); ev.Text != text {
			t.Errorf("sent %+v: the menu changed the text by itself", ev)
		}
	}
}

func TestReturn(t *testing.T) {
	big := numbered(60)
	for name, test := range map[string]struct{ script, back, want string }{
		"to an empty composer": {"", "hello", "hello"},
		"in front of a draft":  {"mine", "hello", "hello\nmine"},
		"over blanks":          {"  ", "hello", "hello"},
		"while searching":      {"mine<ctrl+r>x", "hello", "hello\nmine"},
		"a paste":              {"see {" + big + "}!<enter>mine", "see " + big + "!", "see " + big + "!\nmine"},
		"marks of a paste":     {"", "a " + pasteOpen + " b " + pasteClose, "a " + pasteOpen + " b " + pasteClose},
	} {
		m := composer(60, 9)
		press(t, m, test.script)
		m.Return(test.back)
		check(t, m)
		if m.Text() != test.want || m.at != m.end() {
			t.Errorf("%s: %q, want %q", name, m.Text(), test.want)
		}
		if rows := len(m.View()); rows > 3 {
			t.Errorf("%s: %d rows", name, rows)
		}
	}
}
