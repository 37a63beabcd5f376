package tour

import (
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aye/llm"
	"aye/llm/openai"
)

// The project is what the script says of it: its test fails, the script's
// edit fits and mends it.
func TestProject(t *testing.T) {
	t.Parallel()
	tour, err := Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tour.Close()
	runTest := func() string {
		cmd := exec.Command("sh", "test.sh")
		cmd.Dir = tour.Dir()
		out, err := cmd.CombinedOutput()
		if err != nil {
			return string(out) + err.Error()
		}
		return string(out)
	}
	if got := runTest(); !strings.Contains(got, `got "Hello, !", want "Hello, world!"`) || !strings.Contains(got, "exit status 1") {
		t.Errorf("before the edit the test says:\n%s", got)
	}
	path := filepath.Join(tour.Dir(), "greet.sh")
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const old, new = "name=$1", "name=${1:-world}"
	if n := strings.Count(string(source), old); n != 1 {
		t.Fatalf("%q is %d times in greet.sh", old, n)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(source), old, new, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := runTest(); strings.Contains(got, "FAIL") || strings.Contains(got, "exit status") {
		t.Errorf("after the edit the test says:\n%s", got)
	}
}

func TestServesTheScriptAndLeavesNothing(t *testing.T) {
	t.Parallel()
	tour, err := Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	client := openai.New(openai.Options{BaseURL: tour.URL()})
	var streamed strings.Builder
	var whole llm.Message
	for ev, err := range client.Stream(t.Context(), llm.Request{Model: Model, Messages: []llm.Message{llm.UserText(Prompt)}}) {
		if err != nil {
			t.Fatal(err)
		}
		switch ev := ev.(type) {
		case llm.TextDelta:
			streamed.WriteString(ev.Text)
		case llm.Done:
			whole = ev.Message
		}
	}
	if streamed.String() != greeting || len(whole.Calls()) != 2 {
		t.Errorf("the first reply is %q with %d calls", streamed.String(), len(whole.Calls()))
	}
	url := tour.URL()
	if err := tour.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(tour.Dir())); !os.IsNotExist(err) {
		t.Errorf("the scratch folder is still there: %v", err)
	}
	if resp, err := http.Get(url + "/models"); err == nil {
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		t.Errorf("the server still answers: %s", resp.Status)
	}
}

// What is embedded is what a person sees: no stray files.
func TestEmbeddedFiles(t *testing.T) {
	t.Parallel()
	var names []string
	err := fs.WalkDir(project, "project", func(name string, d fs.DirEntry, err error) error {
		if !d.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = "project/build/greet.out project/greet.sh project/test.sh"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("embedded %q, want %q", got, want)
	}
}
