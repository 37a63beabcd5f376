package openai

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"time"

	"aye/llm"
	"aye/llm/sse"
)

// A reading is one reply being read: bytes come from the watched body, events
// go to the caller.
type reading struct {
	at    site
	watch *watch
	idle  time.Duration
	yield func(llm.Event, error) bool
	reply *assembly
	left  bool // the caller broke out of the loop
	whole bool // the reply is complete
	quiet int  // bytes since the last delta

	begins string // of a body that is no JSON: what came first, for errors
}

// maxQuiet bounds them: an event and as much again.
const maxQuiet = 2 * sse.MaxEvent

var errFlood = errors.New("it sent 128 MB with nothing in them")

// errLeft ends reading when the caller has left.
var errLeft = errors.New("the caller left")

// body reads a reply of status 200 in whatever form it comes. It returns nil
// when the reply is whole or the caller left.
func (r *reading) body(raw io.Reader) error {
	plain, err := unpacked(raw)
	if err != nil {
		return r.broken(err)
	}
	in := bufio.NewReader(counted{plain, &r.quiet, maxQuiet})
	switch c, err := firstByte(in); {
	case err != nil:
		return r.broken(err)
	case c == '<':
		return r.at.explain(fault{status: 200, html: true})
	case c == '{' || c == '[':
		return r.verdict(r.values(in))
	default:
		r.begins = r.at.words(in)
		return r.verdict(r.frames(in))
	}
}

// unpacked undoes gzip where the bytes are gzip, whatever the header says: the
// bytes know best. No form of a reply begins with gzip's mark.
func unpacked(raw io.Reader) (io.Reader, error) {
	in := bufio.NewReader(raw)
	if mark, err := in.Peek(2); err != nil || mark[0] != 0x1f || mark[1] != 0x8b {
		return in, nil // what failed fails again with the first read
	}
	return gzip.NewReader(in)
}

// counted is r until n has grown beyond limit. The one who resets n says that
// what was read was worth it.
type counted struct {
	r     io.Reader
	n     *int
	limit int
}

func (c counted) Read(p []byte) (int, error) {
	if *c.n > c.limit {
		return 0, errFlood
	}
	n, err := c.r.Read(p)
	*c.n += n
	return n, err
}

// firstByte skips white space and a byte order mark and peeks at what follows.
func firstByte(in *bufio.Reader) (byte, error) {
	for {
		c, err := in.Peek(1)
		if err != nil {
			return 0, err
		}
		skip := 1
		switch c[0] {
		case ' ', '\t', '\r', '\n':
		case 0xEF:
			mark, err := in.Peek(3)
			if err != nil || !bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
				return c[0], nil
			}
			skip = 3
		default:
			return c[0], nil
		}
		if _, err := in.Discard(skip); err != nil {
			return 0, err
		}
	}
}

// frames reads the stream that was asked for. It returns io.EOF at its end.
func (r *reading) frames(in io.Reader) error {
	for f, err := range sse.Frames(in) {
		if err != nil {
			return err
		}
		data := bytes.TrimSpace(f.Data)
		if bytes.Equal(data, []byte("[DONE]")) {
			r.whole = r.whole || r.reply.answered
			return io.EOF
		}
		if f.Event == "error" {
			return r.at.explain(bodyFault(r.at, 0, data))
		}
		if len(data) == 0 {
			continue
		}
		if err := r.chunk(data); err != nil {
			return err
		}
	}
	return io.EOF
}

// values reads a reply that is JSON instead of a stream: one value, a list of
// them, or one after the other.
func (r *reading) values(in io.Reader) error {
	body := &io.LimitedReader{R: in, N: sse.MaxEvent}
	dec := json.NewDecoder(body)
	var first json.RawMessage
	for {
		var value json.RawMessage
		err := dec.Decode(&value)
		switch {
		case body.N <= 0:
			return sse.ErrTooLong
		case errors.Is(err, io.EOF) && !r.reply.answered:
			return r.at.stranger(first)
		case err != nil:
			return err
		}
		if first == nil {
			first = value
		}
		list := []json.RawMessage{value}
		if value[0] == '[' {
			if err := json.Unmarshal(value, &list); err != nil {
				return err
			}
		}
		for _, one := range list {
			if err := r.chunk(one); err != nil {
				return err
			}
		}
	}
}

// chunk takes one chunk and yields its events.
func (r *reading) chunk(data []byte) error {
	c, err := decodeChunk(data)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax) && syntax.Offset >= int64(len(data)):
		return io.ErrUnexpectedEOF // right so far: the rest did not come
	case err != nil:
		return r.at.malformed(data, err)
	}
	if len(c.Error) > 0 || c.Object == "error" {
		return r.at.explain(bodyFault(r.at, 0, data))
	}
	events, err := r.reply.add(c)
	if err != nil {
		return err
	}
	for _, ev := range events {
		if !r.yield(ev, nil) {
			r.left = true
			return errLeft
		}
	}
	if len(events) > 0 {
		r.watch.progress(r.idle)
		r.quiet = 0
	}
	if !r.whole && (r.reply.finish != "" || r.reply.atOnce) {
		r.whole = true
		r.watch.allow(tailLimit, tailLimit)
	}
	return nil
}

// verdict says what the end of reading means for the reply.
func (r *reading) verdict(err error) error {
	var known *llm.Error
	switch {
	case r.left:
		return nil
	case errors.As(err, &known) && !(r.whole && known.Kind == llm.Broken):
		return err
	case !r.whole:
		return r.broken(err)
	}
	return r.failedFinish()
}

// failedFinish is the error of a reply whose finish_reason names one.
func (r *reading) failedFinish() error {
	f := fault{reason: "it ended the answer with finish_reason " + r.reply.finish}
	switch r.reply.finish {
	case finishError:
		return r.at.fail(llm.Broken, f)
	case finishNoMeans:
		return r.at.fail(llm.Overloaded, f)
	case fullWindow:
		if r.reply.size == 0 {
			return r.at.fail(llm.TooLong, f)
		}
	}
	return nil
}

// broken is the error of a reply that is not whole, for the cause err.
func (r *reading) broken(err error) error {
	if r.watch.ctx.Err() != nil {
		return r.at.silence(r.watch)
	}
	if !r.reply.answered && r.begins != "" && errors.Is(err, io.EOF) {
		return r.at.prose(r.begins)
	}
	return r.at.cut(err, r.reply.answered)
}
