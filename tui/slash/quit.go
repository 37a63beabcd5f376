package slash

import "strings"

// leaves tells whether name is short for c, a command that leaves: a beginning
// longer than the slash that no other command shares.
func leaves(c Command, name string, table []Command) bool {
	if c.Name != "/quit" && c.Name != "/exit" || len(name) < 2 || !strings.HasPrefix(c.Name, name) {
		return false
	}
	for _, other := range table {
		if other.Name != c.Name && strings.HasPrefix(other.Name, name) {
			return false
		}
	}
	return true
}
