"""Video from the network: MJPEG over HTTP, as phones' camera apps send it, and RTSP through OpenCV's FFmpeg."""

import errno
import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.client import HTTPException
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import quote, unquote, urlsplit, urlunsplit
from urllib.request import (
    HTTPBasicAuthHandler,
    HTTPDigestAuthHandler,
    HTTPPasswordMgrWithDefaultRealm,
    ProxyHandler,
    build_opener,
)

import cv2
import numpy as np

from hardware.devices import Image
from hardware.errors import DeviceNotFound
from hardware.files import MAX_BYTES

MULTIPART = "multipart/x-mixed-replace"
LINE = 65_536  # bytes read at once where no length is given
RTSP_PORT = 554
ONE_THREAD = [cv2.CAP_PROP_N_THREADS, 1] if hasattr(cv2, "CAP_PROP_N_THREADS") else []
"""Each further thread of FFmpeg's decoder delays by one picture. One is enough: it takes 1.4 ms for a picture of
1280 x 960 on a PC."""
DASHES = b"-\r\n\t "  # and what else may stand around a boundary
STATUS = re.compile(rb"RTSP/1\.\d (\d{3})")

Wanted = Callable[[], bool]
"""Whether the next picture is to be decoded: only RTSP's pictures, which can't be decoded one by one later."""


class Arrival(NamedTuple):
    """A picture and its time of arrival: its first byte's for a JPEG, for RTSP that of its decoding."""

    t: float
    picture: bytes | Image | None  # a JPEG, or a picture (H, W, 3); None if it was not wanted


class Address:
    """A sender's address, without its password in any text."""

    def __init__(self, shown: str, password: str | None) -> None:
        """`shown`: the address, perhaps with a user's name. Raises `DeviceNotFound` if it can't be one."""
        self.shown = shown
        try:
            parts = urlsplit(shown)
            self.host, self.port = parts.hostname or "", parts.port
        except ValueError:
            self.host = ""
        if not self.host or not shown.isascii() or any(c <= " " for c in shown):
            raise self.error("is not an address: write it as the app shows it, as in http://192.0.2.7:8080/video.")
        self.scheme = parts.scheme
        self.user = unquote(parts.username or "")
        self.password = password
        self._host_and_port = parts.netloc.rpartition("@")[2]
        self.url = urlunsplit(parts._replace(netloc=self._host_and_port, fragment=""))

    @property
    def has_login(self) -> bool:
        return bool(self.user or self.password)

    @property
    def with_login(self) -> str:
        """The address with the password, for FFmpeg alone."""
        login = f"{quote(self.user, '')}:{quote(self.password or '', '')}@" if self.has_login else ""
        return self.url.replace("//", f"//{login}", 1)

    def error(self, what: str) -> DeviceNotFound:
        return DeviceNotFound(f"The camera {self.shown} {what}")

    def unreachable(self, error: BaseException) -> DeviceNotFound:
        """The error for a connection that was not made."""
        match error:
            case socket.gaierror():
                what = "is not found by its name: correct it, or write the number that the app shows, as 192.0.2.7."
            case ConnectionRefusedError():
                what = (
                    "refuses the connection: start the video server in the phone's app, and compare the number after "
                    "the last colon, the port, with the one that the app shows."
                )
            case ssl.SSLError():
                why = getattr(error, "verify_message", "") or getattr(error, "reason", "") or "no TLS"
                what = (
                    f"can't be reached by https ({why.replace('_', ' ').lower()}): write http:// if the app offers it, "
                    "or add the camera's certificate to those that this machine trusts."
                )
            case TimeoutError():
                what = "does not answer: wake the phone, start the app, and put both into the same network."
            case OSError(errno=errno.EHOSTUNREACH | errno.ENETUNREACH | errno.EHOSTDOWN):
                what = "can't be reached from here: put phone and table into the same network, and compare the address."
            case OSError():
                what = f"can't be reached ({error.strerror or type(error).__name__}): compare the address with the app."
            case _:
                what = "answers, but not as a web server does: compare the address with the one that the app shows."
        return self.error(what)

    def refused(self, status: int) -> DeviceNotFound:
        """The error for an answer other than 200."""
        match status:
            case 401 | 403 if self.has_login:
                what = f"does not accept the user name or the password ({status}): compare them with the app's."
            case 401 | 403:
                what = (
                    f"asks for a login ({status}): write the app's user name before the address, as in "
                    f"{self.scheme}://name@{self._host_and_port}/.., and its password as [camera] password."
                )
            case 404:
                what = (
                    "is there, but has no video under this address (404): compare its end with the one that the app "
                    "shows."
                )
            case _:
                what = f"answers with error {status}: start the app again, and close what else watches its video."
        return self.error(what)


class MjpegStream:
    """MJPEG over HTTP: JPEG pictures as the parts of one answer that does not end."""

    def __init__(self, address: Address, silence: float, now: Callable[[], float]) -> None:
        """Connect; a sender that is silent for `silence` seconds has gone. `now` gives the times of arrival. Raises
        `DeviceNotFound`."""
        self._now = now
        self._answer = _answer(address, silence)
        kind, boundary = self._answer.headers.get_content_type(), self._answer.headers.get_boundary("")
        self._boundary = boundary.encode("latin-1", "replace").strip(b"-")
        if kind != MULTIPART or not self._boundary:
            self._answer.close()
            raise address.error(
                f"sends {kind}, not MJPEG video ({MULTIPART}): write the address at which the app shows the video "
                "alone, as http://PHONE:8080/video, not its page or a single picture."
            )
        self._socket = socket.fromfd(self._answer.fileno(), socket.AF_INET, socket.SOCK_STREAM)

    def arrivals(self, wanted: Wanted) -> Iterator[Arrival]:
        """Receive until the sender ends, hangs or `close` is called, on one thread; then everything is released. Raises
        `OSError` or `HTTPException`."""
        with self._answer:
            yield from parts(self._answer, self._boundary, self._now)

    def close(self) -> None:
        """Make `arrivals` end soon, from another thread."""
        with suppress(OSError), self._socket:  # closed already, or the sender did
            self._socket.shutdown(socket.SHUT_RDWR)


def parts(stream: Any, boundary: bytes, now: Callable[[], float]) -> Iterator[Arrival]:
    """The parts of a multipart stream, a binary file, until it ends. What is not a part is skipped."""
    line = stream.readline(LINE)
    while line:
        if line.strip(DASHES) != boundary:
            line = stream.readline(LINE)
            continue
        length, t = _length(stream), now()
        if length is None:
            body, line = _until(boundary, stream)
        else:
            body, line = stream.read(length) if length <= MAX_BYTES else b"", None
        if body:
            yield Arrival(t, body)
        if line is None:  # only now: it may come with the next part
            line = stream.readline(LINE)


def _length(stream: Any) -> int | None:
    """The length that a part's head gives, if any; afterwards the body follows."""
    length = None
    while (line := stream.readline(LINE)).strip():
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            length = int(value.strip()[:20])
    return length


def _until(boundary: bytes, stream: Any) -> tuple[bytes, bytes]:
    """A body without a length, empty if it is no picture's; and the line that ended it."""
    body, line = bytearray(), stream.readline(LINE)
    while line and line.strip(DASHES) != boundary and len(body) <= MAX_BYTES:
        body += line
        line = stream.readline(LINE)
    return bytes(body) if line.strip(DASHES) == boundary or not line else b"", line


def _answer(address: Address, silence: float) -> Any:
    passwords = HTTPPasswordMgrWithDefaultRealm()
    if address.has_login:
        passwords.add_password(None, address.url, address.user, address.password or "")
    login = (HTTPDigestAuthHandler(passwords), HTTPBasicAuthHandler(passwords))
    try:
        return build_opener(ProxyHandler({}), *login).open(address.url, timeout=silence)
    except HTTPError as error:
        with error:
            raise address.refused(error.code) from None
    except URLError as error:
        reason = error.reason if isinstance(error.reason, BaseException) else error
        raise address.unreachable(reason) from None
    except (OSError, HTTPException, ValueError) as error:  # ValueError: a kind of login that urllib does not know
        raise address.unreachable(error) from None


class RtspStream:
    """RTSP over TCP. FFmpeg decodes every picture, since most depend on those before; only wanted ones are converted
    and copied."""

    def __init__(self, address: Address, silence: float, now: Callable[[], float]) -> None:
        """Connect; see `MjpegStream`. Raises `DeviceNotFound`."""
        self._now = now
        self._closed = threading.Event()
        limit = round(1000 * silence)
        options = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, limit, cv2.CAP_PROP_READ_TIMEOUT_MSEC, limit, *ONE_THREAD]
        # with FFmpeg named, OpenCV tries no other reader, which would log the address with its password
        self._capture = cv2.VideoCapture(address.with_login, cv2.CAP_FFMPEG, options)
        if not self._capture.isOpened():
            self._capture.release()
            raise _rtsp_refusal(address, silence)

    def arrivals(self, wanted: Wanted) -> Iterator[Arrival]:
        """See `MjpegStream`."""
        try:
            while not self._closed.is_set() and self._capture.grab():
                t = self._now()
                arrived, picture = self._capture.retrieve() if wanted() else (False, None)
                yield Arrival(t, np.asarray(picture, np.uint8) if arrived else None)
        finally:
            self._capture.release()

    def close(self) -> None:
        """See `MjpegStream`."""
        self._closed.set()


def _rtsp_refusal(address: Address, silence: float) -> DeviceNotFound:
    """Why a video can't be opened, which OpenCV does not say: the server's own answer."""
    try:
        with socket.create_connection((address.host, address.port or RTSP_PORT), silence) as link:
            link.settimeout(silence)
            link.sendall(f"DESCRIBE {address.url} RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n\r\n".encode())
            answer = STATUS.match(link.recv(LINE))
    except OSError as error:
        return address.unreachable(error)
    status = int(answer[1]) if answer else 0
    if status == 401 and address.has_login:  # it asks everybody first, so this is not yet its answer to the login
        return address.error(
            "asks for a login and then shows no video: compare user name, password, and the address's end with the app."
        )
    if answer and status != 200:
        return address.refused(status)
    return address.error("answers, but shows no video: choose H.264 in the app, and compare the address with its own.")
