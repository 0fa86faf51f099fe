"""A tournament's errors; every message says what to do. All texts of this room come through here."""

from controller.errors import BadInput as BadInput
from controller.errors import Refused
from controller.messages import Message as Message
from controller.messages import Sentence as Sentence
from controller.messages import counted as counted
from controller.messages import marked as marked
from controller.messages import say as say
from controller.validation import first_wrong_member as first_wrong_member


class TournamentError(Refused):
    """What is asked for does not fit the tournament or its state."""


class StageOver(TournamentError):
    """All rounds of this stage are paired; the next one may begin."""
