package tools

// A Todo is one entry of the model's plan.
type Todo struct {
	ID     string     `json:"id"`
	Text   string     `json:"text"`
	Status TodoStatus `json:"status"`
}

// TodoStatus says how far a Todo is.
type TodoStatus string

const (
	Pending    TodoStatus = "pending"
	InProgress TodoStatus = "in_progress" // one at a time
	Completed  TodoStatus = "completed"
)
