//go:build !windows

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// endSignals ask aye to leave; it does so in order.
var endSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

func ignoreBrokenPipes() { signal.Ignore(syscall.SIGPIPE) }
