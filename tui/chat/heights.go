package chat

// heights is a growing list of row counts that answers "how many rows before
// item i" in O(log n): a Fenwick tree. The count of an item that was never
// laid out at the present width is a guess.
type heights struct {
	rows []int
	tree []int // tree[i-1] is the sum of the i&-i counts that end at item i-1
}

func (h *heights) push(rows int) {
	h.rows = append(h.rows, rows)
	n := len(h.rows)
	sum := rows
	for step := 1; step < n&-n; step <<= 1 {
		sum += h.tree[n-step-1]
	}
	h.tree = append(h.tree, sum)
}

func (h *heights) set(i, rows int) {
	delta := rows - h.rows[i]
	if delta == 0 {
		return
	}
	h.rows[i] = rows
	for n := i + 1; n <= len(h.tree); n += n & -n {
		h.tree[n-1] += delta
	}
}

// before returns the rows of the items below i.
func (h *heights) before(i int) int {
	sum := 0
	for n := i; n > 0; n -= n & -n {
		sum += h.tree[n-1]
	}
	return sum
}
