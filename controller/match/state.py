"""The state of a match after its events: what `controller.match.fold` makes of the journal."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from controller import rules
from controller.match import events as ev
from controller.match.filmed import FilmOfShot
from controller.match.seating import Seating
from controller.match.timers import Timer, TimerName


@dataclass(frozen=True, slots=True)
class Stamped:
    """An event with its number and time in the journal."""

    id: int
    at: float
    event: ev.Event


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that waits for a person; `aside` when people said that they don't know."""

    id: int
    asked: ev.QuestionAsked
    aside: bool = False


@dataclass(frozen=True, slots=True)
class LastCall:
    """What the table said last: the judgement of a shot, or another event worth a line."""

    id: int
    judgement: rules.Judgement | None
    shot: rules.Shot | None
    number: int
    doubt: ev.Doubt | None = None
    film: FilmOfShot | None = None


@dataclass(frozen=True, slots=True)
class Amendment:
    """What the table told otherwise by itself; `after`: how many shots its round had by then."""

    id: int
    after: int
    told: ev.Amended


@dataclass(frozen=True, slots=True)
class Called:
    """A side was called for conduct, at a shot of a round or at none; `after`: how many shots there were by then."""

    id: int
    round: int
    shot: int | None
    side: str
    conduct: rules.Conduct
    after: int


@dataclass(frozen=True, slots=True)
class Hint:
    """A fault of placing that people may want to know of; `side` is whose disc it is, where one side is to be told."""

    fault: Literal["not_in_turn", "off_the_line", "at_another_seat", "over_quadrant_line", "whose_unknown"]
    side: str | None = None


@dataclass(frozen=True, slots=True)
class MatchState:
    """Everything known of a match after its events so far."""

    number: int
    started: ev.MatchStarted
    game: rules.Match
    last_id: int
    seating: Seating
    measured: Mapping[str, ev.Measured] = field(default_factory=dict)
    """Discs that lay on the surface or in the hole when last read, those to be taken off included."""
    strangers: tuple[ev.Stranger, ...] = ()
    """Discs that lie there but are not the match's: left by an undone shot, say."""
    to_remove: Mapping[str, str] = field(default_factory=dict)
    """Of `measured`, the discs that must come off, and why."""
    ruled: Mapping[str, int] = field(default_factory=dict)
    """Discs whose zone a person decided while they lie still: no longer close calls."""
    colours: Mapping[str, ev.Lab] = field(default_factory=dict)
    """How the discs of each side look that has shown one."""
    certified: Mapping[str, ev.Lab] = field(default_factory=dict)
    """How the discs of the table's set look, by the side for which set-up learnt them."""
    questions: Mapping[int, OpenQuestion] = field(default_factory=dict)
    last_call: LastCall | None = None
    amendments: tuple[Amendment, ...] = ()
    """What the table told otherwise in the whole match, and people did not take back."""
    conduct: tuple[Called, ...] = ()
    """What sides were called for in the whole match."""
    hole: tuple[ev.HoleChanged, ...] = ()
    """The hole's changes since the last shot."""
    hole_level: bool | None = None
    """Whether the sensor says that a disc lies in the hole; None when it has not said anything in this match."""
    uncleared: bool = False
    """The match began over another: nothing is a shot before the board was seen empty, or people say that it is."""
    await_tap: bool = False
    """The round's end was undone: a swept board does not end it again, only a person does."""
    paused: bool = False
    timers: Mapping[TimerName, Timer] = field(default_factory=dict)
    """The clocks that are set."""
    deleted: bool = False
    """Taken out of lists and figures."""
    manual: bool = False
    """The scorer keeps the score: what the camera sees changes nothing."""
    undone: int | None = None
    """The `Undone` that a redo would take back, while no step has come after it."""
    shots: Mapping[tuple[int, int], int] = field(default_factory=dict)
    """(round, shot), both from 1, to the number of its `ShotSeen`."""
    begun: Mapping[int, "MatchState"] = field(default_factory=dict, compare=False, repr=False)
    """By round, the state as the round began: from there on it is tried what an answer would change."""
    confirmed: int = 0
    """How many rounds people or a swept board have ended; the last one may be complete and still open to correction."""

    @property
    def over(self) -> bool:
        """Whether the match is decided by confirmed rounds."""
        return self.game.over and not self.round_proposed

    @property
    def round_proposed(self) -> bool:
        """Whether every disc of the round is shot and only the confirmation is missing."""
        return self.game.round.complete and self.confirmed < self.game.round.number

    @property
    def score(self) -> dict[str, int]:
        """The match score of the confirmed rounds."""
        score = dict(self.game.score)
        if self.round_proposed:
            score = {side: points - (self.game.round.awarded or {}).get(side, 0) for side, points in score.items()}
        return score

    @property
    def finished(self) -> tuple[rules.Round, ...]:
        """The confirmed rounds."""
        return tuple(r for r in self.game.rounds if r.number <= self.confirmed)

    @property
    def sides(self) -> tuple[str, ...]:
        """The ids of the sides."""
        return self.game.terms.ids

    def name_of(self, side: str) -> str:
        """What people call a side."""
        return self.started.sides["ABCD".index(side)].name

    def player_of(self, seat: int) -> str:
        """Who sits there: the seat's own name, else that of its side."""
        return self.started.seats.get(seat) or self.name_of(dict(self.game.terms.seats)[seat])

    def side_of(self, disc: str) -> str:
        """Whose disc it is."""
        return self.game.round.owners[disc]

    @property
    def pressing(self) -> tuple[OpenQuestion, ...]:
        """The open questions of the round that people have not agreed on yet, but for those that they can't answer."""
        return tuple(q for q in self.questions.values() if q.asked.round > self.confirmed and not q.aside)

    @property
    def on_board(self) -> dict[str, ev.Measured]:
        """The discs that are in play: measured, and not to be taken off."""
        return {disc: m for disc, m in self.measured.items() if disc not in self.to_remove}


def parse(entry: ev.Entry) -> Stamped:
    """A journal entry as a typed event."""
    return Stamped(entry.id, entry.at, ev.EVENT.validate_python({**entry.body, "kind": entry.kind}))
