package markup

// code follows Markdown as far as telling what is code takes: in there markup
// is shown, not meant.
type code struct {
	inLine bool // something but blanks stands in the line
	run    int  // of fence characters or backticks, just read
	mark   byte // of the run
	first  bool // the run began its line
	fence  int  // length of the run that opened the fence we are in
	kind   byte // of that fence
	span   int  // length of the run that opened the code in the line
}

// inside reports whether the next byte stands in code.
func (c *code) inside() bool {
	return c.fence > 0 || c.span > 0 && !c.closing() || c.span == 0 && c.run > 0 && c.mark == '`'
}

// closing reports whether the run just read ends the code in the line.
func (c *code) closing() bool { return c.run == c.span && c.mark == '`' }

func (c *code) read(s string) {
	for i := range len(s) {
		c.step(s[i])
	}
}

func (c *code) step(b byte) {
	if b == c.mark && c.run > 0 {
		c.run++
		return
	}
	if c.run > 0 {
		c.endRun(b)
	}
	switch {
	case b == '`' || b == '~' && !c.inLine:
		c.run, c.mark, c.first = 1, b, !c.inLine
		c.inLine = true
	case b == '\n':
		c.inLine, c.span = false, 0 // an odd backtick is a mistake of one line
	case !isBlank(b):
		c.inLine = true
	}
}

// endRun decides what a run of marks was, now that b follows it.
func (c *code) endRun(b byte) {
	n, mark := c.run, c.mark
	c.run = 0
	switch {
	case c.fence > 0:
		if c.first && mark == c.kind && n >= c.fence && isBlank(b) {
			c.fence = 0
		}
	case c.first && n >= 3 && c.span == 0:
		c.fence, c.kind = n, mark
	case mark != '`':
	case c.span == 0:
		c.span = n
	case c.span == n:
		c.span = 0
	}
}
