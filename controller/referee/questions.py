"""Questions to people about what the referee is not sure of: each with its case, its answers, and each answer's events.

A question never blocks: until it is answered the likelier answer counts, and the score shows its range.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from controller import rules
from controller.match import events as ev
from controller.match.cases import CASES
from controller.match.state import MatchState
from controller.referee.evidence import mm
from controller.rules.errors import RulesError
from controller.vision.readings import SeenDisc, Zone


@dataclass(frozen=True, slots=True)
class Graze:
    """A disc that may have been touched: how far it moved, how far from the other it rests, in mm."""

    other: str
    moved: float
    gap: float | None

    @property
    def figure(self) -> float:
        """The length that is in doubt, in mm: the gap where they lie side by side, else how far the disc moved."""
        return self.moved if self.gap is None else max(self.gap, 0.0)


class Question(Protocol):
    """Something to ask about, once what it is about is in the journal."""

    def asked(self, state: MatchState) -> ev.QuestionAsked | None:
        """The question; None where its answer would change nothing."""
        ...


TOUCHED = "touched"  # the answer by which a shot was a good one

Contacts = tuple[tuple[str, str], ...]
"""Pairs of discs that touched."""


@dataclass(frozen=True, slots=True)
class Touched:
    """Whether a shot touched any of these discs of its opponents."""

    shot: str
    others: tuple[str, ...]
    graze: Graze | None = None

    def asked(self, state: MatchState) -> ev.QuestionAsked | None:
        """None where nothing decides whether it was a foul.

        A disc that is recorded as a twenty of an earlier shot may have leaned until this one: then a foul is valid.
        """
        current = state.game.round
        number = next((k for k, p in enumerate(current.shots) if p.shot.disc == self.shot), None)
        if number is None:
            return None
        contacts = self._contacts(current.shots[number].shot)
        judged = _judged(current, number, contacts)
        target = state.shots[current.number, number + 1]
        does: dict[str, tuple[ev.Event, ...]]  # each answer says all: the shot may have changed until it is given
        does = {id_: (ev.ShotCorrected(target=target, contacts=pairs),) for id_, pairs in contacts.items()}
        if not _differ(judged, number):
            if self.graze is None:
                return Fouled(self.shot).asked(state)
            leant = tuple(self._leant(state, target))
            if not leant:
                return None
            does[TOUCHED] = (*leant, *does[TOUCHED])
        answers = [ev.Answer(id=id_, does=events) for id_, events in does.items()]
        figure = None if self.graze is None else self.graze.figure
        return _asked(state, self._case, answers, (self.shot, *self.others), shot=target, clearance=figure)

    def _leant(self, state: MatchState, target: int) -> Iterator[ev.Event]:
        """The events by which discs recorded as twenties of earlier shots leaned until this shot struck them in."""
        number = state.game.round.number
        for k, played in enumerate(state.game.round.shots, start=1):
            for disc in set(self.others) & set(played.judgement.twenties):
                if (earlier := state.shots[number, k]) < target:
                    yield ev.DiscCorrected(disc=disc, zone=15, after=earlier)
                    yield ev.DiscCorrected(disc=disc, zone=20, after=target)

    def _contacts(self, shot: rules.Shot) -> dict[str, Contacts]:
        """The shot's contacts by each of the two answers: with those that are in doubt, and without."""
        pairs = tuple((self.shot, other) for other in self.others)
        without = tuple(c for c in shot.contacts if c not in pairs)
        return {TOUCHED: (*without, *pairs), "clear": without}

    @property
    def _case(self) -> str:
        if self.graze is None:
            return "two_shots"
        return "moved" if self.graze.gap is None else "apart"


@dataclass(frozen=True, slots=True)
class Fouled:
    """A shot was followed by another before the board was read, and no contact decides whether it was a foul.

    Where its disc came to rest decides, and the later shot may have moved that disc.
    """

    shot: str

    def asked(self, state: MatchState) -> ev.QuestionAsked | None:
        """None where the shot was valid, or its disc does not lie on the board."""
        played = next((p for p in state.game.round.shots if p.shot.disc == self.shot), None)
        lies = state.measured.get(self.shot)
        if played is None or played.judgement.counted_valid or lies is None:
            return None
        after = shot_of(state, self.shot)
        valid = ev.DiscCorrected(disc=self.shot, zone=lies.zone, at=(lies.x, lies.y), after=after)
        answers = [ev.Answer(id="foul"), ev.Answer(id="valid", does=(valid,))]
        return _asked(state, "foul", answers, (self.shot,), shot=after)


@dataclass(frozen=True, slots=True)
class Mixed:
    """A shot moved discs of its own side that had to come off: any of them may be the disc that was shot."""

    shot: str
    place: SeenDisc
    others: tuple[SeenDisc, ...]

    def asked(self, state: MatchState) -> ev.QuestionAsked | None:
        """What the shot disc counts; None where it counts the same in any of the places."""
        zones = {other.zone: other for other in self.others if other.zone != self.place.zone}
        if not zones:
            return None
        after = shot_of(state, self.shot)
        answers = [ev.Answer(id=str(self.place.zone))]
        for zone, other in sorted(zones.items()):
            does = ev.DiscCorrected(disc=self.shot, zone=zone, at=(other.x, other.y), after=after)
            answers.append(ev.Answer(id=str(zone), does=(does,)))
        return _asked(state, "mixed", answers, (self.shot,), shot=after)


@dataclass(frozen=True, slots=True)
class Removed:
    """A disc in play is gone, and no shot or call explains it. It counts until then, unless recorded as `off`."""

    disc: str
    was: ev.Measured
    off: bool = True

    def asked(self, state: MatchState) -> ev.QuestionAsked | None:
        """Off, or still counted where it lay."""
        zone = self.was.zone
        back = ev.DiscCorrected(disc=self.disc, zone=zone, at=(self.was.x, self.was.y))
        gone = ev.DiscCorrected(disc=self.disc, zone=None)
        off = ev.Answer(id="off", does=() if self.off else (gone,))
        answers = [off, ev.Answer(id="counts", does=(back,) if self.off else ())]
        return _asked(state, "taken_off", answers, (self.disc,), zones=(zone,))


@dataclass(frozen=True, slots=True)
class Returned:
    """A disc that a shot moved may have left the surface and bounced back; people left it where it is."""

    shot: str
    disc: str

    def asked(self, state: MatchState) -> ev.QuestionAsked | None:
        """Off, or in play."""
        current = state.game.round
        number = next((k for k, p in enumerate(current.shots, start=1) if p.shot.disc == self.shot), None)
        if number is None or self.disc not in state.measured:
            return None
        target = state.shots[current.number, number]
        rest = current.shots[number - 1].shot.rest
        others = tuple(n for n, at in rest.items() if n != self.disc and isinstance(at, rules.Placed) and at.returned)
        answers = [
            ev.Answer(id=id_, does=(ev.ShotCorrected(target=target, returned=returned),))
            for id_, returned in (("back", (*others, self.disc)), ("stayed", others))
        ]
        return _asked(state, "returned", answers, (self.disc,), shot=target)


@dataclass(frozen=True, slots=True)
class Pushed:
    """A disc lies in another zone, and nobody shot."""

    disc: str
    was: Zone
    now: Zone

    def asked(self, state: MatchState) -> ev.QuestionAsked | None:
        """As it lay, or as it lies."""
        does = ev.DiscCorrected(disc=self.disc, zone=self.now)
        answers = [ev.Answer(id=str(self.was)), ev.Answer(id=str(self.now), does=(does,))]
        return _asked(state, "pushed", answers, (self.disc,), zones=(self.was, self.now))


@dataclass(frozen=True, slots=True)
class Unseen:
    """A shot disc went off unseen. A twenty that was lifted at once looks the same where the sensor misses it."""

    disc: str

    def asked(self, state: MatchState) -> ev.QuestionAsked | None:
        """In the ditch, or a twenty."""
        shot = [disc for disc, side in state.game.round.owners.items() if side == state.side_of(self.disc)]
        twenty = ev.DiscCorrected(disc=self.disc, zone=20, after=shot_of(state, self.disc))
        answers = [ev.Answer(id="off"), ev.Answer(id="20", does=(twenty,))]
        return _asked(state, "shot_unseen", answers, (self.disc,), count=shot.index(self.disc) + 1)


@dataclass(frozen=True, slots=True)
class Twenty:
    """Whether a disc is a twenty or off, by what people are asked of it; one of the two is recorded.

    | case | what was seen |
    | --- | --- |
    | `felt` | the sensor says that it lies in the hole, the camera sees none there |
    | `lifted` | people took it out of the hole, across which it had seemed to lean |
    """

    case: Literal["felt", "lifted"]
    disc: str

    def asked(self, state: MatchState) -> ev.QuestionAsked | None:
        """A twenty, or none: as of the shot whose disc was felt, else as of now."""
        twenty = any(self.disc in banked for banked in state.game.round.twenties.values())
        after = shot_of(state, self.disc) if self.case == "felt" else None
        does = ev.DiscCorrected(disc=self.disc, zone=None if twenty else 20, after=after)
        other = ev.Answer(id="20", does=() if twenty else (does,)), ev.Answer(id="off", does=(does,) if twenty else ())
        return _asked(state, self.case, other, (self.disc,))


@dataclass(frozen=True, slots=True)
class WhoseTwenty:
    """A disc lay in the hole and was lifted before it was seen; several discs are gone that it may have been."""

    disc: str  # counted
    others: tuple[str, ...]  # one of each other side that lost any

    def asked(self, state: MatchState) -> ev.QuestionAsked | None:
        """Ask which side the twenty belongs to."""
        instead = (self._instead(state, number, other) for number, other in enumerate(self.others, start=1))
        return _asked(state, "whose", [ev.Answer(id="this"), *instead], (self.disc, *self.others))

    def _instead(self, state: MatchState, number: int, other: str) -> ev.Answer:
        after = shot_of(state, self.disc)
        does = (
            ev.DiscCorrected(disc=self.disc, zone=None, after=after),
            ev.DiscCorrected(disc=other, zone=20, after=after),
        )
        return ev.Answer(id="other" if number == 1 else f"other{number}", does=does)


@dataclass(frozen=True, slots=True)
class Strange:
    """More discs lie there than shots can have brought."""

    places: tuple[SeenDisc, ...]

    def asked(self, state: MatchState) -> ev.QuestionAsked | None:
        """Once a round."""
        if _is_open(state, "unexplained"):
            return None
        return _asked(state, "strange", [ev.Answer(id="seen"), ev.Answer(id="later")], (), count=len(self.places))


@dataclass(frozen=True, slots=True)
class WhoseColour:
    """Two assignments of the colours explain the round about as well; the first is shown."""

    shown: Mapping[str, ev.Lab]
    names: Mapping[str, str]  # what the first side's colours are called
    other: Mapping[str, ev.Lab]

    def asked(self, state: MatchState) -> ev.QuestionAsked | None:
        """Whether the side whose disc was seen first plays its colour."""
        side = next(
            (side for side in self.shown if self.shown[side] != self.other.get(side) and self.names[side]), None
        )
        if side is None or _is_open(state, "colours"):
            return None
        as_shown, instead = (
            ev.ColoursLearnt.model_validate({"sides": dict(colours), "instead": True})
            for colours in (self.shown, self.other)
        )
        answers = [ev.Answer(id="yes", does=(as_shown,)), ev.Answer(id="no", does=(instead,))]
        return _asked(state, "colours", answers, (), sides=(side,), colour=self.names[side])


@dataclass(frozen=True, slots=True)
class SweptEarly:
    """The board was swept although shots are left."""

    left: int

    def asked(self, state: MatchState) -> ev.QuestionAsked | None:
        """Ask once per round whether it is over."""
        if _is_open(state, "swept"):
            return None
        return _asked(state, "swept", [ev.Answer(id="over"), ev.Answer(id="goes_on")], (), count=self.left)


def _is_open(state: MatchState, what: str) -> bool:
    """Whether a question of this kind waits in the running round."""
    return any(q.asked.what == what and q.asked.round == state.game.round.number for q in state.questions.values())


def _asked(
    state: MatchState, case: str, answers: Sequence[ev.Answer], discs: tuple[str, ...], **figures: object
) -> ev.QuestionAsked:
    """A question about these discs; `figures` are whatever else its case needs, `shot` and `clearance` in mm."""
    return ev.QuestionAsked.model_validate(
        {
            "what": CASES[case].what,
            "case": case,
            "round": state.game.round.number,
            "disc": discs[0] if discs else None,
            "discs": discs,
            "sides": tuple(state.side_of(disc) for disc in discs),
            "sigma": None if figures.get("clearance") is None else mm("still"),
            "answers": tuple(answers),
            **figures,
        }
    )


def shot_of(state: MatchState, disc: str) -> int | None:
    """The journal's number of the round's newest shot that moved this disc."""
    current = state.game.round
    numbers = [k for k, p in enumerate(current.shots, start=1) if disc in p.shot.rest]
    return state.shots.get((current.number, numbers[-1])) if numbers else None


def _judged(current: rules.Round, number: int, answers: Mapping[str, Contacts]) -> dict[str, rules.Round]:
    """The round by each of these answers, without those that do not fit what followed."""
    rounds = {id_: _rejudged(current, number, contacts) for id_, contacts in answers.items()}
    return {id_: after for id_, after in rounds.items() if after is not None}


def _differ(judged: Mapping[str, rules.Round], number: int) -> bool:
    """Whether both answers fit what followed, and the shot (from 0) is judged differently by them."""
    judgements = [after.shots[number].judgement for after in judged.values()]
    return len(judgements) == 2 and judgements[0] != judgements[1]


def _rejudged(current: rules.Round, number: int, contacts: Contacts) -> rules.Round | None:
    """The round with other contacts in one of its shots (from 0); None where what followed does not fit."""
    fresh = replace(current, shots=current.shots[:number])
    try:
        for k, played in enumerate(current.shots[number:], start=number):
            shot = played.shot
            fresh = fresh.play(rules.Shot(shot.side, shot.disc, contacts if k == number else shot.contacts, shot.rest))
    except RulesError:
        return None
    return fresh
