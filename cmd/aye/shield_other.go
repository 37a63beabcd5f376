//go:build !linux

package main

// shield does nothing: there is no such switch here.
func shield() {}
