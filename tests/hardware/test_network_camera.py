"""Cameras in the network, against real senders: sockets of this process, and ffmpeg."""

import errno
import io
import itertools
import logging
import re
import shutil
import socket
import ssl
import subprocess
import threading
import time
from contextlib import closing
from itertools import islice

import cv2
import numpy as np
import pytest

from hardware.catalogue import camera, parse_camera, split_password
from hardware.devices import ManualClock, SystemClock
from hardware.errors import DeviceLost, DeviceNotFound
from hardware.network_camera import NetworkCamera
from hardware.network_streams import Address, parts
from tests.hardware.camera_contract import LosableCameraContract, card
from tests.hardware.network_senders import CARDS, SIZE, MjpegSender, RtspSender, part
from tests.waiting import PATIENCE, eventually, free_port

PASSWORD = "tr0ub4dor@/:3"
WRITTEN = "tr0ub4dor%40%2F%3A3"  # in an address


class NetworkBench:
    def __init__(self, sender):
        self.sender = sender
        self.camera = NetworkCamera(sender.address, SystemClock(), silence=PATIENCE)
        self.restore = sender.restore

    def lose(self):
        self.sender.lose()

    def close(self):
        self.camera.close()
        self.sender.close()


class TestMjpegCamera(LosableCameraContract):
    advice = "Wi-Fi"

    def make(self):
        return NetworkBench(MjpegSender())


class RtspBench(NetworkBench):
    def lose(self):
        """Until FFmpeg has decoded what had arrived."""
        self.sender.lose()
        eventually(lambda: self.camera._newest._ended)


class TestRtspCamera(LosableCameraContract):
    advice = "Wi-Fi"

    def make(self):
        return RtspBench(RtspSender())


@pytest.fixture
def sender():
    with closing(MjpegSender()) as sender:
        yield sender


@pytest.fixture
def rtsp():
    with closing(RtspSender()) as sender:
        yield sender


def opened(sender, clock=None):
    return closing(NetworkCamera(sender.address, clock or SystemClock(), silence=PATIENCE))


def grow_impatient(camera):
    """Soon call the sender lost; connecting may take its time."""
    camera._silence = 0.2


def shown(frame):
    """The card's number, by its white square."""
    full = frame.full()
    row = full[full.shape[0] // 2 + SIZE[0] // 32].astype(int).sum(1)
    return int(np.flatnonzero(row > 700).mean() // (SIZE[0] // 16))


@pytest.mark.parametrize("length", [True, False])
@pytest.mark.parametrize("boundary", [b"frame", b"--frame"])
def test_parts_are_found_whatever_stands_between_them_and_with_or_without_their_length(length, boundary):
    """Some senders give the boundary with its dashes."""
    pictures = [b"\xff\xd8one\r\n\xff\xd9", b"\xff\xd8--frame of\ntwo\xff\xd9", b"\xff\xd8three\xff\xd9"]
    noise = b"welcome\r\n\r\n--fram\r\n"
    sent = io.BytesIO(noise + b"\r\n".join(part(one, boundary, length=length) for one in pictures) + b"--frame--\r\n")
    clock = ManualClock(5.0)
    found = list(parts(sent, b"frame", clock.now))
    assert [one.picture.removesuffix(b"\r\n").removesuffix(b"\r\n") for one in found] == pictures
    assert {one.t for one in found} == {5.0}


@pytest.mark.parametrize("length", [b"99999999999999999999", b"-5", b"many", b"3"])
def test_a_wrong_length_costs_its_part_alone(length):
    wrong = b"--frame\r\nContent-Length: %s\r\n\r\n\xff\xd8one\xff\xd9\r\n" % length
    found = list(parts(io.BytesIO(wrong + part(b"\xff\xd8two\xff\xd9")), b"frame", lambda: 0.0))
    assert found[-1].picture == b"\xff\xd8two\xff\xd9"


def test_a_frame_is_the_newest_picture_whatever_was_sent_in_between(sender):
    """More than the system's buffers hold, so that a reader that pauses would hold up the sender."""
    noise = np.random.default_rng(1).integers(0, 256, (1200, 1600, 3), np.uint8)
    large = cv2.imencode(".jpg", noise, [cv2.IMWRITE_JPEG_QUALITY, 100])[1].tobytes()
    count = 12
    assert count * len(large) > 40_000_000
    last = cv2.imencode(".jpg", 255 - noise)[1].tobytes()
    going = threading.Event()

    def stream():
        yield part(large)
        going.wait()
        yield from itertools.repeat(part(large), count)
        yield part(last)

    sender.stream, sender.pace = stream, 0
    with opened(sender) as camera:
        frames = camera.frames()
        next(frames)
        going.set()
        eventually(lambda: camera.describe()["arrived"] == count + 2)
        frame = next(frames)
        assert frame.number == count + 1
        assert np.array_equal(frame.full(), cv2.imdecode(np.frombuffer(last, np.uint8), cv2.IMREAD_COLOR))
        assert camera.dropped == count


def test_a_frames_time_is_that_of_its_first_byte(sender):
    rest = threading.Event()

    def stream():
        yield part(CARDS[0])[:500]
        rest.wait()
        yield part(CARDS[0])[500:]

    class Clock(ManualClock):
        def now(self):
            rest.set()
            self.t += 1.0
            return self.t

    sender.stream = stream
    with opened(sender, clock=Clock(100.0)) as camera:
        assert next(camera.frames()).t == 101.0


def test_pictures_that_are_cut_off_or_no_pictures_are_left_out(sender):
    good, cut, none = part(CARDS[3]), part(CARDS[4][:-3000]), part(b"\xff\xd8 no picture \xff\xd9")

    def stream():
        yield good
        for number, bad in enumerate((cut, none, part(b"text")), start=1):
            eventually(lambda: camera.describe()["arrived"] == number and taken)  # noqa: B023
            yield bad
            eventually(lambda: camera.undecodable == number)  # noqa: B023
        yield good

    sender.stream = stream
    with opened(sender) as camera:
        frames, taken = camera.frames(), []
        taken.append(next(frames))
        taken.append(next(frames))
        assert [(frame.number, shown(frame)) for frame in taken] == [(0, 3), (4, 3)]
        assert camera.dropped == 3


def test_a_sender_of_bad_pictures_alone_is_lost(sender):
    sender.stream = lambda: itertools.chain([part(CARDS[0])], itertools.repeat(part(CARDS[0][:-9])))
    with opened(sender) as camera:
        frames = camera.frames()
        next(frames)
        grow_impatient(camera)
        with pytest.raises(DeviceLost, match="cut off"):
            next(frames)


@pytest.mark.parametrize("drips", [False, True])
def test_a_sender_that_hangs_or_drips_is_lost_and_found_again(sender, drips):
    rest = [bytes([byte]) for byte in part(CARDS[6])] if drips else []
    sender.stream = lambda: iter([part(CARDS[5]), *rest])
    with opened(sender) as camera:
        frames = camera.frames()
        first = next(frames)
        grow_impatient(camera)
        with pytest.raises(DeviceLost, match="sends no more pictures"):
            next(frames)
        sender.stream = lambda: iter([part(CARDS[7])])
        camera._silence = PATIENCE
        again = next(camera.frames())
        assert (shown(first), shown(again)) == (5, 7)
        assert again.number > first.number


def test_pictures_of_another_size_are_refused_until_it_is_the_first_again(sender):
    """The board's place in the picture is known in pixels."""
    turned = cv2.imencode(".jpg", card(0, SIZE[::-1]))[1].tobytes()
    with opened(sender) as camera:
        next(camera.frames())
        cards, sender.stream = sender.stream, lambda: itertools.repeat(part(turned))
        with pytest.raises(DeviceLost, match="480 x 640 now, and sent 640 x 480 before: turn the phone"):
            next(camera.frames())
        sender.stream = cards
        next(camera.frames())


@pytest.mark.parametrize("size", [(1280, 960), (1920, 1080), (800, 600), (320, 240), (200, 150)])
def test_small_pictures_have_one_size_however_large_the_full_ones_are(sender, size):
    jpeg = cv2.imencode(".jpg", card(3, size))[1].tobytes()
    sender.stream = lambda: itertools.repeat(part(jpeg))
    with opened(sender) as camera:
        for frame in islice(camera.frames(), 2):
            assert frame.full().shape == (size[1], size[0], 3)
            assert frame.small.shape == (round(320 * size[1] / size[0]), 320)


def test_it_has_settled_when_its_pictures_keep_their_colour(sender):
    class Clock(ManualClock):
        def now(self):
            self.t += 0.25
            return self.t

    sender.stream = lambda: itertools.repeat(part(CARDS[0]))
    with opened(sender, clock=Clock()) as camera:
        frames = camera.frames()
        next(frames)
        assert not camera.settled
        list(islice(frames, 10))
        assert camera.settled


def test_closing_does_not_wait_for_a_sender_that_hangs(sender):
    sender.stream = lambda: iter([part(CARDS[0])])
    with opened(sender) as camera:
        frames = camera.frames()
        next(frames)
        threading.Timer(0.05, camera.close).start()
        began = time.monotonic()
        assert list(frames) == []
        assert time.monotonic() - began < PATIENCE / 2


# Names, logins and passwords


@pytest.mark.parametrize(
    ("name", "without", "password"),
    [
        (f"http://me:{WRITTEN}@phone:8080/video", "http://me@phone:8080/video", PASSWORD),
        ("https://me:@phone/", "https://me@phone/", ""),
        ("rtsp://me:p@ss/w#rd?@phone/live", "rtsp://me@phone/live", "p@ss/w#rd?"),  # not written with %40 and so on
        ("htpp://me:secret@phone/", "htpp://me@phone/", "secret"),
        ("http:/me:secret@phone/", "http:/me@phone/", "secret"),
        (" http://me:secret@phone/\t", "http://me@phone/", "secret"),
        ("rtsp://me@phone/live", "rtsp://me@phone/live", None),
        ("http://phone:8080/video", "http://phone:8080/video", None),
        ("folder:/home/a:b@c", "folder:/home/a:b@c", None),
    ],
)
def test_a_password_is_taken_out_of_the_address(name, without, password):
    assert split_password(name) == (without, password)
    if password and name.strip().startswith(("http:", "rtsp:")):
        assert password not in repr(parse_camera(name))


@pytest.mark.parametrize("digest", [False, True])
def test_a_login_is_given_to_who_asks_for_it(sender, digest):
    sender.login, sender.digest = ("me", PASSWORD), digest
    opened = camera(f"http://me:{WRITTEN}@127.0.0.1:{sender.port}/video", SystemClock())
    with closing(opened):
        assert shown(next(opened.frames())) in range(16)


def test_rtsp_logs_in(rtsp):
    rtsp.login = ("me", PASSWORD)
    opened = camera(rtsp.address.replace("//", "//me@"), SystemClock(), password=PASSWORD)
    with closing(opened):
        assert shown(next(opened.frames())) in range(16)


@pytest.mark.parametrize(
    ("kind", "login", "words"),
    [
        (MjpegSender, ("you", "other"), r"does not accept the user name or the password \(401\)"),
        (RtspSender, ("you", "other"), "asks for a login and then shows no video"),
        (None, None, "refuses the connection"),
    ],
)
@pytest.mark.parametrize("digest", [False, True])
def test_no_message_and_no_log_shows_the_password(kind, login, words, digest, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    sender = kind() if kind else None
    port = sender.port if sender else free_port()
    if sender:
        sender.login, sender.digest = login, digest
    scheme = "rtsp" if kind is RtspSender else "http"
    opened = camera(f"{scheme}://me:{WRITTEN}@127.0.0.1:{port}/video", SystemClock())
    with closing(opened), pytest.raises(DeviceNotFound, match=words) as error:
        next(opened.frames())
    if sender:
        sender.close()
    said = capfd.readouterr()
    texts = [
        str(error.getrepr(style="long", showlocals=False)),
        caplog.text,
        said.out,
        said.err,
        repr(opened.describe()),
    ]
    for secret in (PASSWORD, WRITTEN, "tr0ub4dor"):
        assert not [text for text in texts if secret in text]
    assert f"{scheme}://me@127.0.0.1:{port}/video" in str(error.value)


# Wrong addresses


PAGE = "HTTP/1.0 200 OK\r\nContent-Type: {}\r\n\r\nhello"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("HTTP/1.0 404 No\r\n\r\n", r"no video under this address \(404\)"),
        ("HTTP/1.0 401 Who\r\n\r\n", r"asks for a login \(401\): .*http://name@127\.0\.0\.1:\d+/\.\."),
        ("HTTP/1.0 503 Busy\r\n\r\n", "answers with error 503: .*close what else watches"),
        (PAGE.format("text/html"), "sends text/html, not MJPEG video"),
        (PAGE.format("image/jpeg"), "sends image/jpeg, not MJPEG video"),
        (PAGE.format("multipart/x-mixed-replace"), "sends multipart/x-mixed-replace, not MJPEG video"),  # no boundary
        ("SSH-2.0-OpenSSH_9.2\r\n", "not as a web server does"),
        ("", "not as a web server does|can't be reached"),
    ],
)
def test_what_is_no_video_is_named(sender, answer, words):
    sender.answer, sender.stream, sender.ends = answer.encode(), lambda: iter(()), True
    with opened(sender) as camera, pytest.raises(DeviceNotFound, match=words):
        next(camera.frames())


def test_https_where_none_is_spoken_is_named(sender):
    def answer(connection, _):
        connection.recv(1)
        connection.sendall(b"HTTP/1.0 400 Bad Request\r\n\r\n")

    sender.serve = answer
    camera = NetworkCamera(sender.address.replace("http:", "https:"), SystemClock(), silence=PATIENCE)
    with closing(camera), pytest.raises(DeviceNotFound, match=r"by https \(.+\): write http://"):
        next(camera.frames())


@pytest.mark.parametrize(
    ("status", "words"),
    [("404 Not Found", r"no video .*\(404\)"), ("401 Unauthorized", "asks for a login"), ("200 OK", "choose H.264")],
)
def test_what_is_no_rtsp_video_is_named(rtsp, status, words):
    rtsp.status, rtsp.media = status, "99\r\na=rtpmap:99 NOTHING/90000"
    rtsp.packets = lambda: iter(())
    with opened(rtsp) as camera, pytest.raises(DeviceNotFound, match=words):
        next(camera.frames())


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (socket.gaierror(-2, "Name or service not known"), "not found by its name"),
        (ConnectionRefusedError(errno.ECONNREFUSED, "refused"), "start the video server"),
        (TimeoutError("timed out"), "wake the phone"),
        (OSError(errno.EHOSTUNREACH, "No route to host"), "into the same network"),
        (OSError(errno.EMFILE, "Too many open files"), r"can't be reached \(Too many open files\)"),
        (ssl.SSLCertVerificationError(1, "[SSL: X] self-signed"), r"by https \(no tls\).*certificate"),
    ],
)
def test_each_reason_says_what_to_do(error, words):
    assert re.search(words, str(Address("http://phone/", None).unreachable(error)))


@pytest.mark.parametrize(
    "name", ["http://", "http:phone", "http:/phone/", "http://phone:many/", "http://a b/", "rtsp:/x"]
)
def test_what_is_no_address_is_refused(name):
    with pytest.raises(DeviceNotFound, match=r"is not an address|does not say which"):
        camera(name, ManualClock())


# A real sender


@pytest.fixture
def ffmpeg():
    """Starts ffmpeg with a test picture that moves, as a phone encodes it."""
    program = shutil.which("ffmpeg")
    if program is None:
        pytest.skip("ffmpeg is not installed: sudo apt install ffmpeg")
    running = []

    def start(*output):
        source = ["-re", "-f", "lavfi", "-i", "testsrc=size=1280x960:rate=30"]
        command = [program, "-loglevel", "error", *source, "-pix_fmt", "yuvj420p", *output]
        running.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        return running[-1]

    yield start
    for one in running:
        one.kill()
        one.wait()


def first_frames(camera):
    """Frames as soon as the sender listens."""
    opened = []

    def listens():
        try:
            frames = camera.frames()
            opened.extend((frames, next(frames)))
        except DeviceNotFound:
            return False
        return True

    eventually(listens)
    return opened[0], opened[1]


def test_ffmpeg_is_read_over_http_and_again_after_it_was_stopped(ffmpeg):
    url = f"http://127.0.0.1:{free_port()}/video"
    multipart = "multipart/x-mixed-replace;boundary=ffmpeg"
    serve = ("-f", "mpjpeg", "-q:v", "3", "-listen", "1", "-content_type", multipart, url)
    with closing(NetworkCamera(url, SystemClock(), silence=PATIENCE)) as camera:
        sender = ffmpeg(*serve)
        frames, first = first_frames(camera)
        assert first.full().shape == (960, 1280, 3)
        moving = next(frames)
        assert (moving.full() != first.full()).any()
        sender.kill()
        with pytest.raises(DeviceLost):
            list(islice(frames, 50))
        sender.wait()
        ffmpeg(*serve)
        _, again = first_frames(camera)
        assert again.number > moving.number


def test_h264_of_ffmpeg_is_read_over_rtsp(ffmpeg, rtsp):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as packets:
        packets.bind(("127.0.0.1", 0))
        packets.settimeout(10)
        encoder = ("-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g", "10")
        ffmpeg(*encoder, "-f", "rtp", f"rtp://127.0.0.1:{packets.getsockname()[1]}?pkt_size=1200")
        rtsp.media = "96\r\na=rtpmap:96 H264/90000\r\na=fmtp:96 packetization-mode=1"
        rtsp.packets, rtsp.pace = lambda: (packets.recv(2000) for _ in itertools.count()), 0
        with opened(rtsp) as camera:
            one, other = islice(camera.frames(), 2)
            assert one.full().shape == (960, 1280, 3)
            assert (one.full() != other.full()).any()
        rtsp.lose()
