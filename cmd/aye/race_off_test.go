//go:build !race

package main

// buildFlags are those of an ordinary build.
var buildFlags []string
