package proc

// A guard is not needed: the job ends with aye.
type guard struct{}

func protect(Shell, Spec, *tree) *guard { return nil }

func (*guard) dismiss() {}
