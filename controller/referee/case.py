"""One disc between two boards at rest, and the cost of each event that may have happened to it, in nats."""

import math
from dataclasses import dataclass

from controller import rules
from controller.match import events as ev
from controller.referee.association import Became
from controller.referee.evidence import (
    ANYWHERE,
    IMPOSSIBLE,
    TABLE,
    cost_of,
    cost_of_absence,
    log_sum_exp,
    mm,
    ring,
    spread,
)
from controller.referee.film_evidence import FilmEvidence, near_end, near_hole
from controller.referee.read_board import distance
from controller.referee.situation import ANYWHERE_AT_HOLE, STILL_AT_HOLE, Situation, untouched
from controller.vision.film.film import SHOT
from controller.vision.readings import SeenDisc
from hardware.board import TOURNAMENT

FIVE = math.log(math.pi * (TOURNAMENT.outer_line**2 - TOURNAMENT.ten_line**2))
"""Nats per mm2 for a place anywhere in the ring of five, which a hand crosses on its way to the line."""


@dataclass(frozen=True, slots=True)
class DiscCase:
    """One disc under one hypothesis and number of shots, and its possible end."""

    situation: Situation
    shots: int
    film: FilmEvidence
    name: str
    side: str | None
    lay: ev.Measured | ev.Stranger | None = None
    turn: rules.Round | None = None  # the turn for which it may be ready
    end: SeenDisc | None = None  # the disc as seen there; None if unseen

    @property
    def place(self) -> SeenDisc:
        """Its place now."""
        assert self.end is not None
        return self.end

    @property
    def before(self) -> ev.Measured | ev.Stranger:
        """Its place before."""
        assert self.lay is not None
        return self.lay

    def away(self) -> float:
        """The distance from its place before, in mm."""
        return self.situation.away(self.before, self.place)

    def same_pose(self) -> bool:
        """Whether its pose is unchanged."""
        return self.before.pose == self.place.pose

    def seems_still(self) -> bool:
        """Whether it is still at its place at the hole, in any pose."""
        return self.away() <= STILL_AT_HOLE and not self.situation.seen.refilled

    def may_lie_there(self) -> bool:
        """Whether it may still be there, unseen: of two discs at the hole only one can be in it."""
        return self.before.pose != "in_hole" or all(d.pose != "in_hole" for d in self.situation.new_discs)

    def seen(self, became: Became) -> bool:
        """Whether a missing disc's end was seen: filmed over the edge, or certainly lifted."""
        if became == "lifted" and self.before.pose == "in_hole":
            return self.situation.state.hole_level is False or not self.may_lie_there()
        return became == "off" and self.film.left(self.name)

    # effects of a shot

    def shot_rests(self) -> float:
        """The shot disc came to rest there."""
        return cost_of("shot rests") + self.film.rests(SHOT, self.place, near_hole(self.place))

    def shot_leans(self) -> float:
        """The shot disc leans over the hole."""
        return cost_of("shot leans") + self.film.ended(SHOT, "hole")

    def shot_in(self) -> float:
        """The shot disc fell into the hole."""
        return cost_of("shot in hole") + self.film.ended(SHOT, "hole")

    def shot_hidden(self) -> float:
        """The shot disc came to rest where something hides it."""
        share = self.situation.seen.hidden_share
        hidden = cost_of("hidden") if share is None else -math.log(share) if share else IMPOSSIBLE
        return cost_of("shot rests") + hidden

    def struck(self) -> float:
        """A shot struck the disc, and it came to rest there."""
        followed = self.film.followed(self.name, self.away())
        ends = self.film.rests(self.name, self.place, ring(self.away(), mm("struck goes")))
        return cost_of("struck moved") + followed + ends

    def sunk(self) -> float:
        """A shot struck it into the hole, or made it lean over the hole."""
        leant = self.before.pose == "leaning"
        cost = cost_of("leaning, struck into hole") + ANYWHERE_AT_HOLE if leant else cost_of("struck into hole")
        return cost + self.film.ended(self.name, "hole")

    def sunk_or_slid(self) -> float:
        """As `sunk`, or it slid in by itself."""
        return log_sum_exp(self.sunk(), IMPOSSIBLE if self.before.pose == "flat" else cost_of("slid into hole"))

    def in_ditch(self) -> float:
        """A shot sent it off, and it was seen to come into the ditch."""
        return cost_of("off is seen in ditch") + self.film.ended(self.name, "ditch")

    def off_unseen(self) -> float:
        """It is off and was not seen in the ditch; one that was filmed over the edge need not be."""
        if self.film.left(self.name):
            return cost_of_absence("ditch, filmed otherwise")
        return self.not_in_ditch() + self.film.ended(self.name, "ditch")

    def not_in_ditch(self) -> float:
        """It is off, and was not seen in the ditch."""
        share = self.situation.seen.hidden_share_of_ditch
        seen = TABLE["off is seen in ditch"].value * (1 - (TABLE["hidden"].value if share is None else share))
        return -math.log1p(-seen)

    def lifted_unseen(self) -> float:
        """It was lifted out of the hole before the board was read, and the sensor missed it."""
        missed = cost_of("sensor misses") if self.situation.seen.level is not None else 0.0
        return missed + cost_of("lifted before reading") + self.situation.unreached

    def not_struck(self) -> float:
        """It is elsewhere, but no shot moved it."""
        return untouched(self.shots) + self.nudged("nudged during shot") + self.film.not_struck(self.name)

    # effects of hands

    def nudged(self, row: str = "nudged") -> float:
        """A sleeve moved it, or it only seems so."""
        sleeve = cost_of(row) + spread(self.away(), mm("nudge"))
        return log_sum_exp(self.situation.jitter(self.before, self.place), sleeve)

    def carried(self) -> float:
        """It is elsewhere, and nobody shot."""
        if not self.same_pose():
            return cost_of("carried")
        found = 2.0 if self.name in self.situation.overlooked else cost_of("carried")
        return log_sum_exp(self.nudged(), found + ANYWHERE)

    def brought_in(self) -> float:
        """It came into the hole although nobody shot: it leaned, or a hand carried it there."""
        return cost_of("slid into hole") + (cost_of("carried") if self.before.pose == "flat" else 0.0)

    def taken(self) -> float:
        """People took it off."""
        cost, situation = self.film.not_struck(self.name), self.situation
        if self.name in situation.state.to_remove:
            return cost + situation.cost_of_taking_off(shot=bool(self.shots))
        if situation.state.game.round.complete:  # people clear the board in any order
            return cost_of("cleared") + math.log(len(situation.state.on_board))
        late = cost_of("marked taken late" if self.shots else "marked taken")  # it was left there on the previous board
        touching = situation.cost_of_touching_line(self.name) + late
        return cost + situation.unreached + log_sum_exp(cost_of("taken"), touching)

    def laid_in_ditch(self) -> float:
        """People took it off and put it in the ditch."""
        twenty = self.situation.state.to_remove.get(self.name) == "twenty"
        return cost_of("twenty laid in ditch" if twenty else "off is seen in ditch") + self.taken()

    def overlooked(self) -> float:
        """It did not move, and was not seen. Where something hides it that is no evidence, and the prior is left."""
        seen, lay = self.situation.seen, self.before
        missed = cost_of("overlooked again" if self.name in self.situation.overlooked else "overlooked")
        if seen.reading.hides(lay.x, lay.y, 0.0):
            missed = untouched(self.shots)
        elif seen.hidden_share is None:
            missed = cost_of("hidden")
        unfelt = self.before.pose == "in_hole" and self.situation.state.hole_level is False
        return missed + self.film.not_struck(self.name) + (cost_of("sensor misses") if unfelt else 0.0)

    def lifted(self) -> float:
        """People lifted it out of the hole."""
        return self.taken() + (cost_of("sensor misses") if self.situation.state.hole_level else 0.0)

    def slid_and_lifted(self) -> float:
        """It leaned, slid into the hole and was lifted."""
        return cost_of("slid into hole") + cost_of("marked taken") + self.situation.unreached

    def leans_on(self) -> float:
        """It still leans, but was read as flat in the hole: an unsure camera is no new evidence."""
        seen, jitter = self.situation.seen, self.situation.jitter_at_hole(self.before, self.place)
        sure = cost_of_absence(seen.at_hole) if seen.camera_sure_of_hole else 0.0
        return untouched(self.shots) + jitter + self.situation.felt_late + sure + self.film.not_struck(self.name)

    def put_back(self) -> float:
        """People put it back to its earlier place, or it has been there since its shot."""
        d, lay = self.place, self.situation.to_put_back.get(self.name)
        shots = self.situation.state.game.round.shots
        # had an earlier shot left it at the hole, the newest one would have met it there
        if self.name in self.situation.unseen and (d.pose == "flat" or self.name in shots[-1].shot.rest):
            return cost_of("off unseen, lies there") + (near_hole(d) if d.pose == "flat" else 0.0)
        if lay is None or d.pose != lay.pose:
            return IMPOSSIBLE
        return cost_of("put back") + spread(distance(lay, d), mm("put back, off"))

    def placed(self) -> float:
        """A player placed it to be shot, or a hand dropped it on the way or put it down."""
        assert self.turn is not None
        film, placed = self.situation.film, self.situation.cost_of_placing(self.place, self.turn)
        if math.isfinite(placed):
            return (0.0 if self._shifted else cost_of(self.name)) + self._brought(placed)
        if self.name != "ready":
            return IMPOSSIBLE
        hand = cost_of(self.name) + cost_of("laid down inside") + self.situation.unreached
        if film is not None and film.hardly_moved:
            return hand + self._brought(ANYWHERE)
        return hand + FIVE if self.place.zone == 5 else IMPOSSIBLE

    def not_placed(self) -> float:
        """No disc was placed for this turn."""
        return 0.0 if self._shifted else cost_of_absence(self.name)

    @property
    def _shifted(self) -> bool:
        """Whether one lay ready before: it was placed already, and what became of it has a cost of its own."""
        begun = self.shots or self.situation.state.game.round.shots  # later, a shot may have been missed in between
        return not begun and any(lay.side == self.side for lay in self.situation.ready)

    def _brought(self, unfilmed: float) -> float:
        """Nats per mm2 that a disc is ready here; if nobody shot, the film may show the hand."""
        film = self.situation.film
        return unfilmed if film is None or self.shots else near_end(film.tracks()[SHOT], self.place, unfilmed)

    def stranger(self) -> float:
        """An object that is no disc of the match is at its place before, or elsewhere."""
        stays = cost_of("stranger stays") + self.situation.jitter(self.before, self.place)
        return log_sum_exp(stays, 3.0 + ANYWHERE)
