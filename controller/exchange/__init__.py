"""Matches in other programs' formats: what they call things, what they have no place for, and what they misread.

Each module writes one format as its owner documents it, from `PlayedMatch`, and refuses what the format cannot say.
"""

from controller.exchange.played import NotExpressible, Occasion, PlayedMatch, PlayedRound, Standing, from_history

__all__ = ["NotExpressible", "Occasion", "PlayedMatch", "PlayedRound", "Standing", "from_history"]
