"""Transitions between two boards at rest: each reading of an association, with the events that record it."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from controller import rules
from controller.match import events as ev
from controller.referee.association import MOVED_BY_SHOT, Association, InferredShot
from controller.referee.evidence import NEAREST, cost_of, cost_of_absence, mm, odds
from controller.referee.film_evidence import filmed_return, likeliest_graze
from controller.referee.filmed import Filmed
from controller.referee.questions import Graze, Question, lies_at, pushed
from controller.referee.read_board import distance, measure, stranger
from controller.referee.several_shots import SeveralShots
from controller.referee.situation import LEAST, Situation
from controller.vision.film.film import SHOT
from controller.vision.readings import AT_HOLE, SeenDisc

CERTAIN = 9.0
"""Nats: log-odds beyond which the other reading of a contact is dropped."""
Step = Callable[[Situation, "Transition"], Iterable["Transition"]]
Places = Mapping[str, SeenDisc | None]
"""Resting places of discs; None for off the surface."""


@dataclass(frozen=True, slots=True, eq=False)
class Transition:
    """One account of what happened between two boards at rest."""

    association: Association
    cost: float
    shots: tuple[InferredShot, ...] = ()
    sunk: frozenset[str] = frozenset()  # discs that were in the hole and are gone
    returned: frozenset[str] = frozenset()  # discs that left the surface and bounced back
    taken: Mapping[str, ev.Measured] = field(default_factory=dict)  # discs in play that people took off; their places
    left_open: tuple[Question, ...] = ()  # asked regardless of other hypotheses
    graze: Graze | None = None  # a possible contact with a disc that did not move
    across: tuple[ev.DiscCorrected, ...] = ()  # a disc judged beyond the boundary near which it was seen
    film: Filmed | None = None  # of its one shot
    events: tuple[ev.Event, ...] = field(default=())  # without the film

    @property
    def overlooked(self) -> list[str]:
        """The known discs that were not seen, and did not move."""
        return self.association.became("overlooked")

    @property
    def unseen(self) -> Iterator[str]:
        """The discs that were shot, or struck where one may lie in the hole, and whose end nobody saw."""
        outcomes = zip(self.shots, self.association.shot, strict=True)
        yield from (shot.disc for shot, outcome in outcomes if outcome.place is None and not outcome.seen)
        if self.association.seen.reading.hole_unclear:
            known = self.association.known.items()
            yield from (name for name, outcome in known if outcome.became == "off" and not outcome.seen)

    def filmed_off(self, disc: str) -> bool:
        """Whether this disc left the surface in the film of its one shot, even for a moment."""
        name = SHOT if disc == self.shots[-1].disc else disc
        track = self.film.tracks().get(name) if self.film is not None else None
        if self.film is None or track is None:
            return False
        return track.ended == "left" or filmed_return(track, self.film.met(name)) != "no return"

    def journalled(self) -> Iterator[ev.Event]:
        """The events for the journal, the shot's with its film."""
        for event in self.events:
            if isinstance(event, ev.ShotSeen) and self.film is not None:
                yield event.model_copy(update={"film": self.film.of_shot(event.disc)})
            else:
                yield event


def transitions(situation: Situation, association: Association) -> list[Transition]:
    """Every reading of this association, without its events."""
    known, discs = association.known, shot_discs(situation, association)
    in_play = [n for n in known if n not in situation.state.to_remove and n in situation.state.measured]
    plain = _without_contacts(situation, association, discs, in_play)
    if not association.shots:
        return [plain]
    moved = {n: known[n].place for n in in_play if known[n].became in MOVED_BY_SHOT}
    if len(discs) == 1:
        return _one_shot(situation, plain, discs[0], moved)
    sides = tuple(str(before.to_shoot) for before in association.shots)
    splits = SeveralShots(situation, association, sides, tuple(discs), moved).ways()
    return [replace(plain, shots=shots, cost=plain.cost + cost) for cost, shots in splits]


def _without_contacts(
    situation: Situation, association: Association, discs: Sequence[str], in_play: Iterable[str]
) -> Transition:
    """The part of an association that does not depend on contacts."""
    lay, known = situation.state.measured, association.known
    outcomes = {**known, **dict(zip(discs, association.shot, strict=True))}
    in_hole = {n for n, outcome in outcomes.items() if outcome.became == "hole" and outcome.place is None}
    lifted = {n for n in association.became("lifted") if lay[n].pose == "leaning"}
    return Transition(
        association,
        association.cost,
        sunk=frozenset(in_hole | lifted),
        taken={n: lay[n] for n in in_play if known[n].became in ("taken", "lifted")},
        left_open=tuple(_pushed(situation, association, in_play)),
    )


def _pushed(situation: Situation, association: Association, in_play: Iterable[str]) -> Iterator[Question]:
    """The questions about discs in play that are in another zone although no shot moved them."""
    for name in in_play:
        was, now = situation.state.measured[name].zone, association.known[name].place
        if association.known[name].became == "nudged" and now is not None and now.zone != was:
            yield partial(pushed, disc=name, was=was, now=now.zone)


def shot_discs(situation: Situation, association: Association) -> list[str]:
    """The names of the discs that were shot, in order."""
    sides = [str(before.to_shoot) for before in association.shots]
    return [situation.state.next_disc(side, sides[:k].count(side)) for k, side in enumerate(sides)]


def _one_shot(situation: Situation, transition: Transition, disc: str, moved: Places) -> list[Transition]:
    side = str(transition.association.shots[0].to_shoot)
    rest = {disc: transition.association.shot[0].place, **moved}
    shot = InferredShot(side, disc, rest, tuple((disc, name) for name in moved))
    found = [replace(transition, shots=(shot,), film=situation.film)]
    strikes = any(situation.state.side_of(name) != side for name in moved)
    steps: tuple[Step, ...] = () if strikes else (_contacts, _struck_unseen)
    for step in (_bounced_back, *steps, _posed, _reached):
        found = [after for one in found for after in step(situation, one)]
    return found


def _struck_unseen(situation: Situation, transition: Transition) -> Iterator[Transition]:
    """The shot as it is, and as one that struck an opponent's disc that was recorded as off and has just been seen
    again."""
    association, (shot,) = transition.association, transition.shots
    found = (n for n in association.became("back") if n in situation.unseen)
    if (name := next((n for n in found if situation.state.side_of(n) != shot.side), None)) is None:
        yield transition
        return
    yield replace(transition, cost=transition.cost + cost_of_absence("good"))
    rest = {**shot.rest, name: association.known[name].place}
    struck = replace(shot, contacts=(*shot.contacts, (shot.disc, name)), rest=rest)
    yield replace(transition, shots=(struck,), cost=transition.cost + cost_of("good"))


def _contacts(situation: Situation, transition: Transition) -> list[Transition]:
    """The shot with and without the likeliest contact that makes it valid, with a disc that did not move."""
    (shot,) = transition.shots
    places = [d for d in shot.rest.values() if d is not None]
    chance, graze = likeliest_graze(situation, transition.association.still, places, _deciding(situation, transition))
    if graze is None or chance < -CERTAIN:
        return [transition]
    touching = replace(shot, contacts=(*shot.contacts, (shot.disc, graze.other)))
    clear = replace(transition, graze=graze, cost=transition.cost + math.log1p(math.exp(chance)))
    touched = replace(clear, shots=(touching,), cost=transition.cost + math.log1p(math.exp(-chance)))
    return [touched] if chance > CERTAIN else [clear, touched]


def _deciding(situation: Situation, transition: Transition) -> list[str]:
    """The discs that did not move and, if touched, make the shot valid: opponents' or, on an open board, own ones in
    the 15 where the rules say so."""
    state, side = situation.state, transition.shots[0].side
    still = {n: d for n, d in transition.association.still.items() if n not in state.to_remove}
    if situation.open_board(side) == "own_disc":
        return [n for n, d in still.items() if rules.short_of_fifteen(d.x, d.y, state.game.terms.rules) <= 0]
    return [n for n in still if state.side_of(n) != side]


def _bounced_back(situation: Situation, transition: Transition) -> Iterator[Transition]:
    """The shot as it is, and variants in which each disc that it moved left the surface and bounced back."""
    (shot,) = transition.shots
    lying = [name for name, d in shot.rest.items() if d is not None and d.pose == "flat"]
    chances = {name: _odds_of_return(situation.film, SHOT if name == shot.disc else name) for name in lying}
    none = transition.cost + sum(math.log1p(math.exp(chance)) for chance in chances.values())
    yield replace(transition, cost=none)
    for name, chance in chances.items():
        yield replace(transition, cost=none - chance, returned=frozenset({name}))


def _odds_of_return(film: Filmed | None, name: str) -> float:
    """The log-odds that a moved disc left the surface and bounced back."""
    chance = odds("shot returned" if name == SHOT else "struck returned")
    track = film.tracks().get(name) if film is not None else None
    if film is None or track is None:
        return chance
    if track.ended == "left":
        chance += cost_of("surface, filmed otherwise") - cost_of("left, came back")
    filmed = filmed_return(track, film.met(name))
    return chance + cost_of(f"filmed {filmed}, did not") - cost_of(f"filmed {filmed}, came back")


def _posed(situation: Situation, transition: Transition) -> Iterator[Transition]:
    """The transition with the disc that the shot left at the hole in the pose read, and in the other one: flat or
    leaning."""
    (shot,) = transition.shots
    name, lies = next(((n, d) for n, d in shot.rest.items() if d is not None and d.pose in AT_HOLE), ("", None))
    if lies is None or not (row := situation.seen.at_hole):
        yield transition
        return
    flat = lies.pose == "in_hole"
    as_read, turned = (cost_of, cost_of_absence) if flat else (cost_of_absence, cost_of)
    yield replace(transition, cost=transition.cost + as_read(row))
    other = replace(lies, pose="leaning" if flat else "in_hole", zone=15 if flat else 20, call="close")
    shots = (replace(shot, rest={**shot.rest, name: other}),)
    yield replace(transition, shots=shots, cost=transition.cost + turned(row))


def _reached(situation: Situation, transition: Transition) -> Iterator[Transition]:
    """The shot as it is and, if its innermost disc lies too near the boundary that decides whether a shot on an open
    board was valid, with that disc judged beyond it."""
    (shot,), asks = transition.shots, situation.open_board(transition.shots[0].side)
    names = {"shot_disc": [shot.disc], "own_disc": [*shot.rest]}.get(asks, [])
    ends = [(math.hypot(d.x, d.y), n, d) for n in names if (d := shot.rest[n]) is not None]
    from_hole, name, d = min(ends, key=lambda end: end[0], default=(0.0, "", None))
    if d is None or d.pose != "flat":
        yield transition
        return
    short = rules.short_of_fifteen(d.x, d.y, situation.state.game.terms.rules)
    wrong = math.erfc(abs(short) / max(d.sigma, mm("still")) / math.sqrt(2)) / 2
    yield replace(transition, cost=transition.cost - math.log1p(-wrong))
    if wrong > LEAST:
        there = 1 - (short + math.copysign(NEAREST, short)) / from_hole
        across = ev.DiscCorrected(disc=name, zone=None, at=(d.x * there, d.y * there))
        yield replace(transition, across=(across,), cost=transition.cost - math.log(wrong))


# events


def events_of(situation: Situation, transition: Transition) -> Iterator[ev.Event]:
    """The events that record the transition."""
    state = situation.state
    if state.game.round.complete and transition.taken:
        return  # people are clearing the board: the result is final
    yield from _corrections(situation, transition)
    now = _measured(situation, transition)
    strangers = tuple(stranger(d) for d in transition.association.strange)
    measured = {n: m for n, m in state.measured.items() if n not in transition.taken}
    for shot in transition.shots:
        measured = now if shot is transition.shots[-1] else _after(measured, shot)
        yield shot_seen(situation, transition, shot, measured)
    strange = strangers != state.strangers
    if strange if transition.shots else _changed(situation, transition, now, strangers):
        yield ev.BoardSeen(measured=now, strangers=strangers)


def _corrections(situation: Situation, transition: Transition) -> Iterator[ev.DiscCorrected]:
    """The events for discs that people took off, and for those that came back."""
    for name in transition.taken:
        yield ev.DiscCorrected(disc=name, zone=20 if name in transition.sunk else None)
    for name in transition.association.became("back"):
        place = transition.association.known[name].place
        if place is not None and name not in situation.state.game.round.board:
            yield lies_at(name, place)


def _changed(
    situation: Situation, transition: Transition, now: Mapping[str, ev.Measured], strangers: Sequence[ev.Stranger]
) -> bool:
    """Whether a board without a shot differs from the journal's."""
    was = situation.state.measured
    if transition.taken or set(now) != set(was) or not _same(strangers, situation.state.strangers):
        return True
    if any(outcome.became in ("nudged", "back", "hole") for outcome in transition.association.known.values()):
        return True
    overlooked = transition.overlooked
    doubted = (n for n, m in now.items() if m.pose in AT_HOLE or n in situation.overlooked or n in overlooked)
    return any(was[n].call != now[n].call for n in doubted)


def _same(some: Sequence[ev.Stranger], others: Sequence[ev.Stranger]) -> bool:
    """Whether the strangers are the same, within a millimetre."""
    pairs = zip(some, others, strict=False)
    return len(some) == len(others) and all(distance(a, b) < 1.0 for a, b in pairs)


def _measured(situation: Situation, transition: Transition) -> dict[str, ev.Measured]:
    """The present board. Discs that were not seen keep their place, as close calls unless something hides them."""
    state = situation.state
    hidden = situation.seen.reading.obstructed or state.game.round.complete
    known = transition.association.known
    now = {name: measure(outcome.place) for name, outcome in known.items() if outcome.place is not None}
    for name, lay in state.measured.items():
        if name in transition.overlooked:
            now[name] = lay if hidden else lay.model_copy(update={"call": "close"})
    for shot in transition.shots:
        now = _after(now, shot)
    return now


def _after(measured: Mapping[str, ev.Measured], shot: InferredShot) -> dict[str, ev.Measured]:
    left = {n: m for n, m in measured.items() if n not in shot.rest}
    return left | {n: measure(d) for n, d in shot.rest.items() if d is not None}


def shot_seen(
    situation: Situation, transition: Transition, shot: InferredShot, measured: Mapping[str, ev.Measured]
) -> ev.ShotSeen:
    """The event of one of the transition's shots; `measured`: the board after it."""
    doubt = None
    if len(transition.shots) > 1:
        doubt = ev.Doubt(case="several_shots", count=len(transition.shots))
    elif not transition.association.shot[0].seen:
        doubt = ev.Doubt(case="disc_unseen")
    return ev.ShotSeen.model_validate(
        {
            "side": shot.side,
            "disc": shot.disc,
            "contacts": shot.contacts,
            "rest": {n: _where(n, d, transition.sunk) for n, d in shot.rest.items()},
            "measured": dict(measured),
            "doubt": doubt,
            "returned": tuple(n for n in shot.rest if n in transition.returned),
            "placed": transition.across,
            "t": situation.seen.reading.t,
            "frame": situation.seen.reading.frame,
        }
    )


def _where(name: str, place: SeenDisc | None, sunk: Iterable[str]) -> str:
    if place is None:
        return "hole" if name in sunk else "ditch"
    return "hole" if place.pose == "in_hole" else "surface"
