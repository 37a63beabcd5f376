package llmtest

import (
	"context"
	"net"
	"net/http"
)

// A Server is an Endpoint on a free port of this machine: of 127.0.0.1 or,
// where there is none, of ::1.
type Server struct {
	*Endpoint
	address string
	http    *http.Server
	cancel  context.CancelFunc
	ended   chan struct{}
}

// NewServer returns a server that plays script once it is started.
func NewServer(script Script) *Server { return &Server{Endpoint: Handler(script)} }

// Start listens and serves until Close or the end of ctx, which cuts what is
// being answered. Close is needed in either case.
func (s *Server) Start(ctx context.Context) error {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		var err6 error
		if l, err6 = lc.Listen(ctx, "tcp", "[::1]:0"); err6 != nil {
			return err
		}
	}
	ctx, s.cancel = context.WithCancel(ctx)
	s.address = l.Addr().String()
	s.http = &http.Server{Handler: s.Endpoint, BaseContext: func(net.Listener) context.Context { return ctx }}
	context.AfterFunc(ctx, func() { s.http.Close() })
	s.ended = make(chan struct{})
	go func() {
		defer close(s.ended)
		s.http.Serve(l) //nolint:errcheck // ends by Close
	}()
	return nil
}

// URL returns the base URL for a client, with /v1 at its end.
func (s *Server) URL() string { return "http://" + s.address + "/v1" }

// Close cuts all connections and waits until nothing of the server runs.
func (s *Server) Close() {
	s.cancel()
	s.http.Close()
	<-s.ended
	s.close()
}
