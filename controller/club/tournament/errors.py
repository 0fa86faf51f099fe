"""A tournament's errors; every message says what to do. All texts of this room come through here."""

from controller.errors import BadInput as BadInput
from controller.errors import Refused
from controller.messages import Message as Message
from controller.messages import Sentence as Sentence
from controller.messages import counted as counted
from controller.messages import marked as marked
from controller.messages import say as say
from controller.validation import in_words as in_words


class TournamentError(Refused):
    """Base class of a tournament's errors."""

    @property
    def words(self) -> Message:
        words: Message = self.args[0]
        return words


class Unknown(TournamentError):
    """No entrant, board, match or event has this id."""


class EntrantNameTaken(TournamentError):
    """Another entrant or player has this name; `free_name` gives a free one."""


class BadResult(TournamentError):
    """Figures that no such match can end with."""


class NotNow(TournamentError):
    """The state of the tournament does not allow this."""


class StageOver(NotNow):
    """All rounds of this stage are paired; the next one may begin."""


class NoPairing(TournamentError):
    """The format allows no way to pair everybody."""
