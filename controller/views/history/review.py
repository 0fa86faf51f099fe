"""A match to step through: every shot with the boards before and after it, its paths, its verdict and the rule."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from controller import rules
from controller.journal.events import Span
from controller.match import events as ev
from controller.match.base import Stamped
from controller.match.questions import UNKNOWN
from controller.match.shot_kinds import kinds
from controller.match.state import MatchState
from controller.match.timeline import effective_events
from controller.messages import Message, say
from controller.rules.judge import Decides
from controller.views.audit import amendments_of, audit
from controller.views.board import Disc
from controller.views.common import Place
from controller.views.conduct import conduct_text
from controller.views.film import ShotFilm
from controller.views.history.steps import ReplayedShot, walk
from controller.views.history.summary import line, utc
from controller.views.phrases import call, discs_named
from controller.views.questions import WE_DONT_KNOW, answer_text, clip_of, discs_asked, doubt_text, question_text
from controller.views.schema import history as sc
from controller.views.state import disc_names

MAX_SHOTS = 72
"""Shots in one answer. With boards full of discs they take less than 200 kB; a match of four rounds with eight discs a
side has 64 and fits into one."""
MAX_CHANGES = 500  # in one answer, the newest: more than people make in any match


@dataclass(frozen=True, slots=True)
class StoredPictures:
    """A match's stored pictures by name, and clips by event."""

    pictures: Collection[str] = ()
    clips: Mapping[int, str] = field(default_factory=dict)

    def of(self, picture: str | None, clip: str | None) -> sc.Pictured:
        """A picture's name while it is stored. `picture_gone`: whether there was one that has been deleted."""
        there = picture in self.pictures
        gone = picture is not None and not there
        return {"picture": picture if there else None, "picture_gone": gone, "clip": clip}


def review(number: int, history: Sequence[Stamped], span: Span, kept: StoredPictures, after: int = 0) -> sc.Match:
    """The document `match/1`: its shots after the first `after` of them."""
    steps, state = walk(number, history)
    shown = steps[after : after + MAX_SHOTS]
    questions: defaultdict[tuple[int, int], list[sc.QuestionAsked]] = defaultdict(list)
    for question in asked(history, state, kept):
        questions[question["round"], question["after"]].append(question)
    return {
        "schema": "match/1",
        **line(state, history, span),
        "format_text": rules.format_words(state.game.terms.format),
        "shots": [shot(step, state, questions[step.round, step.id], kept) for step in shown],
        "deleted": state.deleted,
        "notes": notes(steps, state),
        "next": after + MAX_SHOTS if len(steps) > after + MAX_SHOTS else None,
        "changes": audit(history)[-MAX_CHANGES:],
    }


def shot(
    step: ReplayedShot, end: MatchState, questions: Sequence[sc.QuestionAsked], kept: StoredPictures
) -> sc.ShotPlayed:
    """One shot for the strip, with the questions after it. `end`: the match's present state."""
    played, state = step.played, step.after
    of_round = state.game.terms.rules
    names = disc_names(state.game.round, state)
    why = rules.explain(played.judgement, of_round, names)
    deciding = played.judgement.rule
    return {
        "id": step.id,
        "at": utc(step.at),
        "t": step.seen.t,
        "frame": step.seen.frame,
        "round": step.round,
        "number": step.number,
        "side": played.shot.side,
        "seat": played.seat,
        "player": state.player_of(played.seat),
        "disc": played.shot.disc,
        "names": names,
        "valid": played.judgement.counted_valid,
        "by_rules": played.judgement.valid,
        "played_as": played.judgement.played_as,
        "call": call(played.judgement),
        "why": list(why),
        "named": discs_named(why, names),
        "conduct": [
            conduct_text(one, end) for one in end.conduct if (one.round, one.shot) == (step.round, step.number)
        ],
        "rule": None if deciding == "annulled" else _rule(deciding, of_round),
        "removed": [{"disc": r.disc, "why": r.why} for r in played.judgement.removed],
        "twenties": list(played.judgement.twenties),
        "contacts": [list(pair) for pair in played.shot.contacts],
        "doubt": doubt_text(step.seen.doubt) if step.seen.doubt else None,
        **kept.of(step.seen.picture, kept.clips.get(step.id)),
        "annulled": played.annulled,
        "corrected": step.seen.valid is not None or bool(played.corrected),
        "amended": amendments_of(end, step.round, step.number),
        "before": board(step.before),
        "after": board(state),
        "paths": paths(step),
        "film": ShotFilm.of(step.seen.film, step.shot.owners, state.seating) if step.seen.film else None,
        "kinds": [one.kind for one in kinds(step.shot) if one.hit],
        "totals": dict(state.game.round.totals),
        "score": state.score,
        "questions": list(questions),
    }


def notes(steps: Sequence[ReplayedShot], state: MatchState) -> list[sc.Note]:
    """The remarks on the score sheet: shots that were played against the rules' verdict, and calls for conduct."""
    found: list[sc.Note] = [
        {
            "round": step.round,
            "shot": step.number,
            "text": say("{name}: {call}", name=step.after.player_of(step.played.seat), call=call(judged)),
        }
        for step in steps
        if (judged := step.played.judgement).played_as
    ]
    found += [{"round": one.round, "shot": one.shot, "text": conduct_text(one, state)} for one in state.conduct]
    return sorted(found, key=lambda note: (note["round"], note["shot"] or 0))


def _rule(choice: Decides, of_round: rules.RuleSet) -> sc.RuleApplied:
    words = rules.choice_words(choice, of_round.value(choice))
    return {"choice": choice, "title": rules.choice_title(choice), "text": words, "source": of_round.source(choice)}


def board(state: MatchState) -> list[Disc]:
    """The discs on the board."""
    return [Disc.drawn(state, disc, measured) for disc, measured in state.measured.items()]


def paths(step: ReplayedShot) -> list[sc.Path]:
    """The paths of the discs that the shot moved; a shot disc starts at its shooter's line."""
    found: list[sc.Path] = []
    for disc, where in step.seen.rest.items():
        lay = step.before.measured.get(disc)
        to = _place(step.after, step.seen.measured[disc]) if where == "surface" else where
        found.append({"disc": disc, "from": _place(step.after, lay) if lay else None, "to": to})
    return found


def _place(state: MatchState, measured: ev.Measured) -> list[float]:
    at = Place.of(state.seating, measured)
    return [at.x, at.y]


def asked(history: Sequence[Stamped], state: MatchState, kept: StoredPictures) -> list[sc.QuestionAsked]:
    """Every question of a match, with its answer and the shot before it."""
    answers = {one: s for s in history if isinstance(s.event, ev.QuestionAnswered) for one in s.event.questions}
    found: list[sc.QuestionAsked] = []
    last = 0
    for stamped in effective_events(history):
        match stamped.event:
            case ev.ShotSeen():
                last = stamped.id
            case ev.QuestionAsked() as question:
                answer = answers.get(stamped.id)
                found.append(
                    {
                        "id": stamped.id,
                        "after": last,
                        "round": question.round,
                        "kind": question.what,
                        "text": question_text(question, state),
                        "discs": discs_asked(question),
                        "clearance": question.clearance,
                        "sigma": question.sigma,
                        **kept.of(question.picture, clip_of(kept.clips, stamped.id, question)),
                        "answer": _answer(question, answer, state) if answer else None,
                        "note": None if answer else _note(stamped.id, history, state),
                    }
                )
    return found


def _answer(question: ev.QuestionAsked, given: Stamped, state: MatchState) -> Message | None:
    assert isinstance(given.event, ev.QuestionAnswered)
    id_ = given.event.answer
    if id_ == UNKNOWN:
        return WE_DONT_KNOW
    return answer_text(question, id_, state) if any(answer.id == id_ for answer in question.answers) else None


def _note(id_: int, history: Sequence[Stamped], state: MatchState) -> Message | None:
    """Why an unanswered question was closed."""
    if id_ in state.questions:
        return None
    closed = any(isinstance(s.event, ev.QuestionClosed) and s.event.question == id_ for s in history)
    return say("What was seen later answered it.") if closed else say("Nothing depends on it any more.")
