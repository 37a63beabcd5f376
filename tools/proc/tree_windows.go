package proc

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// prepare hides the command from aye's console. cmd.exe gets its command line
// as it is: it does not read quotes as other programs do.
func prepare(cmd *exec.Cmd, s Shell, command string) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NO_WINDOW | windows.CREATE_NEW_PROCESS_GROUP}
	if !s.POSIX() {
		cmd.SysProcAttr.CmdLine = fmt.Sprintf(`"%s" %s "%s"`, s.Path, strings.Join(s.Args, " "), command)
	}
}

func status(state *os.ProcessState) (code int, signal string) { return state.ExitCode(), "" }

// A tree is a job object, closed, and with it everything in it, when aye ends.
type tree struct {
	job   windows.Handle // 0: there is none, only the shell can be ended
	shell *os.Process
}

func grow(shell *os.Process, _ string, _ *os.File) *tree {
	t := &tree{shell: shell}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return t
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	assign := func(h uintptr) { err = windows.AssignProcessToJobObject(job, windows.Handle(h)) }
	if err != nil || shell.WithHandle(assign) != nil || err != nil {
		_ = windows.CloseHandle(job)
		return t
	}
	t.job = job
	return t
}

// list returns the job's processes.
func (t *tree) list() []Process {
	if t.job == 0 {
		return nil
	}
	// JOBOBJECT_BASIC_PROCESS_ID_LIST: two counts, then the numbers. Room for
	// more than anybody has; a fuller job is listed in part.
	var ids struct {
		assigned, listed uint32
		pid              [1024]uintptr
	}
	_ = windows.QueryInformationJobObject(t.job, windows.JobObjectBasicProcessIdList, uintptr(unsafe.Pointer(&ids)), uint32(unsafe.Sizeof(ids)), nil)
	var out []Process
	for _, pid := range ids.pid[:min(int(ids.listed), len(ids.pid))] {
		out = append(out, Process{PID: int(pid), Command: imageName(uint32(pid))})
	}
	return out
}

func imageName(pid uint32) string {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, pid)
	if err != nil {
		return "a process"
	}
	defer windows.CloseHandle(h)
	buf := make([]uint16, windows.MAX_LONG_PATH)
	n := uint32(len(buf))
	if windows.QueryFullProcessImageName(h, 0, &buf[0], &n) != nil {
		return "a process"
	}
	return shorten(windows.UTF16ToString(buf[:n]))
}

// ask is force: Windows has no way to ask a program without a window.
func (t *tree) ask() { t.force() }

func (t *tree) force() {
	if t.job == 0 {
		_ = t.shell.Kill()
		return
	}
	_ = windows.TerminateJobObject(t.job, 1)
}

func (t *tree) close() {
	if t.job != 0 {
		_ = windows.CloseHandle(t.job)
	}
}

// readNow is never called: pipes have no deadline here.
func readNow(*os.File, []byte) int { return 0 }
