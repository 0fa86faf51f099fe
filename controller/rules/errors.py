"""What can be wrong with a shot, a rule set, a format or a record. Every message says what would be right."""

from controller.messages import Message, wording


class RulesError(ValueError):
    """The base of all errors of the rules. `place` says where in the value the trouble is, as in `rest.a1.at`.

    | what can cause it | message |
    |---|---|
    | something that a scorer enters | a `Message`, which is translated |
    | only a record or a configuration | English text |
    """

    def __init__(self, message: str | Message, place: str = "") -> None:
        super().__init__(f"{place}: {message}" if place else str(message))
        self.message = message
        self.place = place

    @property
    def words(self) -> Message:
        """The message for people. A `Message` stands without the place, which says nothing to a scorer."""
        return self.message if isinstance(self.message, Message) else wording(str(self))

    def within(self, place: str) -> "RecordError":
        """The same error as one of a record: its place begins with `place`."""
        return RecordError(self.message, ".".join(part for part in (place, self.place) if part))


class UnknownRuleSet(RulesError):
    """There is no rule set of that name."""


class BadRuleSet(RulesError):
    """A choice that no rule set can make: the message names it and the values there are."""


class BadFormat(RulesError):
    """A format that can't be played."""


class BadMatch(RulesError):
    """Sides, seats or disc counts that can't be played with."""


class ImpossibleShot(RulesError):
    """A shot that can't have happened on this board: overlapping discs, a disc already out, far-off coordinates."""


class OutOfTurn(RulesError):
    """Another side has to shoot."""


class NotNow(RulesError):
    """The round or the match does not stand so that this can be done."""


class BadCorrection(RulesError):
    """A correction to figures that can't be, or to something that is not there."""


class RecordError(RulesError):
    """A match record that can't be read; the message begins with the place in the record."""
