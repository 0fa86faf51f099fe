"""What the referee is not sure of, as questions to people: each with a figure, two answers, and what each does.

A question never blocks: until it is answered the likelier answer counts, and the score shows its range.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from controller import rules
from controller.match import events as ev
from controller.match.state import MatchState
from controller.messages import Message, counted, say
from controller.referee.contact import SIGMA, Graze
from controller.rules.errors import RulesError
from controller.vision.readings import SeenDisc, Zone

NOTHING = say("Nothing changes.")


class Doubt(Protocol):
    """Something to ask about, once what it is about is in the journal."""

    def question(self, state: MatchState) -> ev.QuestionAsked | None:
        """The question; None where its answer would change nothing."""
        ...


TOUCHED = "touched"  # the answer by which a shot was a good one


@dataclass(frozen=True, slots=True)
class Touched:
    """Whether a shot touched any of these discs of its opponents."""

    shot: str
    others: tuple[str, ...]
    graze: Graze | None = None

    def question(self, state: MatchState) -> ev.QuestionAsked | None:
        """None where nothing decides whether it was a foul."""
        current, pairs = state.game.round, tuple((self.shot, other) for other in self.others)
        number = next((k for k, p in enumerate(current.shots) if p.shot.disc == self.shot), None)
        if number is None:
            return None
        without = tuple(c for c in current.shots[number].shot.contacts if c not in pairs)
        told = {TOUCHED: (*without, *pairs), "clear": without}
        judged = {id_: _rejudged(current, number, contacts) for id_, contacts in told.items()}
        touched, clear = judged[TOUCHED], judged["clear"]
        if touched is None or clear is None or touched.shots[number].judgement == clear.shots[number].judgement:
            return Fouled(self.shot).question(state) if self.graze is None else None
        target = state.shots[current.number, number + 1]
        yes, no = (ev.ShotCorrected(target=target, contacts=contacts) for contacts in told.values())
        answers = [
            _answer(state, TOUCHED, say("They touched"), yes, touched),
            _answer(state, "clear", say("They did not"), no, clear),
        ]
        figure = None if self.graze is None else self.graze.figure
        return _asked(
            state, "contact", self._text(state), answers, (self.shot, *self.others), shot=target, clearance=figure
        )

    def _text(self, state: MatchState) -> Message:
        names: dict[str, object] = {"name": state.owner_of(self.shot), "other": state.owner_of(self.others[0])}
        if self.graze is None:
            return say("Did {name}'s shot touch one of {other}'s discs? Two shots came at once.", **names)
        names |= {"mm": round(self.graze.figure, 1), "sigma": SIGMA}
        if self.graze.gap is None:
            return say("Did {name}'s shot touch {other}'s disc? It moved {mm} mm, ± {sigma}.", **names)
        return say("Did {name}'s shot touch {other}'s disc? They lie {mm} mm apart, ± {sigma}.", **names)


@dataclass(frozen=True, slots=True)
class Fouled:
    """A shot on an open board was followed by another before it was seen: that one may have moved its disc."""

    shot: str

    def question(self, state: MatchState) -> ev.QuestionAsked | None:
        """None where it was valid, or left nothing on the board."""
        played = next((p for p in state.game.round.shots if p.shot.disc == self.shot), None)
        lies = state.measured.get(self.shot)
        if played is None or played.judgement.valid or lies is None:
            return None
        label, after = state.owner_of(self.shot), shot_of(state, self.shot)
        text = say("Was {name}'s shot a foul? It ended outside the 15, but another came at once.", name=label)
        valid = ev.DiscCorrected(disc=self.shot, zone=lies.zone, at=(lies.x, lies.y), after=after)
        answers = [
            _gaining(state, "foul", say("A foul"), self.shot, 0),
            _gaining(state, "valid", say("Valid"), self.shot, lies.zone, valid),
        ]
        return _asked(state, "order", text, answers, (self.shot,), shot=after)


@dataclass(frozen=True, slots=True)
class Mixed:
    """A shot knocked about discs of its own side that had to come off: any of them may be the one that was shot."""

    shot: str
    place: SeenDisc
    others: tuple[SeenDisc, ...]

    def question(self, state: MatchState) -> ev.QuestionAsked | None:
        """What the shot disc counts; None where it counts the same in any of the places."""
        zones = {other.zone: other for other in self.others if other.zone != self.place.zone}
        if not zones:
            return None
        label, after = state.owner_of(self.shot), shot_of(state, self.shot)
        text = say("Discs that had to come off were knocked about. What does {name}'s last disc count?", name=label)
        answers = [_gaining(state, str(self.place.zone), Message(str(self.place.zone)), self.shot, 0)]
        for zone, other in sorted(zones.items()):
            does = ev.DiscCorrected(disc=self.shot, zone=zone, at=(other.x, other.y), after=after)
            gain = zone - self.place.zone
            answers.append(_gaining(state, str(zone), Message(str(zone)), self.shot, gain, does))
        return _asked(state, "order", text, answers, (self.shot,), shot=after)


@dataclass(frozen=True, slots=True)
class Removed:
    """A disc in play is gone, and no shot or call explains it."""

    disc: str
    was: ev.Measured

    def question(self, state: MatchState) -> ev.QuestionAsked | None:
        """Off, or still counted where it lay."""
        label, zone = state.owner_of(self.disc), self.was.zone
        text = say("{name}'s disc, a {zone}, was taken off and nobody had to. Does it count?", name=label, zone=zone)
        back = ev.DiscCorrected(disc=self.disc, zone=zone, at=(self.was.x, self.was.y))
        answers = [
            _gaining(state, "off", say("It is off"), self.disc, 0),
            _gaining(state, "counts", say("It counts"), self.disc, zone, back),
        ]
        return _asked(state, "lost", text, answers, (self.disc,))


@dataclass(frozen=True, slots=True)
class Pushed:
    """A disc lies in another zone, and nobody shot."""

    disc: str
    was: Zone
    now: Zone

    def question(self, state: MatchState) -> ev.QuestionAsked | None:
        """As it lay, or as it lies."""
        label = state.owner_of(self.disc)
        text = say(
            "{name}'s disc was pushed from {was} to {now}. Which counts?", name=label, was=self.was, now=self.now
        )
        counted = state.ruled.get(self.disc, self.was)
        does = ev.DiscCorrected(disc=self.disc, zone=self.now)
        answers = [
            _gaining(state, str(self.was), Message(str(self.was)), self.disc, 0),
            _gaining(state, str(self.now), Message(str(self.now)), self.disc, self.now - counted, does),
        ]
        return _asked(state, "unexplained", text, answers, (self.disc,))


@dataclass(frozen=True, slots=True)
class Unseen:
    """A shot disc went off unseen; a twenty that was lifted at once looks the same when the sensor misses it."""

    disc: str

    def question(self, state: MatchState) -> ev.QuestionAsked | None:
        """In the ditch, or a twenty."""
        label = state.owner_of(self.disc)
        shot = [disc for disc, side in state.game.round.owners.items() if side == state.side_of(self.disc)]
        number = shot.index(self.disc) + 1
        text = say("{name}'s disc #{number} was not seen after its shot. Where did it end?", name=label, number=number)
        twenty = ev.DiscCorrected(disc=self.disc, zone=20, after=shot_of(state, self.disc))
        answers = [
            _gaining(state, "off", say("Off the board"), self.disc, 0),
            _gaining(state, "20", say("In the hole"), self.disc, 20, twenty),
        ]
        return _asked(state, "lost", text, answers, (self.disc,))


@dataclass(frozen=True, slots=True)
class SensorAlone:
    """The sensor says that a disc lies in the hole, the camera sees none there; it was counted."""

    disc: str

    def question(self, state: MatchState) -> ev.QuestionAsked | None:
        """A twenty, or none."""
        label = state.owner_of(self.disc)
        text = say("Is {name}'s disc in the hole? The sensor says so; the camera does not see it.", name=label)
        return _twenty_or_none(state, self.disc, text, after=shot_of(state, self.disc))


@dataclass(frozen=True, slots=True)
class Lifted:
    """People took a disc out of the hole that had seemed to lean across it; it was counted as a twenty."""

    disc: str

    def question(self, state: MatchState) -> ev.QuestionAsked | None:
        """A twenty, or none."""
        label = state.owner_of(self.disc)
        text = say("{name}'s disc seemed to lean across the hole, and was taken out. Was it a twenty?", name=label)
        return _twenty_or_none(state, self.disc, text)


def _twenty_or_none(state: MatchState, disc: str, text: Message, after: int | None = None) -> ev.QuestionAsked:
    """Whether a disc that was counted as a twenty is one. If not it is off, `after` that shot or as of now."""
    answers = [
        _gaining(state, "20", say("A twenty"), disc, 0),
        _gaining(state, "off", say("No twenty"), disc, -20, ev.DiscCorrected(disc=disc, zone=None, after=after)),
    ]
    return _asked(state, "twenty", text, answers, (disc,))


@dataclass(frozen=True, slots=True)
class WhoseTwenty:
    """A disc lay in the hole and was lifted before it was seen; several discs are gone that it may have been."""

    disc: str  # counted
    others: tuple[str, ...]  # one of each other side that lost any

    def question(self, state: MatchState) -> ev.QuestionAsked | None:
        """One side's, or another's."""
        answers = [
            ev.Answer(id="this", text=Message(state.owner_of(self.disc)), effect=NOTHING),
            *(self._instead(state, number, other) for number, other in enumerate(self.others, start=1)),
        ]
        return _asked(state, "twenty", say("Whose twenty was it?"), answers, (self.disc, *self.others))

    def _instead(self, state: MatchState, number: int, other: str) -> ev.Answer:
        after = shot_of(state, self.disc)
        does = (
            ev.DiscCorrected(disc=self.disc, zone=None, after=after),
            ev.DiscCorrected(disc=other, zone=20, after=after),
        )
        change = {state.side_of(self.disc): -20, state.side_of(other): 20}
        id_ = "other" if number == 1 else f"other{number}"
        return ev.Answer(
            id=id_, text=Message(state.owner_of(other)), effect=effect(state, change), does=does, change=change
        )


@dataclass(frozen=True, slots=True)
class Strange:
    """More discs lie there than shots can have brought."""

    places: tuple[SeenDisc, ...]

    def question(self, state: MatchState) -> ev.QuestionAsked | None:
        """Once a round."""
        if _is_open(state, "unexplained"):
            return None
        text = counted(
            "A disc came onto the board that no shot explains. Take it off, or correct the board.",
            "{n} discs came onto the board that no shot explains. Take them off, or correct the board.",
            len(self.places),
        )
        answers = [
            ev.Answer(id="seen", text=say("Seen to"), effect=say("The marked discs stay out of the score.")),
            ev.Answer(id="later", text=say("Not now"), effect=NOTHING),
        ]
        return _asked(state, "unexplained", text, answers, ())


@dataclass(frozen=True, slots=True)
class SweptEarly:
    """The board was swept although shots are left."""

    left: int

    def question(self, state: MatchState) -> ev.QuestionAsked | None:
        """Over, or not; once a round."""
        if _is_open(state, "swept"):
            return None
        text = counted(
            "The board was swept with {n} shot left. Is the round over?",
            "The board was swept with {n} shots left. Is the round over?",
            self.left,
        )
        answers = [
            ev.Answer(id="over", text=say("Round over"), effect=say("The round counts as it stood.")),
            ev.Answer(id="goes_on", text=say("It goes on"), effect=say("Nothing is counted yet.")),
        ]
        return _asked(state, "swept", text, answers, ())


def _is_open(state: MatchState, what: str) -> bool:
    """Whether a question of this kind waits in the running round."""
    return any(q.asked.what == what and q.asked.round == state.game.round.number for q in state.questions.values())


def effect(state: MatchState, change: Mapping[str, int], number: int | None = None) -> Message:
    """What a change of the totals of a round, else of the one that runs, comes to, in words."""
    current = state.game.round if number is None else state.game.all_rounds[number - 1]
    totals = [(side, current.totals[side] + by) for side, by in change.items() if by]
    names = {side: info.name for side, info in zip(state.game.terms.ids, state.started.sides, strict=False)}
    parts = tuple(say("{name} {total}", name=names[side], total=total) for side, total in totals)
    return say("{totals} in round {round}.", totals=parts, round=current.number) if parts else NOTHING


def _gaining(state: MatchState, id_: str, text: Message, disc: str, by: int, *does: ev.Event) -> ev.Answer:
    change = {state.side_of(disc): by} if by else {}
    return ev.Answer(id=id_, text=text, effect=effect(state, change), does=does, change=change)


def _answer(state: MatchState, id_: str, text: Message, does: ev.Event, after: rules.Round) -> ev.Answer:
    change = {side: total - state.game.round.totals[side] for side, total in after.totals.items()}
    change = {side: by for side, by in change.items() if by}
    return ev.Answer(id=id_, text=text, effect=effect(state, change), does=(does,) if change else (), change=change)


def _asked(
    state: MatchState,
    what: str,
    text: Message,
    answers: Sequence[ev.Answer],
    discs: tuple[str, ...],
    shot: int | None = None,
    clearance: float | None = None,
) -> ev.QuestionAsked:
    number = state.game.round.number
    return ev.QuestionAsked.model_validate(
        {
            "what": what,
            "text": text,
            "round": number,
            "disc": discs[0] if discs else None,
            "discs": discs,
            "shot": shot,
            "clearance": clearance,
            "sigma": None if clearance is None else SIGMA,
            "answers": tuple(answers),
        }
    )


def shot_of(state: MatchState, disc: str) -> int | None:
    """The journal's number of the round's newest shot that moved this disc."""
    current = state.game.round
    numbers = [k for k, p in enumerate(current.shots, start=1) if disc in p.shot.rest]
    return state.shots.get((current.number, numbers[-1])) if numbers else None


def _rejudged(current: rules.Round, number: int, contacts: tuple[tuple[str, str], ...]) -> rules.Round | None:
    """The round with other contacts in one of its shots (from 0); None where what followed does not fit."""
    fresh = replace(current, shots=current.shots[:number])
    try:
        for k, played in enumerate(current.shots[number:], start=number):
            shot = played.shot
            fresh = fresh.play(rules.Shot(shot.side, shot.disc, contacts if k == number else shot.contacts, shot.rest))
    except RulesError:
        return None
    return fresh
