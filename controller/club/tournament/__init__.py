"""Tournaments as a pure library: pairings, boards, standings, and the consequences of every action.

Values only: no clock, no log, no I/O, no randomness.

| to | there is |
|---|---|
| preview, carry out or undo an action; enter a table's report | `tournament.Tournament` |
| read its `state` | `standings`, `changes.warnings`, `playoffs.bracket`, `open_night.ratings` |
| name an action | `events`, `planning` |
| choose a format | `catalogue.FORMATS` |
| store the log | `catalogue.event_to_json`, `catalogue.event_from_json`, `Tournament.of` |
"""
