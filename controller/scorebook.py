"""A scorebook holds one match: its events so far, and the state folded from them.

Events are first tried on the state in memory, then put on disk, then folded in: what the rules refuse never reaches
the journal, and what anybody sees is on disk.
"""

from collections.abc import Mapping, Sequence

from controller import events as ev
from controller import rules
from controller.errors import Refused
from controller.fold import apply, begin, fold, new_game
from controller.journal import Journal, Picture
from controller.match import MatchState, Stamped, parse
from controller.timeline import reorders
from controller.words import say


class Scorebook:
    """One match of the journal. Not for several threads."""

    def __init__(self, journal: Journal, number: int, history: list[Stamped], state: MatchState) -> None:
        self._journal = journal
        self.number = number
        self.history = history
        self.state = state

    @classmethod
    def open(cls, journal: Journal, number: int) -> "Scorebook":
        """A match as the journal has it."""
        history = [parse(entry) for entry in journal.events(number)]
        return cls(journal, number, history, fold(number, history))

    @classmethod
    def begin(cls, journal: Journal, started: ev.MatchStarted, at: float) -> "Scorebook":
        """A new match; its first event is on disk. Raises `Refused` when the rules can't play it."""
        try:
            new_game(started)
        except rules.RulesError as error:
            raise Refused(error.words) from error
        number = max(journal.matches(), default=0) + 1
        (entry,) = journal.append(number, at, [(started.kind, ev.body(started))])
        stamped = parse(entry)
        return cls(journal, number, [stamped], begin(number, stamped))

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
        last = self.history[-1].id
        guessed = [Stamped(last + offset, at, event) for offset, event in enumerate(events, start=1)]
        try:
            state = self._after(guessed)
        except rules.RulesError as error:
            if isinstance(error, rules.ImpossibleShot) and any(isinstance(e, ev.ShotAnnulled) for e in events):
                raise Refused(
                    say("Later shots met this disc: correct the discs instead, or annul those shots first.")
                ) from error
            raise Refused(error.words) from error
        bodies = [(event.kind, ev.body(event)) for event in events]
        entries = self._journal.append(self.number, at, bodies, cursor=cursor, pictures=pictures)
        if not entries:
            return False
        stamped = [Stamped(entry.id, entry.at, event) for entry, event in zip(entries, events, strict=True)]
        self.state = state if stamped == guessed else self._after(stamped)
        self.history += stamped
        return True

    def _after(self, stamped: Sequence[Stamped]) -> MatchState:
        if any(reorders(s.event) for s in stamped):
            return fold(self.number, [*self.history, *stamped])
        state = self.state
        for s in stamped:
            state = apply(state, s)
        return state
