package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"aye/tools/near"
	"aye/tools/workspace"
)

// failed is the result of a call that did not work.
func failed(err error) Result {
	return Result{Status: Failed, Text: err.Error()}
}

// titleOf names a file for people: as the model called it, and where that is
// when a link leads elsewhere.
func titleOf(given, rel string) string {
	if plain := path.Clean(given); plain == rel || path.IsAbs(plain) {
		return rel
	} else if plain != "" {
		return plain + " → " + rel
	}
	return rel
}

// riskOf is the risk of a file by its real path, or by the name that the model
// used for it, when that goes through a link.
func riskOf(given, rel string, risk func(string) string) string {
	if why := risk(rel); why != "" || filepath.IsAbs(given) {
		return why
	}
	return risk(path.Clean(filepath.ToSlash(given)))
}

// maxLikely is how many names of a folder are looked through for one that was
// meant: it only makes an error better.
const maxLikely = 5000

// missingPath adds to the error about a path that does not exist what helps to
// find the right one.
func missingPath(ws *workspace.Dir, given string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	rel, resolveErr := ws.Resolve(given)
	if resolveErr != nil {
		return err
	}
	folder, name := path.Dir(rel), path.Base(rel)
	entries, listErr := ws.ReadDir(folder)
	if listErr != nil {
		return fmt.Errorf("%w; glob **/%s finds files of that name", err, name)
	}
	names := make([]string, min(len(entries), maxLikely))
	for n := range names {
		names[n] = entries[n].Name()
	}
	if like := near.Word(name, names); like != "" {
		return fmt.Errorf("%w; did you mean %s?", err, path.Join(folder, like))
	}
	return fmt.Errorf("%w; glob **/%s finds files of that name", err, name)
}
