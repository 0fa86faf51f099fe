"""A match log holds one match: its events so far, and the state folded from them. Events are first tried on the state
in memory, then written to disk, then applied: events that the rules refuse never reach the journal, and visible state
is always on disk."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import accumulate
from typing import Any, cast

from controller import rules
from controller.errors import BadInput, JournalError, Refused, Unreadable
from controller.journal import Journal, Picture
from controller.match import events as ev
from controller.match.base import BaseCommand, Stamped
from controller.match.events import entry, parse
from controller.match.fold import apply, fold, following, new_game, with_outcomes
from controller.match.lifecycle import resumed
from controller.match.players import with_names
from controller.match.seating import Seating
from controller.match.state import MatchState
from controller.messages import say

log = logging.getLogger(__name__)
MAX_REASON = 300  # characters of an error that people are shown


def read_match(journal: Journal, number: int) -> tuple[list[Stamped], MatchState]:
    """A match's events with the players' present names, and the state after them. Raises `Unreadable`."""
    with set_aside(number):
        history = with_names(list(map(parse, journal.events(number))), journal.players.names().shown)
        return history, fold(number, history)


@contextmanager
def set_aside(number: int) -> Iterator[None]:
    """Turn any error while reading this match into `Unreadable`; the match stays in the journal as it is."""
    try:
        yield
    except Exception as error:
        why = " ".join(f"{type(error).__name__}: {error}".split())[:MAX_REASON]
        raise Unreadable(
            say(
                "Match {number} can't be read and is set aside as it is: {why} `crokinole-table doctor` says what can "
                "be done.",
                number=number,
                why=why,
            )
        ) from error


class MatchLog:
    """One match of the journal. Not thread-safe."""

    def __init__(self, journal: Journal, number: int, history: list[Stamped], state: MatchState) -> None:
        self._journal = journal
        self.number = number
        self.history = history
        self.state = with_outcomes(state, history)

    @classmethod
    def open(cls, journal: Journal, number: int) -> "MatchLog":
        """Open a stored match. Raises `Unreadable`."""
        history, state = read_match(journal, number)
        return cls(journal, number, history, state)

    @classmethod
    def newest(cls, journal: Journal) -> "MatchLog | None":
        """Open the newest match whose start was not undone; None before the first. Raises `Unreadable`."""
        number: int | None = journal.newest()
        match_log = None
        while number:
            match_log = cls.open(journal, number)
            number = resumed(match_log.history)
        return match_log

    def of(self, command: BaseCommand) -> "MatchLog":
        """The match that a command applies to: this one, which is being played, or an earlier one. Raises `Refused`."""
        if command.match in (None, self.number):
            return self
        if command.only_running:
            raise Refused(say("Match {number} is no longer being played.", number=command.match), "next")
        if self._journal.span(command.match) is None:
            raise Refused(say("match: there is no match {number} in the journal.", number=command.match))
        return MatchLog.open(self._journal, command.match)

    @classmethod
    def begin(cls, journal: Journal, events: Sequence[ev.Event], at: float) -> "MatchLog":
        """Start a new match and write its first events. Raises `Refused` if the rules refuse its choices."""
        started = events[0]
        assert isinstance(started, ev.MatchStarted)
        try:
            new_game(started)
        except rules.RulesError as error:
            raise Refused(error.words) from error
        number, stamped = journal.newest() + 1, _stamped(journal, events, at)
        journal.write([entry(number, one) for one in stamped])
        history = with_names(stamped, journal.players.names().shown)
        return cls(journal, number, history, fold(number, history))

    def write(
        self,
        events: Sequence[ev.Event],
        at: float,
        *,
        facts: Mapping[str, str] | None = None,
        pictures: Mapping[str, Picture] = {},
    ) -> Sequence[ev.Event]:
        """Try the events, write them to disk with these facts, and apply them; returns them as written: without
        pictures if the disk does not take those. Raises `Refused` with nothing changed if the rules refuse an event."""
        stamped = _stamped(self._journal, events, at)
        try:
            state = following(self.state, self.history, stamped)
        except rules.RulesError as error:
            raise _refusal(error, events) from error
        try:
            self._journal.pictures.keep(pictures)
        except JournalError as error:
            log.warning("The pictures of these events are left out: %s", error)
            stamped = [replace(one, event=_without(one.event, pictures)) for one in stamped]
            state = following(self.state, self.history, stamped)
        self._journal.write([entry(self.number, one) for one in stamped], facts)
        self.history += stamped
        self.state = with_outcomes(state, self.history, self.state)
        return [one.event for one in stamped]

    def resume(self, later: "MatchLog", deleted: ev.MatchDeleted, undone: ev.StartUndone, at: float) -> None:
        """Resume this match, because the start of `later` is undone. Both events are written to disk, or neither."""
        end, stamped = _stamped(self._journal, (deleted, undone), at)
        self._journal.write([entry(later.number, end), entry(self.number, stamped)])
        later.history.append(end)
        self.history.append(stamped)
        self.state = with_outcomes(apply(self.state, stamped), self.history)


def _stamped(journal: Journal, events: Sequence[ev.Event], at: float) -> list[Stamped]:
    """The events with the numbers under which they would be written next."""
    numbers = accumulate(1 + event.reserved for event in events)
    return [Stamped(journal.end + number, at, event) for number, event in zip(numbers, events, strict=True)]


def _without(event: ev.Event, pictures: Mapping[str, Picture]) -> ev.Event:
    return event.model_copy(update={"picture": None}) if getattr(event, "picture", None) in pictures else event


def _refusal(error: rules.RulesError, events: Sequence[ev.Event]) -> Refused:
    """The rules' refusal for people; an annulment that a later shot makes impossible says how to go on."""
    annuls = any(isinstance(event, ev.ShotCorrected) and event.annulled for event in events)
    if annuls and isinstance(error, rules.ImpossibleShot):
        return Refused(say("Later shots met this disc: correct the discs instead, or annul those shots first."), "shot")
    return Refused(error.words, "round" if isinstance(error, rules.NotAllowedNow) else None)


def raw(journal: Journal, match: int) -> Iterator[dict[str, Any]]:
    """Every event of the match as stored, with its body as text, readable or not."""
    for number, _, at, kind, body in journal.raw(match):
        yield {"id": number, "match": match, "at": at, "kind": kind, "body": body}


def record(journal: Journal, match: int) -> dict[str, Any]:
    """The match as it counts, as match-record/1. Raises `Unreadable`."""
    _, state = read_match(journal, match)
    return cast(dict[str, Any], _for_people(rules.write(state.game), state.seating))


def _for_people(document: Any, seating: Seating) -> Any:
    """Convert a record's places to the players' board frame."""
    match document:
        case {"at": [float(x), float(y)], **rest}:
            return {"at": list(seating.shown(x, y)), **rest}
        case dict():
            return {name: _for_people(value, seating) for name, value in document.items()}
        case list():
            return [_for_people(value, seating) for value in document]
    return document


def exists(journal: Journal, match: int) -> None:
    """Raise `BadInput` if there is no such match."""
    if journal.span(match) is None:
        newest = journal.newest()
        known = f"there are 1 to {newest}" if newest else "there is none yet"
        raise BadInput(f"There is no match {match} in the journal: {known}.")
