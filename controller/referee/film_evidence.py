"""The evidence of a shot's film for each disc, as costs: where it ended, whether it moved, what touched it."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from controller.referee.evidence import ANYWHERE, TABLE, cost_of, cost_of_absence, log_sum_exp, mm, odds, spread
from controller.referee.filmed import Filmed, FilmedEnd
from controller.referee.questions import Graze
from controller.referee.read_board import distance
from controller.referee.settings import FILMED
from controller.referee.situation import Situation
from controller.vision.film.film import SHOT, Track
from controller.vision.readings import SeenDisc
from hardware.board import TOURNAMENT

EDGE = TOURNAMENT.outer_line - TOURNAMENT.disc.radius
"""mm from the hole: a disc farther out touches the outer line or is beyond it."""


def near_end(track: Track, d: SeenDisc, unfilmed: float) -> float:
    """Nats per mm2 for this resting place of a filmed disc; `unfilmed`: the same if the film is wrong."""
    near = spread(math.dist(track.end, (d.x, d.y)), mm("film end"))
    return log_sum_exp(cost_of_absence("film end astray") + near, cost_of("film end astray") + unfilmed)


def near_hole(d: SeenDisc) -> float:
    """Nats per mm2 for this resting place of a shot disc: near the hole, where players aim, or anywhere."""
    near = spread(math.hypot(d.x, d.y), mm("shot from hole"))
    return log_sum_exp(cost_of_absence("shot astray") + near, cost_of("shot astray") + ANYWHERE)


def filmed_return(track: Track, met: Iterable[float] = ()) -> Literal["turned back", "came back", "no return"]:
    """The film's evidence that a disc returned to the surface: its turn at the edge, or that it left and is there. The
    rail turns it abruptly; one that curls along the edge turns slowly. One that stops at once is another disc that the
    film confused with it. `met`: when it met other discs (s), which also turn it abruptly.
    """
    from_hole = [math.hypot(s.x, s.y) for s in track.samples]
    farthest = max(range(len(from_hole)), key=from_hole.__getitem__)
    out, inside = from_hole[:farthest], min(EDGE, from_hole[farthest] - FILMED.same_place_mm)
    turned = from_hole[farthest] > EDGE and min(out, default=EDGE) < inside > min(from_hole[farthest:])
    by_disc = any(_is_at_sample(track, farthest, t) for t in met)
    if turned and not by_disc and _slides_on(track, farthest + 1) and _turn(track, farthest) > FILMED.rail_turn:
        return "turned back"
    unseen = max(range(1, len(from_hole)), key=lambda k: track.samples[k].t - track.samples[k - 1].t, default=0)
    return "came back" if track.came_back and _slides_on(track, unseen) else "no return"


def _turn(track: Track, sample: int) -> float:
    """The drop of the speed away from the hole at this sample, mm/s; 0 at the track's ends."""
    if not 0 < sample < len(track.samples) - 1:
        return 0.0
    before, at, after = ((s.t, math.hypot(s.x, s.y)) for s in track.samples[sample - 1 : sample + 2])
    return (at[1] - before[1]) / (at[0] - before[0]) + (at[1] - after[1]) / (after[0] - at[0])


def _is_at_sample(track: Track, sample: int, t: float) -> bool:
    """Whether a time is between the samples before and after this one."""
    times = [s.t for s in track.samples[max(sample - 1, 0) : sample + 2]]
    return times[0] <= t <= times[-1]


def _slides_on(track: Track, sample: int) -> bool:
    """Whether a disc still moves after this sample."""
    return any(math.dist((s.x, s.y), track.end) > FILMED.same_place_mm for s in track.samples[sample : sample + 1])


@dataclass(frozen=True)
class FilmEvidence:
    """The film of one shot. Without one, `unmoved`: the discs that did not move in films that show no shot."""

    film: Filmed | None
    unmoved: frozenset[str] = frozenset()

    @cached_property
    def _said(self) -> dict[str, FilmedEnd]:
        return self.film.ends() if self.film is not None else {}

    @cached_property
    def _ways(self) -> dict[str, Track]:
        return self.film.tracks() if self.film is not None else {}

    def left(self, name: str) -> bool:
        """Whether this disc was filmed over the edge."""
        return self._said.get(name) == "ditch"

    def ended(self, name: str, end: Literal["ditch", "hole"]) -> float:
        """The cost that a shot sent this disc off the surface or into the hole."""
        said = self._said.get(name)
        if said is None:
            return self.followed(name)
        return cost_of_absence(f"{end}, filmed otherwise") if said == end else cost_of(f"{end}, filmed otherwise")

    def rests(self, name: str, d: SeenDisc, unfilmed: float) -> float:
        """Nats per mm2 for this resting place; `unfilmed`: the same without a film of its end."""
        said = self._said.get(name)
        if said is None:
            return unfilmed
        if said == "ditch" and d.zone == 0:
            return cost_of("beyond line, filmed off") + near_end(self._ways[name], d, unfilmed)
        if said != "surface":
            return cost_of("surface, filmed otherwise") + unfilmed
        return cost_of_absence("surface, filmed otherwise") + near_end(self._ways[name], d, unfilmed)

    def followed(self, name: str, away: float = math.inf) -> float:
        """The cost that the film followed, or did not follow, a disc that a shot moved `away` mm, or off the surface.
        A disc that the film left out of its board is near the edge: its way over the edge is not filmed, any other is.
        """
        if name == SHOT or not (name in self.unmoved if self.film is None else self._sees(name, off=math.isinf(away))):
            return 0.0
        lost = TABLE["struck, not filmed"].value
        lost += (1 - lost) * math.exp(-((away / mm("film follows")) ** 2))
        cost = -math.log1p(-lost) if name in self._ways else -math.log(lost)
        return cost + self._passed_clear(name, "struck")

    def not_struck(self, name: str) -> float:
        """The film's cost for a disc that no shot moved, although it is elsewhere or gone."""
        if self.film is None or not self._sees(name, off=True):
            return 0.0
        filmed = cost_of if name in self._ways else cost_of_absence
        return filmed("filmed, not struck") + self._passed_clear(name, "not struck")

    def _sees(self, name: str, *, off: bool) -> bool:
        """Whether the film would show this disc moving: not if it looks like the wood, nor, if it goes off, when the
        film left it out of its board because it was near the outer line."""
        assert self.film is not None
        if name not in self.film.names.values():
            return not off
        return name in self._ways or name not in self.film.unseen

    def _passed_clear(self, name: str, what: str) -> float:
        """The cost that a film of the whole shot shows everything passing clear of this disc, or does not."""
        if self.film is None or not self.film.whole:
            return 0.0
        clear = self.film.passed_clear(name)
        return cost_of(f"passed clear, {what}") if clear else cost_of_absence(f"passed clear, {what}")


TOUCHING = 0.5
"""mm between two discs' edges: a gap that nobody can see and the camera can't measure with certainty. Judged."""
MOST = 0.999
"""The highest probability of a contact that the film may give, since it rounds."""


def likeliest_graze(
    situation: Situation, still: Mapping[str, SeenDisc], rest: Iterable[SeenDisc], others: Iterable[str]
) -> tuple[float, Graze | None]:
    """The still disc most likely to have been touched, with the log-odds; `rest`: the places of the moved discs."""
    places = [d for d in rest if d.pose == "flat"]
    likeliest: tuple[float, Graze | None] = -math.inf, None
    for name in others:
        if name in still and (d := still[name]).pose == "flat":
            gaps = (distance(p, d) - 2 * TOURNAMENT.disc.radius for p in places)
            gap = min(gaps, default=math.inf)
            away = situation.away(situation.state.measured[name], d)
            graze = Graze(name, "apart", max(gap, 0.0)) if gap < TOUCHING else Graze(name, "moved", away)
            likeliest = max(likeliest, (_odds(situation, name, d, gap < TOUCHING), graze), key=lambda one: one[0])
    return likeliest


def _odds(situation: Situation, name: str, d: SeenDisc, against: bool) -> float:
    known = situation.state.measured[name]
    lies = situation.jitter(known, d)
    traced = spread(situation.away(known, d), mm("softly touched"))
    filmed = None if situation.film is None else situation.film.touched(name)
    if filmed is None or filmed <= FILMED.missed:
        chance = odds("touched, lies still") + (math.log(FILMED.missed) if filmed is not None else 0.0)
    else:
        chance = math.log(filmed / (1 - min(filmed, MOST)))
    chance += lies - log_sum_exp(math.log(2) + lies, math.log(2) + traced)  # a soft touch may leave a trace
    touched, untouched = ("rests against, touched", "rests against, not")
    return chance + (
        cost_of(untouched) - cost_of(touched) if against else cost_of_absence(untouched) - cost_of_absence(touched)
    )
