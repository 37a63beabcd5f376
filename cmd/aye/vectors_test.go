//go:build unix

package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"aye/agent"
	"aye/llm"
	"aye/llm/llmtest"
	"aye/tools"
)

// otherwise are the vectors that aye answers differently on purpose: the row,
// what must hold of aye's answer, and why.
var otherwise = map[string]struct {
	row, why string
	check    func(string) bool
}{
	"V003": {"T87", "what is not shown is always named", equals("2: two\n[lines 3–3 of 3 are not shown; continue with offset 2]\n")},
	"V025": {"T87", "a negative offset counts from the end", equals("3: three\n")},
	"V075": {"T93", "another name of a file may be outside: it keeps the old bytes, and that is said", has("2 names (hard links); only this one gets the new content")},
	"V081": {"T98", "files and folders that begin with a dot are found", equals("a.py\ns/.h/e.py\ns/c.py\ns/t/d.py")},
	"V082": {"T98", "files and folders that begin with a dot are found", equals("s/.h/e.py\ns/c.py\ns/t/d.py")},
	"V115": {"T101", "line ends of a terminal are no text: output has \\n alone", equals("exit_code=0\na\nb")},
	"V116": {"T102", "a signal has a number and a name", equals("exit_code=-9\n[ended by a signal: killed]\n")},
	"V125": {"T104", "SIGTERM first, and what to do next time", equals("error: exit_code=-15\n[time limit of 1.0 s reached: the command and all that it started were ended; give a longer timeout, at most 3600 seconds, or run less]\na\n")},
	"V143": {"T76", "1.0 is no integer", has(`"limit" must be an integer written without a fraction`)},
	"V146": {"T74", "a key that is given twice is refused", has(`"path" is given twice`)},
}

// A vector is one call on a small tree and what the ancestor made of it, or
// what is to be done better.
type vector struct {
	ID    string                     `json:"id"`
	Title string                     `json:"title"`
	Tree  map[string]json.RawMessage `json:"tree"`
	Call  struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"call"`
	Asks     bool            `json:"asks"`
	Approve  *string         `json:"approve"`
	Settings map[string]int  `json:"settings"`
	Toycode  json.RawMessage `json:"toycode"`
	Match    string          `json:"match"`
	Contains []string        `json:"contains"`
	Expect   string          `json:"expect"`
	Files    json.RawMessage `json:"toycode_files_after"`
	Better   struct {
		Contains []string                     `json:"result_contains"`
		Lacks    []string                     `json:"result_lacks"`
		Is       string                       `json:"result_is"`
		Regex    string                       `json:"result_regex"`
		MaxChars int                          `json:"max_chars"`
		IsError  *bool                        `json:"is_error"`
		Asks     *bool                        `json:"asks"`
		Files    map[string]json.RawMessage   `json:"files_after"`
		FilesAny []map[string]json.RawMessage `json:"files_after_any"`
	} `json:"better_check"`
}

// Each vector end to end: the model's server makes the call, the person
// answers, the real tool runs, and what the model is told is read from the
// next request.
func TestVectors(t *testing.T) {
	t.Setenv("API_KEY", secret) // which no command may see: V127
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) != 150 {
		t.Fatalf("%d vectors", len(vectors))
	}
	for _, v := range vectors {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			v.run(t)
		})
	}
}

func (v *vector) run(t *testing.T) {
	args := string(v.Call.Arguments)
	if args[0] == '"' {
		if err := json.Unmarshal(v.Call.Arguments, &args); err != nil {
			t.Fatal(err)
		}
	}
	if seconds := v.Settings["SHELL_TIMEOUT"]; seconds > 0 {
		args = fmt.Sprintf(`%s,"timeout":%d}`, strings.TrimSuffix(args, "}"), seconds)
	}
	base := t.TempDir()
	root := filepath.Join(base, "ws")
	if err := os.Mkdir(root, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, path := range slices.Sorted(maps.Keys(v.Tree)) { // a hard link after its file
		plant(t, root, path, v.Tree[path])
	}
	args = strings.ReplaceAll(args, "{ROOT}", root)
	w := newWorld(t, func(req llm.Request) llmtest.Reply {
		if req.Messages[len(req.Messages)-1].Role == llm.User && len(results(llm.Request{Messages: req.Messages[len(req.Messages)-1:]})) == 0 {
			return call("", v.Call.Name, args)
		}
		return say("ok")
	})
	w.dir = root
	choice := agent.Allow
	if v.Approve != nil && !strings.HasPrefix(*v.Approve, "y") {
		choice = agent.Deny
	}
	c := w.talk(sessionWant{})
	done := last[agent.CallFinished](t, c.say("go", choice))
	if done.Result.Status == tools.Failed && len(done.Result.Seen) > 0 {
		// The file was not read before. The refusal shows what the call has to
		// know, and the next try works.
		done = last[agent.CallFinished](t, c.say("again", choice))
	}
	asked, isError, result := len(c.asked) > 0, done.Result.Status != tools.OK, lastResult(t, w.request(-1))
	t.Logf("%s %.200s: asked %v, error %v: %.300q", v.Call.Name, args, asked, isError, result)
	switch other, ok := otherwise[v.ID]; {
	case ok:
		if !other.check(result) {
			t.Errorf("%s, %s: the model was told %q", other.row, other.why, result)
		}
	case strings.HasPrefix(v.Expect, "better"):
		v.better(t, root, asked, isError, result)
	default:
		v.compare(t, root, asked, isError, result)
	}
}

// compare holds the result to the ancestor's. Results that only say "ok" may
// say more, and errors are in our own words.
func (v *vector) compare(t *testing.T, root string, asked, isError bool, result string) {
	want := strings.ReplaceAll(expand(t, v.Toycode), "{ROOT}", root)
	switch {
	case v.Match == "error" || strings.HasPrefix(want, "error: "):
		if !isError {
			t.Errorf("no error: %q", result)
		}
		for _, part := range v.Contains {
			if !strings.Contains(result, part) {
				t.Errorf("%q lacks %q", result, part)
			}
		}
	case isError:
		t.Errorf("error: %s", result)
	case want == "ok":
		if !asked {
			t.Error("a change that is not asked for")
		}
	case want == "(no matches)":
		if !strings.HasPrefix(result, want) {
			t.Errorf("%q has no %q", result, want)
		}
	case v.Match == "lines":
		got, want := strings.Split(result, "\n"), strings.Split(want, "\n")
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("lines %q, want %q", got, want)
		}
	case v.Match == "exact" && result != want:
		t.Errorf("got %q, want %q", result, want)
	}
	if v.Files != nil {
		var files map[string]json.RawMessage
		if err := json.Unmarshal(v.Files, &files); err != nil {
			t.Fatal(err)
		}
		if problem := filesAfter(t, root, files); problem != "" {
			t.Error(problem)
		}
	}
}

func (v *vector) better(t *testing.T, root string, asked, isError bool, result string) {
	b := v.Better
	for _, part := range b.Contains {
		if !strings.Contains(result, part) {
			t.Errorf("%q lacks %q", result, part)
		}
	}
	for _, part := range b.Lacks {
		if strings.Contains(result, part) {
			t.Errorf("%q has %q", result, part)
		}
	}
	if b.Is != "" && result != b.Is {
		t.Errorf("got %q, want %q", result, b.Is)
	}
	if b.Regex != "" && !regexp.MustCompile(b.Regex).MatchString(result) {
		t.Errorf("%q does not match %s", result, b.Regex)
	}
	if n := utf8.RuneCountInString(result); b.MaxChars > 0 && n > b.MaxChars {
		t.Errorf("%d characters, at most %d", n, b.MaxChars)
	}
	if b.IsError != nil && *b.IsError != isError {
		t.Errorf("error is %v: %q", isError, result)
	}
	if b.Asks != nil && *b.Asks != asked {
		t.Errorf("asks is %v", asked)
	}
	if problem := filesAfter(t, root, b.Files); problem != "" {
		t.Error(problem)
	}
	for n, files := range b.FilesAny {
		problem := filesAfter(t, root, files)
		if problem == "" {
			break
		} else if n == len(b.FilesAny)-1 {
			t.Error(problem)
		}
	}
}

// A thing is one entry of a vector's tree.
type thing struct {
	Text, B64, Symlink, Hardlink, Prefix, Repeat, Suffix, Mode *string
	Times, Lines, Size                                         int
	Dir, Fifo                                                  bool
}

func (th thing) content(t *testing.T) string {
	s := func(p *string) string {
		if p == nil {
			return ""
		}
		return *p
	}
	switch {
	case th.B64 != nil:
		b, err := base64.StdEncoding.DecodeString(*th.B64)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	case th.Lines > 0:
		var b strings.Builder
		for n := range th.Lines {
			b.WriteString("line ")
			b.Write([]byte(strconv.Itoa(n + 1)))
			b.WriteByte('\n')
		}
		return b.String()
	case th.Repeat != nil:
		return s(th.Prefix) + strings.Repeat(*th.Repeat, th.Times) + s(th.Suffix)
	}
	return s(th.Text)
}

func equals(want string) func(string) bool { return func(s string) bool { return s == want } }

func has(part string) func(string) bool {
	return func(s string) bool { return strings.Contains(s, part) }
}

func mkfifo(path string) error { return syscall.Mkfifo(path, 0o666) }

func parseOctal(s string) (fs.FileMode, error) {
	n, err := strconv.ParseUint(s, 8, 32)
	return fs.FileMode(n), err
}

// parseThing reads an entry, which may be its text alone.
func parseThing(t *testing.T, raw json.RawMessage) (th thing) {
	if raw[0] == '"' {
		th.Text = new(string)
		if err := json.Unmarshal(raw, th.Text); err != nil {
			t.Fatal(err)
		}
		return th
	}
	if err := json.Unmarshal(raw, &th); err != nil {
		t.Fatal(err)
	}
	return th
}

// plant makes an entry of a vector's tree.
func plant(t *testing.T, root, path string, raw json.RawMessage) {
	t.Helper()
	th := parseThing(t, raw)
	full := filepath.Join(root, path)
	err := os.MkdirAll(filepath.Dir(full), 0o777)
	switch {
	case err != nil:
	case th.Symlink != nil:
		err = os.Symlink(strings.ReplaceAll(*th.Symlink, "{ROOT}", root), full)
	case th.Hardlink != nil:
		if err = os.Link(filepath.Join(root, *th.Hardlink), full); os.IsNotExist(err) {
			t.Fatalf("%s is planted after its link", *th.Hardlink)
		}
	case th.Dir:
		err = os.MkdirAll(full, 0o777)
	case th.Fifo:
		err = mkfifo(full)
	default:
		err = os.WriteFile(full, []byte(th.content(t)), 0o666)
	}
	if err == nil && th.Mode != nil {
		mode, parseErr := parseOctal(*th.Mode)
		if parseErr != nil {
			t.Fatal(parseErr)
		}
		err = os.Chmod(full, mode)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// filesAfter says what is not as it should be.
func filesAfter(t *testing.T, root string, files map[string]json.RawMessage) string {
	for path, raw := range files {
		full := filepath.Join(root, path)
		info, err := os.Stat(full)
		if string(raw) == "null" {
			if err == nil {
				return path + " exists"
			}
			continue
		}
		if err != nil {
			return path + " does not exist"
		}
		th := parseThing(t, raw)
		got, err := os.ReadFile(full)
		switch {
		case err != nil:
			return err.Error()
		case th.Size > 0 && len(got) != th.Size:
			return path + " has the wrong size"
		case th.Size == 0 && string(got) != th.content(t):
			return path + " is " + string(got)
		}
		if th.Mode != nil {
			if mode, err := parseOctal(*th.Mode); err != nil || info.Mode().Perm() != mode {
				return path + " has mode " + info.Mode().String()
			}
		}
	}
	return ""
}

// expand joins the pieces of an expected result.
func expand(t *testing.T, raw json.RawMessage) string {
	var parts []json.RawMessage
	if raw[0] != '[' {
		parts = []json.RawMessage{raw}
	} else if err := json.Unmarshal(raw, &parts); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, part := range parts {
		b.WriteString(parseThing(t, part).content(t))
	}
	return b.String()
}
