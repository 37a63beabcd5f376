package tour

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"aye/cause"
	"aye/llm"
	"aye/llm/llmtest"
)

const (
	// Banner is to be shown as long as the tour lasts.
	Banner = "tour: this model is a script"
	// Model is the name of the scripted model.
	Model = "tour-script"
	// Prompt is what the person is taken to say first.
	Prompt = "The test of this project fails. Find out why, and mend it."
)

// The pace of the words: quick, and yet to be seen arriving.
const (
	thinks  = 300 * time.Millisecond
	piece   = 8 // characters
	between = 12 * time.Millisecond
)

//go:embed project
var project embed.FS

// A Tour is a scratch project and a model that is a script.
type Tour struct {
	server *llmtest.Server
	dir    string
}

// Start copies the project and serves the script. The caller closes the tour
// when the session in it has ended.
func Start(ctx context.Context) (*Tour, error) {
	dir, err := os.MkdirTemp("", "aye-tour-")
	if err != nil {
		return nil, fmt.Errorf("the tour needs a scratch folder, and none can be made: %w", cause.Of(err))
	}
	t := &Tour{dir: dir, server: llmtest.NewServer(script)}
	files, err := fs.Sub(project, "project")
	if err == nil {
		err = os.CopyFS(t.Dir(), files)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the tour's project cannot be copied to %s: %w", dir, cause.Of(err)), os.RemoveAll(dir))
	}
	if err := t.server.Start(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("the tour's model cannot listen on this machine: %w", err), os.RemoveAll(dir))
	}
	return t, nil
}

// Dir is the folder to work in, with a name for people.
func (t *Tour) Dir() string { return filepath.Join(t.dir, "greeting") }

// URL is the base URL of the scripted model.
func (t *Tour) URL() string { return t.server.URL() }

// Close stops the server and removes the scratch folder.
func (t *Tour) Close() error {
	t.server.Close()
	return os.RemoveAll(t.dir)
}

// script is next at a pace.
func script(req llm.Request) llmtest.Reply {
	s := next(req.Messages)
	return llmtest.Reply{Text: s.text, Calls: s.calls, Delay: thinks, Piece: piece, Between: between}
}
