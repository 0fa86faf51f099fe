"""Builds the referee's questions to people: case, answers, and each answer's events.

A question never blocks play: until it is answered the likelier answer counts, and the score shows its range.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from controller import rules
from controller.match import events as ev
from controller.match.cases import CASES
from controller.match.state import MatchState
from controller.referee.evidence import mm
from controller.rules.errors import RulesError
from controller.vision.readings import SeenDisc, Zone

Asked = ev.QuestionAsked | None
"""The event of a question; None if its answer would change nothing."""
Question = Callable[[MatchState], Asked]
"""Builds the question once its subject is in the journal."""
Contacts = tuple[tuple[str, str], ...]
"""Pairs of discs that touched."""
TOUCHED = "touched"  # the answer that makes the shot valid


@dataclass(frozen=True, slots=True)
class Graze:
    """A disc that may have been touched: the case of the question about it, and the length in doubt, in mm: how far it
    moved, or its gap to the other disc."""

    other: str
    case: Literal["moved", "apart"]
    figure: float


def touched(state: MatchState, shot: str, others: tuple[str, ...], graze: Graze | None = None) -> Asked:
    """Ask whether a shot touched any of these opponents' discs; None if that does not decide the verdict. A recorded
    twenty of an earlier shot may have leaned until this shot struck it in: then the foul is valid.
    """
    current = state.game.round
    if (own := _own(state, shot)) is None:
        return None
    number, target = own
    pairs = tuple((shot, other) for other in others)
    without = tuple(c for c in current.shots[number].shot.contacts if c not in pairs)
    contacts = {TOUCHED: (*without, *pairs), "clear": without}
    does: dict[str, tuple[ev.Event, ...]]  # each answer is complete: the shot may change before it is given
    does = {id_: (ev.ShotCorrected(target=target, contacts=those),) for id_, those in contacts.items()}
    if not _decides(current, number, contacts.values()):
        if graze is None:
            return fouled(state, shot)
        leant = tuple(_leant(state, others, target))
        if not leant:
            return None
        does[TOUCHED] = (*leant, *does[TOUCHED])
    case, figure = ("two_shots", None) if graze is None else (graze.case, graze.figure)
    return question(state, case, does, (shot, *others), shot=target, clearance=figure)


def _own(state: MatchState, disc: str) -> tuple[int, int] | None:
    """The shot of this disc: its number in the round, from 0, and its event's number."""
    shots, round_ = state.game.round.shots, state.game.round.number
    return next(((k, state.shots[round_, k + 1]) for k, p in enumerate(shots) if p.shot.disc == disc), None)


def _leant(state: MatchState, others: Sequence[str], target: int) -> Iterator[ev.Event]:
    """The events for discs recorded as twenties of earlier shots that leaned until this shot struck them in."""
    number = state.game.round.number
    for k, played in enumerate(state.game.round.shots, start=1):
        for disc in sorted({*others} & {*played.judgement.twenties}):
            if (earlier := state.shots[number, k]) < target:
                yield ev.DiscCorrected(disc=disc, zone=15, after=earlier)
                yield ev.DiscCorrected(disc=disc, zone=20, after=target)


def reached(state: MatchState, shot: str, across: ev.DiscCorrected) -> Asked:
    """Ask whether a disc of a shot on an open board lies where it makes the shot valid. `across`: beyond the boundary
    near which it was seen."""
    own, lies = _own(state, shot), state.measured.get(across.disc)
    if own is None or lies is None or across.at is None:
        return None
    _, after = own
    inner, outer = sorted((across.at, (lies.x, lies.y)), key=lambda place: math.hypot(*place))
    ends = {"reached": inner, "short": outer}
    does = {id_: (ev.DiscCorrected(disc=across.disc, zone=None, at=at, after=after),) for id_, at in ends.items()}
    short = abs(rules.short_of_fifteen(lies.x, lies.y, state.game.terms.rules))
    sigma = max(lies.sigma, mm("still"))
    return question(state, "reach", does, (shot, *{across.disc} - {shot}), shot=after, clearance=short, sigma=sigma)


def fouled(state: MatchState, shot: str) -> Asked:
    """Ask whether a shot was a foul, if another shot came before the board was read and no contact decides. The resting
    place of its disc decides, and the later shot may have moved that disc.
    """
    own, lies = _own(state, shot), state.measured.get(shot)
    if own is None or lies is None or state.game.round.shots[own[0]].judgement.counted_valid:
        return None
    number, after = own
    inside = ev.DiscCorrected(disc=shot, zone=15, at=(lies.x, lies.y), after=after)
    outside = ev.DiscCorrected(disc=shot, zone=None, after=after)
    if all(one.disc != shot for one in state.game.round.shots[number].judgement.removed):  # by some rules it stays
        outside = lies_at(shot, lies, after)
    return question(state, "foul", {"foul": (outside,), "valid": (inside, lies_at(shot, lies))}, (shot,), shot=after)


def mixed(state: MatchState, shot: str, place: SeenDisc, other: SeenDisc) -> Asked:
    """Ask for the zone of a shot disc that moved a disc of its own side that had to come off: it may be either one."""
    after = shot_of(state, shot)
    does = {str(place.zone): (), str(other.zone): (lies_at(shot, other, after),)}
    return question(state, "mixed", does, (shot,), shot=after)


def removed(state: MatchState, disc: str, was: ev.Measured, *, off: bool = True) -> Asked:
    """Ask about a disc in play that is gone without a shot or call. It counts until answered, unless recorded as
    `off`."""
    gone = ev.DiscCorrected(disc=disc, zone=None)
    does = {"off": () if off else (gone,), "counts": (lies_at(disc, was),) if off else ()}
    return question(state, "taken_off", does, (disc,), zones=(was.zone,))


def returned(state: MatchState, shot: str, disc: str) -> Asked:
    """Ask whether a disc that a shot moved, and people left on the board, left the surface and bounced back."""
    own = _own(state, shot)
    if own is None or disc not in state.measured:
        return None
    number, target = own
    rest = state.game.round.shots[number].shot.rest
    others = tuple(n for n, at in rest.items() if n != disc and isinstance(at, rules.Placed) and at.returned)
    does = {
        id_: (ev.ShotCorrected(target=target, returned=back),)
        for id_, back in (("back", (*others, disc)), ("stayed", others))
    }
    return question(state, "returned", does, (disc,), shot=target)


def pushed(state: MatchState, disc: str, was: Zone, now: Zone) -> Asked:
    """Ask about a disc that is in another zone without a shot."""
    does = {str(was): (), str(now): (ev.DiscCorrected(disc=disc, zone=now),)}
    return question(state, "pushed", does, (disc,), zones=(was, now))


def unseen(state: MatchState, disc: str) -> Asked:
    """Ask where a shot disc ended unseen: a twenty lifted at once and missed by the sensor looks like one off."""
    shot = [other for other, side in state.game.round.owners.items() if side == state.side_of(disc)]
    does = dict(reversed(_twenty_or_off(state, disc, shot_of(state, disc)).items()))
    return question(state, "shot_unseen", does, (disc,), count=shot.index(disc) + 1)


def twenty(state: MatchState, case: Literal["felt", "lifted"], disc: str) -> Asked:
    """Ask whether a disc is a twenty or off. `felt`: as of its shot; `lifted`: as of now.

    | case | what was seen |
    | --- | --- |
    | `felt` | the sensor says that it lies in the hole, the camera sees none there; `unseen` without a sensor |
    | `lifted` | people took it out of the hole, across which it had seemed to lean |
    """
    if case == "felt" and state.hole_level is None:
        return unseen(state, disc)
    return question(state, case, _twenty_or_off(state, disc, shot_of(state, disc) if case == "felt" else None), (disc,))


def _twenty_or_off(state: MatchState, disc: str, after: int | None) -> dict[str, tuple[ev.Event, ...]]:
    """The answers by which a disc is a twenty or off as of the event `after`: one of them is recorded already."""
    counted = any(disc in banked for banked in state.game.round.twenties.values())
    does = ev.DiscCorrected(disc=disc, zone=None if counted else 20, after=after)
    return {"20": () if counted else (does,), "off": (does,) if counted else ()}


def whose_twenty(state: MatchState, disc: str, others: Sequence[str]) -> Asked:
    """Ask which disc was lifted out of the hole before it was seen: the counted one, or one of each other side."""
    after = shot_of(state, disc)
    none = ev.DiscCorrected(disc=disc, zone=None, after=after)
    ids = ("other" if number == 1 else f"other{number}" for number in range(1, len(others) + 1))
    instead = {
        id_: (none, ev.DiscCorrected(disc=other, zone=20, after=shot_of(state, other)))
        for id_, other in zip(ids, others, strict=True)
    }
    return question(state, "whose", {"this": (), **instead}, (disc, *others))


def doubtful(state: MatchState, disc: str) -> Asked:
    """Ask whether the shots are right, as this disc's may not be, or the page may lack one before it."""
    if (own := _own(state, disc)) is None:
        return None
    number, shot = own
    side = state.side_of(disc)
    count = sum(played.shot.side == side for played in state.game.round.shots[: number + 1])
    return question(state, "doubtful", {"agree": ()}, (disc,), disc=None, shot=shot, count=count)


def unwatched(state: MatchState, discs: Sequence[str], last: str) -> Asked:
    """Ask whether these discs' shots, which came while the camera saw nothing, are right: how each went is a guess,
    which no later board confirms. `last`: the disc of the last of all shots that came then."""
    shot = shot_of(state, last)
    return question(state, "unwatched", {"agree": ()}, tuple(discs), disc=None, shot=shot, count=len(discs))


def strange(state: MatchState, count: int) -> Asked:
    """Ask about discs that no shot can have brought."""
    if _is_open(state, "unexplained"):
        return None
    return question(state, "strange", {"seen": (), "later": ()}, count=count)


def felt_alone(state: MatchState) -> Asked:
    """Ask, once after each shot, whether the twenties are right: the sensor felt a disc that no shot explains."""
    return question(state, "felt_alone", {"agree": ()}, shot=_newest_shot(state))


def swept_early(state: MatchState, left: int) -> Asked:
    """Ask, once after each shot, whether the round is over: the board was swept with shots left."""
    if _is_open(state, "swept"):
        return None
    return question(state, "swept", {"over": (ev.RoundEnded(),), "goes_on": ()}, count=left, shot=_newest_shot(state))


def whose_colour(
    state: MatchState,
    shown: Mapping[str, ev.Lab],
    names: Mapping[str, str],
    other: Mapping[str, ev.Lab],
    *,
    judged_again: bool,
) -> Asked:
    """Ask whether a side plays its colour: two assignments explain the round about equally well, and the first is
    shown. Asked about the side whose disc was seen first; `names`: those of the first assignment's colours;
    `judged_again`: whether the round can be, with the other one.
    """
    side = next((side for side in shown if shown[side] != other.get(side) and names[side]), None)
    if side is None or _is_open(state, "colours"):
        return None
    yes, no = (ev.ColoursLearnt(sides=dict(colours), instead=True) for colours in (shown, other))
    asked = question(state, "colours", {"yes": (yes,), "no": (no,)}, sides=(side,), colour=names[side])
    return asked if judged_again else _played(state, asked)


def played(state: MatchState) -> Asked:
    """The question that takes the place of the open one about the sides' colours once the round can't be judged again:
    it ended, or people changed it."""
    asked = next((q.asked for q in state.open_now if q.asked.what == "colours"), None)
    return None if asked is None else _played(state, asked)


def _played(state: MatchState, colours: ev.Question) -> Asked:
    if any(q.asked.case == "played" for q in state.open_now):
        return None
    return question(state, "played", {"yes": ()}, sides=colours.sides, colour=colours.colour)


def _is_open(state: MatchState, what: str) -> bool:
    """Whether a question of this topic is open in the running round."""
    return any(q.asked.what == what for q in state.open_now)


def question(
    state: MatchState,
    case: str,
    does: Mapping[str, tuple[ev.Event, ...]],
    discs: tuple[str, ...] = (),
    **figures: object,
) -> ev.QuestionAsked:
    """A question about these discs, with the events of each answer. `figures`: its case's members; lengths in mm."""
    return ev.QuestionAsked.model_validate(
        {
            "what": CASES[case].what,
            "case": case,
            "round": state.game.round.number,
            "disc": discs[0] if discs else None,
            "discs": discs,
            "sides": tuple(state.side_of(disc) for disc in discs),
            "sigma": None if figures.get("clearance") is None else mm("still"),
            "answers": tuple(ev.Answer(id=id_, events=events) for id_, events in does.items()),
            **figures,
        }
    )


def lies_at(disc: str, place: ev.Measured | SeenDisc, after: int | None = None) -> ev.DiscCorrected:
    """The event that a disc lies at this place; `after`: the shot after which it was there, if that is not now."""
    return ev.DiscCorrected(disc=disc, zone=place.zone, at=(place.x, place.y), after=after)


def shot_of(state: MatchState, disc: str) -> int | None:
    """The event number of the round's newest shot that moved this disc."""
    current = state.game.round
    numbers = [k for k, p in enumerate(current.shots, start=1) if disc in p.shot.rest]
    return state.shots.get((current.number, numbers[-1])) if numbers else None


def _newest_shot(state: MatchState) -> int | None:
    """The event number of the round's newest shot."""
    current = state.game.round
    return state.shots.get((current.number, len(current.shots)))


def _decides(current: rules.Round, number: int, answers: Iterable[Contacts]) -> bool:
    """Whether both answers fit the later shots and lead to different judgements of the shot (from 0)."""
    one, other = (_rejudged(current, number, contacts) for contacts in answers)
    return None not in (one, other) and one != other


def _rejudged(current: rules.Round, number: int, contacts: Contacts) -> rules.Judgement | None:
    """The judgement of a shot (from 0) with other contacts; None if later shots contradict it."""
    fresh = replace(current, shots=current.shots[:number])
    try:
        for k, played in enumerate(current.shots[number:], start=number):
            shot = played.shot
            fresh = fresh.play(rules.Shot(shot.side, shot.disc, contacts if k == number else shot.contacts, shot.rest))
    except RulesError:
        return None
    return fresh.shots[number].judgement
