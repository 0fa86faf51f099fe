"""Guessing the PIN from more addresses than anybody has: none of them guesses often."""

import time
from functools import partial

from tests.attack.many import addresses, at_once
from tests.attack.outcome import once
from tests.attack.targets import Hub, Table

A_DAY = 1000
"""Guesses that anybody may have looked at in a day, however many addresses there are; hence in these seconds too."""


def guessing(folder, scale):
    """All of it, against a table and a hub."""
    with Table(folder / "table") as table:
        yield many_addresses(table, int(1100 * scale), "table")
    with Hub(folder / "hub") as hub:
        hub.give_password()
        yield many_addresses(hub, int(200 * scale), "hub")


def many_addresses(target, count, what):
    """Four guesses of each address, never right: the PIN has six digits."""
    jobs = [partial(target.login, f"x{n:05}", me) for me in addresses(10, count) for n in range(4)]
    began = time.monotonic()
    seen = sum(answer.status in (200, 403) for answer in at_once(jobs))
    figure = f"{seen} of {len(jobs)} guesses looked at in {time.monotonic() - began:.0f} s"
    held = 0 < seen <= A_DAY // 2  # with none the attack would have missed
    return once(f"{what}: four guesses of each of {count} addresses", held, figure)
