"""As much HTTP as the crowd needs, on gevent's sockets: many clients in one process, each with its own address."""

from functools import partial

from gevent import Timeout, socket

from tests import loopback
from tests.loopback import Answer

LONGEST = 30.0
"""Seconds until a request is given up: more than the table itself may take for a command on a full disk."""

connect = partial(loopback.connect, sockets=socket)
request = partial(loopback.request, connection="keep-alive")


def ask(table, method, path, **more):
    """One request on a connection of its own, and its answer."""
    with Timeout(LONGEST, False):
        return loopback.ask(table, method, path, sockets=socket, **more)
    return Answer()


def messages(reader):
    """The states of an event stream, each with its id, as they arrive; ends where the stream does."""
    for event in loopback.events(reader):
        if "id" in event:
            yield int(event["id"]), event["data"].encode()
