package change

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aye/tools/workspace"
)

// many is a workspace in which n files of 4 KB can be changed, and the change.
func many(b *testing.B, n int, records string) (*workspace.Dir, Set) {
	b.Helper()
	root := b.TempDir()
	old, fresh := strings.Repeat("old\n", 1<<10), strings.Repeat("new\n", 1<<10)
	var files []File
	for k := range n {
		name := fmt.Sprintf("d%d/f%d", k/10, k)
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(old), 0o644); err != nil {
			b.Fatal(err)
		}
		files = append(files, update(name, old, fresh))
	}
	ws, err := workspace.OpenWith(root, workspace.Options{Records: records})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { ws.Close() })
	s, err := New(files...)
	if err != nil {
		b.Fatal(err)
	}
	return ws, s
}

// BenchmarkCommit commits with a record; x/bare is how many times as long that
// takes as without one, and µs/window how long files of the old and of the new
// kind stand beside each other.
func BenchmarkCommit(b *testing.B) {
	for _, n := range []int{1, 10, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			recorded, s := many(b, n, b.TempDir())
			bare, t := many(b, n, "")
			var with, without, window time.Duration
			for b.Loop() {
				began := time.Now()
				c := newCommit(b.Context(), recorded, s.Files)
				open := c.benchmarked(b)
				with += time.Since(began)
				window += open
				began = time.Now()
				if err := t.Commit(b.Context(), bare); err != nil {
					b.Fatal(err)
				}
				without += time.Since(began)
				s, t = s.Inverse(), t.Inverse()
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(with.Microseconds())/float64(b.N), "µs/commit")
			b.ReportMetric(float64(with)/float64(without), "x/bare")
			b.ReportMetric(float64(window.Microseconds())/float64(b.N), "µs/window")
		})
	}
}

// benchmarked is Commit, and returns how long its files took their places.
func (c *commit) benchmarked(b *testing.B) time.Duration {
	for _, move := range []func() error{
		func() error { return c.each(c.check) }, c.begin, func() error { return c.each(c.stage) }, func() error { return c.each(c.keep) }, c.ready,
	} {
		if err := move(); err != nil {
			b.Fatal(err)
		}
	}
	began := time.Now()
	if err := c.each(c.place); err != nil {
		b.Fatal(err)
	}
	window := time.Since(began)
	if err := c.each(c.confirm); err != nil {
		b.Fatal(err)
	}
	if err := c.sync(); err != nil {
		b.Fatal(err)
	}
	if err := c.finish(); err != nil {
		b.Fatal(err)
	}
	return window
}

// BenchmarkRecoverNothing is what every start pays.
func BenchmarkRecoverNothing(b *testing.B) {
	ws, s := many(b, 2, b.TempDir())
	if err := s.Commit(b.Context(), ws); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if notes := Recover(b.Context(), ws); len(notes) > 0 {
			b.Fatal(notes)
		}
	}
}
