"""From what may have happened to the events that would tell it: one step for each reading of the evidence."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from controller.match import events as ev
from controller.referee.doubts import Doubt, Graze, Pushed
from controller.referee.filmed import Filmed
from controller.referee.model.board import Board
from controller.referee.model.contacts import grazed
from controller.referee.model.evidence import TABLE, nats, nats_not
from controller.referee.model.explanation import Explanation, Fate, OneShot, of_one_shot
from controller.referee.model.hypotheses import WORTH
from controller.referee.model.several import Several
from controller.referee.read_board import measure, stranger
from controller.referee.whose_disc import new_id
from controller.vision.film.film import SHOT
from controller.vision.readings import AT_HOLE, SeenDisc

SURE = 9.0
"""Nats: odds beyond which the other reading of a contact is not kept."""


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One telling of what happened between two boards. Two steps that differ show what is in doubt."""

    explanation: Explanation
    cost: float
    shots: tuple[OneShot, ...] = ()
    sunk: frozenset[str] = frozenset()  # discs that lay in the hole and are gone
    returned: frozenset[str] = frozenset()  # discs that left the surface and bounced back
    taken: Mapping[str, ev.Measured] = field(default_factory=dict)  # discs in play that people took off, where they lay
    overlooked: frozenset[str] = frozenset()
    left_open: tuple[Doubt, ...] = ()  # what it cannot tell, whatever other histories say
    graze: Graze | None = None  # a contact with a disc that lies still, which is told otherwise elsewhere
    film: Filmed | None = None  # of its one shot
    events: tuple[ev.Event, ...] = field(default=())  # without the film

    @property
    def unseen(self) -> Iterator[str]:
        """The discs that were shot and of which nobody saw where they ended."""
        fates = zip(self.shots, self.explanation.shot, strict=True)
        return (shot.disc for shot, fate in fates if fate.place is None and not fate.seen)

    def written(self) -> Iterator[ev.Event]:
        """The events as they are written: the shot's with its film."""
        for event in self.events:
            if isinstance(event, ev.ShotSeen) and self.film is not None:
                yield event.model_copy(update={"film": self.film.of_shot(event.disc)})
            else:
                yield event


def steps(board: Board, explanation: Explanation) -> list[Step]:
    """Every telling of this explanation that is worth keeping, without its events."""
    told = [explanation, *(_with(board, explanation, other) for other in explanation.others)]
    found = [step for e in told if e.cost < explanation.cost + WORTH for step in _tellings(board, e)]
    least = min(step.cost for step in found)
    return [step for step in found if step.cost < least + WORTH]


def with_events(board: Board, step: Step) -> Step:
    """The step with the events that tell it."""
    return step if step.events else replace(step, events=tuple(_events(board, step)))


def _with(board: Board, explanation: Explanation, other: tuple[str, int, Fate]) -> Explanation:
    """The explanation with another fate of one disc."""
    name, number, fate = other
    if name == SHOT:
        before, shot = explanation.shot[number], explanation.shot
        told = replace(explanation, shot=(*shot[:number], fate, *shot[number + 1 :]))
    elif name in explanation.known:
        before = explanation.known[name]
        told = replace(explanation, known={**explanation.known, name: fate})
    else:
        return replace(explanation, cost=math.inf)
    whole = of_one_shot(board.state, told) - of_one_shot(board.state, explanation)
    return replace(told, cost=explanation.cost + fate.cost - before.cost + whole)


def _tellings(board: Board, told: Explanation) -> list[Step]:
    state = board.state
    known = told.known
    discs = ids(board, told)
    fates = {**known, **dict(zip(discs, told.shot, strict=True))}
    sunk = {n for n, f in fates.items() if f.became == "hole" and f.place is None}
    lifted = {n for n in told.became("lifted") if state.measured[n].pose == "leaning"}
    in_play = [n for n in known if n not in state.to_remove and n in state.measured]
    taken = {n: state.measured[n] for n in in_play if known[n].became in ("taken", "lifted")}
    over = frozenset(told.became("overlooked"))
    plain = Step(told, told.cost, (), frozenset(sunk | lifted), frozenset(), taken, over)
    plain = replace(plain, left_open=tuple(_pushed(board, told, in_play)))
    if not told.shots:
        return [plain]
    stirred = {n: known[n].place for n in in_play if known[n].became in ("moved", "off", "hole")}
    if len(told.shots) == 1:
        return _one_shot(board, plain, discs[0], stirred)
    return list(_several(board, plain, discs, stirred))


def _pushed(board: Board, told: Explanation, in_play: Iterable[str]) -> Iterator[Pushed]:
    """The discs in play that lie in another zone although no shot moved them."""
    for name in in_play:
        was, now = board.state.measured[name].zone, told.known[name].place
        if told.known[name].became == "nudged" and now is not None and now.zone != was:
            yield Pushed(name, was, now.zone)


def ids(board: Board, told: Explanation) -> list[str]:
    """The names of the discs that were shot, in order."""
    sides = [str(before.to_shoot) for before in told.shots]
    return [new_id(board.state, side, sides[:k].count(side)) for k, side in enumerate(sides)]


def _one_shot(board: Board, step: Step, disc: str, stirred: Mapping[str, SeenDisc | None]) -> list[Step]:
    state, told = board.state, step.explanation
    side = str(told.shots[0].to_shoot)
    rest = {disc: told.shot[0].place, **stirred}
    hit = tuple((disc, n) for n in stirred)
    theirs = [n for n in stirred if state.side_of(n) != side]
    plain = replace(step, shots=(OneShot(side, disc, rest, hit),), film=board.film)
    found = [plain] if theirs else [one for each in _found(board, plain) for one in _contacts(board, each, rest)]
    found = [telling for one in found for telling in _bounced(board, one, disc, rest)]
    return [posed for one in found for posed in _posed(board, one)]


def _found(board: Board, step: Step) -> Iterator[Step]:
    """The shot as it is, and as one that struck the opponents' disc that nobody had seen until it was taken."""
    told, (shot,) = step.explanation, step.shots
    found = (n for n in told.became("back") if n in board.unseen and board.state.side_of(n) != shot.side)
    if (name := next(found, None)) is None:
        yield step
        return
    yield replace(step, cost=step.cost + nats_not("good"))
    struck = replace(
        shot, contacts=(*shot.contacts, (shot.disc, name)), rest={**shot.rest, name: told.known[name].place}
    )
    yield replace(step, shots=(struck,), cost=step.cost + nats("good"))


def _contacts(board: Board, step: Step, rest: Mapping[str, SeenDisc | None]) -> list[Step]:
    """The shot with and without the likeliest contact with a disc that lies still."""
    state, (shot,) = board.state, step.shots
    still = step.explanation.still
    opponents = [n for n in still if n not in state.to_remove and state.side_of(n) != shot.side]
    likely = grazed(board, still, [d for d in rest.values() if d is not None], opponents)[:1]
    if not likely or likely[0].odds < -SURE:
        return [step]
    graze, chance = likely[0].graze, likely[0].odds
    touching = replace(shot, contacts=(*shot.contacts, (shot.disc, graze.other)))
    clear = replace(step, graze=graze, cost=step.cost + math.log1p(math.exp(chance)))
    touched = replace(clear, shots=(touching,), cost=step.cost + math.log1p(math.exp(-chance)))
    return [touched] if chance > SURE else [clear, touched]


def _bounced(board: Board, step: Step, disc: str, rest: Mapping[str, SeenDisc | None]) -> Iterator[Step]:
    """The shot as it is, and with each of the discs that it moved as one that left the surface and bounced back."""
    tracks = board.film.tracks() if board.film is not None else {}
    lying = [n for n, d in rest.items() if d is not None and d.pose == "flat"]
    nothing = step.cost
    chances: dict[str, float] = {}
    for name in lying:
        prior = TABLE["shot returned" if name == disc else "struck returned"].value
        chance = math.log(prior / (1 - prior))
        track = tracks.get(SHOT if name == disc else name)
        if track is not None and track.ended == "left":
            chance += nats("surface, filmed otherwise") - nats("left, came back")
        if track is not None:
            saw, not_back = "filmed back, came back", "filmed back, did not"
            chance += nats(not_back) - nats(saw) if track.came_back else nats_not(not_back) - nats_not(saw)
        nothing += math.log1p(math.exp(chance))
        chances[name] = chance
    yield replace(step, cost=nothing)
    for name, chance in chances.items():
        yield replace(step, cost=nothing - chance, returned=frozenset({name}))


def _posed(board: Board, step: Step) -> Iterator[Step]:
    """The step with the disc that the shot left at the hole as it was read, and the other way: flat or leaning."""
    shot = step.shots[-1]
    at_hole = [n for n, d in shot.rest.items() if d is not None and d.pose in AT_HOLE]
    if not at_hole or board.seen.at_hole is None:
        yield step
        return
    name = at_hole[0]
    lies = shot.rest[name]
    assert lies is not None
    flat = f"in hole: {board.seen.at_hole}"
    is_flat, leans = nats(flat), nats_not(flat)
    yield replace(step, cost=step.cost + (is_flat if lies.pose == "in_hole" else leans))
    other = replace(lies, pose="in_hole", zone=20) if lies.pose == "leaning" else replace(lies, pose="leaning", zone=15)
    other = replace(other, call="close")
    shots = (*step.shots[:-1], replace(shot, rest={**shot.rest, name: other}))
    told = step.explanation
    if name in told.known:
        told = replace(told, known={**told.known, name: replace(told.known[name], place=other)})
    yield replace(step, shots=shots, explanation=told, cost=step.cost + (leans if lies.pose == "in_hole" else is_flat))


def _several(board: Board, step: Step, discs: Sequence[str], stirred: Mapping[str, SeenDisc | None]) -> Iterator[Step]:
    """Several shots, each way to share out what moved that is worth keeping."""
    sides = tuple(str(before.to_shoot) for before in step.explanation.shots)
    told = list(Several(board, step.explanation, sides, tuple(discs), stirred).tellings())
    least = min(cost for cost, _ in told)
    yield from (replace(step, shots=shots, cost=step.cost + cost) for cost, shots in told if cost < least + WORTH)


# events


def _events(board: Board, step: Step) -> Iterator[ev.Event]:
    state, told = board.state, step.explanation
    if state.game.round.complete and step.taken:
        return  # people clear the board: the result stands
    for name in step.taken:
        yield ev.DiscCorrected(disc=name, zone=20 if name in step.sunk else None)
    for name in told.became("back"):
        place = told.known[name].place
        if place is not None and name not in state.game.round.board:
            yield ev.DiscCorrected(disc=name, zone=place.zone, at=(place.x, place.y))
    now = _measured(board, step)
    strangers = tuple(stranger(d) for d in told.strange)
    if step.shots:
        measured = {n: m for n, m in state.measured.items() if n not in step.taken}
        for shot in step.shots:
            measured = now if shot is step.shots[-1] else _after(measured, shot)
            yield shot_seen(board, step, shot, measured)
        if strangers != state.strangers:
            yield ev.BoardSeen(measured=now, strangers=strangers)
    elif _changed(board, step, now, strangers):
        yield ev.BoardSeen(measured=now, strangers=strangers)


def _changed(board: Board, step: Step, now: Mapping[str, ev.Measured], strangers: Sequence[ev.Stranger]) -> bool:
    """Whether the journal has to be told of a board without a shot."""
    was = board.state.measured
    moved = any(f.became in ("nudged", "back", "hole") for f in step.explanation.known.values())
    doubted = board.overlooked | step.overlooked
    surer = any(was[n].call != m.call for n, m in now.items() if n in was and (m.pose in AT_HOLE or n in doubted))
    return bool(step.taken) or set(now) != set(was) or moved or surer or not _same(strangers, board.state.strangers)


def _same(some: Sequence[ev.Stranger], others: Sequence[ev.Stranger]) -> bool:
    """Whether the same strangers lie there, within a millimetre."""
    pairs = zip(some, others, strict=False)
    return len(some) == len(others) and all(math.dist((a.x, a.y), (b.x, b.y)) < 1.0 for a, b in pairs)


def _measured(board: Board, step: Step) -> dict[str, ev.Measured]:
    """The board as it lies now.

    Discs that were not seen keep their place, as close calls unless something hides them.
    """
    told, hidden = step.explanation, board.seen.reading.obstructed or board.state.game.round.complete
    now = {n: measure(f.place) for n, f in told.known.items() if f.place is not None}
    for name in step.overlooked & set(board.state.measured):
        lay = board.state.measured[name]
        now[name] = lay if hidden else lay.model_copy(update={"call": "close"})
    for shot in step.shots:
        place = shot.rest[shot.disc]
        if place is not None:
            now[shot.disc] = measure(place)
        now = {n: m for n, m in now.items() if n not in shot.rest or shot.rest[n] is not None}
    return now


def _after(measured: Mapping[str, ev.Measured], shot: OneShot) -> dict[str, ev.Measured]:
    left = {n: m for n, m in measured.items() if n not in shot.rest}
    return left | {n: measure(d) for n, d in shot.rest.items() if d is not None}


def shot_seen(board: Board, step: Step, shot: OneShot, measured: Mapping[str, ev.Measured]) -> ev.ShotSeen:
    """One of the step's shots as the journal has it; `measured` is the board after it."""
    one = len(step.shots) == 1
    rest = {n: _where(n, d, step.sunk) for n, d in shot.rest.items()}
    lost = not step.explanation.shot[step.shots.index(shot)].seen
    doubt = ev.Doubt(case="several_shots", count=len(step.shots)) if not one else None
    if one and lost:
        doubt = ev.Doubt(case="disc_unseen")
    return ev.ShotSeen.model_validate(
        {
            "side": shot.side,
            "disc": shot.disc,
            "contacts": shot.contacts,
            "rest": rest,
            "measured": dict(measured),
            "doubt": doubt,
            "returned": tuple(n for n in shot.rest if n in step.returned),
            "t": board.seen.reading.t,
            "frame": board.seen.reading.frame,
        }
    )


def _where(name: str, place: SeenDisc | None, sunk: Iterable[str]) -> str:
    if place is None:
        return "hole" if name in sunk else "ditch"
    return "hole" if place.pose == "in_hole" else "surface"
