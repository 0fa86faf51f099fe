"""The state as the pages see it: `table-state/1`.

Millimetres are in people's board frame (`hardware.board`), scores in points.
"""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from controller.match.cases import What
from controller.rules.conduct import Conduct
from controller.rules.judge import PlayedAs, Rule
from controller.views.schema.choices import Choices
from controller.views.schema.club import ClubNow
from controller.views.schema.common import BySide, Format, Place, Seat, Sentence, SideLetter, Swatch, shown_as
from controller.views.schema.film import NewestFilm
from controller.views.schema.timers import Timer
from controller.vision.readings import Call, Zone

StatusWord = Literal[
    "ready",
    "hand",
    "moving",
    "check",
    "covered",
    "light_changed",
    "camera_moved",
    "no_camera",
    "no_match",
    "paused",
    "manual",
    "over",
]

NoticeKind = Literal[
    "backup",
    "button",
    "buttons",
    "camera",
    "camera_frozen",
    "clips",
    "club",
    "engine",
    "hole_level",
    "hole_sensor",
    "hole_trust",
    "journal",
    "lamps",
    "light",
    "match",
    "obstructed",
    "overlay",
    "pictures",
    "placing",
    "reading",
    "referee",
    "webhooks",
]

Range = Annotated[list[int], Field(min_length=2, max_length=2)]
"""The least and the most, in points."""


class ThisTable(TypedDict):
    """The table."""

    name: str
    """What people call it."""
    simulated: bool
    """Whether its devices are simulated."""


class Status(TypedDict):
    """What the table is doing, or why it is not."""

    word: Annotated[str, shown_as(StatusWord)]
    """One word for programs."""
    text: Sentence
    """The same for people."""


class Notice(TypedDict):
    """Something is missing or broken, for as long as it is so."""

    kind: NoticeKind
    """What it is about; at most one notice of a kind stands at a time."""
    text: Sentence
    """What is wrong and what to do."""


class TakenSeat(TypedDict):
    """A seat of a side."""

    seat: Seat
    """Its number."""
    player: str
    """Who sits there."""


class SideNow(TypedDict):
    """A side as it stands."""

    id: SideLetter
    """Its letter."""
    name: str
    """What people call it."""
    seats: list[TakenSeat]
    """Where it sits: one seat, or two in doubles."""
    colour: str
    """The colour of its discs; empty where nobody said."""
    swatch: Swatch
    """How its discs are drawn."""
    score: int
    """Of the match, in confirmed rounds."""
    total: int
    """Points that the running round would count if it ended now, twenties included."""
    total_range: Range
    """The least and the most that the round may count now, whatever is still open turns out to be."""
    twenties: int
    """Of the running round."""
    match_twenties: int
    """Of the whole match."""
    discs: int
    """How many it shoots in a round."""
    shots_left: int
    """How many it still has to shoot in this round."""
    shoots: bool
    """Whether it is its turn."""
    hammer: bool
    """Whether it has the last shot of the round."""


class RoundNow(TypedDict):
    """The running round."""

    number: int
    """From 1."""
    of: int | None
    """How many rounds the match has; null when it goes to a target."""
    starter: SideLetter
    """The side that shot first, or will."""
    to_shoot: SideLetter | None
    """The side whose turn it is; null when every disc is shot."""
    seat_to_shoot: Seat | None
    """The seat whose turn it is."""
    player: str | None
    """Who sits there."""
    shots: int
    """How many were played."""
    time_called: bool
    """Whether people called time: a side with fewer shots has one more."""
    end: Literal["proposed", "ended"] | None
    """`proposed`: every disc is shot and people have to confirm it; `ended`: the match is over."""


class RoundPlayed(TypedDict):
    """A finished round."""

    number: int
    """From 1."""
    starter: SideLetter
    """The side that shot first."""
    totals: BySide
    """What each side counted, twenties included."""
    twenties: BySide
    """How many of them each side had."""
    awarded: BySide
    """What each side got for it in the match score."""
    corrected: bool
    """Whether people changed its figures."""
    ranges: dict[SideLetter, Range]
    """The totals as the answers to what is still open may make them."""


class Disc(Place):
    """A disc on the drawn board."""

    id: str
    """Its side's small letter and how-manyeth it was shot in the round: a1."""
    side: SideLetter
    """Whose it is."""
    name: Sentence
    """What people call it."""
    zone: Annotated[int, shown_as(Zone)]
    """What it counts, by the lower-ring rule; people's word stands above the camera's."""
    pose: Annotated[str, shown_as(Literal["flat", "leaning", "in_hole"])]
    """How it lies: `flat` on the surface, `leaning` into the 20 hole, `in_hole` flat in it."""
    call: Call
    """`close`: too near a line to be sure."""
    clearance: float
    """mm from the disc's outermost point to the inner edge of the line that decides its zone; above 0 it is clear."""
    sigma: float
    """mm, the standard error of the clearance."""
    remove: Annotated[str, shown_as(Literal["foul", "outer_line", "returned", "twenty"])] | None
    """Why it has to come off; null for one in play."""


class DiscOff(TypedDict):
    """A disc of the round that lies nowhere on the board."""

    id: str
    """As on the board."""
    side: SideLetter
    """Whose it is."""
    name: Sentence
    """What people call it."""


class Stranger(Place):
    """A disc that lies there but is not in play."""

    side: SideLetter | None
    """Whose it was, where the match knew it."""


class LastCall(TypedDict):
    """What the table called last."""

    text: Sentence
    """The call, and what may be wrong with it."""
    why: list[Sentence]
    """The reasons, by the rules that are played."""
    named: list[str]
    """The discs that the reasons name, those first that are named first."""
    valid: bool
    """Whether the shot counts as valid: by what it was played as, else by the rules."""
    rule: Annotated[str, shown_as(Rule)]
    """The choice of the rule set that decided the rules' verdict; `annulled` for a shot that counts for nothing."""
    by_rules: bool
    """Whether the shot was valid by the rules."""
    played_as: PlayedAs | None
    """What people played it as instead of the rules' verdict; null where the rules decide."""
    side: SideLetter
    """Who shot."""
    shot: int
    """Its number in the round, from 1."""
    discs: list[str]
    """The discs that come off by it."""


class ConductCalled(TypedDict):
    """What a side was called for in the running round."""

    id: int
    """Its event in the journal."""
    round: int
    """The number of the round."""
    shot: int | None
    """The shot of the round during which it happened; null where it was at none."""
    after: int
    """How many shots of the round there were when it was called."""
    side: SideLetter
    """Whose player it was."""
    conduct: Conduct
    """What the player did, as `rules/1` names it."""
    text: Sentence
    """The same for people, and what it costs by the rules of the match."""
    says: str | None
    """How the source of the rules forbids it; null where it does not."""


class Amendment(TypedDict):
    """What the table told otherwise by itself, since a later board fits another telling better."""

    id: int
    """Its event in the journal."""
    round: int
    """The number of the round."""
    after: int
    """How many shots of the round there were by then."""
    shots: list[int]
    """The shots of the round that are told otherwise."""
    text: Sentence
    """What is told otherwise, and why."""


class PossibleAnswer(TypedDict):
    """A possible answer to a question."""

    id: str
    """For the command that gives it; "unknown" where people can't tell either."""
    text: Sentence
    """The answer."""
    effect: Sentence
    """What it changes now."""


class Question(TypedDict):
    """Something that the table can't be sure of and asks people."""

    id: int
    """For the command that answers it."""
    kind: What
    """What it is about."""
    round: int
    """The number of the round that it belongs to."""
    pressing: bool
    """Whether its round still waits for the answer."""
    text: Sentence
    """The question."""
    clearance: float | None
    """mm, of a close call at a line: below 0 the disc touches the line."""
    sigma: float | None
    """mm, its standard error."""
    discs: list[str]
    """The discs that it is about: its picture marks them."""
    answers: list[PossibleAnswer]
    """What can be answered."""
    picture: str | None
    """The name of its picture, where there is one."""
    clip: str | None
    """The name of the clip of what moved before it was asked, where one is kept: to be had at /clip/NAME."""


class MatchNow(TypedDict):
    """The match that is played, or was played last."""

    id: int
    """Its number in the journal."""
    assignment: str | None
    """The club's id of it, where the club assigned it."""
    rules: str
    """Its rule set."""
    rules_name: Sentence
    """What people call it."""
    format: Format
    """How it is counted."""
    format_text: Sentence
    """The same for people."""
    over: bool
    """Whether it is decided."""
    winner: SideLetter | None
    """Who won; null while it is not over, and for a tie."""
    manual: bool
    """Whether the scorer keeps the score and what the camera sees changes nothing."""
    uncleared: bool
    """Whether discs of a match before may lie there: nothing is a shot before the board is empty or people confirm."""
    off: list[DiscOff]
    """The discs of the round that lie nowhere on the board."""
    doubles: bool
    """Whether two partners make a side."""
    next_step: Sentence
    """What to do next, in one line."""
    situation: Sentence | None
    """How the round stands, in one line; null when the match is over."""
    sides: Annotated[list[SideNow], Field(min_length=1, max_length=4)]
    """In the order in which they were named."""
    round: RoundNow
    """The running round, or the last one."""
    rounds: list[RoundPlayed]
    """The finished ones."""
    discs: list[Disc]
    """What lies on the board."""
    seats_known: bool
    """Whether play or people have told who sits where; until then seat 1 is only supposed to be at -y."""
    strangers: list[Stranger]
    """Discs that lie there but are not in play."""
    last_call: LastCall | None
    """What the table called last in this round."""
    timers: list[Timer]
    """The clocks that are set, that of the round first."""
    film: NewestFilm | None
    """What the camera saw of the shot that was called last; null where it was not filmed."""
    conduct: list[ConductCalled]
    """What sides were called for in the running round."""
    amended: list[Amendment]
    """What the table told otherwise in the running round, the newest last; without what people took back."""
    questions: list[Question]
    """The open ones."""
    can_undo: Sentence | None
    """What an undo would take back."""
    can_redo: Sentence | None
    """What a redo would bring back."""


class State(TypedDict):
    """The table as it is now."""

    schema: Literal["table-state/1"]
    """Which document this is."""
    id: int
    """The number of the journal's last event that this state contains; it rises with every change of the match."""
    table: ThisTable
    """The table."""
    status: Status
    """What it is doing."""
    notices: list[Notice]
    """What is missing or broken."""
    choices: Choices
    """What a match can be started with."""
    club: ClubNow | None
    """What the table's club wants of it; null where the table is in no club."""
    match: MatchNow | None
    """The match; null before the first."""
