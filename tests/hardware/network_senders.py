"""Cameras in the network, on real sockets: MJPEG over HTTP, and RTSP with JPEG in RTP (RFC 2435). They misbehave on
request."""

import hashlib
import itertools
import re
import socket
import struct
import threading
from base64 import b64decode
from contextlib import suppress

import cv2

from tests.hardware.camera_contract import card

PACE = 0.01  # s between pictures
SIZE = (640, 480)
CARDS = [cv2.imencode(".jpg", card(number, SIZE), [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes() for number in range(16)]


def part(picture, boundary=b"frame", *, length=True):
    size = b"Content-Length: %d\r\n" % len(picture) if length else b""
    return b"--%s\r\nContent-Type: image/jpeg\r\n%s\r\n%s\r\n" % (boundary, size, picture)


class Sender:
    """Listens on one port, again after `lose` and `restore`."""

    def __init__(self):
        with socket.create_server(("127.0.0.1", 0)) as chosen:
            self.port = chosen.getsockname()[1]
        self.login = None  # user name and password
        self.restore()

    def serve(self, connection, sending):
        raise NotImplementedError

    def restore(self):
        self._lost = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self._connections = []
        threading.Thread(target=self._accept, args=(self._listener, self._lost), daemon=True).start()

    def lose(self):
        self._lost.set()
        for one in (self._listener, *self._connections):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    close = lose

    def _accept(self, listener, lost):
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                self._connections.append(connection)
                threading.Thread(target=self._answer, args=(connection, lost), daemon=True).start()

    def _answer(self, connection, lost):
        with suppress(OSError), connection:
            self.serve(connection, lost)


def request(connection):
    """The next request, up to its blank line; empty at the end."""
    received = b""
    while not received.endswith(b"\r\n\r\n"):
        if not (byte := connection.recv(1)):
            return ""
        received += byte
    return received.decode()


class MjpegSender(Sender):
    """A phone's camera app. `answer` and `stream` are what it sends; by default test cards at a steady pace."""

    def __init__(self):
        self.answer = b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n"
        self.stream = lambda: map(part, itertools.cycle(CARDS))
        self.pace = PACE
        self.ends = False  # whether the connection is closed after the stream
        self.digest = False
        super().__init__()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}/video"

    def serve(self, connection, lost):
        asked = request(connection)
        if self.login is not None and not self._may(asked):
            kind = 'Digest realm="phone", nonce="n0", qop="auth"' if self.digest else 'Basic realm="phone"'
            connection.sendall(f"HTTP/1.0 401 Who\r\nWWW-Authenticate: {kind}\r\nContent-Length: 0\r\n\r\n".encode())
            return
        connection.sendall(self.answer)
        for piece in self.stream():
            connection.sendall(piece)
            if lost.wait(self.pace):
                return
        if not self.ends:
            lost.wait()

    def _may(self, asked):
        user, password = self.login
        if not self.digest:
            found = re.search(r"Authorization: Basic (\S+)", asked)
            return found is not None and b64decode(found[1]).decode() == f"{user}:{password}"
        given = dict(re.findall(r'(\w+)="?([^",\r]+)', asked.partition("Authorization: Digest ")[2]))
        if not given:
            return False
        secret, uri = (_md5(text) for text in (f"{user}:phone:{password}", f"GET:{given['uri']}"))
        return given["response"] == _md5(f"{secret}:n0:{given['nc']}:{given['cnonce']}:auth:{uri}")


def _md5(text):
    return hashlib.md5(text.encode()).hexdigest()


class RtspSender(Sender):
    """An IP camera: RTP in the RTSP connection, as FFmpeg asks for it. `packets` are its RTP packets."""

    def __init__(self, media="26"):
        self.media = media  # the SDP's payload type, perhaps with lines of attributes
        self.packets = jpeg_packets
        self.pace = PACE
        self.silent = threading.Event()
        self.status = "200 OK"
        super().__init__()

    @property
    def address(self):
        return f"rtsp://127.0.0.1:{self.port}/live"

    def serve(self, connection, lost):
        while asked := request(connection):
            method = asked.partition(" ")[0]
            found = re.search(r"CSeq: (\d+)", asked)
            status, headers, body = self._reply(method, asked)
            connection.sendall(
                f"RTSP/1.0 {status}\r\nCSeq: {found[1]}\r\n{headers}Content-Length: {len(body)}\r\n\r\n{body}".encode()
            )
            if method == "PLAY":
                break
        for packet in self.packets():
            connection.sendall(b"$\0" + struct.pack(">H", len(packet)) + packet)
            if packet[1] & 0x80 and (lost.wait(self.pace) or self.silent.is_set()):  # the marker: a picture's last one
                lost.wait()

    def _reply(self, method, asked):
        if self.login is not None and method != "OPTIONS":
            found = re.search(r"Authorization: Basic (\S+)", asked)
            if found is None or b64decode(found[1]).decode() != ":".join(self.login):
                return "401 Unauthorized", 'WWW-Authenticate: Basic realm="camera"\r\n', ""
        match method:
            case "DESCRIBE":
                media = f"m=video 0 RTP/AVP {self.media}\r\na=control:track0\r\n"
                session = f"v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=board\r\nt=0 0\r\n{media}"
                return self.status, "Content-Type: application/sdp\r\n", session if self.status == "200 OK" else ""
            case "SETUP":
                return "200 OK", "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 1\r\n", ""
            case "PLAY":
                return "200 OK", "Session: 1\r\n", ""
        return "200 OK", "Public: DESCRIBE, SETUP, PLAY, TEARDOWN\r\n", ""


def jpeg_packets():
    """The cards for ever, 25 a second by their stamps, as RTP packets (RFC 2435: type 1, the tables in the first)."""
    sequence = 0
    for number, picture in enumerate(itertools.cycle(CARDS)):
        tables = b"".join(table[1:] for table in _segments(picture, 0xDB))
        (start,) = _segments(picture, 0xDA)
        scan = picture[picture.index(start) + len(start) : -2]
        for offset in range(0, len(scan), 1200):
            piece = scan[offset : offset + 1200]
            last = offset + 1200 >= len(scan)
            rtp = struct.pack(">BBHII", 0x80, 26 | (last << 7), sequence & 0xFFFF, 3600 * number & 0xFFFFFFFF, 7)
            head = struct.pack(">IBBBB", offset, 1, 255, SIZE[0] // 8, SIZE[1] // 8)
            quantization = struct.pack(">HH", 0, len(tables)) + tables if offset == 0 else b""
            sequence += 1
            yield rtp + head + quantization + piece


def _segments(picture, marker):
    """The contents of a JPEG's segments of one kind."""
    found, place = [], 2
    while picture[place] == 0xFF and picture[place + 1] != 0xD9:
        kind, length = picture[place + 1], int.from_bytes(picture[place + 2 : place + 4])
        if kind == marker:
            found.append(picture[place + 4 : place + 2 + length])
        if kind == 0xDA:
            break
        place += 2 + length
    return found
