//go:build unix

package search

import (
	"bufio"
	"bytes"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"aye/tools/workspace"
)

// BenchmarkRun searches Go's own sources, with ripgrep in turn where it is
// installed: x-of-rg is our time over its, cpu-x-of-rg the same of the processors'
// time, which says more on a machine that does other things.
func BenchmarkRun(b *testing.B) {
	root := goSources(b)
	ws, err := workspace.Open(root)
	if err != nil {
		b.Fatal(err)
	}
	defer ws.Close()
	for _, expr := range []string{
		`ErrUnexpectedEOF`, `func \(.*\) String\(\) string`, `\berr\b.*!= nil`, `[A-Z]+_[a-z]+\d{2,}`, `(?i)todo.*fix`,
		`(?i)errunexpectedeof`, `TODO|FIXME|XXX`, `\b[A-Z]{5,}[0-9]+`, `^func [A-Z]\w+Error\(`, `nowhere at all`,
	} {
		b.Run(expr, func(b *testing.B) { benchmark(b, ws, expr) })
	}
}

func benchmark(b *testing.B, ws *workspace.Dir, expr string) {
	rg, err := exec.LookPath("rg")
	if err != nil {
		b.Log("there is no rg here to compare with")
	}
	var ours, theirs, ourCPU, theirCPU time.Duration
	var report *Report
	var theirLines int
	for b.Loop() {
		if rg != "" {
			b.StopTimer()
			begin := time.Now()
			found, cpu := ripgrep(b, rg, ws.Name(), expr)
			theirLines = found
			theirs += time.Since(begin)
			theirCPU += cpu
			b.StartTimer()
		}
		begin, used := time.Now(), ownCPU(b)
		p := compile(b, expr, false)
		if report, err = Run(b.Context(), ws, Query{Pattern: p, Path: ".", Lines: 200, PerFile: 30}); err != nil {
			b.Fatal(err)
		}
		ours += time.Since(begin)
		ourCPU += ownCPU(b) - used
	}
	b.ReportMetric(float64(report.Matches), "lines")
	if theirs > 0 {
		b.ReportMetric(float64(theirLines), "rg-lines") // it counts binary files' too
		b.ReportMetric(float64(theirs.Milliseconds())/float64(b.N), "rg-ms")
		b.ReportMetric(ours.Seconds()/theirs.Seconds(), "x-of-rg")
		b.ReportMetric(ourCPU.Seconds()/theirCPU.Seconds(), "cpu-x-of-rg")
	}
}

// ripgrep counts the lines that ripgrep finds. It looks at what we look at.
func ripgrep(b *testing.B, rg, root, expr string) (lines int, cpu time.Duration) {
	cmd := exec.Command(rg, "-j2", "--hidden", "--no-heading", "--no-config", "-g", "!.git", "-e", expr, root)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	for s := bufio.NewReaderSize(out, 1<<20); ; {
		line, err := s.ReadSlice('\n')
		if err != nil {
			break
		}
		if !bytes.HasPrefix(line, []byte("Binary file")) {
			lines++
		}
	}
	cmd.Wait() // it fails when nothing is found
	return lines, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

func ownCPU(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func goSources(b *testing.B) string {
	root := filepath.Join(runtime.GOROOT(), "src")
	if _, err := workspace.Open(root); err != nil {
		b.Skipf("the sources of Go are not here: %v", err)
	}
	return root
}
