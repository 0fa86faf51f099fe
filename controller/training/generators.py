"""What fits share: each generator counts the same, and is left out once to see what a fit is worth on another kind."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

EACH = 500.0
"""Examples that each generator counts as, however many it has: what the pulls of weights towards 0 are measured by."""


class Made(Protocol):
    """Something that a generator made."""

    @property
    def generator(self) -> str:
        """Its name."""
        ...


E = TypeVar("E", bound=Made)
M = TypeVar("M")


def shares(examples: Sequence[Made]) -> Floats:
    """How much each of the examples (N,) counts."""
    names = [one.generator for one in examples]
    return np.array([EACH / names.count(name) for name in names], np.float64)


def left_out(examples: Sequence[E], fitted: Callable[[Sequence[E]], M]) -> Iterator[tuple[str, list[E], M]]:
    """Each generator's name and examples, with the model fitted to all others; nothing for a single generator."""
    names = sorted({one.generator for one in examples})
    for name in names if len(names) > 1 else ():
        own = [one for one in examples if one.generator == name]
        yield name, own, fitted([one for one in examples if one.generator != name])
