package journal

import (
	"bytes"
	"encoding/json"
)

// parse reads a journal's bytes: the records, where the whole lines end, and
// the torn rest after that.
//
// Only an end that is no record is torn. Anything else that is no record stays
// in the file, skipped: whoever wants to know what it was can look.
func parse(data []byte) (found Found, whole int, torn []byte) {
	var before []byte
	for n := 1; whole < len(data); n++ {
		rest := data[whole:]
		line, _, ended := bytes.Cut(rest, []byte("\n"))
		record, why := clean(line)
		switch {
		case record == nil && !ended:
			found.Skipped = append(found.Skipped, Skip{n, "torn"})
			return found, whole, rest
		case why != "":
			found.Skipped = append(found.Skipped, Skip{n, why})
		}
		if record != nil && bytes.Equal(record, before) {
			found.Skipped = append(found.Skipped, Skip{n, "the same as the line before"})
		} else if record != nil {
			found.Lines = append(found.Lines, record)
			before = record
		}
		whole += len(line)
		if ended {
			whole++
		}
	}
	return found, whole, nil
}

// clean returns the record in a line, if there is one, and what is wrong with
// the line. Editors leave CR and a byte order mark; a lost power supply leaves
// zeros where a file system had made room.
func clean(line []byte) (record []byte, why string) {
	line = bytes.TrimPrefix(line, []byte("\ufeff"))
	line = bytes.TrimSuffix(line, []byte("\r"))
	trimmed := bytes.Trim(line, "\x00")
	if len(trimmed) < len(line) {
		why = "zeros"
	}
	trimmed = bytes.TrimSpace(trimmed)
	switch {
	case len(trimmed) == 0:
		return nil, why
	case trimmed[0] == '{' && json.Valid(trimmed):
		return trimmed, why
	}
	return nil, "not JSON"
}
