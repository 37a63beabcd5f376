package main

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestShield(t *testing.T) {
	shield()
	dumpable, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)
	if err != nil || dumpable != 0 {
		t.Errorf("dumpable: %d, %v", dumpable, err)
	}
}
