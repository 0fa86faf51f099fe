"""What every `ByteLink` must do. A driver's test subclasses `ByteLinkContract` and gives a `Bench`."""

import threading
import time

import pytest

from hardware.errors import DeviceLost
from tests.hardware.benched import Benched

EVERY_BYTE = bytes(range(256))


def read_exactly(link, count):
    data = b""
    deadline = time.monotonic() + 10
    while len(data) < count and time.monotonic() < deadline:
        data += link.read(0.1)
    return data


class ByteLinkContract(Benched):
    """`make` gives a `link`, its far end (`send`, `received`), and a cable that can be pulled (`unplug`, `plug`)."""

    def test_a_read_returns_no_bytes_after_the_timeout(self, bench):
        assert bench.link.read(0.0) == b""
        began = time.monotonic()
        assert bench.link.read(0.05) == b""
        assert 0.04 < time.monotonic() - began < 5

    def test_every_byte_comes_through_unchanged_both_ways(self, bench):
        bench.link.read(0.0)
        bench.send(EVERY_BYTE)
        assert read_exactly(bench.link, 256) == EVERY_BYTE
        bench.link.write(EVERY_BYTE)
        received = b""
        while len(received) < 256:
            received += bench.received()
        assert received == EVERY_BYTE

    def test_a_waiting_read_returns_with_the_first_byte(self, bench):
        bench.link.read(0.0)
        later = threading.Timer(0.05, bench.send, [b"x"])
        later.start()
        began = time.monotonic()
        assert bench.link.read(20.0) == b"x"
        assert time.monotonic() - began < 10
        later.join()

    def test_a_long_stream_keeps_its_order(self, bench):
        bench.link.read(0.0)
        stream = EVERY_BYTE * 256
        sender = threading.Thread(target=bench.send, args=[stream])
        sender.start()
        assert read_exactly(bench.link, len(stream)) == stream
        sender.join()

    def test_a_pulled_cable_raises_device_lost_until_it_is_back(self, bench):
        bench.link.read(0.0)
        bench.unplug()
        for _ in range(3):
            with pytest.raises(DeviceLost, match=r"\w"):
                bench.link.read(0.01)
        with pytest.raises(DeviceLost):
            bench.link.write(b"x")
        bench.plug()
        assert bench.link.read(0.0) == b""
        bench.send(b"back")
        assert read_exactly(bench.link, 4) == b"back"

    def test_writing_first_notices_a_pulled_cable_too(self, bench):
        bench.link.write(b"hello")
        bench.unplug()
        with pytest.raises(DeviceLost):
            bench.link.write(b"x")

    def test_closing_twice_is_safe_and_nothing_opens_it_again(self, bench):
        bench.link.read(0.0)
        bench.link.close()
        bench.link.close()
        with pytest.raises(DeviceLost):
            bench.link.read(0.0)
        with pytest.raises(DeviceLost):
            bench.link.write(b"x")

    def test_closing_an_unused_link_is_safe(self, bench):
        bench.link.close()

    def test_closing_ends_a_waiting_read(self, bench):
        bench.link.read(0.0)
        ended = []

        def wait():
            try:
                ended.append(bench.link.read(30.0))
            except DeviceLost as error:
                ended.append(error)

        reader = threading.Thread(target=wait)
        reader.start()
        closer = threading.Timer(0.05, bench.link.close)
        closer.start()
        reader.join(10)
        closer.join(10)
        assert len(ended) == 1
        assert ended[0] == b"" or isinstance(ended[0], DeviceLost)
