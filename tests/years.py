"""A club's years in a journal: many matches, written without being played. `python -m tests.years 5000 JOURNAL`.

A few whole matches are played by simulated players; each is then written again and again with other players and days.
"""

import json
import random
import sqlite3
import sys
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.journal import Journal
from tests.controller.evening import Evening

FIRST_EVENING = 1_483_300_000.0  # s since 1970: early in 2017
WEEK = 7 * 86_400.0
MATCHES_AN_EVENING = 10
PLAYERS = 60
REFERENCES = ("target", "question", "after", "shot", "undone", "number")
"""Members of events that hold the number of another event."""


@cache
def played(seed, *, rounds=None, **start):
    """The events of one match that simulated players have played; of so many rounds, or the rule set's own."""
    if rounds is not None:
        start["format"] = {"kind": "rounds", "rounds": rounds}
    with TemporaryDirectory() as folder:
        evening = Evening(Path(folder), seed, **start)
        evening.play()
        if not evening.followed.state.over:
            evening.followed.do("end_round")
        events = tuple(evening.followed.journal.events(1))
        evening.followed.journal.close()
    return events


def write_years(path, matches, templates, seed=1):
    """Write a journal of so many matches, each like one of the templates."""
    Journal(path).close()
    dice = random.Random(seed)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        last = 0
        for number in range(1, matches + 1):
            began = FIRST_EVENING + (number // MATCHES_AN_EVENING) * WEEK + (number % MATCHES_AN_EVENING) * 1200.0
            template = dice.choice(templates)
            offset = last + 1 - template[0].id
            rows = [_again(entry, number, began, offset, dice) for entry in template]
            connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?)", rows)
            last = rows[-1][0]
        connection.execute("COMMIT")


def _again(entry, number, began, offset, dice):
    body = _shifted(entry.body, offset)
    if entry.kind == "amended":
        body["revised"] = [_shifted(one, offset) | {"event": _shifted(one["event"], offset)} for one in body["revised"]]
    if entry.kind == "match_started":
        one, other = dice.sample(range(1, PLAYERS + 1), 2)
        body["sides"] = [
            {**side, "name": f"Player {player}"} for side, player in zip(body["sides"], (one, other), strict=True)
        ]
    text = json.dumps(body, separators=(",", ":"))
    return entry.id + offset, number, began + entry.at, entry.kind, text


def _shifted(body, offset):
    return {n: value + offset if n in REFERENCES and isinstance(value, int) else value for n, value in body.items()}


if __name__ == "__main__":
    write_years(Path(sys.argv[2]), int(sys.argv[1]), [played(seed) for seed in range(1, 6)])
