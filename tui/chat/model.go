package chat

import (
	"time"

	"aye/agent"
	"aye/tools"
	"aye/tui/md"
	"aye/tui/term"
	"aye/tui/theme"
)

// A Model is the conversation and the window onto it.
type Model struct {
	w, h int
	look look
	gen  uint64 // of the look; rows laid out under another are stale

	slots []slot
	tall  heights         // of slots
	queue queue           // the prompts that wait; shown after the last slot
	rest  slot            // queue, laid out
	calls map[string]*ref // by call id, those of the running turn and commands
	reply reply
	began time.Time // of the turn
	plan  *ref      // the latest; it alone is shown open
	meter *agent.Meter

	following bool
	top       anchor // the first visible row, when not following
	seen      anchor // where the conversation ended when the reader left it

	version uint64
	frame   string
	drawn   uint64 // the version that frame shows
	pending []int  // items below the window that changed since the last frame
	cached  int    // rows held in slots
}

// A slot is an item with its rows.
type slot struct {
	it    item
	gap   int // free rows above it, when it has any rows
	lines []string
	gen   uint64 // of the look that lines were laid out for; 0: never
	stale bool   // the item changed since
}

func (s *slot) height() int {
	if len(s.lines) == 0 {
		return 0
	}
	return s.gap + len(s.lines)
}

// line returns row i of the slot.
func (s *slot) line(i int) string {
	if i < s.gap {
		return ""
	}
	return s.lines[i-s.gap]
}

// ref says where a call is shown.
type ref struct {
	slot int
	call *call
}

// New returns an empty conversation. It shows nothing until it has a size.
func New(th theme.Theme) *Model {
	m := &Model{following: true, calls: map[string]*ref{}, gen: 1, version: 1}
	m.look = look{th: th, width: least, md: md.New(th, least)}
	m.rest.it = &m.queue
	m.rest.gap = 1
	return m
}

// Watch makes the end of a turn say what meter has counted of it. The owner
// applies each event to meter first.
func (m *Model) Watch(meter *agent.Meter) { m.meter = meter }

// Resize makes the window w cells wide and h rows high.
func (m *Model) Resize(w, h int) {
	w, h = max(w, 1), max(h, 0)
	if w == m.w && h == m.h {
		return
	}
	if w != m.w {
		m.w = w
		m.relook(func() { m.look.width = max(least, term.Inner(w)) })
	}
	m.h = h
	m.version++
}

// SetTheme changes the colours.
func (m *Model) SetTheme(th theme.Theme) { m.relook(func() { m.look.th = th }) }

// ToggleOutput opens all outputs and thoughts, or folds them again.
func (m *Model) ToggleOutput() { m.relook(func() { m.look.open = !m.look.open }) }

// relook changes the look. Rows are laid out again when they are next needed.
func (m *Model) relook(change func()) {
	m.pin(&m.top)
	m.pin(&m.seen)
	change()
	m.gen++
	m.look.md = md.New(m.look.th, m.look.width)
	m.version++
}

// Note adds a sentence of aye's own.
func (m *Model) Note(level agent.Level, text string) {
	m.push(&note{level: level, text: text})
}

// Block adds Markdown of aye's own.
func (m *Model) Block(markdown string) {
	a := &answer{}
	a.text.WriteString(markdown)
	m.push(a)
}

// Plan adds a list of things to do, as the model's own is shown.
func (m *Model) Plan(list []tools.Todo) { m.push(&plan{list}) }

// Clear empties the conversation. Prompts that wait stay.
func (m *Model) Clear() {
	m.slots, m.tall, m.pending, m.cached = nil, heights{}, nil, 0
	m.calls, m.reply, m.plan = map[string]*ref{}, reply{}, nil
	m.top, m.seen = anchor{}, anchor{}
	m.End()
	m.version++
}

// Tick tells the time, for what is running. It is needed about once a second,
// and only while something runs.
func (m *Model) Tick(now time.Time) {
	m.look.now = now
	for _, r := range m.calls {
		if s := int(now.Sub(r.call.began) / time.Second); r.call.state == running && s != r.call.seconds {
			r.call.seconds = s
			m.touch(r.slot)
		}
	}
}

// push appends an item.
func (m *Model) push(it item) int {
	i := len(m.slots)
	gap := 1
	if i == 0 || steps(m.slots[i-1].it) && steps(it) {
		gap = 0
	}
	m.slots = append(m.slots, slot{it: it, gap: gap})
	m.tall.push(gap + it.guess(m.look.width))
	m.changed(i)
	return i
}

// steps tells whether an item is part of the work between two texts: such
// items stand close together.
func steps(it item) bool {
	switch it := it.(type) {
	case *thought, *remark:
		return true
	case *calls:
		return it.list[0].sign == ""
	}
	return false
}

// touch says that item i changed.
func (m *Model) touch(i int) {
	m.slots[i].stale = true
	m.changed(i)
}

const maxPending = 64

// changed notes that item i is to be measured before the next frame. Of a
// flood, as when a session is opened again, the guesses have to do.
func (m *Model) changed(i int) {
	m.version++
	if n := len(m.pending); n < maxPending && (n == 0 || m.pending[n-1] != i) {
		m.pending = append(m.pending, i)
	}
}
