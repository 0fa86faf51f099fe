"""The errors of a club's hub. Every message says what to do."""

from controller.errors import ControllerError, Refused


class StoreError(ControllerError):
    """The club's database can't be opened or written; the message names it without its password, and the way out."""


class KeyTaken(StoreError):
    """Another process has written this row first."""


class TournamentError(Refused):
    """What is asked for does not fit the tournament or its state."""


class StageOver(TournamentError):
    """All rounds of this stage are paired; the next one may begin."""


class Overtaken(Refused):
    """Somebody else was quicker: nothing was changed; look again and repeat."""
