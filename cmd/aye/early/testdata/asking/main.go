// Asking is quiet without package early.
package main

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"
)

func main() { fmt.Println("ready", tea.KeyEnter) }
