"""What can be wrong with a tournament: every message says what to do. All words of this room come through here."""

from controller.messages import Message, counted, marked, say

__all__ = [
    "BadFormat",
    "BadRecord",
    "BadResult",
    "Message",
    "NameTaken",
    "NoPairing",
    "NotNow",
    "StageOver",
    "TournamentError",
    "Unknown",
    "counted",
    "marked",
    "say",
]


class TournamentError(ValueError):
    """The base of all errors of tournaments; `words` says it in the reader's language."""

    def __init__(self, words: Message) -> None:
        super().__init__(str(words))
        self.words = words


class BadFormat(TournamentError):
    """A format that can't be played, or not any more in this tournament."""


class Unknown(TournamentError):
    """No entrant, board, match or event has this id."""


class NameTaken(TournamentError):
    """Another entrant or player has this name; `free_name` of the tournament gives one that nobody has."""


class BadResult(TournamentError):
    """Figures that no such match can end with."""


class NotNow(TournamentError):
    """The tournament does not stand so that this can be done."""


class StageOver(NotNow):
    """Nothing is left to pair in this stage; the next one may begin."""


class NoPairing(TournamentError):
    """The format's conditions leave no way to pair everybody."""


class BadRecord(ValueError):
    """A document that is no event of a tournament; the message begins with the place in the document."""

    def __init__(self, message: str, place: str) -> None:
        super().__init__(f"{place}: {message}" if place else message)
        self.place = place
