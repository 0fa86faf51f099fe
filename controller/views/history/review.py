"""A match to step through: every shot with the boards before and after it, its paths, its verdict and the rule."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Self

from pydantic import Field
from typing_extensions import TypedDict

from controller import rules
from controller.journal.events import MatchSpan
from controller.match import events as ev
from controller.match.base import Stamped
from controller.match.cases import What
from controller.match.fold import effective_events
from controller.match.questions import UNKNOWN
from controller.match.shot_kinds import Kind, kinds
from controller.match.state import MatchState
from controller.messages import Message, say
from controller.rules.judge import Decides, Removal
from controller.views.audit import Change, amendments_of, audit
from controller.views.board import DrawnDisc, ShotFilm
from controller.views.common import BySide, Place, Seat, Sentence, SideId, Swatch, Time
from controller.views.conduct import conduct_text
from controller.views.history.one_match import MatchInShort, ReplayedShot, utc, walk
from controller.views.phrases import SHOT_KINDS, call, swatch
from controller.views.questions import WE_DONT_KNOW, answer_text, clip_of, discs_asked, doubt_text, question_text
from controller.views.state import Verdict, disc_names

MAX_SHOTS = 72
"""Shots in one answer. With boards full of discs they take less than 200 kB; a match of four rounds with eight discs a
side has 64 and fits into one."""
MAX_CHANGES = 500  # in one answer, the newest: more than people make in any match


Point = Annotated[list[float], Field(min_length=2, max_length=2)]
"""x and y in people's board frame, mm."""


@dataclass(frozen=True, slots=True)
class StoredPictures:
    """A match's stored pictures by name, and clips by event."""

    pictures: Collection[str] = ()
    clips: Mapping[int, str] = field(default_factory=dict)


@dataclass
class RuleApplied:
    """The choice of the rule set that decided."""

    choice: Decides  #: Its name in `rules/1`.
    title: Sentence  #: What is chosen.
    text: Sentence  #: The rule set's choice.
    source: str  #: The source's words.

    @classmethod
    def of(cls, choice: Decides, rule_set: rules.RuleSet) -> "RuleApplied":
        """A rule set's choice."""
        words = rules.choice_words(choice, getattr(rule_set, choice))
        return cls(choice, rules.choice_title(choice), words, rule_set.source(choice))


_Path = TypedDict("_Path", {"from": Annotated[Point | None, Field(description="Null: from the shooter's line.")]})


class Path(_Path):
    """A disc's path."""

    disc: str  #: Its id.
    to: Point | Literal["hole", "ditch"]  #: Where it came to rest.


@dataclass
class Pictured:
    """The picture and clip of a shot or question."""

    picture: str | None  #: The name of its picture, if there is one.
    picture_gone: bool  #: Whether its picture was deleted.
    clip: str | None  #: The name of the clip of the motion before it, if one is kept; its address is /clip/NAME.

    @classmethod
    def kept(cls, kept: StoredPictures, name: str | None, clip: str | None, **more: Any) -> Self:
        """`name`: of the picture, which may have been deleted; `more`: the members that a subclass adds."""
        there = name in kept.pictures
        return cls(picture=name if there else None, picture_gone=not there and name is not None, clip=clip, **more)


@dataclass
class ReviewedQuestion(Pictured):
    """A question that was asked after a shot."""

    id: int  #: Its event in the journal.
    after: int  #: The event of the shot after which it was asked; 0 before the first.
    round: int  #: The number of its round.
    kind: What  #: Its topic.
    text: Sentence  #: The question.
    discs: list[str]  #: The discs that it is about.
    clearance: float | None  #: mm, of a close call at a line: below 0 the disc touches the line.
    sigma: float | None  #: mm, its standard error.
    answer: Sentence | None  #: People's answer.
    note: Sentence | None  #: Why it was closed without an answer; null while it is open.

    @classmethod
    def all_of(
        cls, history: Sequence[Stamped], state: MatchState, kept: StoredPictures
    ) -> "Iterator[ReviewedQuestion]":
        """Every question of a match, with its answer and the shot before it."""
        live, last = list(effective_events(history)), 0
        answered = [s.event for s in live if isinstance(s.event, ev.QuestionAnswered)]
        answers = {one: event.answer for event in answered for one in event.questions}
        for stamped in live:
            match stamped.event:
                case ev.ShotSeen():
                    last = stamped.id
                case ev.QuestionAsked() as question:
                    answer = answers.get(stamped.id)
                    yield cls.kept(
                        kept,
                        question.picture,
                        clip_of(kept.clips, stamped.id, question),
                        id=stamped.id,
                        after=last,
                        round=question.round,
                        kind=question.what,
                        text=question_text(question, state),
                        discs=discs_asked(question),
                        clearance=question.clearance,
                        sigma=question.sigma,
                        answer=_answer(question, answer, state) if answer is not None else None,
                        note=None if answer is not None else _note(stamped.id, history, state),
                    )


@dataclass
class ShotPlayed(Pictured, Verdict):
    """A shot as it counts after all corrections."""

    id: int  #: Its event in the journal.
    at: Time  #: When the table saw it.
    t: float  #: Seconds on the camera's clock.
    frame: str  #: The picture of the recording that showed it; empty if there is none.
    round: int  #: The number of its round.
    number: int  #: Its number in the round, from 1.
    seat: Seat  #: The seat that shot.
    player: str  #: The player there.
    disc: str  #: The disc that was shot.
    names: dict[str, Sentence]  #: The names of the round's discs.
    call: Sentence  #: The table's call.
    conduct: list[Sentence]  #: Calls for conduct during it, with their penalties.
    rule: RuleApplied | None  #: The rule that decided; null for an annulled shot.
    removed: list[Removal]  #: The discs that came off by it.
    twenties: list[str]  #: The discs that were banked.
    contacts: list[Annotated[list[str], Field(min_length=2, max_length=2)]]
    """Pairs of discs that touched, in order of time."""
    doubt: Sentence | None  #: Why this explanation may be wrong.
    annulled: bool  #: Whether people annulled it.
    corrected: bool  #: Whether people corrected its verdict, or the places of discs after it.
    amended: list[Sentence]  #: The table's revisions of it, with their reasons.
    before: list[DrawnDisc]  #: The discs on the board before it.
    after: list[DrawnDisc]  #: The discs on the board after it.
    paths: list[Path]  #: The paths of the discs that it moved.
    film: ShotFilm | None  #: Its film; null if it was not filmed.
    kinds: list[Kind]
    """Its kinds of shot, as `controller.match.shot_kinds` defines them."""
    kinds_text: list[Sentence]  #: The same for people.
    totals: BySide  #: The round's totals after it.
    score: BySide  #: The match score after it.
    questions: list[ReviewedQuestion]  #: The questions asked after it.

    @classmethod
    def of(
        cls, step: ReplayedShot, end: MatchState, asked: list[ReviewedQuestion], kept: StoredPictures
    ) -> "ShotPlayed":
        """One shot; `end`: the match's present state; `asked`: after it."""
        played, state, seen = step.played, step.after, step.seen
        judgement, shot = played.judgement, played.shot
        of_round = state.game.terms.rules
        of_kinds = [one.kind for one in kinds(step.shot) if one.hit]
        return cls.kept(
            kept,
            seen.picture,
            kept.clips.get(step.id),
            **cls.members(played, state),
            id=step.id,
            at=utc(step.at),
            t=seen.t,
            frame=seen.frame,
            round=step.round,
            number=step.number,
            seat=played.seat,
            player=state.player_of(played.seat),
            disc=shot.disc,
            names=disc_names(state.game.round, state),
            call=call(judgement),
            conduct=[
                conduct_text(one, end) for one in end.conduct if (one.round, one.shot) == (step.round, step.number)
            ],
            rule=None if judgement.rule == "annulled" else RuleApplied.of(judgement.rule, of_round),
            removed=list(judgement.removed),
            twenties=list(judgement.twenties),
            contacts=[list(pair) for pair in shot.contacts],
            doubt=doubt_text(seen.doubt) if seen.doubt else None,
            annulled=played.annulled,
            corrected=seen.valid is not None or bool(played.corrected),
            amended=amendments_of(end, step.round, step.number),
            before=board(step.before),
            after=board(state),
            paths=paths(step),
            film=ShotFilm.of(seen.film, step.shot.owners, state.seating) if seen.film else None,
            kinds=of_kinds,
            kinds_text=[SHOT_KINDS[kind] for kind in of_kinds],
            totals=dict(state.game.round.totals),
            score=state.score,
            questions=asked,
        )


@dataclass
class Note:
    """A remark on the score sheet."""

    round: int  #: The number of the round.
    shot: int | None  #: Its shot's number in the round; null if it is not about a shot.
    text: Sentence  #: A shot that was played as something else than the rules' verdict, or a call for conduct.


@dataclass(kw_only=True)
class ReviewedMatch(MatchInShort):
    """One match to step through, some seventy shots at a time."""

    schema: Literal["match/1"] = "match/1"  #: Which document this is.
    format_text: Sentence  #: Its format for people.
    swatches: dict[SideId, Swatch]  #: How each side's discs are drawn.
    shots: list[ShotPlayed]  #: In order.
    deleted: bool  #: Whether people took it out of lists and figures.
    notes: list[Note]  #: The remarks on the score sheet of the whole match.
    next: int | None  #: The next value of `after`; null if these are the last.
    changes: list[Change]  #: Changes by people and revisions by the table, the newest last.

    @classmethod
    def read(
        cls, number: int, history: Sequence[Stamped], span: MatchSpan, kept: StoredPictures, after: int = 0
    ) -> "ReviewedMatch":
        """A match from its events, with its shots after the first `after` of them."""
        steps, state = walk(number, history)
        asked: defaultdict[tuple[int, int], list[ReviewedQuestion]] = defaultdict(list)
        for question in ReviewedQuestion.all_of(history, state, kept):
            asked[question.round, question.after].append(question)
        end = after + MAX_SHOTS
        return cls.of(
            state,
            history,
            span,
            format_text=rules.format_words(state.game.terms.format),
            swatches={id_: swatch(side.colour) for id_, side in state.started.by_id.items()},
            shots=[ShotPlayed.of(one, state, asked[one.round, one.id], kept) for one in steps[after:end]],
            deleted=state.deleted,
            notes=notes(steps, state),
            next=end if len(steps) > end else None,
            changes=audit(history)[-MAX_CHANGES:],
        )


def notes(steps: Sequence[ReplayedShot], state: MatchState) -> list[Note]:
    """The remarks on the score sheet: shots that were played against the rules' verdict, and calls for conduct."""
    found = [
        Note(step.round, step.number, say("{name}: {call}", name=step.player, call=call(one)))
        for step in steps
        if (one := step.played.judgement).played_as
    ]
    found += [Note(one.round, one.shot, conduct_text(one, state)) for one in state.conduct]
    return sorted(found, key=lambda note: (note.round, note.shot or 0))


def board(state: MatchState) -> list[DrawnDisc]:
    """The discs on the board."""
    return [DrawnDisc.drawn(state, disc, measured) for disc, measured in state.measured.items()]


def paths(step: ReplayedShot) -> list[Path]:
    """The paths of the discs that the shot moved; a shot disc starts at its shooter's line."""
    found: list[Path] = []
    for disc, where in step.seen.rest.items():
        lay = step.before.measured.get(disc)
        to = _place(step.after, step.seen.measured[disc]) if where == "surface" else where
        found.append({"disc": disc, "from": _place(step.after, lay) if lay else None, "to": to})
    return found


def _place(state: MatchState, measured: ev.Measured) -> list[float]:
    at = Place.of(state.seating, measured)
    return [at.x, at.y]


def _answer(question: ev.QuestionAsked, id_: str, state: MatchState) -> Message | None:
    if id_ == UNKNOWN:
        return WE_DONT_KNOW
    return answer_text(question, id_, state) if any(answer.id == id_ for answer in question.answers) else None


def _note(id_: int, history: Sequence[Stamped], state: MatchState) -> Message | None:
    """Why an unanswered question was closed."""
    if id_ in state.questions:
        return None
    closed = any(isinstance(s.event, ev.QuestionClosed) and s.event.question == id_ for s in history)
    return say("What was seen later answered it.") if closed else say("Nothing depends on it any more.")
