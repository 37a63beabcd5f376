// Package agent turns a person's messages, a model and tools into a session.
//
// # The way through
//
// [New] or [Resume] makes a [Session]; Run serves it. A front end sends
// [Command] values and reads [Event] values, nothing else. A message is
// queued, and when the session is idle a turn starts: the request is built
// from the conversation, the reply streamed, its calls prepared, judged by the
// [Policy], perhaps asked, run and recorded, and so on until a reply calls
// nothing.
//
// # Events
//
// Events are the truth: what is not an event did not happen. [State] is the
// fold over them, and so is a screen. Durable events go to the [Journal], one
// line each, as [Encode] writes them; their types are
//
//	session_opened
//	prompt_queued  prompt_accepted  prompt_withdrawn
//	turn_started  replied  turn_ended
//	call_prepared  approval_asked  approval_settled  change_committed  call_finished
//	command_started  command_finished  job_started  job_ended
//	mode_set  cleared  reminded  pruned  compacted  noted
//
// Live events (text_streamed, thought_streamed, call_streamed, call_progress,
// waiting, jobs_listed) show what happens before it is a fact. They may be merged, are
// never journaled, and a reader that missed them has missed nothing.
//
// # Room
//
// Before each request, between a call's result and what follows, the session
// looks whether the request still fits: by the tokens the server counted last,
// and estimates for what came since, against 80 % of the window, where that is
// known; by characters against Options.MaxChars. Where it does not fit, results
// of old calls are emptied first ([Pruned]); if that is not enough, the model
// writes a summary of what is older ([Compacted]), to which the session adds a
// ledger of its own. The person's latest message and the last group, a message
// and the results of its calls, always stay; the latest complete exchange stays
// where it fits. A server that finds a request too long is believed: room is
// made once and the request sent once more. Whatever refuses a compaction
// leaves the conversation as it was. A message that no request could hold is
// given back, since inside it would be in the way of all that follows.
//
// # Jobs
//
// A call may leave a command running in the background. That it does, and its
// end, are facts ([JobStarted], [JobEnded]); jobs end with the process, so a
// session that goes on begins by saying so. The end of a job becomes a message
// to the model, at once while no turn runs, else behind the next results, or
// behind the turn; not where a result tells it, and not in a conversation that
// was cleared since the job began. Nothing starts by itself for it.
//
// # Promises
//
// Folding the journal gives the live state. Turns do not overlap. Each call
// has exactly one result, before the next reply and before the turn ends; what
// it changed is said before its result. There is one question at a time, and
// it is settled before its call's result. No message stands between a call
// and its result. A job's number is never given twice. No fact is dropped, however slow the reader. Package
// agenttest checks these on any sequence of events.
//
// A [Cancel] ends the turn within 100 ms, also when a tool does not listen.
// Queued messages are then withdrawn, since they were meant to follow work
// that was not done; so they are when a turn fails or stops at a limit.
//
// A journal that cannot be written stops new work and says so. What happened
// meanwhile is kept in memory and written, in order, as soon as a later
// command finds that it can be.
//
// # Who may call what when
//
// Send and Events are for any goroutine, before, during and after Run; one
// reader takes the events, and must go on taking them until the channel is
// closed or Run's context has ended. Run is called once. Run returns when
// every goroutine of the session is gone: a tool that ignores its context
// holds it up, and nothing else does.
//
// # Adding an event
//
// A type in event.go, its name in codec.go (twice), a case in State.Apply, a
// line in testdata/events.jsonl. All switches over events name every one, and
// .ci/run says which of them forgot it.
package agent
