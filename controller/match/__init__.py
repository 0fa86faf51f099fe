"""A match as its events: commands, events, and the state that follows. Pure: no clock, no I/O.

An example. A phone counts a twenty for Black: the command is `counting.Count`. `commands.unseen_changes` finds that
nobody changed that count since the phone saw it, and its `events` are one `counting.DiscCounted`. When the journal has
written it, `fold.apply` calls its `apply`, which returns the next `state.MatchState`. An undo is another event: the
fold then leaves the count out, and `fold.fold` computes the state from the other events.

Each module imports only those above it:

| module | what is in it |
| --- | --- |
| `model`, `seating` | what all share, how names compare; where the players sit |
| `filmed`, `discs`, `cases` | the film of a shot, discs on the board, doubts |
| `parts`, `state` | the state, and what events record of it |
| `base` | the bases of events and commands |
| `questions` | the table's questions, and people's answers |
| `lifecycle` | start, deletion, who keeps the score, what was learnt about seats and colours |
| `boards` | readings without a shot, the hole's sensor, corrected discs, a board taken over |
| `rounds`, `counting` | the end and the figures of rounds, discs counted by hand |
| `shots` | shots and their corrections, calls for conduct |
| `timers` | the clocks, and their events that no command asks for |
| `undo`, `amendments` | undo and redo, and the table's revisions of its own account |
| `players` | who is who, and what players are called |
| `events` | the events of all these modules, and how they are read |
| `fold` | which events count and in which order, and the state that follows |
| `commands` | the commands of all these modules, how they are read, and what one would overwrite unseen |
| `shot_kinds` | what statistics count |
| `club` | what a table and its club's hub say to each other |
"""
