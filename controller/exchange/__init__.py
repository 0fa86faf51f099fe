"""Matches in other programs' formats.

Each module converts `PlayedMatch` to one format, as its owner documents it, and refuses what the format can't express.
To add a format, write its module and list it in `FORMATS`."""

from collections.abc import Mapping

from controller.exchange import cmn, crokinole_reference
from controller.exchange.played import (
    MatchFormat,
    NotExpressible,
    Occasion,
    PlayedMatch,
    PlayedRound,
    Standing,
    from_state,
)

FORMATS: Mapping[str, MatchFormat] = {"cmn": cmn.FORMAT, "crokinole-reference": crokinole_reference.FORMAT}
"""The formats for a single match, by `export`'s names."""

__all__ = [
    "FORMATS", "MatchFormat", "NotExpressible", "Occasion", "PlayedMatch", "PlayedRound", "Standing", "from_state",
]  # fmt: skip
