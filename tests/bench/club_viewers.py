"""Many pages that listen to an evening's streams, until stdin ends: `tests.bench.club_viewers COUNT OUT PORT..`.

What each of them was told, and when by the machine's steady clock, is in the file OUT then.
"""

import asyncio
import json
import pickle
import sys
import time
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

AT_ONCE = 20  # that connect at one time
RETRY = 1.0  # s


def told(changes: Any) -> Iterator[str]:
    """What a change shows: how far a table's match is, or that it is over."""
    for board in changes["rows"].get("boards", ()):
        if board.get("now") and board["now"]["started"]:
            yield f"{board['now']['assignment']} {board['now']['event']}"
    for match in [*changes["rows"].get("matches", ()), *changes["members"].get("matches", ())]:
        if match.get("word") == "over":
            yield f"{match['id']} over"


class Viewers:
    """All of them, in one thread."""

    def __init__(self) -> None:
        self.arrived: dict[str, array[float]] = defaultdict(lambda: array("d"))
        self.counts: Counter[str] = Counter()
        self._connecting = asyncio.Semaphore(AT_ONCE)
        self._read: dict[bytes, list[str]] = {}

    async def view(self, port: int) -> None:
        """One page, which comes back whenever its stream ends."""
        while True:
            try:
                async with self._connecting:
                    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
                    writer.write(b"GET /events?language=en HTTP/1.0\r\nHost: localhost\r\n\r\n")
                    await self._take(await reader.readuntil(b"\n\n"))
                while True:
                    await self._take(await reader.readuntil(b"\n\n"))
            except (OSError, asyncio.IncompleteReadError):
                self.counts["broken off"] += 1
                await asyncio.sleep(RETRY)

    async def _take(self, message: bytes) -> None:
        now = time.monotonic()
        self.counts["bytes"] += len(message)
        if b"event: changes\n" not in message:
            self.counts["whole evenings"] += b'\ndata: {"schema"' in message
            return
        self.counts["changes"] += 1
        if message not in self._read:  # the same for all of one process
            self._read = {message: list(told(json.loads(message.partition(b"data: ")[2])))}
        for key in self._read[message]:
            self.arrived[key].append(now)


async def main(count: int, out: Path, ports: list[int]) -> None:
    viewers = Viewers()
    tasks = [asyncio.create_task(viewers.view(ports[k % len(ports)])) for k in range(count)]
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    for task in tasks:
        task.cancel()
    out.write_bytes(pickle.dumps((dict(viewers.arrived), dict(viewers.counts))))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), Path(sys.argv[2]), [int(port) for port in sys.argv[3:]]))
