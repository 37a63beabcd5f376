//go:build !linux

package main

import (
	"math/rand/v2"
	"time"
)

// aim returns what waits for a random moment of a run: here nobody tells when a
// commit begins. The second half of a run has it.
func (w *world) aim(_ bool, took time.Duration) (wait func()) {
	return func() { <-time.After(took/2 + rand.N(took/2)) }
}

// yieldFirst does nothing here.
func yieldFirst() {}
