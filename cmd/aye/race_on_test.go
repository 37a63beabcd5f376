//go:build race

package main

// buildFlags make the binary under test as wary as the tests are.
var buildFlags = []string{"-race"}
