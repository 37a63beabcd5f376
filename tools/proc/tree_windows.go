package proc

import (
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
	"golang.org/x/text/encoding"
)

// systemCharset is that of consoles: with a console of its own, which is what a
// command has, a program writes in it.
func systemCharset(func(string) string) encoding.Encoding {
	page, _, _ := getOEMCP.Call()
	return codePages[uint32(page)]
}

var getOEMCP = windows.NewLazySystemDLL("kernel32.dll").NewProc("GetOEMCP")

// prepare hides the command from aye's console, and keeps it from running
// before it is in its job.
func prepare(cmd *exec.Cmd, s Shell, command string) {
	const flags = windows.CREATE_NO_WINDOW | windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_SUSPENDED
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: flags, CmdLine: s.commandLine(command)}
}

func status(state *os.ProcessState) (code int, signal string) { return state.ExitCode(), "" }

// A tree is a job object, closed, and with it everything in it, when aye ends.
type tree struct {
	job   windows.Handle // 0: there is none, only the shell can be ended
	shell *os.Process
}

// grow puts the shell, which has not run yet, into a job and lets it run. Where
// a job forbids jobs within, the shell runs without.
func grow(shell *os.Process, _ string, _ *os.File) (*tree, error) {
	t := &tree{shell: shell}
	if job, err := newJob(); err == nil {
		assign := func(h uintptr) { err = windows.AssignProcessToJobObject(job, windows.Handle(h)) }
		if e := shell.WithHandle(assign); e != nil || err != nil {
			_ = windows.CloseHandle(job)
		} else {
			t.job = job
		}
	}
	if err := resume(uint32(shell.Pid)); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// newJob makes a job that ends what is in it when aye does.
func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil {
		_ = windows.CloseHandle(job)
		return 0, err
	}
	return job, nil
}

// resume lets a process run that was started suspended: it has one thread.
func resume(pid uint32) error {
	all, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(all)
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(all, &entry); err == nil; err = windows.Thread32Next(all, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return err
		}
		defer windows.CloseHandle(thread)
		_, err = windows.ResumeThread(thread)
		return err
	}
	return err
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
