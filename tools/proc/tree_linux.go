package proc

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// A tree is found in /proc; see the package comment.
type tree struct {
	pid   int    // of the shell: also its session and group
	start uint64 // when it started, in clock ticks: nothing older belongs to it
	mark  []byte // in the environment of what it started
	pipe  string // what standard output and error are links to
}

func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// grow describes the tree of a shell that has just been started, and not
// waited for.
func grow(shell *os.Process, mark string, pipe *os.File) (*tree, error) {
	t := &tree{pid: shell.Pid, mark: []byte(mark), pipe: "pipe:[" + pipeNumber(pipe) + "]"}
	p, _ := readProcess(t.pid) // dead already, it still says when it started
	t.start = p.start
	return t, nil
}

// pipeNumber is the number under which /proc shows a pipe.
func pipeNumber(pipe *os.File) string {
	if st, err := pipe.Stat(); err == nil {
		if sys, ok := st.Sys().(*syscall.Stat_t); ok {
			return strconv.FormatUint(sys.Ino, 10)
		}
	}
	return "unknown"
}

// A process is one line of /proc/PID/stat.
type process struct {
	pid, parent, group, session int
	start                       uint64
}

func (t *tree) list() []Process {
	members, ok := t.members()
	if !ok {
		return groupAlive(t.pid)
	}
	var out []Process
	for _, p := range members {
		out = append(out, Process{PID: p.pid, Command: commandLine(p.pid)})
	}
	return out
}

func (t *tree) signal(sig unix.Signal) {
	members, ok := t.members()
	if !ok {
		_ = unix.Kill(-t.pid, sig)
	}
	for _, p := range members {
		// FindProcess holds on to the process; if it is still the same one
		// then, its number cannot be given to another before the signal.
		h, err := os.FindProcess(p.pid)
		if err != nil {
			continue
		}
		if now, ok := readProcess(p.pid); ok && now.start == p.start {
			_ = h.Signal(sig) // gone already, or another user's: list will tell
		}
		_ = h.Release()
	}
}

// members returns what is alive of the tree, the oldest first; false when
// /proc cannot be read.
func (t *tree) members() ([]process, bool) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, false
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil || !slices.Contains(names, "self") {
		return nil, false
	}
	var in, others []process
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || pid == os.Getpid() {
			continue
		}
		p, ok := readProcess(pid)
		switch {
		case !ok || p.start < t.start:
		case p.session == t.pid || p.group == t.pid || t.marked(pid):
			in = append(in, p)
		default:
			others = append(others, p)
		}
	}
	// Children of members, their children, and so on: in grows on the way.
	for i := 0; i < len(in); i++ {
		others = slices.DeleteFunc(others, func(p process) bool {
			if p.parent != in[i].pid {
				return false
			}
			in = append(in, p)
			return true
		})
	}
	slices.SortFunc(in, func(a, b process) int { return a.pid - b.pid })
	return in, true
}

// marked tells whether a process has the mark in its environment or writes to
// the pipe. Of another user's process neither can be read.
func (t *tree) marked(pid int) bool {
	proc := "/proc/" + strconv.Itoa(pid)
	if env, err := os.Open(proc + "/environ"); err == nil {
		defer env.Close()
		text, _ := io.ReadAll(io.LimitReader(env, 1<<20))
		if bytes.Contains(text, t.mark) {
			return true
		}
	}
	for _, fd := range []string{"/fd/1", "/fd/2"} {
		if to, err := os.Readlink(proc + fd); err == nil && to == t.pipe {
			return true
		}
	}
	return false
}

// readProcess reads /proc/PID/stat; false when there is no such process any
// more, or it is dead and only not yet waited for.
func readProcess(pid int) (process, bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return process{}, false
	}
	// The name, in parentheses, may hold anything.
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) < 20 {
		return process{}, false
	}
	n := func(i int) int { v, _ := strconv.Atoi(string(fields[i])); return v }
	start, _ := strconv.ParseUint(string(fields[19]), 10, 64)
	dead := bytes.ContainsAny(fields[0], "ZX")
	return process{pid: pid, parent: n(1), group: n(2), session: n(3), start: start}, !dead
}

// commandLine returns a process's arguments, or its name where it has none.
func commandLine(pid int) string {
	dir := "/proc/" + strconv.Itoa(pid)
	text, err := os.ReadFile(dir + "/cmdline")
	if err != nil || len(text) == 0 {
		text, _ = os.ReadFile(dir + "/comm")
	}
	text = bytes.ReplaceAll(bytes.TrimRight(text, "\x00\n"), []byte{0}, []byte{' '})
	return shorten(string(bytes.ToValidUTF8(text, []byte(replacement))))
}
