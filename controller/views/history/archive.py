"""Looks up the matches of a journal while the table plays, and its events for other programs. Thread-safe."""

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from controller.errors import BadInput, NotAvailable, Unreadable
from controller.exchange import PlayedMatch, from_state
from controller.journal import Journal
from controller.journal.events import MatchSpan
from controller.journal.match_log import read_match, record, set_aside
from controller.match import events as ev
from controller.match.amendments import amendment_text
from controller.match.events import parse
from controller.match.fold import begin
from controller.match.players import with_names
from controller.match.state import MatchState
from controller.messages import say
from controller.views.audit import Change, audit
from controller.views.history import queries
from controller.views.history.accuracy import TableAccuracy, accuracy
from controller.views.history.one_match import MatchInShort, corrected_times
from controller.views.history.queries import Figures, KnownPlayer, Shots, UnreadableMatch, known_players
from controller.views.history.review import MAX_CHANGES, ReviewedMatch, StoredPictures
from controller.views.history.statistics import Selection
from controller.views.history.tables import Tables, history_path
from controller.views.history.upkeep import NO_SCORE, Progress, Upkeep
from controller.views.questions import answer_text, doubt_text, question_text

Answer = TypeVar("Answer")
BATCH = 200  # events in one answer
EVERYTHING = Selection()


@dataclass(kw_only=True)
class Matches:
    """Matches in short, the newest first, some fifty at a time."""

    schema: Literal["matches/1"] = "matches/1"  #: Which document this is.
    matches: list[MatchInShort]  #: The newest first.
    next: int | None  #: The next value of `before`; null if these are the last.
    deleted: list[int]  #: Matches that people deleted: in no list and no figure, the newest first.
    unreadable: list[UnreadableMatch]  #: Matches that are set aside.
    progress: Progress | None  #: Progress while many matches are summed up again, else null.


@dataclass(kw_only=True)
class Players:
    """Everybody who has played: one person under every spelling of a name, and every name given."""

    schema: Literal["players/1"] = "players/1"  #: Which document this is.
    players: list[str]  #: Their names, in order.
    known: list[KnownPlayer]  #: Those first who played most recently and most often.
    changes: list[Change]  #: Renamings, the newest last; `undo_naming` takes an `id` of these.
    last_change: int
    """The number of the last of these events or of one that undid one, for a command's `seen`; 0 before the first."""


class Archive:
    """The history: lists and figures from the tables, single matches from the journal itself."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._tables = Tables(history_path(journal))
        self.upkeep = Upkeep(journal, self._tables)

    @property
    def last_event(self) -> int:
        """The number of the journal's last event, of a match or not."""
        return self._journal.end

    def stamp(self, match: int | None = None) -> str:
        """A text that changes when the answers change, about all matches or one."""
        if match is None:
            return f"{self._asked(Tables.stamp)}-{self.upkeep.progress}"
        named = self._journal.players.names().last
        span = self._journal.span(match)
        # pictures and clips are deleted without an event
        pictures, clips = len(self._journal.pictures.of(match)), len(self._journal.clips.of(match))
        return f"{span.last}-{span.last_at}-{named}-{pictures}-{clips}" if span else ""

    def matches(self, asked: Selection = EVERYTHING) -> Matches:
        """The document `matches/1`, fifty at a time."""
        names = self._journal.players.names()
        lines, more = self._asked(queries.lines, names, self._named(asked))
        return Matches(
            matches=lines,
            next=more,
            deleted=self._asked(queries.deleted),
            unreadable=self._asked(queries.unreadable),
            progress=self.upkeep.progress,
        )

    def players(self) -> Players:
        names = self._journal.players.names()
        return Players(
            players=self._asked(queries.names),
            known=self._asked(known_players),
            changes=[one for one in audit(names.changes) if one.kind != "undone"][-MAX_CHANGES:],
            last_change=names.last,
        )

    def match(self, number: int, after: int = 0) -> ReviewedMatch:
        """The document `match/1`: one match to step through. Raises `BadInput` if there is no such match."""
        span = self._span(number)
        with set_aside(number):
            found = [parse(entry) for entry in self._journal.events(number, without_kind=NO_SCORE)]
            history = with_names(found, self._journal.players.names().shown)
            clips = self._journal.clips.by_event(number, history)
            kept = StoredPictures(self._journal.pictures.of(number), clips)
            return ReviewedMatch.read(number, corrected_times(history), span, kept, after)

    def record(self, number: int) -> Mapping[str, Any]:
        """The document `match-record/1`. Raises `BadInput` if there is no such match, and `UnreadableMatch`."""
        self._span(number)
        return record(self._journal, number)

    def played(self, number: int) -> PlayedMatch:
        """The match for other programs' formats. Raises `BadInput` if there is no such match or it does not have two
        sides, and `UnreadableMatch`."""
        self._span(number)
        return played(self._journal, number)

    def _span(self, number: int) -> MatchSpan:
        span = self._journal.span(number)
        if span is None:
            raise BadInput(say("There is no match {number}.", number=number))
        return span

    def figures(self, asked: Selection = EVERYTHING) -> Figures:
        """The document `figures/1`, fifty players a page."""
        return self._asked(queries.figures, self._named(asked))

    def shots(self, asked: Selection = EVERYTHING) -> Shots:
        """The document `shots/1`, fifty players a page."""
        return self._asked(queries.shots, self._named(asked))

    def _named(self, asked: Selection) -> Selection:
        """The same with the player's present name."""
        shown = self._journal.players.names().shown
        return replace(asked, player=asked.player and shown(asked.player))

    def accuracy(self) -> TableAccuracy:
        """The document `accuracy/1`: the table's errors according to corrections and spot checks."""
        return self._asked(accuracy)

    def check_complete(self) -> None:
        """Raise `NotAvailable`, with the progress, while matches are being summed up and lists are incomplete."""
        if self.upkeep.await_first_check() and self.upkeep.is_complete:
            return
        done = vars(self.upkeep.progress or Progress(0, 0))
        raise NotAvailable(
            say("The matches are being summed up: {done} of {of} so far. Try again in a minute.", **done)
        )

    def close(self) -> None:
        self._tables.close()

    def _asked(self, ask: Callable[..., Answer], *arguments: object) -> Answer:
        """What `ask` finds in the tables. Raises `NotAvailable` if they can't be read; damaged ones are rebuilt."""
        if not self.upkeep.await_first_check():
            raise NotAvailable(say("The matches are being looked through: try again in a minute."))
        with suppress(sqlite3.Error):  # on a full disk the old names stay; the upkeep logs it and tries again
            self._tables.set_names(self._journal.players.names())
        generation = self._tables.generation
        try:
            return ask(self._tables, *arguments)
        except (sqlite3.Error, ValueError) as error:
            if self._tables.is_intact_despite(error):
                raise NotAvailable(
                    say("What was played can't be looked up now ({why}): try again in a minute.", why=str(error))
                ) from error
            if generation is not None and generation is self._tables.generation:  # else they were replaced
                self.upkeep.damaged()
            raise NotAvailable(say("The matches are being summed up again: try again in a minute.")) from error

    def events(self, after: int) -> list[dict[str, Any]]:
        """The events after this number, oldest first, at most `BATCH` at a time, as `event_document` has them."""
        return [event_document(self._journal, entry) for entry in self._journal.since(after, BATCH)]


def played(journal: Journal, number: int) -> PlayedMatch:
    """An existing match for other programs' formats. Raises as `Archive.played` does."""
    history, state = read_match(journal, number)
    return from_state(state, history[0].at, corrected_times(history)[0].at)


def event_document(journal: Journal, entry: ev.Entry) -> dict[str, Any]:
    """One event of the journal; without sentences if its match can't be read. These are templates with values, see
    `Message.to_json`."""
    found = {"id": entry.id, "match": entry.match, "at": entry.at, "kind": entry.kind, **entry.body}
    with suppress(Unreadable), set_aside(entry.match):
        match entry.kind:
            case "question_asked":
                found |= _question(journal, entry)
            case "amended":
                amended = parse(entry).event
                assert isinstance(amended, ev.Amended)
                found["text"] = amendment_text(amended, _started(journal, entry.match).names).to_json()
            case "shot_seen" if "doubt" in entry.body:
                found["doubt"] = doubt_text(ev.Doubt.model_validate(entry.body["doubt"])).to_json()
    return found


def _question(journal: Journal, entry: ev.Entry) -> dict[str, Any]:
    asked, state = parse(entry).event, _started(journal, entry.match)
    assert isinstance(asked, ev.QuestionAsked)
    answers = [
        {**answer, "text": answer_text(asked, answer["id"], state).to_json()} for answer in entry.body["answers"]
    ]
    return {"text": question_text(asked, state).to_json(), "answers": answers}


def _started(journal: Journal, number: int) -> MatchState:
    """The match at its start, with the players' present names."""
    return begin(number, *with_names([parse(next(journal.events(number)))], journal.players.names().shown))
