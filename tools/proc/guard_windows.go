package proc

import "os"

// A guard is not needed: the job ends with aye.
type guard struct{}

func protect(Shell, Spec, string, *os.File) *guard { return nil }

func (*guard) over(int) {}

func (*guard) dismiss() {}
