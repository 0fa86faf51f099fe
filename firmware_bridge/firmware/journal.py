"""The unit's journal: each event is stored before it is sent, and stays until the host has it on disk.

Runs on the microcontroller. The store holds records of one size, each with its checksum; a record that a power cut
tore is skipped when the unit restarts. Sequence numbers continue across reboots; a full journal keeps the oldest
events, counts the others and still gives them numbers, so that the host notices which are missing.
"""

import binascii
import os
import struct
from collections import namedtuple

try:  # noqa: SIM105  MicroPython has no contextlib either
    from collections.abc import Iterable, Iterator
except ImportError:  # MicroPython has no types
    pass

Entry = namedtuple("Entry", ("sequence", "boot", "time_us", "occupied", "tint"))

CAPACITY = 256  # waiting events: 37 rounds of two players with 1.7 twenties each, as in real games
COMPACT_AT = 512  # records, 17 kB of flash: the store's size at which it is rewritten
LOCKOUT_US, ACTIVE_LOW = 20_000, 1  # until a host sets others

NO_TINT = (0, 0, 0, 0)  # clear, red, green, blue

RECORD = "<BIIIQB4H"  # mark, three numbers, a time, the hole's level, a tint
RECORD_SIZE = struct.calcsize(RECORD) + 4
HEAD, EVENT, DROP, SETTINGS = 0xC1, 0xC2, 0xC3, 0xC4


class Store:
    """Records that survive a reboot. This one is in memory, for tests and for the simulated unit. They are read and
    written one by one: a microcontroller's memory can't hold them all."""

    def __init__(self) -> None:
        self.data = b""

    def records(self) -> "Iterator[bytes]":
        """All records, the oldest first; the last one may be torn."""
        for at in range(0, len(self.data), RECORD_SIZE):
            yield self.data[at : at + RECORD_SIZE]

    def append(self, data: bytes) -> None:
        """Append a record; it is stored when this returns. Raises OSError."""
        self.data += data

    def replace(self, records: "Iterable[bytes]") -> None:
        """Replace all records, or none. Raises OSError."""
        self.data = b"".join(records)


class FileStore(Store):
    """A file in the microcontroller's flash; its file system (littlefs) renames atomically."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path

    def records(self) -> "Iterator[bytes]":
        """All records, the oldest first; none if there is no file yet."""
        try:
            with open(self.path, "rb") as f:
                while record := f.read(RECORD_SIZE):
                    yield record
        except OSError:
            return

    def append(self, data: bytes) -> None:
        """Append a record; closing the file writes it to flash."""
        with open(self.path, "ab") as f:
            f.write(data)

    def replace(self, records: "Iterable[bytes]") -> None:
        """Write another file, then rename it."""
        with open(self.path + ".new", "wb") as f:
            for record in records:
                f.write(record)
        os.rename(self.path + ".new", self.path)


class Journal:
    """Reads the store when the unit starts, then adds to it."""

    def __init__(self, store: Store, fresh_stream: int, capacity: int = CAPACITY) -> None:
        """`fresh_stream`: a random name for the stream if the store is empty or its head is lost. `capacity`: how many
        events may wait."""
        self.stream = fresh_stream
        self.next = 1
        self.dropped = 0
        self.occupied = 0
        self.lockout_us = LOCKOUT_US
        self.active_low = ACTIVE_LOW
        self.pending: list[Entry] = []
        self.damaged = False  # a record's checksum was wrong
        self.writable = True
        self._store = store
        self._capacity = capacity
        self._records = 0
        self._load()
        self._compact()

    @property
    def oldest(self) -> int:
        """The sequence number of the first waiting event; `next` if none waits."""
        return self.pending[0].sequence if self.pending else self.next

    def record(self, boot: int, time_us: int, occupied: int, tint: tuple[int, ...] = NO_TINT) -> None:
        """Store an event under the next sequence number."""
        sequence = self.next
        self.next += 1
        self.occupied = occupied
        oldest = self.oldest
        if len(self.pending) < self._capacity:
            self.pending.append(Entry(sequence, boot, time_us, occupied, tint))
            self._append(EVENT, sequence, boot, min(oldest, sequence), time_us, occupied, tint)
        else:
            self.dropped += 1
            self._append(DROP, sequence, 0, oldest, 0, occupied)

    def acknowledge(self, sequence: int) -> None:
        """Forget the events up to `sequence`. The next record stores that."""
        while self.pending and self.pending[0].sequence <= sequence:
            self.pending.pop(0)
        self.next = max(self.next, sequence + 1)  # numbers that the host has seen are never reused

    def settle(self, lockout_us: int, active_low: int) -> None:
        """Keep these settings for the next start."""
        if (lockout_us, active_low) != (self.lockout_us, self.active_low):
            self.lockout_us = lockout_us
            self.active_low = active_low
            self._append(SETTINGS, lockout_us, 0, 0, 0, active_low)

    def _append(
        self, mark: int, a: int, b: int, c: int, time_us: int, level: int, tint: tuple[int, ...] = NO_TINT
    ) -> None:
        try:
            if self._records >= COMPACT_AT:
                self._compact()  # which includes the new record
            else:
                self._store.append(_sealed(mark, a, b, c, time_us, level, tint))
                self._records += 1
                self.writable = True
        except OSError:
            self.writable = False
            self._records = COMPACT_AT  # it may end with half a record: rewrite it next time

    def _compact(self) -> None:
        try:
            self._store.replace(self._needed())
            self._records = 2 + len(self.pending)
            self.writable = True
        except OSError:
            self.writable = False

    def _needed(self) -> "Iterator[bytes]":
        yield _sealed(HEAD, self.stream, self.next, self.dropped, 0, self.occupied)
        yield _sealed(SETTINGS, self.lockout_us, 0, 0, 0, self.active_low)
        for entry in self.pending:
            yield _sealed(EVENT, entry.sequence, entry.boot, self.oldest, entry.time_us, entry.occupied, entry.tint)

    def _load(self) -> None:
        head, empty = False, True
        for record in self._store.records():
            empty = False
            body = record[:-4]
            if len(record) < RECORD_SIZE:
                continue  # torn by a power cut: the last one, which was never sent
            if binascii.crc32(body) != int.from_bytes(record[-4:], "little"):
                self.damaged = True
                continue
            mark, a, b, c, time_us, level, *tint = struct.unpack(RECORD, body)
            if mark == HEAD:
                head = True
                self.stream, self.next, self.dropped, self.occupied = a, b, c, level
            elif mark == SETTINGS:
                self.lockout_us, self.active_low = a, level
            elif mark == EVENT:
                self.acknowledge(c - 1)
                self.pending.append(Entry(a, b, time_us, level, tuple(tint)))
                self.next, self.occupied = max(self.next, a + 1), level
            elif mark == DROP:
                self.acknowledge(c - 1)
                self.dropped += 1
                self.next, self.occupied = max(self.next, a + 1), level
        if not empty and not head:
            self.damaged = True


def _sealed(mark: int, a: int, b: int, c: int, time_us: int, level: int, tint: tuple[int, ...] = NO_TINT) -> bytes:
    body = struct.pack(RECORD, mark, a, b, c, time_us, level, *tint)
    return body + binascii.crc32(body).to_bytes(4, "little")
