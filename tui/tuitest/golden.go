package tuitest

import (
	"os"
	"testing"
)

// drawAnew is the variable under which Golden writes what it would compare.
const drawAnew = "AYE_DRAW_SCREENS"

// Golden compares a drawing with the file that holds it. With AYE_DRAW_SCREENS
// set (task screens) it writes the file instead: look at the difference then.
func Golden(t testing.TB, path, got string) {
	t.Helper()
	if os.Getenv(drawAnew) != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; if the new look is right, %s=1 go test writes it.\n got:\n%s\nwant:\n%s", path, drawAnew, got, want)
	}
}
