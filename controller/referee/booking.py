"""From a story to events for the journal, and to the doubts that people are asked about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from controller.match import events as ev
from controller.match.close_calls import unseen
from controller.match.filmed import FilmOfShot
from controller.match.state import MatchState
from controller.referee.contact import weigh
from controller.referee.differences import distance
from controller.referee.doubts import (
    Doubt,
    Fouled,
    Lifted,
    Mixed,
    Pushed,
    Removed,
    SensorAlone,
    Strange,
    SweptEarly,
    Touched,
    Unseen,
    WhoseTwenty,
)
from controller.referee.filmed import Filmed
from controller.referee.hole import InHole
from controller.referee.read_board import ReadBoard, measure, stranger
from controller.referee.removals import lifted_twenties, removals
from controller.referee.settings import CONDUCT
from controller.referee.stories import Story
from controller.vision.readings import AT_HOLE, BoardReading, SeenDisc


@dataclass(frozen=True, slots=True)
class Booked:
    """Events that belong together, and the doubts to ask about once they are in the journal."""

    events: tuple[ev.Event, ...] = ()
    doubts: tuple[Doubt, ...] = ()


@dataclass(frozen=True, slots=True)
class Booking:
    """One change of the board, ready to be booked."""

    state: MatchState
    board: ReadBoard
    hole: InHole
    reading: BoardReading
    hand: bool
    film: Filmed | None = None  # of the shot, where there was one

    def book(self, story: Story) -> Booked:
        """The events of a story, and its doubts."""
        if story.swept:
            return self._swept()
        if story.shots:
            return self._shots(story)
        return self._tidied(story)

    # nobody shot

    def _swept(self) -> Booked:
        """The board was swept, so the round is over, or nearly.

        | the round | is booked |
        | --- | --- |
        | waits for a tap, or is complete and its end was not proposed yet | nothing |
        | is complete | its end |
        | lacks `CONDUCT.swept_short` shots at most | its next shot, as one whose disc went off unseen |
        | lacks more | nothing; people are asked whether it is over |
        """
        current = self.state.game.round
        if self.state.await_tap or (current.complete and not self.state.round_proposed):
            return Booked()
        if current.complete:
            return Booked((ev.RoundEnded(how="swept"),))
        left = sum(current.shots_left.values())
        if left > CONDUCT.swept_short:
            return Booked(doubts=(SweptEarly(left),))
        shot = OneShot(str(current.to_shoot), new_id(self.state, str(current.to_shoot)), None)
        return Booked((self._event(shot, self.state.measured, (), (), _doubt(1, True)),), (Unseen(shot.disc),))

    def _tidied(self, story: Story) -> Booked:
        """Nobody shot: discs were taken off or nudged, or lie there although nothing explains them."""
        events, doubts = self._taken(story.taken, self._doubtful(story))
        doubts += [Pushed(n, self.state.measured[n].zone, d.zone) for n, d in story.moved.items() if self._pushed(n, d)]
        strangers = self._strangers(story)
        measured = self._measured(story)
        if story.strange:
            doubts.append(Strange(story.strange))
        others = strangers != self.state.strangers or set(measured) != set(self.state.measured)
        if events or others or self._unsure(measured) or (story.moved and measured != self.state.measured):
            events.append(ev.BoardSeen(measured=measured, strangers=strangers))
        return Booked(tuple(events), tuple(doubts))

    def _strangers(self, story: Story) -> tuple[ev.Stranger, ...]:
        """The discs on the board that are not the match's: those that were there, and those that nothing explains."""
        return (*self.board.strangers, *(stranger(d) for d in story.strange))

    def gone(self, discs: Sequence[str]) -> Booked:
        """Book these discs as off: two readings, one after the other, did not show them."""
        events, doubts = self._taken(discs, discs)
        measured = {n: m for n, m in self.state.measured.items() if n not in discs}
        events.append(ev.BoardSeen(measured=measured, strangers=self.state.strangers))
        return Booked(tuple(events), tuple(doubts))

    def _taken(self, discs: Sequence[str], doubtful: Sequence[str] = ()) -> tuple[list[ev.Event], list[Doubt]]:
        """The events of people taking discs off, and the doubts; `doubtful` discs are those to ask about."""
        lifted = lifted_twenties(self.state, self.board, discs, hand=self.hand)
        doubts: list[Doubt] = [Removed(n, self.state.measured[n]) for n in doubtful if n not in lifted]
        doubts += [Lifted(n) for n in lifted if self.state.measured[n].call == "sure"]
        return removals(self.state, discs, lifted), doubts

    def _pushed(self, name: str, now: SeenDisc) -> bool:
        """Whether a disc in play now lies in another zone, although nobody shot."""
        return name in self.board.all_left and self.state.measured[name].zone != now.zone

    def _doubtful(self, story: Story) -> list[str]:
        """Discs that people took off unasked, and that may have to count.

        These are all of them when the round is complete; before, those of a side of which a disc went off without being
        seen in the ditch.
        """
        unseen = {side for side, account in story.accounts.items() if account.unseen}
        complete = self.state.game.round.complete
        return [n for n in story.taken if complete or self.board.side_of[n] in unseen]

    def _unsure(self, measured: Mapping[str, ev.Measured]) -> bool:
        """Whether a disc is seen no more, is seen again, or was a sure twenty that stayed and is not sure any more."""
        pairs = [(self.state.measured[n], now) for n, now in measured.items()]
        doubtful = self.board.stayed and any(
            was.call == "sure" and now.call == "close" for was, now in pairs if now.pose == "in_hole"
        )
        return doubtful or any(unseen(was) != unseen(now) for was, now in pairs)

    def _measured(self, story: Story) -> dict[str, ev.Measured]:
        """The board as it lies now, with the discs that should lie there and are not seen.

        Those become close calls, except where a hand may hide them or the round is complete and the board is being
        cleared.
        """
        still = {n: measure(d) for n, d in self.board.still.items()}
        hidden = {n: self.state.measured[n] for n in story.hidden}
        if not (self.board.obstructed or self.state.game.round.complete):
            hidden = {n: was.model_copy(update={"call": "close"}) for n, was in hidden.items()}
        return {**still, **hidden, **{n: measure(d) for n, d in story.moved.items()}}

    # shots

    def _shots(self, story: Story) -> Booked:
        """One event for each shot, and what is not sure of it."""
        plan = self._plan(story)
        sunk = self._sunk(story, plan)
        now = {**self._measured(story), **{s.disc: measure(s.place) for s in plan if s.place is not None}}
        measured = {n: m for n, m in self.state.measured.items() if n not in story.taken}
        events, doubts = self._taken(story.taken)
        for k, shot in enumerate(plan):
            measured = now if shot is plan[-1] else shot.on(measured)
            found, contacts = self._contacts(plan, k)
            lost = _is_lost(story, shot, sunk)
            doubts += [*found, *([Unseen(shot.disc)] if lost else []), *self._mixed(story, shot)]
            film = self.film.of_shot(shot.disc) if self.film is not None and len(plan) == 1 else None
            events.append(self._event(shot, measured, tuple(contacts), sunk, _doubt(len(plan), lost), film))
        if story.strange or self.board.strangers != self.state.strangers:
            events.append(ev.BoardSeen(measured=now, strangers=self._strangers(story)))
        doubts += [Strange(story.strange)] if story.strange else []
        return Booked(tuple(events), (*doubts, *self._of_the_hole(plan, sunk, story.unrolled)))

    def _plan(self, story: Story) -> list["OneShot"]:
        """Say of each shot which discs it hit and moved, as far as that can be told.

        A single shot hit every disc that moved or went off. Several shots are told apart by `_shared_out`. Of these,

        - a disc that stayed on the surface is put where it lies with the first shot: no two discs ever share a place;
        - a disc that went off goes off with the shot that hit it, else with the last one.
        """
        sides = [str(before.to_shoot) for before in story.shots]
        stirred = self._stirred(story)
        others = self._opponents_shots(stirred, sides)
        places = _places(story, sides)
        hits = _shared_out(others, places, self.board.known)
        pending = {n: story.moved.get(n) for n in stirred}
        plan: list[OneShot] = []
        for k, side in enumerate(sides):
            moved = dict(pending) if k == len(sides) - 1 else _moved_with(hits[k], pending)
            hit = tuple(stirred) if len(sides) == 1 else tuple(hits[k])
            perhaps = tuple(n for n in stirred if k in others[n] and n not in hit)
            pending = {n: d for n, d in pending.items() if n not in moved}
            disc = new_id(self.state, side, sum(s.side == side for s in plan))
            plan.append(OneShot(side, disc, places[k], moved, hit, perhaps))
        return plan

    def _stirred(self, story: Story) -> list[str]:
        """The discs in play that the shots of a story moved or sent off."""
        return [n for n in self.board.all_left if n in story.moved or n in story.off]

    def _opponents_shots(self, discs: Sequence[str], sides: Sequence[str]) -> dict[str, list[int]]:
        """For each disc the shots (from 0) of other sides than its own, given the side of each shot."""
        return {n: [k for k, side in enumerate(sides) if side != self.board.side_of[n]] for n in discs}

    def _sunk(self, story: Story, plan: list["OneShot"]) -> tuple[str, ...]:
        """Which of the discs that are gone lay in the hole, where only the sensor knows that `story.sunk` of them did.

        The likeliest are taken first: discs that were filmed to fall into it; discs that lay at the hole before; discs
        of the side whose colour the sensor saw; discs of a side that has fewer discs in the ditch than went off; any
        others. Among equals shot discs come first.
        """
        gone = self._gone(plan)
        filmed = [] if self.film is None or len(plan) > 1 else self.film.sunk(plan[0].disc)
        leant = [n for _, n in gone if n in self.state.measured and self.state.measured[n].pose in AT_HOLE]
        told = [n for side, n in gone if side == self.hole.side]
        open_ = [n for side, n in gone if story.accounts[side].unseen]
        seen = [n for _, n in gone if n in filmed]
        return tuple(dict.fromkeys((*seen, *leant, *told, *open_, *(n for _, n in gone))))[: story.sunk]

    def _gone(self, plan: list["OneShot"]) -> list[tuple[str, str]]:
        """Sides and ids of the discs that did not stay on the surface, shot discs first."""
        shot = [(s.side, s.disc) for s in plan if s.place is None]
        return shot + [(self._side(n), n) for s in plan for n, d in s.moved.items() if d is None]

    def _contacts(self, plan: list["OneShot"], k: int) -> tuple[list[Doubt], list[tuple[str, str]]]:
        """What the k-th shot touched, and where that is not sure."""
        shot = plan[k]
        theirs = [n for n in shot.hit if self._side(n) != shot.side]
        if len(plan) == 1:
            return self._of_one_shot(shot, theirs)
        theirs = theirs or self._stand_in(plan[:k], shot.side)
        contacts = [(shot.disc, n) for n in theirs]
        may = (*theirs, *shot.perhaps)
        return [Touched(shot.disc, may) if may else Fouled(shot.disc)], contacts

    def _stand_in(self, before: Sequence["OneShot"], side: str) -> list[str]:
        """The opponents' disc that stands for one that a shot may have struck, and that was never seen at rest.

        Only a disc of the opponents' shots just `before` can have lain there unseen: the newest of these that stayed on
        the surface stands for it, else any disc of theirs that lies still. Empty where no opponent shot before.
        """
        earlier = [s for s in before if s.side != side]
        if not earlier:
            return []
        seen = [s.disc for s in earlier if s.place is not None]
        return (seen or [n for n in self.board.still if self._side(n) != side])[-1:]

    def _mixed(self, story: Story, shot: "OneShot") -> list[Doubt]:
        """The doubt about which disc was shot, where discs of its side that had to come off were moved instead."""
        moved = story.accounts[shot.side].moved
        marked = tuple(moved[n] for n in self.board.marked[shot.side] if n in moved)
        return [Mixed(shot.disc, shot.place, marked)] if marked and shot.place is not None else []

    def _of_one_shot(self, shot: "OneShot", theirs: Sequence[str]) -> tuple[list[Doubt], list[tuple[str, str]]]:
        """What a single shot touched, and where that is not sure. It hit every disc that moved or went off."""
        rest = {n: d for n, d in {shot.disc: shot.place, **shot.moved}.items() if d is not None}
        opponents = [n for n in self.state.on_board if self._side(n) != shot.side]
        weighed = weigh(self.board, rest, theirs, () if theirs else opponents, self.film)
        doubts: list[Doubt] = [Touched(shot.disc, (graze.other,), graze) for graze in weighed.asked]
        return doubts, [(shot.disc, n) for n in (*shot.hit, *weighed.touched)]

    def _event(
        self,
        shot: "OneShot",
        measured: Mapping[str, ev.Measured],
        contacts: tuple[tuple[str, str], ...],
        sunk: tuple[str, ...],
        doubt: ev.Doubt | None,
        film: FilmOfShot | None = None,
    ) -> ev.ShotSeen:
        rest = {n: _where(n, d, sunk) for n, d in {shot.disc: shot.place, **shot.moved}.items()}
        return ev.ShotSeen.model_validate(
            {
                "side": shot.side,
                "disc": shot.disc,
                "contacts": contacts,
                "rest": rest,
                "measured": measured,
                "doubt": doubt,
                "film": film,
                "t": self.reading.t,
                "frame": self.reading.frame,
            }
        )

    def _of_the_hole(self, plan: list["OneShot"], sunk: tuple[str, ...], unrolled: bool) -> list[Doubt]:
        """The doubts about twenties that only the sensor knows of.

        | condition | doubt |
        | --- | --- |
        | it should lie in the hole now and the camera sees none, or nothing was seen to roll | whether it is one |
        | else: no film and no colour tells it, and another side's disc is gone too | whose it is |
        """
        doubts: list[Doubt] = []
        filmed = [] if self.film is None or len(plan) > 1 else self.film.sunk(plan[0].disc)
        for name in sunk:
            others = {side: n for side, n in reversed(self._gone(plan)) if side != self._side(name)}
            if self.hole.occupied or unrolled:
                doubts.append(SensorAlone(name))
            elif others and self.hole.side is None and name not in filmed:
                doubts.append(WhoseTwenty(name, tuple(others.values())))
        return doubts

    def _side(self, name: str) -> str:
        return self.board.side_of.get(name) or name[0].upper()


def _shared_out(
    others: Mapping[str, list[int]], places: Sequence[SeenDisc | None], before: Mapping[str, ev.Measured]
) -> list[list[str]]:
    """Which shot hit which discs: for each shot their names.

    `others` has for each disc the shots (from 0) that may have hit it, those of other sides. `places` are where the
    shot discs came to rest, `before` where the other discs lay.

    1. A disc belongs to the last shot that may have hit it: had an earlier one moved it, that would have been seen.
    2. A shot that has none by this rule gets one of a later shot, since most shots are valid and so hit something. Only
       a disc that the later shot can spare is given away: that shot hit another disc too, or the disc of the shot just
       before it stayed on the surface, where it may have been struck. Of several the nearest to the place where the
       shot disc came to rest is given, since a disc often rests near the one that it hit.
    """
    hits = [[n for n, may in others.items() if may[-1:] == [k]] for k in range(len(places))]
    for k, (mine, place) in enumerate(zip(hits, places, strict=True)):
        spare = [(j, n) for j, n in _spare(hits, places, k + 1) if k in others[n]]
        later = [(distance(place, before[n]) if place else 0.0, j, n) for j, n in spare]
        if not mine and later:
            _, j, name = min(later)
            hits[j].remove(name)
            mine.append(name)
    return hits


def _spare(hits: Sequence[Sequence[str]], places: Sequence[SeenDisc | None], first: int) -> list[tuple[int, str]]:
    """The discs that the shots from `first` on can spare, each with its shot: see `_shared_out`."""
    return [(j, n) for j in range(first, len(hits)) for n in hits[j] if places[j - 1] is not None or len(hits[j]) > 1]


def _places(story: Story, sides: Sequence[str]) -> list[SeenDisc | None]:
    """Where the disc of each shot came to rest, given the side of each; None where it did not stay on the surface."""
    fresh = {side: list(account.fresh) for side, account in story.accounts.items()}
    return [d.pop(0) if (d := fresh[side]) else None for side in sides]


def _moved_with(hit: Sequence[str], pending: Mapping[str, SeenDisc | None]) -> dict[str, SeenDisc | None]:
    """Of the discs that are still to be put where they lie, those that a shot with others after it moves.

    These are the discs that it hit, and every disc that stayed on the surface.
    """
    return {n: d for n, d in pending.items() if n in hit or d is not None}


def _is_lost(story: Story, shot: "OneShot", sunk: tuple[str, ...]) -> bool:
    """Whether the shot disc may be one that went off unseen."""
    return shot.place is None and shot.disc not in sunk and story.accounts[shot.side].unseen > 0


@dataclass(frozen=True, slots=True)
class OneShot:
    """One shot of a story: where its disc came to rest and the known discs that it moved, None for off the surface.

    `hit` are the known discs that it is taken to have touched, `perhaps` others that it may have touched.
    """

    side: str
    disc: str
    place: SeenDisc | None
    moved: Mapping[str, SeenDisc | None] = field(default_factory=dict)
    hit: tuple[str, ...] = ()
    perhaps: tuple[str, ...] = ()

    def on(self, measured: Mapping[str, ev.Measured]) -> dict[str, ev.Measured]:
        """The board after it."""
        after = {n: m for n, m in measured.items() if n not in self.moved}
        return after | {n: measure(d) for n, d in {self.disc: self.place, **self.moved}.items() if d is not None}


def new_id(state: MatchState, side: str, more: int = 0) -> str:
    """The next disc of a side: a1, a2, .. in the order in which they are shot; or that of so many shots later."""
    count = sum(s.shot.side == side for s in state.game.round.shots)
    return f"{side.lower()}{count + more + 1}"


def _where(name: str, disc: SeenDisc | None, sunk: tuple[str, ...]) -> str:
    if disc is None:
        return "hole" if name in sunk else "ditch"
    return "hole" if disc.pose == "in_hole" else "surface"


def _doubt(shots: int, lost: bool) -> ev.Doubt | None:
    if shots > 1:
        return ev.Doubt(case="several_shots", count=shots)
    return ev.Doubt(case="disc_unseen") if lost else None
