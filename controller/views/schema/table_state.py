"""The state for the pages: `table-state/1`. Millimetres are in the players' board frame (`hardware.board`), scores in
points."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from controller.match.cases import What
from controller.match.parts import TimerName
from controller.rules.conduct import Conduct
from controller.rules.judge import PlayedAs, Rule
from controller.views.schema.choices import Choices
from controller.views.schema.common import (
    FinishedRound,
    Format,
    MatchFormat,
    Place,
    Seat,
    Sentence,
    SideLetter,
    Swatch,
    shown_as,
)
from controller.views.schema.film import NewestFilm
from controller.vision.readings import Call, Zone

StatusWord = Literal[
    "ready", "hand", "moving", "check", "covered", "light_changed", "camera_moved", "no_camera", "no_match", "paused",
    "manual", "over",
]  # fmt: skip

NoticeKind = Literal[
    "backup", "button", "buttons", "camera", "camera_frozen", "clips", "club", "engine", "focus", "hole_level",
    "hole_sensor", "hole_trust", "journal", "lamps", "light", "match", "obstructed", "overlay", "pictures", "placing",
    "reading", "recovery", "referee", "webhooks",
]  # fmt: skip

Range = Annotated[list[int], Field(min_length=2, max_length=2)]
"""The lowest and the highest, in points."""


class AssignedSide(TypedDict):
    """A side of the assigned match."""

    name: str  #: Its name.
    colour: str  #: The colour of its discs: as in the last match, else black and natural.


AssignedSeats = TypedDict(
    "AssignedSeats",
    {
        "1": Annotated[str, Field(description="Of side A.")],
        "2": Annotated[str, Field(description="In doubles, of side B.")],
        "3": Annotated[str, Field(description="Of side B; in doubles, of side A.")],
        "4": Annotated[str, Field(description="In doubles, of side B.")],
    },
    total=False,
)
"""The players by seat."""


class AssignedStart(TypedDict):
    """The members of the command `start` for the assigned match."""

    assignment: str  #: The club's id of the match.
    rules: str  #: The rule set.
    format: MatchFormat  #: Its format.
    discs: int  #: The discs per side and round.
    doubles: bool  #: Whether two partners make a side.
    sides: Annotated[list[AssignedSide], Field(min_length=2, max_length=2)]  #: A and B.
    seats: AssignedSeats  #: The players by seat, unless people choose otherwise.
    starter: Literal["A", "B"]  #: The side that shoots first.


class NextMatch(TypedDict):
    """The match that the club assigned to this table to be played next."""

    round: int  #: Its round of the evening, from 1.
    text: Sentence  #: The sides' names.
    details: Sentence  #: The rules, the format and the starter.
    start: AssignedStart  #: The members of the command that starts it.


class ClubNow(TypedDict):
    """The table in its club."""

    name: str  #: The club's name.
    next: NextMatch | None  #: The next match; null if there is none.
    taken_back: Sentence | None  #: A notice that the club has withdrawn the running match, and what to do.


class ThisTable(TypedDict):
    """The table."""

    name: str  #: Its name.
    simulated: bool  #: Whether its devices are simulated.


class Status(TypedDict):
    """The table's activity, or why it is idle."""

    word: Annotated[str, shown_as(StatusWord)]  #: A code for programs.
    text: Sentence  #: The same for people.


class Notice(TypedDict):
    """A notice of something missing or broken, shown as long as that lasts."""

    kind: NoticeKind  #: Its topic; there is at most one notice of a kind.
    text: Sentence  #: What is wrong and what to do.


class TakenSeat(TypedDict):
    """A seat of a side."""

    seat: Seat  #: Its number.
    player: str  #: The player there.


class CountedDisc(TypedDict):
    """A disc that people counted by hand."""

    id: int  #: The number of its event, for the command that undoes it.
    points: Annotated[int, shown_as(Literal[20, 15, 10, 5])]  #: Its points.


class SideNow(TypedDict):
    """The state of a side."""

    id: SideLetter  #: Its letter.
    name: str  #: Its name.
    seats: list[TakenSeat]  #: Its seat, or two seats in doubles.
    colour: str  #: The colour of its discs; empty if it is not known.
    swatch: Swatch  #: How its discs are drawn.
    score: int  #: Its score in the match, from confirmed rounds.
    total: int  #: Its total if the running round ended now, twenties included.
    total_range: Range  #: The lowest and highest possible total now, over all open questions and close calls.
    counted: list[CountedDisc]
    """The discs of the running round that people counted by hand, twenties included, the newest last."""
    by_hand: int  #: Their sum with all twenties of the round, on which both sides agree at its end.
    twenties: int  #: Its twenties in the running round.
    match_twenties: int | None  #: Its twenties in the whole match; null if nobody recorded those of some round.
    discs: int  #: The discs that it shoots in a round.
    shots_left: int  #: The discs that it still has to shoot in this round.
    shoots: bool  #: Whether it is its turn.
    hammer: bool  #: Whether it has the last shot of the round.


class RoundNow(TypedDict):
    """The running round."""

    number: int  #: From 1.
    of: int | None  #: The number of rounds of the match; null if it goes to a target.
    starter: SideLetter  #: The side that starts.
    to_shoot: SideLetter | None  #: The side whose turn it is; null if every disc is shot.
    seat_to_shoot: Seat | None  #: The seat whose turn it is.
    player: str | None  #: The player there.
    shots: int  #: The number of shots so far.
    time_called: bool  #: Whether people called time: a side with fewer shots gets one more.
    end: Literal["proposed", "ended"] | None
    """`proposed`: every disc is shot and people have to confirm the end; `ended`: the match is over."""


class RoundPlayed(FinishedRound):
    """A finished round of the present match."""

    ranges: dict[SideLetter, Range | None]
    """Each side's lowest and highest possible total over all answers to its open questions; null if not known."""


class Disc(Place):
    """A disc on the drawn board."""

    id: str  #: Its id: its side's letter in lower case and its number in the round, such as a1.
    side: SideLetter  #: Its side.
    name: Sentence  #: Its name.
    zone: Annotated[int, shown_as(Zone)]
    """Its points, by the lower-ring rule; people's corrections override the camera."""
    pose: Annotated[str, shown_as(Literal["flat", "leaning", "in_hole"])]
    """`flat` on the surface, `leaning` into the 20 hole, or `in_hole`, flat in it."""
    call: Call  #: `close`: too near a line to be certain.
    clearance: float
    """mm from the disc's outermost point to the inner edge of the deciding line; above 0 it is clear of the line."""
    sigma: float  #: mm, the standard error of the clearance.
    remove: Annotated[str, shown_as(Literal["foul", "outer_line", "returned", "twenty"])] | None
    """Why it has to come off; null if it is in play."""


class DiscOff(TypedDict):
    """A disc of the round that is off the board."""

    id: str  #: Its id.
    side: SideLetter  #: Its side.
    name: Sentence  #: Its name.


class Stranger(Place):
    """A disc on the board that is not in play."""

    side: SideLetter | None  #: Its side, if it is known.


class LastCall(TypedDict):
    """The last call."""

    text: Sentence  #: The call, and any doubt about it.
    why: list[Sentence]  #: The reasons by the rules of the match.
    named: list[str]  #: The discs that the reasons name, in that order.
    valid: bool  #: Whether the shot counts as valid: by `played_as`, else by the rules.
    rule: Annotated[str, shown_as(Rule)]
    """The choice of the rule set that decided the rules' verdict; `annulled` for an annulled shot."""
    by_rules: bool  #: Whether the shot was valid by the rules.
    played_as: PlayedAs | None  #: How people overruled the rules' verdict; null if they did not.
    side: SideLetter  #: The side that shot.
    shot: int  #: Its number in the round, from 1.
    discs: list[str]  #: The discs that come off.


class ConductCalled(TypedDict):
    """A conduct call of the running round."""

    id: int  #: The number of its event.
    round: int  #: The number of the round.
    shot: int | None  #: The shot of the round during which it happened; null if there was none.
    after: int  #: The number of shots in the round at that time.
    side: SideLetter  #: The player's side.
    conduct: Conduct  #: The breach, by its name in `rules/1`.
    text: Sentence  #: The text for people, with the penalty by the rules of the match.
    says: str | None  #: The words of the rules' source; null if it does not forbid it.


class Amendment(TypedDict):
    """A revision by the table, because a later board fits another explanation better."""

    id: int  #: The number of its event.
    round: int  #: The number of the round.
    after: int  #: The number of shots in the round at that time.
    shots: list[int]  #: The revised shots of the round.
    text: Sentence  #: The text of the revision, with its reason.


class PossibleAnswer(TypedDict):
    """A possible answer to a question."""

    id: str  #: Its id for commands; "unknown" for "we don't know".
    text: Sentence  #: The answer.
    effect: Sentence  #: Its effect now.


class Question(TypedDict):
    """A doubt about which the table asks people."""

    id: int  #: Its id for commands.
    kind: What  #: Its topic.
    round: int  #: The number of its round.
    shot: int | None  #: The number of its shot in the round, from 1; null if it is not about a shot.
    pressing: bool  #: Whether its round still waits for the answer.
    text: Sentence  #: The question.
    clearance: float | None  #: mm, for a close call at a line: below 0 the disc touches the line.
    sigma: float | None  #: mm, its standard error.
    discs: list[str]  #: Its discs, which the picture marks.
    answers: list[PossibleAnswer]  #: The possible answers.
    picture: str | None  #: The name of its picture, if there is one.
    clip: str | None  #: The name of the clip of the movements before it, if one is stored: see /clip/NAME.


TimerWord = Literal["waiting", "running", "stopped", "ended"]


class Timer(TypedDict):
    """A clock of the match. It never blocks play."""

    timer: TimerName  #: The clock of each round or of the match.
    seconds: float  #: The seconds from which it runs down.
    on_first_shot: bool  #: Whether the first shot of the round, or of the match, starts it.
    word: Annotated[str, shown_as(TimerWord)]
    """`waiting` for the first shot, `running`, `stopped`, or `ended`: run down."""
    left: float | None  #: The seconds that it shows while stopped; null while it runs.
    ends: float | None
    """The table's steady clock, in s, when it will have run down; null while stopped. That clock can't be set; each
    `beat` of the streams and the header `X-Steady-Clock` of `/api/v1/state` report it."""
    text: Sentence | None  #: The meaning of its end; null before it.


class MatchNow(TypedDict):
    """The present match, or the last one."""

    id: int  #: Its number in the journal.
    assignment: str | None  #: The club's id of the match, if the club assigned it.
    rules: str  #: Its rule set.
    rules_name: Sentence  #: Its name.
    format: Format  #: Its format.
    format_text: Sentence  #: The same for people.
    over: bool  #: Whether it is over.
    winner: SideLetter | None  #: The winner; null until it is over, and for a tie.
    manual: bool  #: Whether the scorer keeps the score, so that readings change nothing.
    uncleared: bool
    """Whether discs of an earlier match may be on the board: no shot counts until it is empty or people confirm."""
    off: list[DiscOff]  #: The discs of the round that are off the board.
    doubles: bool  #: Whether two partners make a side.
    next_step: Sentence  #: What to do next, in one line.
    situation: Sentence | None  #: The state of the round, in one line; null if the match is over.
    sides: Annotated[list[SideNow], Field(min_length=1, max_length=4)]  #: In the order in which they were named.
    round: RoundNow  #: The running round, or the last one.
    rounds: list[RoundPlayed]  #: The finished rounds.
    discs: list[Disc]  #: The discs on the board.
    seats_known: bool
    """Whether the seats are known from play or from people; until then seat 1 is assumed to be at -y."""
    strangers: list[Stranger]  #: Discs on the board that are not in play.
    last_call: LastCall | None  #: The last call of this round.
    timers: list[Timer]  #: The clocks in use, the round's first.
    film: NewestFilm | None  #: The film of the last called shot; null if it was not filmed.
    conduct: list[ConductCalled]  #: The conduct calls of the running round.
    amended: list[Amendment]  #: The table's revisions in the running round that people did not undo, the newest last.
    questions: list[Question]  #: The open questions.
    can_undo: Sentence | None  #: The step that an undo would undo.
    undo_asks: bool  #: Whether that step ended a round or started the match: a page asks before it sends that undo.
    can_redo: Sentence | None  #: The step that a redo would restore.


class State(TypedDict):
    """The present state of the table."""

    schema: Literal["table-state/1"]  #: The document's type.
    id: int  #: The number of the last event in this state; it rises with every change of the match.
    table: ThisTable  #: The table.
    status: Status  #: Its status.
    notices: list[Notice]  #: What is missing or broken.
    choices: Choices  #: The options for starting a match.
    club: ClubNow | None  #: The table in its club; null if it is in no club.
    match: MatchNow | None  #: The match; null before the first.
