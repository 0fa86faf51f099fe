"""The scoreboard on its own thread: gevent's pywsgi, not monkey-patched, beside the engine in one process."""

import errno
import logging
import socket
import threading
from concurrent.futures import Future
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from typing import Any

import gevent
import gevent.socket
from flask import Flask
from gevent.event import Event
from gevent.pool import Pool
from gevent.pywsgi import WSGIHandler, WSGIServer

from web_ui.errors import AddressTaken
from web_ui.events import Stream

PATIENCE = 10.0
"""Seconds that a connection may take for one read or write before it is dropped: phones leave without a word, and
browsers keep connections that they need no more."""

STOPPING = 0.5
"""Seconds that open requests get to end when the service stops."""

ANSWER = 5.0
"""Seconds in which the state must be served: a page that takes longer is given up by people too."""

MOST_CONNECTIONS = 900
"""Below the 1024 files that Linux lets a process open; more wait until one of these closes."""

WAITING = 256
"""Connections that may wait to be accepted: a whole room that comes back after a restart."""

_EVERYWHERE = ("0.0.0.0", "::", "")

_log = logging.getLogger(__name__)


class _Handler(WSGIHandler):  # type: ignore[misc]
    def handle(self) -> None:
        self.socket.settimeout(PATIENCE)
        # Without this the kernel holds a small message back until the one before was acknowledged: 40 ms.
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().handle()


class Server:
    """Serves an application of `create_app`. `start` and `stop` may be called from any thread, once each."""

    def __init__(self, app: Flask, host: str = "0.0.0.0", port: int = 8000) -> None:
        """`port` 0 takes a free one."""
        self._app = app
        self._host = host
        self._port = port
        self._stream: Stream = app.extensions["stream"]
        self._thread = threading.Thread(target=self._run, name="scoreboard", daemon=True)
        self._connections = Pool(MOST_CONNECTIONS)
        self._ready: Future[int] = Future()
        self._ended: Any = None

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return self._port

    @property
    def url(self) -> str:
        """The address for the phones in the room."""
        return address(self._host, self._port)

    def answers(self) -> bool:
        """Whether it serves the state to whoever asks; takes as long as that, `ANSWER` seconds at most.

        With as many connections as it takes it can't be asked: then it does, as far as can be told.
        """
        if self._connections.free_count() == 0:
            return True
        host = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(self._host, self._host)
        asking = HTTPConnection(host, self._port, timeout=ANSWER)
        try:
            asking.request("GET", "/api/v1/state")
            return asking.getresponse().status == HTTPStatus.OK
        except (OSError, HTTPException):
            return False
        finally:
            asking.close()

    def start(self) -> None:
        """Listen, and return when requests are answered. Raises `AddressTaken` when that can't be."""
        self._thread.start()
        self._port = self._ready.result()
        self._app.config["LISTENS_ON"] = (self._host, self._port)

    def stop(self) -> None:
        """End every stream, finish open requests and return when the thread is gone. Safe to call twice."""
        if self._ready.done() and self._ready.exception() is None and self._thread.is_alive():
            self._ended.send()
            self._thread.join()

    def _run(self) -> None:
        hub = gevent.get_hub()
        try:
            self._serve(hub)
        except Exception as error:
            if self._ready.done():
                raise
            self._ready.set_exception(self._explained(error) if isinstance(error, OSError) else error)
        finally:
            hub.destroy(destroy_loop=True)

    def _serve(self, hub: Any) -> None:
        end = Event()
        listener = _listen(self._host, self._port)
        server = WSGIServer(
            listener, self._app, spawn=self._connections, log=None, error_log=_log, handler_class=_Handler
        )
        server.start()
        self._ended = hub.loop.async_()
        self._ended.start(end.set)
        try:
            self._stream.open()
            self._ready.set_result(server.server_port)
            end.wait()
        finally:
            self._ended.stop()
            self._ended.close()
            self._stream.close()
            server.stop(timeout=STOPPING)

    def _explained(self, error: OSError) -> AddressTaken:
        place = f"{self._host} port {self._port}"
        if error.errno == errno.EADDRINUSE:
            return AddressTaken(f"Another program already uses {place}. Stop it, or choose another port.")
        if error.errno in (errno.EACCES, errno.EPERM):
            return AddressTaken(f"This user may not listen on {place}. Choose a port above 1023.")
        if error.errno == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
            return AddressTaken(f"This machine has no address {self._host!r}. Use 0.0.0.0 for all of its addresses.")
        return AddressTaken(f"The scoreboard can't listen on {place}: {error.strerror or error}.")


def _listen(host: str, port: int) -> Any:
    family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    listener = gevent.socket.socket(family, kind)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
        listener.listen(WAITING)
    except OSError:
        listener.close()
        raise
    return listener


def address(host: str, port: int) -> str:
    """The address under which phones reach a server that listens on `host` and `port`."""
    name = _own_address() if host in _EVERYWHERE else host
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/"


def _own_address() -> str:
    """This machine's address in the room's network; its name when it is in none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation: asks only which way a packet would leave
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
