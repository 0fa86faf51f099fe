"""The parts of a match's state: what its events record, without the events' effects."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from controller import rules
from controller.match.cases import CASES, Doubt, What
from controller.match.filmed import FilmOfShot
from controller.match.model import LONGEST_SIDE, FrozenModel, Number, SideId
from controller.match.seating import Direction
from controller.messages import say
from controller.vision.readings import Zone


class MatchSide(FrozenModel):
    """One side of a match: its name and the colour of its discs."""

    name: Annotated[str, Field(min_length=1, max_length=LONGEST_SIDE)]
    colour: str = Field(default="", max_length=20)


class Choices(FrozenModel):
    """What people choose for a match. `doubles`: two sides of two partners each; `seat`: the one that begins.
    `assignment`: the club's id of the match if it assigned it to this table."""

    format: dict[str, Any] | None = None
    sides: tuple[MatchSide, ...] = Field(min_length=1, max_length=4)
    starter: SideId = "A"
    discs: int | None = None
    doubles: bool = False
    seat: int | None = Field(default=None, ge=1, le=4)
    assignment: str | None = Field(default=None, min_length=1, max_length=64)


class MatchChoices(Choices):
    """The choices with which a match starts: later changes of the rules do not re-score it.

    `seats`: names by seat; `directions`: where the seats were in the match before, see `SeatsLearnt`. `before`: the
    match that was on the table until then, which continues when this start is undone."""

    cleared: bool = True  # whether the board was known to be empty; if not, it must be seen empty before the first shot
    rules: str | dict[str, Any]  # a rule set's id, or a club's own in full
    seats: dict[int, str] = Field(default={})
    directions: dict[int, Direction] = Field(default={})
    before: int | None = Field(default=None, ge=1)

    @property
    def by_id(self) -> dict[str, MatchSide]:
        """The sides by id: A, B and so on, in the order in which they were named."""
        return dict(zip("ABCD", self.sides, strict=False))

    @property
    def names(self) -> dict[str, str]:
        """The sides' names by id."""
        return {id_: side.name for id_, side in self.by_id.items()}

    def players_of(self, side: str) -> list[str]:
        """The names of a side's players, by their seats: the seat's, else the side's."""
        seats = rules.seats_of(len(self.sides), self.doubles) or ()
        return [self.seats.get(seat) or self.by_id[side].name for seat, of in seats if of == side]


class HoleChange(FrozenModel):
    """A change of the 20 hole's sensor; `occupied` is None if it can't tell what happened up to now. `side` if it
    recognised the disc's colour."""

    t: float
    occupied: bool | None
    side: SideId | None = None


@dataclass(frozen=True, slots=True)
class LastCall:
    """The last shot of the round, as it was called."""

    id: int
    played: rules.JudgedShot
    number: int
    doubt: Doubt | None = None
    film: FilmOfShot | None = None


@dataclass(frozen=True, slots=True)
class ConductCall:
    """A conduct call against a side; `shot`: during which; `after`: the number of shots in the round at that time."""

    id: int
    round: int
    shot: int | None
    side: str
    conduct: rules.Conduct
    after: int


Points = Literal[20, 15, 10, 5]


class CountedDisc(FrozenModel):
    """One more disc for a side of a round, not from a shot."""

    round: Number
    side: SideId
    points: Points


class Choice(FrozenModel):
    """One possible answer to a question. `id` is a zone, a seat, a side or a word, depending on the question's case."""

    id: str


class Question(FrozenModel):
    """A doubt about which the table asks people. `disc`: that of a close call; `discs`: all that the picture marks;
    `sides`: their owners; `shot`: the `ShotSeen` in question; `toward`: the side of the board; `clearance`: the length
    in doubt, with standard error `sigma`, in mm. `CASES` says what `zones` and `count` are."""

    what: What
    case: str
    round: int
    disc: str | None = None
    discs: tuple[str, ...] = ()
    sides: tuple[SideId, ...] = ()
    zones: tuple[Zone, ...] = ()
    count: int | None = None
    colour: str | None = Field(default=None, max_length=20)
    shot: int | None = None
    toward: Direction | None = None
    clearance: float | None = None
    sigma: float | None = None
    answers: tuple[Choice, ...]
    picture: str | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        """Check that its text can say all its values."""
        if self.case not in CASES or CASES[self.case].what != self.what:
            raise ValueError(f"there is no case {self.case!r} of {self.what!r}")
        if missing := [name for name in CASES[self.case].said if self.values.get(name) is None]:
            raise ValueError(f"a question of the case {self.case!r} needs {', '.join(missing)}")
        return self

    @property
    def only_felt(self) -> bool:
        """Whether only the hole's sensor noticed the twenty that it is about."""
        return self.what == "twenty" and not self.discs

    @property
    def values(self) -> dict[str, Any]:
        """All values that a text about it may say: sides by their ids, lengths in mm; None for one that it lacks."""
        name, other = (*self.sides, None, None)[:2]
        zone, other_zone = (*self.zones, None, None)[:2]
        return {
            **{"name": name, "other": other, "zone": zone, "other_zone": other_zone},
            **self._figures,
            **{"n": self.count, "round": self.round, "colour": self.colour},
        }

    @property
    def _figures(self) -> dict[str, Any]:
        """The length in doubt with its standard error; empty without."""
        if self.clearance is None or self.sigma is None:
            return {}
        figures = {"mm": round(abs(self.clearance), 1), "sigma": round(self.sigma, 1)}
        clear = self.clearance > 0
        gap = say("{mm} mm clear, ± {sigma}", **figures) if clear else say("{mm} mm over, ± {sigma}", **figures)
        return {**figures, "gap": gap}


PointsChange = Mapping[str, int]  # points by which sides' totals change


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """An open question; `aside` if people answered that they don't know."""

    id: int
    asked: Question
    aside: bool = False
    outcomes: Mapping[str, PointsChange] = field(default_factory=dict, compare=False, repr=False)
    """What each answer would change, which `fold.with_outcomes` computes."""

    @property
    def is_decisive(self) -> bool:
        """Whether an answer would change a total or has another effect; True until its outcomes are known."""
        other = CASES[self.asked.case].effects or self.asked.what == "seats"
        return bool(other) or not self.outcomes or any(self.outcomes.values())

    def is_about(self, discs: Set[str], number: int, *topics: What) -> bool:
        """Whether it has one of these topics and is about one of these discs of this round."""
        asked = self.asked
        return asked.round == number and asked.what in topics and not discs.isdisjoint((asked.disc, *asked.discs))


TimerName = Literal["round", "match"]
TIMERS: tuple[TimerName, ...] = ("round", "match")
LONGEST = 24 * 3600.0  # s: a match is over within a day
Seconds = Annotated[float, Field(gt=0, le=LONGEST)]


class BeforeReboot(FrozenModel):
    """A clock's reading before the machine was off: `left` seconds at a time of day (s since 1970, UTC)."""

    left: float
    at: float


class TimerSetting(FrozenModel):
    """A clock as it was last set. `left` seconds were left when the steady clock of this `boot` showed `steady`.
    `across`: the last reading before the machine was off, if `left` was computed from it by the time of day. `ended`:
    whether it has run down since."""

    timer: TimerName
    seconds: Seconds
    on_first_shot: bool = False
    running: bool = False
    left: float
    steady: float = 0.0
    boot: str = ""
    across: BeforeReboot | None = None
    ended: bool = False

    @property
    def waiting(self) -> bool:
        return self.on_first_shot and not self.running and not self.ended and self.left == self.seconds

    @property
    def ends(self) -> float | None:
        """The steady clock's time at which it runs down; None while it is stopped."""
        return self.steady + self.left if self.running and not self.ended else None

    def reset(self) -> "TimerSetting":
        return self.model_copy(update={"running": False, "left": self.seconds, "across": None, "ended": False})


Change = Literal["valid", "foul", "twenty", "no_twenty", "added", "dropped", "otherwise"]
"""What changed about a shot: its verdict, its twenties, its existence, or something else."""
Why = Literal["taken_off", "left_lying", "lifted", "seen_again", "gone", "turn", "later_board", "colours", "nothing"]


class ChangedShot(FrozenModel):
    """What changed about a shot, by its number in the round."""

    shot: int
    change: Change


class Revision(FrozenModel):
    """What the table's amendment changed.

    | `why` | what a later board showed |
    | --- | --- |
    | `taken_off` | people took `disc` off, which had counted as in play |
    | `left_lying` | people left `disc` on the board, which was to come off |
    | `lifted` | people lifted `disc` out of the hole, where it had seemed to lean |
    | `seen_again` | `disc` is on the board, but had counted as off |
    | `gone` | `disc` is gone, but had counted as untouched |
    | `turn` | by the earlier account, somebody shot out of turn |
    | `later_board` | it fits the revised account better |
    | `colours` | the sides play other colours than assumed, as seen or as people said |
    | `nothing` | nothing that people see: it is announced nowhere |
    """

    round: int
    shots: tuple[ChangedShot, ...] = ()
    why: Why
    disc: str | None = None


@dataclass(frozen=True, slots=True)
class Amendment:
    """An amendment by the table; `after`: the number of shots in its round at that time."""

    id: int
    after: int
    event: Revision


@dataclass(frozen=True, slots=True)
class Hint:
    """A fault of placing, a disc of unknown owner, or play after the match's end; `side`: the owner, if known."""

    fault: Literal[
        "not_in_turn", "off_the_line", "at_another_seat", "over_quadrant_line", "whose_unknown", "match_over"
    ]
    side: str | None = None
