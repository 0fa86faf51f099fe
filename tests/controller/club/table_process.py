"""A table in a process of its own, to be killed: real journal, engine and membership. Rounds are entered by hand.

`python -m tests.controller.club.table_process FOLDER HUB CODE SEED CLOCK PACE`: it joins with the CODE once, and
plays what the club assigns, a round in PACE seconds on the mean. Its clock is CLOCK seconds off. It ends with
`USED_UP` if the hub does not know the code: whoever was killed while it joined needs another.
"""

import random
import sys
import time
from contextlib import suppress
from pathlib import Path

from controller.errors import BadInput, Refused
from tests.controller.table.club_table import ClubTable

USED_UP = 3  # the status
UNDONE = 0.15  # of all rounds that are entered: with another round in their place


def step(table, dice):
    """Begin what is assigned, enter a round, or take the last one of a match back that is not over yet."""
    state = table.done(lambda: table.engine.state)
    if state is None or state.over:
        start = table.done(table.member.start_assigned)
        if start is not None:
            table.do(**{**start, "manual": True})
        return
    if state.finished and dice.random() < UNDONE:
        table.do("undo")
        return
    twenties = {side: dice.choice((0, 0, 1, 1, 2, 3)) for side in "AB"}
    totals = {side: 20 * twenties[side] + 5 * dice.randrange(8) for side in "AB"}
    table.do("end_round", totals=totals, twenties=twenties)


def main():
    folder, hub, code, seed, clock, pace = sys.argv[1:]
    table = ClubTable(Path(folder))
    table.t = float(clock)
    dice = random.Random(f"{seed} {folder} {time.monotonic_ns()}")  # whoever is begun again plays on otherwise
    while table.member.club is None:
        try:
            table.member.join(hub, code)
        except Refused as error:  # else the hub is being killed
            if "does not know this code" in str(error):
                sys.exit(USED_UP)
    while True:
        time.sleep(dice.uniform(0.0, 2.0) * float(pace))
        table.t += 1.0
        with suppress(Refused, BadInput):  # the organiser has changed the plan in this moment
            step(table, dice)


if __name__ == "__main__":
    main()
