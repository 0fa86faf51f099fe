"""A match log holds one match: its events so far, and the state folded from them.

Events are first tried on the state in memory, then put on disk, then folded in: what the rules refuse never reaches
the journal, and what anybody sees is on disk.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate

from controller import rules
from controller.errors import Refused, Unreadable
from controller.journal import Journal, Picture
from controller.match import events as ev
from controller.match.fold import apply, fold, new_game
from controller.match.players import named
from controller.match.state import MatchState, Stamped, parse
from controller.match.timeline import reorders
from controller.messages import say

LONGEST_WHY = 300  # characters of an error that people are shown


def read_match(journal: Journal, number: int) -> tuple[list[Stamped], MatchState]:
    """A match's events, its players called as they are now, and the state after them. Raises `Unreadable`."""
    with set_aside(number):
        history = named([parse(entry) for entry in journal.events(number)], journal.players.names().shown)
        return history, fold(number, history)


@contextmanager
def set_aside(number: int) -> Iterator[None]:
    """Whatever goes wrong while this match is read is `Unreadable`: it stays in the journal as it is."""
    try:
        yield
    except Exception as error:
        why = " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST_WHY]
        raise Unreadable(
            say(
                "Match {number} can't be read and is set aside as it is: {why} `crokinole-table doctor` says what can "
                "be done.",
                number=number,
                why=why,
            )
        ) from error


class MatchLog:
    """One match of the journal. Not for several threads."""

    def __init__(self, journal: Journal, number: int, history: list[Stamped], state: MatchState) -> None:
        self._journal = journal
        self.number = number
        self.history = history
        self.state = state

    @classmethod
    def open(cls, journal: Journal, number: int) -> "MatchLog":
        """A match as the journal has it. Raises `Unreadable` when it can't be read."""
        history, state = read_match(journal, number)
        return cls(journal, number, history, state)

    @classmethod
    def begin(cls, journal: Journal, events: Sequence[ev.Event], at: float) -> "MatchLog":
        """A new match; its first events are on disk. Raises `Refused` when the rules can't play it."""
        started = events[0]
        assert isinstance(started, ev.MatchStarted)
        try:
            new_game(started)
        except rules.RulesError as error:
            raise Refused(error.words) from error
        number = journal.newest() + 1
        entries = journal.append(number, at, [(event.kind, ev.body(event)) for event in events])
        history = named([parse(entry) for entry in entries], journal.players.names().shown)
        return cls(journal, number, history, fold(number, history))

    def write(
        self,
        events: Sequence[ev.Event],
        at: float,
        *,
        cursor: tuple[int, int] | None = None,
        pictures: Mapping[str, Picture] | None = None,
    ) -> bool:
        """Try, put on disk, fold. False when the hole's unit sent again what was taken over before.

        Raises `Refused` with nothing changed when the rules refuse an event.
        """
        left_out = [event.more if isinstance(event, ev.Amended) else 0 for event in events]
        numbers = accumulate((1 + more for more in left_out), initial=self.history[-1].id)
        guessed = [Stamped(number, at, event) for number, event in zip(list(numbers)[1:], events, strict=True)]
        try:
            state = self._after(guessed)
        except rules.RulesError as error:
            if isinstance(error, rules.ImpossibleShot) and any(isinstance(e, ev.ShotAnnulled) for e in events):
                raise Refused(
                    say("Later shots met this disc: correct the discs instead, or annul those shots first.")
                ) from error
            raise Refused(error.words) from error
        bodies = [(event.kind, ev.body(event)) for event in events]
        entries = self._journal.append(self.number, at, bodies, cursor=cursor, pictures=pictures, left_out=left_out)
        if not entries:
            return False
        stamped = [Stamped(entry.id, entry.at, event) for entry, event in zip(entries, events, strict=True)]
        self.state = state if stamped == guessed else self._after(stamped)
        self.history += stamped
        return True

    def name_anew(self) -> None:
        """Call the players as they are called now: somebody was renamed."""
        first = parse(next(self._journal.events(self.number)))
        self.history = named([first, *self.history[1:]], self._journal.players.names().shown)
        self.state = fold(self.number, self.history)

    def _after(self, stamped: Sequence[Stamped]) -> MatchState:
        if any(reorders(s.event) for s in stamped):
            return fold(self.number, [*self.history, *stamped])
        state = self.state
        for s in stamped:
            state = apply(state, s)
        return state
