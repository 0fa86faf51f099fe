"""Serves the scoreboard on its own thread: gevent's pywsgi, not monkey-patched, in one process with the engine."""

import errno
import io
import logging
import re
import socket
import ssl
import threading
from concurrent.futures import Future
from contextlib import suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from typing import Any
from weakref import WeakValueDictionary

import gevent
import gevent.socket
from flask import Flask
from gevent.event import Event
from gevent.lock import BoundedSemaphore
from gevent.pool import Pool
from gevent.pywsgi import WSGIHandler, WSGIServer

from controller.config import PagesSection
from web_ui.connections import Guest, HeldPlace, Places, is_loopback
from web_ui.errors import AddressUnavailable, Faults
from web_ui.events import Stream
from web_ui.https import Renewal, Tls, https_address
from web_ui.limits import largest_body

PATIENCE = 10.0
"""Seconds for one read or write of a connection before it is dropped. Phones leave without closing their connections,
and browsers keep connections open that they do not need."""
STOPPING = 0.5  # seconds for open requests to end when the service stops
REQUEST = 15.0  # seconds for a whole request, from its first byte to its last
ANSWER = 5.0  # seconds in which the state must be served: people wait no longer for a page either
MOST_CONNECTIONS = 900  # below Linux's limit of 1024 open files. Further ones take the places of others, or are closed.
TURN = 5.0  # seconds after which an idle connection gives its place to another if there are too few
RESERVED = 50  # connections that only the table's own screen gets
UNSENT = 16 * 1024
"""Bytes of a stream that the kernel buffers for a phone that does not read: it needs only the last of these states."""
UNREAD = 64 * 1024
"""Bytes of any other answer: enough for a page at once; without a limit the kernel buffers up to 4 MB for each."""
LOST = 30_000  # milliseconds without an acknowledgement after which a connection ends: the phone has left the room
WAITING = 256  # connections that may wait to be accepted: a whole room that reconnects after a restart
LENGTH = re.compile("[0-9]{1,15}", re.ASCII)  # of a body: digits alone, where int() takes "+2", " 2" and "0_2" as well
_EVERYWHERE = ("0.0.0.0", "::", "")
_log = logging.getLogger(__name__)


class _Handler(WSGIHandler):  # type: ignore[misc]
    def MessageClass(self, *arguments: Any) -> Any:  # noqa: N802 - gevent's name
        """The request's headers. Refuses what leaves open where the body ends, as a proxy in between might end it
        elsewhere and take the rest for another request (RFC 9112, 6.3 and 11.2)."""
        headers = super().MessageClass(*arguments)
        lengths, codings = (headers.get_all(name, []) for name in ("Content-Length", "Transfer-Encoding"))
        if codings:
            clear = (lengths, [one.lower() for one in codings], self.request_version) == ([], ["chunked"], "HTTP/1.1")
        else:
            clear = not lengths or (len(lengths) == 1 and LENGTH.fullmatch(lengths[0]) is not None)
        if headers.defects or not clear:
            raise ValueError(f"where its body ends is unclear: {lengths} {codings}")
        return headers

    def handle(self) -> None:
        self.socket.settimeout(PATIENCE)
        # Without this the kernel holds a small message back until the one before was acknowledged: 40 ms.
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, LOST)
        self._deadline = gevent.Timeout(REQUEST)
        try:
            super().handle()
        except gevent.Timeout as timeout:
            if timeout is not self._deadline:
                raise
        except OSError as error:  # the client had gone when it should be sent what was wrong with its request
            self._faults.note(f"a connection ended: {error}")
        finally:
            self._deadline.close()

    def read_requestline(self) -> Any:
        """Begin a request, which has `REQUEST` seconds to arrive."""
        self._deadline.close()
        self._deadline = gevent.Timeout.start_new(REQUEST)
        return super().read_requestline()

    def read_request(self, raw_requestline: str) -> Any:
        """Refuse what makes gevent print a traceback: `HTTP/1` without a point, too many or too long headers, a head
        that was cut off."""
        try:
            return super().read_request(raw_requestline)
        except (LookupError, HTTPException, OSError) as error:
            raise ValueError(f"{raw_requestline!r}: {error}") from error

    def handle_one_response(self) -> None:
        """Read the whole request while its time limit runs, then answer without a limit."""
        if self.environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            try:
                most = largest_body(self.environ["PATH_INFO"])
                self.environ["wsgi.input"] = io.BytesIO(self.wsgi_input.read(most + 1))
            except OSError as error:  # it was cut off, or its chunks are malformed
                self.handle_error(ConnectionError, error, None)
                return
        self._deadline.close()
        place: HeldPlace = self.server.held[self.socket]
        place.busy = True
        gevent.sleep(0)  # others at this address
        with self.server.turns.setdefault(place.guest.network, BoundedSemaphore(1)):
            gevent.sleep(0)  # others elsewhere
        try:
            super().handle_one_response()
        finally:
            self.server.places.idle(place)

    @property
    def _faults(self) -> Faults:
        return self.server.application.extensions["faults"]  # type: ignore[no-any-return]

    def log_error(self, msg: str, *args: Any) -> None:
        """Count a malformed request."""
        self._faults.malformed += 1
        self._faults.note(f"a request could not be understood: {msg % args if args else msg}")

    def handle_error(self, kind: type[BaseException], error: BaseException, traceback: Any) -> None:
        """End a connection that times out quietly; gevent would print a traceback for each."""
        if issubclass(kind, TimeoutError | ConnectionError | gevent.GreenletExit):  # or the server stops
            self._faults.note(f"a connection ended: {error}")
            self.close_connection = True
        else:
            self._faults.report("An answer", error)
            self._send_error_response_if_possible(HTTPStatus.INTERNAL_SERVER_ERROR)

    def _sendall(self, data: bytes) -> None:
        """Send, and raise `ConnectionError` for whatever ends the connection, be it TLS or the network."""
        try:
            super()._sendall(data)
        except OSError as error:
            raise ConnectionAbortedError(error.errno, str(error)) from error

    def finalize_headers(self) -> None:
        """Limit the kernel's buffer for a stream: a phone that does not read needs only the last states."""
        if any(name.lower() == b"content-type" and b"event-stream" in value for name, value in self.response_headers):
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT)
        super().finalize_headers()


class _Server(WSGIServer):  # type: ignore[misc]
    handler_class = _Handler

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.places = Places(MOST_CONNECTIONS, RESERVED, TURN)
        self.held: dict[Any, HeldPlace] = {}  # by socket
        self.turns: WeakValueDictionary[str, BoundedSemaphore] = WeakValueDictionary()
        """By address: in each round of the event loop one request of each address begins, however many it sends at once
        or over how many connections."""
        self.renewal: Renewal | None = None

    def wrap_socket_and_handle(self, client_socket: Any, address: Any) -> None:
        """Encrypt a connection and serve it. The handshake has `PATIENCE` seconds."""
        if self.renewal:
            self.renewal.load_if_changed()
        client_socket.settimeout(PATIENCE)
        try:
            encrypted = self.wrap_socket(client_socket, **self.ssl_args)
        except (ssl.SSLError, OSError) as error:  # a phone that does not trust the certificate, or speaks no TLS
            self.application.extensions["faults"].note(f"a connection was not encrypted: {error}")
            client_socket.close()
            return
        self.handle(encrypted, address)

    def handle(self, sock: Any, address: Any) -> None:
        """Serve a connection, or close it at once if there is no place for it."""
        who = str(address[0])
        guest = Guest(who, first=is_loopback(who))
        if not self.places.room(guest):
            sock.close()
            return
        place = self.held[sock] = self.places.take(guest, lambda: _hang_up(sock))
        try:
            super().handle(sock, address)
        finally:
            self.places.give_back(place)
            del self.held[sock]


def _hang_up(connection: Any) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


class Server:
    """Serves an application of `create_app`. `start` and `stop` may be called from any thread, once each."""

    def __init__(self, app: Flask, host: str = "0.0.0.0", port: int = 8000, tls: Tls | None = None) -> None:
        """`port` 0: a free one. `tls`: https as well, on its own port. Raises `WebError` for a bad certificate."""
        self._app = app
        self._host = host
        self.port = port
        self._tls = tls
        self._context = tls.context() if tls else None
        self._stream: Stream = app.extensions["stream"]
        self._thread = threading.Thread(target=self._run, name="scoreboard", daemon=True)
        # those that are closed at once have a place for that moment
        self._connections = Pool(MOST_CONNECTIONS + WAITING)
        self._ready: Future[int] = Future()
        self._ended: Any = None

    @property
    def https_url(self) -> str | None:
        """The address over https, once it is served; None without."""
        return https_address(self._app, self.url)

    @property
    def url(self) -> str:
        return address(self._host, self.port)

    def answers(self) -> bool:
        """Whether a request for the state is answered within `ANSWER` seconds. If all connections are in use this can't
        be tested, and True is returned."""
        if self._connections.free_count() == 0:
            return True
        host = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(self._host, self._host)
        asking = HTTPConnection(host, self.port, timeout=ANSWER)
        try:
            asking.request("GET", "/api/v1/state")
            return asking.getresponse().status == HTTPStatus.OK
        except (OSError, HTTPException):
            return False
        finally:
            asking.close()

    def start(self) -> None:
        """Listen, and return once requests are answered. Raises `AddressUnavailable`."""
        self._thread.start()
        self.port = self._ready.result()
        self._app.config["LISTENS_ON"] = (self._host, self.port)

    def stop(self) -> None:
        """End every stream, finish open requests and return once the thread has ended. Safe to call twice."""
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
            self._ready.set_exception(_explained(error, self._host, self.port) if isinstance(error, OSError) else error)
        finally:
            hub.destroy(destroy_loop=True)

    def _serve(self, hub: Any) -> None:
        end = Event()
        server = self._listening(self.port)
        server.start()
        encrypted = self._encrypted(server) if self._tls else None
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
            for one in filter(None, (server, encrypted)):
                one.stop(timeout=STOPPING)
            if parts := self._app.extensions.get("parts"):
                parts.readers.close()

    def _listening(self, port: int, **encrypted: Any) -> _Server:
        """The pages' server at one port, once it is started."""
        listener = _listen(self._host, port)
        return _Server(listener, self._app, spawn=self._connections, log=None, error_log=_log, **encrypted)

    def _encrypted(self, plain: _Server) -> _Server:
        """The same pages over https, with the same places for connections."""
        assert self._tls is not None
        server = self._listening(self._tls.port, ssl_context=self._context)
        server.places, server.turns = plain.places, plain.turns
        server.renewal = Renewal(self._tls, self._context)
        server.start()
        self._app.config["HTTPS"] = (self._tls, server.server_port)
        return server


def _explained(error: OSError, host: str, port: int) -> AddressUnavailable:
    place = f"{host} port {port}"
    if error.errno == errno.EADDRINUSE:
        return AddressUnavailable(f"Another program already uses {place}. Stop it, or choose another port.")
    if error.errno in (errno.EACCES, errno.EPERM):
        return AddressUnavailable(f"This user may not listen on {place}. Choose a port above 1023.")
    if error.errno == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        return AddressUnavailable(f"This machine has no address {host!r}. Use 0.0.0.0 for all of its addresses.")
    return AddressUnavailable(f"The scoreboard can't listen on {place}: {error.strerror or error}.")


def check_addresses(web: PagesSection) -> Tls | None:
    """The certificate by which pages are served over https as well, if there is one, for the first of their names. Call
    it before anything else is opened. Raises `AddressUnavailable` if a server could not listen, and `WebError` if the
    certificate can't be used."""
    tls = None
    if web.certificate and web.key:
        tls = Tls(web.certificate, web.key, web.https_port, next(iter(web.names), None))
        tls.context()
    for port in (web.port, *([tls.port] if tls else ())):
        try:
            _listen(web.host, port).close()
        except OSError as error:
            raise _explained(error, web.host, port) from error
    return tls


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket, at `::` for both families. Raises `OSError`."""
    by_colons = ":" in host
    family = socket.AF_INET6 if by_colons else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=WAITING, dualstack_ipv6=by_colons)
    listener.setblocking(False)  # as gevent needs it
    return listener


def address(host: str, port: int) -> str:
    """The URL for phones of a server that listens on `host` and `port`; with this machine's name without a network."""
    name = next(iter(own_addresses()), socket.gethostname()) if host in _EVERYWHERE else host
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/"


FAR = ("192.0.2.1", "10.42.0.255")
"""Addresses for finding the interface that a packet would use: one reserved for documentation, for any routed network;
and one of NetworkManager's hotspot (10.42.x.1/24, as its NMSettingIP4Config says), which has no route."""


def own_addresses() -> list[str]:
    """This machine's addresses in the room's networks, the one for phones first. Nothing is sent."""
    found = []
    for far in FAR:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            with suppress(OSError):
                probe.connect((far, 9))
                found.append(str(probe.getsockname()[0]))
    return list(dict.fromkeys(found))
