package tui

import (
	"context"
	"errors"
	"os"

	"aye/tui/tty"
)

// Run shows the screen until the person leaves, the session or ctx ends. It
// owns the terminal meanwhile and gives it back before it returns. The error
// is nil when the person left.
func Run(ctx context.Context, opts Options) error {
	if opts.In == nil {
		opts.In = os.Stdin
	}
	if opts.Out == nil {
		opts.Out = os.Stdout
	}
	term, err := tty.Open(opts.In, opts.Out)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := New(ctx, opts, term)
	_, err = term.Run(ctx, m)
	return errors.Join(err, m.saveLast())
}
