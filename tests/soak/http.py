"""As much HTTP as the crowd needs, on gevent's sockets: many clients in one process, each with its own address."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from gevent import Timeout, socket

from tests import loopback
from tests.loopback import Address, Answer

LONGEST = 30.0
"""Seconds until a request is given up: more than the table itself may take for a command on a full disk."""

connect = partial(loopback.connect, sockets=socket)
request = partial(loopback.request, connection="keep-alive")


def ask(table: Address, method: str, path: str, **more: Any) -> Answer:
    """One request on a connection of its own, and its answer."""
    with Timeout(LONGEST, False):
        return loopback.ask(table, method, path, sockets=socket, **more)
    return Answer()


def messages(reader: Any) -> Iterator[tuple[int, bytes]]:
    """The states of an event stream, each with its id, as they arrive; ends where the stream does."""
    for event in loopback.events(reader):
        if "id" in event:
            yield int(event["id"]), event["data"].encode()
