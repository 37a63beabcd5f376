package main

import (
	"os"

	_ "aye/cmd/aye/early" // before the terminal is asked for its colours
)

func main() { os.Exit(start(os.Args[1:])) }
