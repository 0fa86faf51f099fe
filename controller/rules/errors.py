"""Errors in shots, rule sets, formats and records. Every message says what would be right."""

from controller.messages import Message, wording


class RulesError(ValueError):
    """Base class of the rules' errors. `place` is the faulty part of the value, such as `rest.a1.at`.

    | cause | message |
    |---|---|
    | a scorer's input | a `Message`, which is translated |
    | only a record or a configuration | English text |
    """

    def __init__(self, message: str | Message, place: str = "") -> None:
        super().__init__(f"{place}: {message}" if place else str(message))
        self.message = message
        self.place = place

    @property
    def words(self) -> Message:
        """The message for people. A `Message` is shown without the place, which means nothing to a scorer."""
        return self.message if isinstance(self.message, Message) else wording(str(self))

    def within(self, place: str) -> "RecordError":
        """This error as a `RecordError` whose place begins with `place`."""
        return RecordError(self.message, ".".join(part for part in (place, self.place) if part))


class UnknownRuleSet(RulesError):
    """There is no rule set of that name."""


class BadRuleSet(RulesError):
    """An invalid choice; the message names it and the valid values."""


class BadFormat(RulesError):
    """An invalid format."""


class BadMatch(RulesError):
    """Invalid sides, seats or disc counts."""


class ImpossibleShot(RulesError):
    """A shot that can't have happened on this board: overlapping discs, a disc already out, far-off coordinates."""


class OutOfTurn(RulesError):
    """It is another side's turn."""


class NotAllowedNow(RulesError):
    """The state of the round or match does not allow this."""


class BadCorrection(RulesError):
    """A correction to impossible figures, or of something that does not exist."""


class RecordError(RulesError):
    """A match record that can't be read; the message begins with the place in the record."""
