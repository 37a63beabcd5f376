package patch

// A Section is what a patch says about one file.
type Section struct {
	Op   Op
	Path string // as it is written, without the a/ or b/ of a diff
	// Prefixed is Path with the a/ or b/ that was taken off it, "" when none
	// was: there may be a folder of that name.
	Prefixed string
	To       string // Update: the new path; "" when the file stays where it is
	Hunks    []Hunk // Update: what changes. Delete: what the file has, when the patch says it
	Content  []byte // Add
	Note     string // what the patch wants and does not get
	At       int    // line of the patch, from 1
}

// An Op is what happens to a file.
type Op string

const (
	Add    Op = "add"
	Update Op = "update"
	Delete Op = "delete"
)

// A Hunk is one run of changes with the lines around it.
type Hunk struct {
	Headers []string // lines after "@@" that stand above the place, outermost first
	// Loose says that Headers is a diff's guess at what stands above: it is
	// not heeded where it is not found.
	Loose bool
	Lines []Line
	Last  bool // the place is at the end of the file
	At    int  // line of the patch, from 1
}

// A Line is one line of a hunk, without its line end.
type Line struct {
	Op    byte // ' ', '-' or '+'
	Text  string
	CR    bool // it ends in a lone "\r", as the patch has it
	NoEnd bool // it is the last of the file and has no line end
}

// old is the text that a hunk looks for, line by line.
func (h Hunk) old() []string { return h.side('+') }

// side is the text of the lines that have not the sign.
func (h Hunk) side(without byte) []string {
	var lines []string
	for _, line := range h.Lines {
		if line.Op != without {
			lines = append(lines, line.Text)
		}
	}
	return lines
}

// changes says whether a hunk adds or removes a line.
func (h Hunk) changes() bool {
	for _, line := range h.Lines {
		if line.Op != ' ' {
			return true
		}
	}
	return false
}
