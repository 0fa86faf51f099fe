"""The model of the sides' colours: the distance of two colours, the certified colours, and the side of a disc.

Colours are CIE L*a*b* with L 0..100, in the light that makes the board's wood look as it did when it was learnt.

    who                 what it takes from here
    set-up              `Palette.with_side`: learns a colour from a disc that a person lays on the board
    reading             `Palette.classify_side`: whose a disc is, where set-up learnt the colours
    referee             `SetColours`: which colour of the set of discs it is, and whether two are the same
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import FiniteFloat, TypeAdapter

from controller.errors import BadInput

Floats = NDArray[np.float64]
Lab = tuple[FiniteFloat, FiniteFloat, FiniteFloat]

SCHEMA = "palette/1"


# By `distance`, CIE dE.
TWO_COLOURS = 18.0  # below it one side's colour in another light, above it another side's. Source not recorded
TOO_ALIKE = 9.0  # half of `TWO_COLOURS`: two sides' discs that are more similar are not learnt
STRANGE = 45.0  # a disc farther from all sides' colours is no side's. Source not recorded


def distance(one: Floats | Lab, other: Floats | Lab) -> Floats:
    """The distance of colours (.., 3) of sides' discs: CIE dE of 1976."""
    away = np.asarray(one, np.float64) - np.asarray(other, np.float64)
    return np.asarray(np.sqrt((away * away).sum(-1)))


@dataclass(frozen=True, slots=True)
class Palette:
    """The sides' colours as certified by set-up, and the wood's colour at that time, if known. `wood`: blue, green,
    red, 0..255, the reference for the light, so that a side keeps its discs when the light or the white balance
    changes.
    """

    sides: Mapping[str, Lab]
    wood: Lab | None = None

    def with_side(self, side: str, lab: Lab) -> "Palette":
        """The palette with a side's colour learnt, or learnt again. Raises `BadInput` if another side's is too
        similar."""
        for other, colour in self.sides.items():
            if other != side and float(distance(lab, colour)) < TOO_ALIKE:
                raise BadInput("this disc looks like one of another side's: choose discs of another colour")
        return Palette({**self.sides, side: lab}, self.wood)

    def classify_side(self, lab: Sequence[float]) -> tuple[str | None, float]:
        """The side that a colour belongs to and the confidence, 0..1: 0 half-way between two; None for no side's."""
        names = list(self.sides)
        away = distance(np.asarray(lab, np.float64), np.array([self.sides[name] for name in names]))
        best = int(away.argmin())
        if away[best] > STRANGE:
            return None, 0.0
        if len(names) == 1:
            return names[0], 1.0 - float(away[0]) / STRANGE
        second = float(np.delete(away, best).min())
        return names[best], (second - float(away[best])) / max(second + float(away[best]), 1e-9)

    def to_json(self) -> dict[str, Any]:
        """The palette as JSON, stored beside the calibration."""
        return {"schema": SCHEMA, "sides": {side: list(lab) for side, lab in self.sides.items()}, "wood": self.wood}

    @classmethod
    def from_json(cls, document: Any) -> "Palette":
        """The inverse of `to_json`. Raises `BadInput`."""
        try:
            if document["schema"] != SCHEMA:
                raise KeyError(document["schema"])
            return TypeAdapter(cls).validate_python({name: document[name] for name in ("sides", "wood")})
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(f"this is no palette of the schema {SCHEMA}: show a disc of each side again") from error


@dataclass(frozen=True, slots=True)
class SetColours:
    """The colours of the set of discs in play: `certified` by set-up, by side, possibly none. A colour near a certified
    one counts as that; any other as itself.
    """

    certified: Mapping[str, Lab]

    def side_of(self, lab: Lab) -> str | None:
        """The side for which set-up certified this colour; None if it is not certified."""
        away = {side: math.dist(lab, colour) for side, colour in self.certified.items()}
        nearest = min(away, key=lambda side: away[side], default=None)
        return nearest if nearest is not None and away[nearest] < TWO_COLOURS else None

    def of(self, lab: Lab) -> Lab:
        """The certified colour near this one, else the colour itself."""
        side = self.side_of(lab)
        return lab if side is None else self.certified[side]

    def among(self, lab: Lab, colours: Iterable[Lab]) -> Lab:
        """The one of these colours that this is; the colour itself, or the certified one near it, if it is none."""
        return next((one for one in colours if not self.differ(one, lab)), self.of(lab))

    def apart(self, one: Lab, other: Lab) -> float:
        """The distance of two colours after mapping to certified ones."""
        return float(distance(self.of(one), self.of(other)))

    def differ(self, one: Lab, other: Lab) -> bool:
        """Whether these are different colours: by the certified ones, else by their distance."""
        sides = self.side_of(one), self.side_of(other)
        if None not in sides:
            return sides[0] != sides[1]
        return self.apart(one, other) >= TWO_COLOURS
