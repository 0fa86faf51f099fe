"""Figures of K things that belong together."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray


class Rows:
    """A base of dataclasses each of whose fields is an array with a row for each of K things."""

    __slots__ = ()
    __match_args__: tuple[str, ...]

    def only(self, keep: list[int] | NDArray[np.intp] | NDArray[np.bool_]) -> Self:
        """Some of them."""
        return self._made(part[keep] for part in self._parts)

    def plus(self, more: Self) -> Self:
        """These and then the others."""
        return self._made(map(np.concatenate, zip(self._parts, more._parts, strict=True)))

    @property
    def _parts(self) -> list[NDArray[Any]]:
        return [getattr(self, name) for name in self.__match_args__]  # quicker than `fields`, and many times a reading

    def _made(self, parts: Any) -> Self:
        make: Any = type(self)
        made: Self = make(*parts)
        return made
