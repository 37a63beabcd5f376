package term

// TextWidth is the most cells a line of text takes; longer lines are hard to
// read.
const TextWidth = 100

// Inner returns the cells for text on a screen that is width cells wide.
func Inner(width int) int { return max(1, min(TextWidth, width-2*Margin(width))) }

// Margin returns the cells left free at either side of a screen that is width
// cells wide.
func Margin(width int) int {
	switch {
	case width < 24:
		return 0
	case width < 48:
		return 1
	}
	return 2
}
