"""Matches in other programs' formats.

Each module converts `PlayedMatch` to one format, as its owner documents it, and refuses what that can't express."""

from controller.exchange.played import (
    NotExpressible,
    Occasion,
    PlayedMatch,
    PlayedRound,
    from_state,
)

__all__ = ["NotExpressible", "Occasion", "PlayedMatch", "PlayedRound", "from_state"]
