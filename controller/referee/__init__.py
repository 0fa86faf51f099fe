"""The referee: readings and hole events to shots."""

from controller.referee.referee import Referee

__all__ = ["Referee"]
