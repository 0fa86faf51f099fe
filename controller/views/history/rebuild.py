"""A process that sums up what the history's tables lack: `python -m controller.views.history.rebuild JOURNAL TABLES`.

Prints how many matches are done, one number a line. It reads the journal and writes the tables, at a low priority, so
that the table itself is not slowed down. It ends with 1 and one line if it fails, and silently if nobody reads its
output, because the table was killed."""

import gc
import multiprocessing
import os
import signal
import sqlite3
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from controller.errors import JournalError
from controller.journal import Journal
from controller.journal.events import Span
from controller.views.history.summing import stale, sum_up
from controller.views.history.tables import Summed, Tables

AT_ONCE = 50  # matches in one transaction, the most that are lost if the process is stopped
MAX_WORKERS = 4  # each takes some 60 MB; their low priority leaves the cores to the table
SELDOM = 100_000  # objects between searches for reference cycles: summing up creates none
_journal: Journal  # of a worker


def main() -> None:
    """Sum up all matches that are missing or outdated in the tables."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the workers end with it, silently
    journal, tables = Journal(Path(sys.argv[1]), writing=False), Tables(Path(sys.argv[2]))
    os.nice(10)
    wanted, gone = stale(journal, tables)
    tables.put([], gone)
    done = 0
    for batch in _batches(_summed(journal.path, list(wanted.items()))):
        tables.put(batch)
        done += len(batch)
        print(done, flush=True)
    tables.close()
    journal.close()


def _summed(path: Path, wanted: list[tuple[int, Span]]) -> Iterator[Summed]:
    workers = min(MAX_WORKERS, os.cpu_count() or 1)
    with multiprocessing.Pool(workers, _open, (path,)) as pool:
        yield from pool.imap_unordered(_sum_up, wanted, chunksize=AT_ONCE // 2)


def _open(path: Path) -> None:
    global _journal
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.set_threshold(SELDOM)
    _journal = Journal(path, writing=False)


def _sum_up(wanted: tuple[int, Span]) -> Summed:
    return sum_up(_journal, *wanted)


def _batches(summed: Iterator[Summed]) -> Iterator[list[Summed]]:
    while batch := list(islice(summed, AT_ONCE)):
        yield batch


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains again at its end
        sys.exit(1)
    except (JournalError, sqlite3.Error, OSError) as error:
        sys.exit(f"The history could not be rebuilt: {error}")
