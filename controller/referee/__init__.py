"""The referee: infers shots from readings and hole events."""

from controller.referee.referee import Referee

__all__ = ["Referee"]
