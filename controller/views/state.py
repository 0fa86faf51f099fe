"""The state: `table-state/1`, the document for pages and programs. Millimetres are in the players' board frame
(`hardware.board`), scores in points."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from controller import rules
from controller.match import events as ev
from controller.match import parts
from controller.match.base import Stamped
from controller.match.discs import disc_name
from controller.match.state import MatchState
from controller.match.undo import redoable, undoable
from controller.messages import Message, say
from controller.rules.judge import PlayedAs, Rule
from controller.views import phrases
from controller.views.audit import ShownAmendment, amendments_now
from controller.views.board import DiscOff, DrawnDisc, DrawnStranger, NewestFilm, drawn_discs, newest_film
from controller.views.club import ClubNow, InClub
from controller.views.common import AnyMatch, FinishedRound, Seat, Sentence, SideId
from controller.views.conduct import CalledConduct
from controller.views.corrections import VerdictCorrection
from controller.views.questions import ShownQuestion, doubt_text
from controller.views.rule_sets import FormOptions
from controller.views.scoreboard import Range, ShownTimer, SideNow

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
    "focus",
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
    "recovery",
    "referee",
    "webhooks",
]

STATUS: Mapping[StatusWord, Message] = {
    "ready": say("Ready"),
    "hand": say("Hand over the board"),
    "moving": say("Moving"),
    "check": say("Check"),
    "covered": say("The board is covered"),
    "light_changed": say("The light changed"),
    "camera_moved": say("The camera or the board moved"),
    "no_camera": say("No camera"),
    "no_match": say("No match"),
    "paused": say("Paused"),
    "manual": say("The scorer keeps the score"),
    "over": say("Match over"),
}
ClipsOf = Callable[[int, Sequence[Stamped]], Mapping[int, str]]
"""(match number, its events) to the names of its stored clips by event."""


@dataclass(frozen=True, slots=True)
class TableView:
    """The state's data besides the match."""

    name: str
    simulated: bool
    rule_sets: tuple[rules.RuleSet, ...]
    clips_of: ClipsOf
    word: StatusWord = "no_match"
    notices: tuple[tuple[NoticeKind, Message], ...] = ()
    history: tuple[Stamped, ...] = ()
    club: InClub | None = None


@dataclass
class ThisTable:
    """The table."""

    name: str  #: Its name.
    simulated: bool  #: Whether its devices are simulated.


@dataclass
class Status:
    """The table's activity, or why it is idle."""

    word: StatusWord  #: A code for programs.
    text: Sentence  #: The same for people.


@dataclass
class Notice:
    """A notice of something missing or broken, shown as long as that lasts."""

    kind: NoticeKind  #: Its topic; there is at most one notice of a kind.
    text: Sentence  #: What is wrong and what to do.


@dataclass
class RoundNow:
    """The running round."""

    number: int  #: From 1.
    of: int | None  #: The number of rounds of the match; null if it goes to a target.
    starter: SideId  #: The side that starts.
    to_shoot: SideId | None  #: The side whose turn it is; null if every disc is shot.
    seat_to_shoot: Seat | None  #: The seat whose turn it is.
    player: str | None  #: The player there.
    shots: int  #: The number of shots so far.
    time_called: bool  #: Whether people called time: a side with fewer shots gets one more.
    end: Literal["proposed", "ended"] | None
    """`proposed`: every disc is shot and people have to confirm the end; `ended`: the match is over."""

    @classmethod
    def now(cls, state: MatchState) -> "RoundNow":
        """The running round, or the last one."""
        round_ = state.game.round
        seat = round_.seat_to_shoot
        return cls(
            number=round_.number,
            of=state.game.terms.format.all_rounds,
            starter=round_.starter,
            to_shoot=round_.to_shoot,
            seat_to_shoot=seat,
            player=state.player_of(seat) if seat else None,
            shots=len(round_.shots),
            time_called=round_.time_out is not None,
            end="ended" if state.over else "proposed" if state.round_proposed else None,
        )


@dataclass
class RoundPlayed(FinishedRound):
    """A finished round of the present match."""

    ranges: dict[SideId, Range | None]
    """Each side's lowest and highest possible total over all answers to its open questions; null if not known."""

    @classmethod
    def with_ranges(cls, state: MatchState, round_: rules.Round) -> "RoundPlayed":
        """One of the match's finished rounds."""
        ranges = state.total_ranges(round_.number)
        known = {side: None if total is None else list(ranges[side]) for side, total in round_.known_totals.items()}
        return cls.of(round_, ranges=known)


@dataclass
class Verdict:
    """The verdict on a shot."""

    why: list[Sentence]  #: The reasons, by the rules of the match.
    named: list[str]  #: The discs that the reasons name, in that order.
    valid: bool  #: Whether the shot counts as valid: by `played_as`, else by the rules.
    by_rules: bool  #: Whether the shot was valid by the rules.
    played_as: PlayedAs | None  #: How people overruled the rules' verdict; null if they did not.
    side: SideId  #: The side that shot.
    corrections: list[VerdictCorrection]  #: What a scorer can say of it; nothing in a practice, which has one player.

    @staticmethod
    def members(played: rules.JudgedShot, state: MatchState) -> dict[str, Any]:
        """All of them, for a shot of the running round."""
        judgement, names = played.judgement, disc_names(state.game.round, state)
        why = rules.explain(judgement, state.game.terms.rules, names)
        return {
            "why": list(why),
            "named": phrases.discs_named(why, names),
            "valid": judgement.counted_valid,
            "by_rules": judgement.valid,
            "played_as": judgement.played_as,
            "side": played.shot.side,
            "corrections": [] if state.game.terms.rules.practice else VerdictCorrection.all_of(judgement),
        }


@dataclass
class ShownCall(Verdict):
    """The last call."""

    text: Sentence  #: The call, and any doubt about it.
    rule: Rule
    """The choice of the rule set that decided the rules' verdict; `annulled` for an annulled shot."""
    shot: int  #: Its number in the round, from 1.
    discs: list[str]  #: The discs that come off.

    @classmethod
    def of(cls, last: parts.LastCall, state: MatchState) -> "ShownCall":
        """The last call in words, and why."""
        judgement = last.played.judgement
        words = phrases.call(judgement)
        return cls(
            **cls.members(last.played, state),
            text=say("{call} {doubt}", call=words, doubt=doubt_text(last.doubt)) if last.doubt else words,
            rule=judgement.rule,
            shot=last.number,
            discs=[one.disc for one in judgement.removed],
        )


@dataclass
class MatchNow(AnyMatch):
    """The present match, or the last one."""

    assignment: str | None  #: The club's id of the match, if the club assigned it.
    format_text: Sentence  #: The same for people.
    manual: bool  #: Whether the scorer keeps the score, so that readings change nothing.
    uncleared: bool
    """Whether discs of an earlier match may be on the board: no shot counts until it is empty or people confirm."""
    off: list[DiscOff]  #: The discs of the round that are off the board.
    next_step: Sentence  #: What to do next, in one line.
    situation: Sentence | None  #: The state of the round, in one line; null if the match is over.
    sides: Annotated[list[SideNow], Field(min_length=1, max_length=4)]  #: In the order in which they were named.
    round: RoundNow  #: The running round, or the last one.
    rounds: list[RoundPlayed]  #: The finished rounds.
    discs: list[DrawnDisc]  #: The discs on the board.
    seats_known: bool
    """Whether the seats are known from play or from people; until then seat 1 is assumed to be at -y."""
    strangers: list[DrawnStranger]  #: Discs on the board that are not in play.
    last_call: ShownCall | None  #: The last call of this round.
    timers: list[ShownTimer]  #: The clocks in use, the round's first.
    film: NewestFilm | None  #: The film of the last called shot; null if it was not filmed.
    conduct: list[CalledConduct]  #: The conduct calls of the running round.
    amended: list[ShownAmendment]  #: The table's revisions in the running round that people did not undo, newest last.
    questions: list[ShownQuestion]  #: The open questions.
    can_undo: Sentence | None  #: The step that an undo would undo.
    undo_asks: bool  #: Whether that step ended a round or started the match: a page asks before it sends that undo.
    can_redo: Sentence | None  #: The step that a redo would restore.

    @classmethod
    def of(cls, state: MatchState, view: TableView) -> "MatchNow":
        """The match's part of the document."""
        history = view.history
        undo, there, asked = undoable(history), drawn_discs(state), state.decisive
        clips = view.clips_of(state.number, history) if asked else {}
        return cls.said(
            state,
            assignment=state.started.assignment,
            format_text=rules.format_words(state.game.terms.format),
            manual=state.manual,
            uncleared=state.uncleared,
            off=DiscOff.all_of(state, there),
            next_step=phrases.next_step(state),
            situation=None if state.over else phrases.situation(state),
            sides=SideNow.all_of(state),
            round=RoundNow.now(state),
            rounds=[RoundPlayed.with_ranges(state, round_) for round_ in state.finished],
            discs=[DrawnDisc.drawn(state, id_, measured) for id_, measured in there.items()],
            seats_known=state.seating.sure,
            strangers=[DrawnStranger.of(state.seating, one, side=one.side) for one in state.strangers],
            last_call=ShownCall.of(state.last_call, state) if state.last_call else None,
            timers=ShownTimer.all_of(state),
            film=newest_film(state),
            conduct=CalledConduct.now(state),
            amended=amendments_now(state),
            questions=[ShownQuestion.of(one, state, clips) for one in asked],
            can_undo=undo.event.undoing(state.names) if undo else None,
            undo_asks=_is_grave(undo),
            can_redo=say("the last undo") if redoable(history) else None,
        )


@dataclass(kw_only=True)
class State:
    """The present state of the table."""

    schema: Literal["table-state/1"] = "table-state/1"  #: The document's type.
    id: int  #: The number of the last event in this state; it rises with every change of the match.
    table: ThisTable  #: The table.
    status: Status  #: Its status.
    notices: list[Notice]  #: What is missing or broken.
    choices: FormOptions  #: The options for starting a match.
    club: ClubNow | None  #: The table in its club; null if it is in no club.
    match: MatchNow | None  #: The match; null before the first.

    @classmethod
    def of(cls, view: TableView, state: MatchState | None) -> "State":
        """The whole document."""
        return cls(
            id=state.last_id if state else 0,
            table=ThisTable(view.name, view.simulated),
            status=Status(view.word, STATUS[view.word]),
            notices=[Notice(*one) for one in view.notices],
            choices=FormOptions.of(view.rule_sets),
            club=ClubNow.of(view.club, state) if view.club else None,
            match=MatchNow.of(state, view) if state else None,
        )


def _is_grave(step: Stamped | None) -> bool:
    return step is not None and isinstance(step.event, ev.RoundEnded | ev.MatchStarted)


def disc_names(round_: rules.Round, state: MatchState) -> dict[str, Message]:
    """The names of a round's discs."""
    return {disc: disc_name(disc, state.name_of(side)) for disc, side in round_.owners.items()}
