package llmtest

import (
	"context"
	"io"
	"net/http"
)

// Transport returns a transport that calls h in this process, without sockets,
// so that both ends can live on the virtual time of testing/synctest. Bodies
// stream. Closing a response's body ends the request's context for h and waits
// for it, as does the end of the request's own context.
func Transport(h http.Handler) http.RoundTripper { return direct{h} }

type direct struct{ handler http.Handler }

func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	in, out := io.Pipe()
	w := &response{pipe: out, header: http.Header{}, began: make(chan struct{})}
	body := &responseBody{PipeReader: in, cancel: cancel, ended: make(chan struct{})}
	unlink := context.AfterFunc(ctx, func() { out.CloseWithError(context.Cause(ctx)) })
	go func() {
		defer close(body.ended)
		defer unlink()
		d.serve(w, r.WithContext(ctx))
	}()
	select {
	case <-w.began:
	case <-ctx.Done():
		body.Close() //nolint:errcheck // never fails
		return nil, context.Cause(ctx)
	}
	if w.aborted {
		body.Close() //nolint:errcheck // as above
		return nil, io.ErrUnexpectedEOF
	}
	return &http.Response{
		Status: http.StatusText(w.status), StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.sent, Body: body, ContentLength: -1, Request: r,
	}, nil
}

// serve runs the handler; one that aborts cuts the body.
func (d direct) serve(w *response, r *http.Request) {
	defer func() {
		if p := recover(); p != nil {
			if p != http.ErrAbortHandler {
				panic(p)
			}
			w.pipe.CloseWithError(io.ErrUnexpectedEOF)
			if w.status == 0 {
				w.aborted = true
				w.WriteHeader(0)
			}
			return
		}
		w.WriteHeader(http.StatusOK)
		w.pipe.Close()
	}()
	if r.Body == nil {
		r.Body = http.NoBody
	}
	defer r.Body.Close()
	d.handler.ServeHTTP(w, r)
}

// A response is an http.ResponseWriter into a pipe.
type response struct {
	pipe    *io.PipeWriter
	header  http.Header
	sent    http.Header // as it was when the status was written
	status  int
	aborted bool
	began   chan struct{} // closed with the header; orders all above
}

func (w *response) Header() http.Header { return w.header }
func (w *response) Flush()              {}

func (w *response) WriteHeader(status int) {
	if w.sent == nil {
		w.status, w.sent = status, w.header.Clone()
		close(w.began)
	}
}

func (w *response) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.pipe.Write(p)
}

// responseBody ends the handler when it is closed.
type responseBody struct {
	*io.PipeReader
	cancel context.CancelFunc
	ended  chan struct{}
}

func (b *responseBody) Close() error {
	b.cancel()
	err := b.PipeReader.Close()
	<-b.ended
	return err
}
