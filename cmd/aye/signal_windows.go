package main

import (
	"os"
	"syscall"
)

// endSignals ask aye to leave; it does so in order. Closing the console
// window arrives as SIGTERM.
var endSignals = []os.Signal{os.Interrupt, syscall.SIGTERM}

// ignoreBrokenPipes does nothing: Windows has no such signal.
func ignoreBrokenPipes() {}
