"""A match as its events: commands, events, and the state that follows. Pure: no clock, no I/O.

An example. A phone counts a twenty for Black: the command is `commands.Count`. `conflicts` finds that nobody changed
that count since the phone saw it, and `counting.count` returns the event `rounds.TwentyCounted`. When the journal has
written it, `fold.apply` calls its `apply`, which returns the next `state.MatchState`. An undo is another event:
`timeline` then leaves the count out, and `fold.fold` computes the state from the other events.

| module | what is in it |
| --- | --- |
| `events` | all event types; each is defined with its effect in one of the next eight modules, on the bases in `base` |
| `lifecycle` | start, deletion, who keeps the score, what was learnt about seats and colours |
| `boards` | readings without a shot, the hole's sensor, corrected discs, a board taken over |
| `shots` | shots, their corrections, calls for conduct |
| `rounds` | the end and the figures of rounds, discs counted by hand |
| `questions` | the table's questions, whose cases are in `cases` |
| `timers` | the clocks, and the commands for them; `timekeeper` creates their events |
| `amendments` | undo, redo, and the table's revisions of its own account |
| `naming` | renaming and merging players; `players` derives the names shown |
| `timeline` | which events still count, and in which order |
| `fold`, `state` | the state that follows from the events, and what an answer would change |
| `commands`, `conflicts`, `counting` | what people send, what it would overwrite, counting by hand |
| `handlers` | the events that carry out each command |
| `seating`, `filmed`, `shot_kinds` | where the players sit, the film of a shot, what statistics count |
"""
