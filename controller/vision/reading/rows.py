"""Arrays with a row for each of K things."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray


class Rows:
    """Base of dataclasses whose fields are arrays with a row for each of K things."""

    __slots__ = ()
    __match_args__: tuple[str, ...]

    def only(self, keep: list[int] | NDArray[np.intp] | NDArray[np.bool_]) -> Self:
        """A subset of the rows."""
        return self._made(part[keep] for part in self._parts)

    def plus(self, more: Self) -> Self:
        """These rows, then the others."""
        return self._made(map(np.concatenate, zip(self._parts, more._parts, strict=True)))

    @property
    def _parts(self) -> list[NDArray[Any]]:
        return [getattr(self, name) for name in self.__match_args__]  # faster than `fields`, called often

    def _made(self, parts: Any) -> Self:
        make: Any = type(self)
        made: Self = make(*parts)
        return made
