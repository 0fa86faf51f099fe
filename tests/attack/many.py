"""Many requests at one time, each from an address of its own."""

from concurrent.futures import ThreadPoolExecutor

AT_ONCE = 24
"""Requests under way at one time: what one laptop does without haste."""


def addresses(network, count):
    """So many addresses of this machine, 127.N.x.y."""
    for number in range(count):
        yield f"127.{network}.{number // 250}.{number % 250 + 1}"


def at_once(jobs):
    """The results of calls without arguments, many of them under way at one time."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda job: job(), jobs))
