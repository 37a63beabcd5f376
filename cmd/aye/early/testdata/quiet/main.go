// Quiet is a command that draws nothing, with Bubble Tea linked in.
package main

import (
	"fmt"

	_ "aye/cmd/aye/early"

	tea "github.com/charmbracelet/bubbletea"
)

func main() { fmt.Println("ready", tea.KeyEnter) }
