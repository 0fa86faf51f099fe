"""What the commands that fit the reader's models share: the traced boards that they fit to, and how they are called."""

import argparse
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import cv2

from tests.bench import hard

E = TypeVar("E")

KINDS = tuple(kind for kind in hard.KINDS if kind != "bare")
"""Kinds of traced boards. Nothing is fitted to bare ones: on both halves of them ghosts are counted."""


def of_kinds(
    traced: Callable[[Iterable[list[hard.Hard]]], Iterable[E]], half: int, count: int
) -> Iterator[tuple[str, list[E]]]:
    """The examples of each kind of traced boards, `count` boards of each."""
    for kind in KINDS:
        yield kind, list(traced(hard.boards(kind, half, count)))


def command(words: str | None, boards: int, write: Callable[[int], None]) -> None:
    """Have a model fitted to as many traced boards of each kind as the command line says, else `boards`."""
    parser = argparse.ArgumentParser(description=words)
    parser.add_argument("--boards", type=int, default=boards, help="traced boards of each kind")
    cv2.setNumThreads(1)
    write(parser.parse_args().boards)
