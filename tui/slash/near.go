package slash

import "strings"

// nearest returns the command that name is most likely a slip of: one that it
// begins, else one with at most two letters wrong; "" when there is none.
func nearest(name string, table []Command) string {
	best, least := "", 3
	for _, c := range table {
		if strings.HasPrefix(c.Name, name) {
			return c.Name
		}
		if d := slips(name, c.Name); d < least && d < len(name)-1 {
			best, least = c.Name, d
		}
	}
	return best
}

// slips counts the letters to insert, drop, change or swap with a neighbour to
// get from a to b.
func slips(a, b string) int {
	if len(a) > 2*len(b) {
		return len(a)
	}
	var before, last []int
	for i := range len(a) + 1 {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			if i == 0 {
				row[j] = j
				continue
			}
			row[j] = min(last[j]+1, row[j-1]+1)
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(row[j], last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
