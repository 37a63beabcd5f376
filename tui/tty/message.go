package tty

import (
	"errors"
	"fmt"
	"os"
)

// A Paste is text that was pasted: line ends are LF, everything else is as it
// came. It may be long, hold control characters and bytes that are not UTF-8.
type Paste string

// PasteCut follows a Paste that was longer than aye takes.
type PasteCut struct{ Kept, Dropped int } // bytes

// A Wheel is the turning of the mouse wheel since the last one.
type Wheel struct {
	Delta int // notches; negative is up
	X, Y  int // cell, from 0
}

// Background is the terminal's answer to the question for its colours. It may
// come late, or never.
type Background struct{ Dark bool }

// ErrGone is why a program ended whose terminal went away.
var ErrGone = errors.New("the terminal is gone")

// A SignalError is why a program ended that was told to by a signal.
type SignalError struct{ Signal os.Signal }

func (e *SignalError) Error() string { return fmt.Sprintf("ended by a signal: %v", e.Signal) }

// A PanicError is why a program ended that panicked; Stack is where.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("aye stopped because of a fault in itself: %v", e.Value)
}
