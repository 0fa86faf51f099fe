"""A disk that takes no more, as the system itself refuses it: files may not grow beyond a size, or SQLite's pages."""

import resource
from contextlib import contextmanager


def close(journal, left):
    """From now on the journal's log can grow by `left` bytes: a write that needs more fails, half-way if need be."""
    log = journal.path.with_name(f"{journal.path.name}-wal")
    close_at(left + (log.stat().st_size if log.exists() else 0))


def close_at(size):
    """From now on no file can grow beyond `size` bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


def open_again():
    """Files may grow as they like."""
    most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


@contextmanager
def closed(journal, left=0):
    """While this lasts, the disk takes no more than `left` bytes."""
    close(journal, left)
    try:
        yield
    finally:
        open_again()


@contextmanager
def no_pages(journal, left=0):
    """While this lasts, SQLite finds room for `left` more pages; then it says that the disk is full."""
    writer = journal.writer
    (pages,) = writer.execute("PRAGMA page_count").fetchone()
    writer.execute(f"PRAGMA max_page_count = {pages + left}")
    try:
        yield
    finally:
        writer.execute("PRAGMA max_page_count = 1073741823")
