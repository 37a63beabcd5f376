package tui

import tea "github.com/charmbracelet/bubbletea"

// A queue does one thing after another off the UI goroutine. Bubble Tea gives
// each command a goroutine of its own, and no order: of two messages that were
// sent right after each other the second could come first.
type queue struct {
	todo []func() tea.Msg
	busy bool
	turn chan struct{} // holds a token while nothing of the queue runs; closed at its end
}

func newQueue() *queue {
	q := &queue{turn: make(chan struct{}, 1)}
	q.turn <- struct{}{}
	return q
}

// done says that one thing of a queue is done, and what came of it.
type done struct {
	queue *queue
	msg   tea.Msg
}

// add has do run when all that was added before it has.
func (q *queue) add(do func() tea.Msg) tea.Cmd {
	q.todo = append(q.todo, do)
	return q.next()
}

func (q *queue) next() tea.Cmd {
	if q.busy || len(q.todo) == 0 {
		return nil
	}
	do := q.todo[0]
	q.todo, q.busy = q.todo[1:], true
	return func() tea.Msg {
		token, open := <-q.turn
		if !open {
			return nil
		}
		defer func() { q.turn <- token }()
		return done{q, do()}
	}
}

// end waits for what runs; nothing of the queue runs after it. It is for after
// the program, which drops commands that it has not begun.
func (q *queue) end() {
	<-q.turn
	close(q.turn)
}

// finished goes on with a queue, and takes what came of the last thing in it.
func (m *Model) finished(d done) tea.Cmd {
	d.queue.busy = false
	cmd := d.queue.next()
	if d.msg == nil {
		return cmd
	}
	_, more := m.Update(d.msg)
	return tea.Batch(cmd, more)
}
