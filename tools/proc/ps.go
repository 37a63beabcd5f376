package proc

import (
	"slices"
	"strconv"
	"strings"
)

// psArgs make ps print what descendants reads; every Unix knows them.
var psArgs = []string{"-A", "-o", "pid=,ppid=,pgid=,stat=,command="}

// descendants finds in ps's output the living members of group pid, and their
// descendants.
func descendants(ps string, pid int) []Process {
	type line struct {
		Process
		parent, group int
	}
	var in, others []line
	for row := range strings.Lines(ps) {
		f := strings.Fields(row)
		if len(f) < 4 || strings.HasPrefix(f[3], "Z") {
			continue
		}
		var l line
		var errs [3]error
		l.PID, errs[0] = strconv.Atoi(f[0])
		l.parent, errs[1] = strconv.Atoi(f[1])
		l.group, errs[2] = strconv.Atoi(f[2])
		if errs != [3]error{} {
			continue
		}
		l.Command = shorten(strings.ToValidUTF8(strings.Join(f[4:], " "), replacement))
		if l.PID == pid || l.group == pid {
			in = append(in, l)
		} else {
			others = append(others, l)
		}
	}
	for i := 0; i < len(in); i++ {
		others = slices.DeleteFunc(others, func(l line) bool {
			if l.parent != in[i].PID {
				return false
			}
			in = append(in, l)
			return true
		})
	}
	var out []Process
	for _, l := range in {
		out = append(out, l.Process)
	}
	return out
}
