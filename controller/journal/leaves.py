"""Recovers rows from a SQLite file that SQLite can no longer read: from every page that is still a table leaf,
whatever happened to the pages that lead to it. The format: https://www.sqlite.org/fileformat2.html"""

import mmap
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path

Value = None | int | float | str | bytes
Row = tuple[int, list[Value]]  # a row's number and its columns
USUAL_PAGE = 4096  # bytes, if the header can't be read
TABLE_LEAF = 0x0D
FRAME = 24  # bytes of a frame's header in the log
LOG_MAGIC = (0x377F0682, 0x377F0683)
INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # bytes by serial type
CONSTANTS = {0: None, 8: 0, 9: 1}
MAX_PAGES = 100_000  # of one row: 400 MB, more than any picture


def rows_of(journal: Path) -> Iterator[Row]:
    """The rows of all tables: those of the file, then those of its log, the newest last. Raises `OSError`."""
    if not journal.stat().st_size:
        return
    with journal.open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as data:
        size = _page_size(data[:100])
        log = list(_log_pages(journal.with_name(f"{journal.name}-wal"), size))
        newest = dict(log)

        def stored(number: int) -> bytes:
            if not 0 < number <= len(data) // size:
                raise IndexError(number)
            return data[(number - 1) * size : number * size]

        def page(number: int) -> bytes:
            return newest[number] if number in newest else stored(number)

        free = _free_pages(page)
        stored_pages = ((number, stored(number)) for number in range(1, len(data) // size + 1))
        for number, content in chain(stored_pages, log):
            if number not in free:
                yield from _leaf_rows(content, page, 100 if number == 1 else 0)


def _page_size(data: bytes) -> int:
    size = int.from_bytes(data[16:18], "big")
    size = 65536 if size == 1 else size
    return size if size >= 512 and size & (size - 1) == 0 else USUAL_PAGE


def _log_pages(log: Path, size: int) -> Iterator[tuple[int, bytes]]:
    """The pages in the write-ahead log, up to its last complete transaction."""
    data = log.read_bytes() if log.exists() else b""
    if len(data) < 32 or int.from_bytes(data[:4], "big") not in LOG_MAGIC:
        return
    salt, waiting = data[16:24], []
    for start in range(32, len(data) - FRAME - size + 1, FRAME + size):
        number, commit = struct.unpack(">II", data[start : start + 8])
        if data[start + 8 : start + 16] != salt:
            return
        waiting.append((number, data[start + FRAME : start + FRAME + size]))
        if commit:
            yield from waiting
            waiting.clear()


def _free_pages(page: Callable[[int], bytes]) -> set[int]:
    """The free pages, whose rows were deleted and must stay so."""
    free: set[int] = set()
    with suppress(IndexError, struct.error):
        (trunk,) = struct.unpack(">I", page(1)[32:36])
        while trunk and trunk not in free:
            free.add(trunk)
            content = page(trunk)
            trunk, count = struct.unpack(">II", content[:8])
            free.update(struct.unpack(f">{count}I", content[8 : 8 + 4 * count]))
    return free


def _leaf_rows(content: bytes, page: Callable[[int], bytes], begin: int) -> Iterator[Row]:
    """The intact rows of a page, if it is a leaf of a table."""
    if content[begin] != TABLE_LEAF:
        return
    (count,) = struct.unpack(">H", content[begin + 3 : begin + 5])
    for place in range(begin + 8, min(begin + 8 + 2 * count, len(content) - 1), 2):
        with suppress(IndexError, ValueError, struct.error):
            yield _cell(content, int.from_bytes(content[place : place + 2], "big"), page)


def _cell(content: bytes, at: int, page: Callable[[int], bytes]) -> Row:
    length, at = _varint(content, at)
    number, at = _varint(content, at)
    most = len(content) - 35
    if length <= most:
        payload = content[at : at + length]
    else:
        least = (len(content) - 12) * 32 // 255 - 23
        here = least + (length - least) % (len(content) - 4)
        here = here if here <= most else least
        payload = content[at : at + here]
        payload += _overflow(content[at + here : at + here + 4], length - here, page)
    if len(payload) != length:
        raise ValueError("the cell is cut off")
    return number, list(_columns(payload))


def _overflow(pointer: bytes, length: int, page: Callable[[int], bytes]) -> bytes:
    found = bytearray()
    for _ in range(MAX_PAGES):
        (number,) = struct.unpack(">I", pointer)
        if length <= len(found) or not number:
            break
        content = page(number)
        pointer, found = content[:4], found + content[4:]
    return bytes(found[:length])


def _columns(payload: bytes) -> Iterator[Value]:
    end, at = _varint(payload, 0)
    types = []
    while at < end:
        kind, at = _varint(payload, at)
        types.append(kind)
    for kind in types:
        value, at = _value(payload, kind, at)
        yield value


def _value(payload: bytes, kind: int, at: int) -> tuple[Value, int]:
    if kind in INTEGERS:
        size = INTEGERS[kind]
        return int.from_bytes(payload[at : at + size], "big", signed=True), at + size
    if kind == 7:
        return float(struct.unpack(">d", payload[at : at + 8])[0]), at + 8
    if kind >= 12:
        size = (kind - 12) // 2
        found = payload[at : at + size]
        if len(found) != size:
            raise ValueError("the column is cut off")
        return found if kind % 2 == 0 else found.decode(), at + size
    if kind not in CONSTANTS:
        raise ValueError(f"there is no type {kind}")
    return CONSTANTS[kind], at


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for k in range(9):
        byte = data[at + k]
        if k == 8:
            return _signed(value << 8 | byte), at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + k + 1
    raise AssertionError


def _signed(value: int) -> int:
    return value - 2**64 if value >= 2**63 else value
