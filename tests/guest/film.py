"""A simulated match as a film: what the camera would see, four pictures a second, and the hole's level at each.

Light to import, for the guest: shooting.py makes it.
"""

import json
from dataclasses import dataclass
from typing import Any

PICTURES_A_SECOND = 4.0


@dataclass(frozen=True)
class Film:
    """`folder` holds 0.jpg, 1.jpg, .. and film.json, which is this."""

    start: dict[str, Any]  # the command that starts the match
    levels: list[bool]  # at each picture, whether the hole is occupied
    resumes: list[int]  # for each picture the one with which people go on, if they stop playing at it
    rounds: list[dict[str, dict[str, int]]]  # of each what it counted: totals, twenties
    swept: list[int]  # for each round the picture at which the board was empty after it

    @staticmethod
    def read(folder):
        return Film(**json.loads((folder / "film.json").read_text("utf-8")))
