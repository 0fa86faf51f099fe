"""The table of evidence fitted by maximum likelihood, with the truth of simulated matches at hand; and its calibration.

`python -m tests.bench.evidence FOLDER [FOLDER ..]` counts, over the matches that `tests.bench.observed` kept, how often
each thing of the table happened, and prints each row with its bounds. `--write` puts them into the table.
`--calibration` plays the matches and prints how much was true of what was told with which probability: use other seeds
than those that were fitted on.

How many shots there were, where each disc ended and what touched what are taken from the truth. Which disc of a board
is which is taken from the model's own assignment, wherever its match agrees with the truth until then.
"""

import argparse
import logging
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from controller import rules
from controller.match import commands as cm
from controller.match.state import MatchState
from controller.referee import Referee
from controller.referee.association import Association, Outcome
from controller.referee.belief import visible_outcome
from controller.referee.contacts import TOUCHING
from controller.referee.evidence import FILE, SECTIONS, TABLE, Row, document
from controller.referee.filmed import Filmed
from controller.referee.settings import FILMED
from controller.referee.situation import STILL_SIGMAS
from controller.simulation.counts import share
from controller.table.engine import Engine
from controller.vision.film.film import SHOT, Track
from controller.vision.readings import BoardReading
from hardware.board import TOURNAMENT
from hardware.simulated.scene import RestingDisc, TrueShot
from tests.bench.observed import Observed, kept
from tests.bench.referee import Again

RAYLEIGH_MEDIAN = 1.1774
"""The median of the distance from the middle of a round normal distribution, in its standard deviations."""
SURELY_FOLLOWED = 15.0
"""mm from which films follow nearly every struck disc: of 2,158 on painted boards they lost two."""
BINS = (0.5, 0.9, 0.99, 0.999, 0.9999)


@dataclass(slots=True)
class Truth:
    """What really happened, by round and time."""

    observed: Observed

    def shots(self, round_: int, since: float, until: float) -> list[TrueShot]:
        """The shots of a round that came to rest in this time."""
        times = {t for (number, _), t in self.observed.rested.items() if number == round_ and since < t <= until}
        return [shot for shot in self.observed.shots if shot.t in times]


@dataclass(slots=True)
class Tally:
    """How often things happened, of how many chances; and lengths in mm."""

    counts: dict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    lengths: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    followed: list[tuple[float, bool]] = field(default_factory=list)  # mm that a struck disc went, and if it was filmed
    told: Counter[tuple[int, bool]] = field(default_factory=Counter)

    def count(self, name: str, happened: bool) -> None:
        """One chance."""
        self.counts[name][0] += happened
        self.counts[name][1] += 1

    def one_of(self, happened: str, names: Iterable[str]) -> None:
        """One chance for several things that exclude each other."""
        for name in names:
            self.count(name, name == happened)


class CountingReferee(Referee):
    """The model, with what it was shown held against the truth."""

    __slots__ = ()
    truth: Truth
    tally: Tally
    last = 0.0
    lying: frozenset[str] = frozenset()

    def _close(self, reading: BoardReading) -> None:
        assert self.belief is not None
        assert self._journal is not None
        watching = self.watching
        super()._close(reading)
        since, cls = type(self).last, type(self)
        cls.last = reading.t
        state = self._journal
        round_ = state.game.round.number
        before, now = cls.truth.shots(round_, -1.0, since), cls.truth.shots(round_, since, reading.t)
        told = next((e for e in self.belief.newest if len(e.shots) == len(now)), None)
        agrees = [s.disc for s in before] == [p.shot.disc for p in state.game.round.shots]
        if told is None or not agrees or watching.unwatched or state.game.round.complete or reading.obstructed:
            return
        _count_board(cls.tally, state, told, now, cls.lying)
        cls.lying = frozenset(n for n, f in told.known.items() if f.became == "stays" and n in state.to_remove)
        if len(now) == 1:
            _count_shot(cls.tally, state, told, now[0])
        elif not now:
            _count_tidying(cls.tally, state, told)
        best = self.belief.best
        shots = best.state.game.round.shots
        if len(now) and len(shots) == len(before) + len(now):
            group = [h for h in self.belief.hypotheses if visible_outcome(h.state) == visible_outcome(best.state)]
            right = _right(best.state, cls.truth.observed, round_)
            cls.tally.told[_bin(self.belief.probability(group)), right] += 1


class CountingEngine(Engine):
    """The engine with the referee that counts."""

    def _start(self, command: cm.Start) -> None:
        super()._start(command)
        self.referee = CountingReferee()


def _bin(probability: float) -> int:
    return sum(probability >= edge for edge in BINS)


def _right(state: MatchState, observed: Observed, round_: int) -> bool:
    """Whether the newest shot is told as it was: its verdict, and the twenties."""
    true, told = observed.truth.all_rounds[round_ - 1].shots, state.game.round.shots
    mine, its = true[len(told) - 1].judgement, told[-1].judgement
    return (mine.valid, len(mine.twenties)) == (its.valid, len(its.twenties))


def _count_board(
    tally: Tally, state: MatchState, told: Association, now: list[TrueShot], lying: frozenset[str]
) -> None:
    watching = told.seen.watching
    tally.one_of(
        f"shots {len(now)}" if len(now) < 3 else "shots more", [f"shots {k}" for k in range(3)] + ["shots more"]
    )
    shots = min(len(now), 2)
    if watching.rolls is not None and (state.game.round.shots or watching.rolls == 0):
        of = f"{shots} shot{'' if shots == 1 else 's'} "
        rolls = [f"{of}{k} roll{'' if k == 1 else 's'}" for k in range(3)]
        tally.one_of(rolls[min(watching.rolls, 2)], rolls)
    film = Filmed.of_flick(Filmed.all_of(state, watching.films))
    if watching.films:
        tally.count("flick filmed, shot" if now else "flick filmed, no shot", film is not None and film.flicked)
    marked = [n for n in told.known if n in state.to_remove]
    for name in marked:
        gone = told.known[name].became in ("taken", "lifted")
        if name not in lying:
            tally.count("marked taken before shot" if now else "marked taken", gone)
        else:
            tally.count("marked taken late", gone)


def _count_shot(tally: Tally, state: MatchState, told: Association, shot: TrueShot) -> None:
    tally.count("ready after shot", bool(told.ready))
    film = Filmed.of_flick(Filmed.all_of(state, told.seen.watching.films))
    ends = ("shot rests", "shot off", "shot in hole", "shot leans")
    tally.one_of(_end(shot, shot.disc, ends), ends)
    if shot.rest[shot.disc].pose == "flat" and not isinstance(shot.rest[shot.disc].at, str):
        tally.count("shot returned", shot.rest[shot.disc].returned)
        tally.lengths["shot from hole"].append(math.hypot(*shot.rest[shot.disc].at))
    in_play = [n for n in told.known if n not in state.to_remove and n in state.measured]
    theirs = [n for n in in_play if state.side_of(n) != shot.side]
    own = told.shot[0].place
    good = any(n in shot.rest for n in theirs) if theirs else own is None or rules.reaches_fifteen(own.x, own.y)
    tally.count("good", good)
    if not good:
        missed = [f"{end}, missed" for end in ends[:3]]
        tally.one_of(_end(shot, shot.disc, (*missed, missed[2])), missed)
    struck = ("struck moved", "struck off", "struck into hole", "struck leans")
    for name in in_play:
        tally.one_of(_end(shot, name, struck), struck)
    for name, rest in shot.rest.items():
        if name != shot.disc and not isinstance(rest.at, str):
            tally.count("struck returned", rest.returned)
    for name in set(in_play) & set(shot.rest):
        if told.known[name].became == "moved" and told.known[name].place is not None:
            tally.lengths["struck goes"].append(told.known[name].away)
    _count_film(tally, film, told, shot)
    _count_still(tally, state, told, shot)
    if shot.disc in shot.rest and told.seen.at_hole is not None:
        at_hole = [r for r in shot.rest.values() if r.at == "hole" or r.pose == "leaning"]
        if len(at_hole) == 1:
            tally.count(f"in hole: {told.seen.at_hole}", at_hole[0].at == "hole")
    for name in (n for n, r in shot.rest.items() if r.at == "ditch"):
        outcome = told.shot[0] if name == shot.disc else told.known.get(name)
        if outcome is not None and outcome.became == "off":
            tally.count("off is seen in ditch", outcome.seen)


def _end(shot: TrueShot, disc: str, names: tuple[str, ...]) -> str:
    """Of the names for resting, off, in the hole, leaning, the one that is true; none where the disc lay still."""
    if disc not in shot.rest:
        return ""
    rest = shot.rest[disc]
    if rest.at == "ditch":
        return names[1]
    if rest.at == "hole":
        return names[2]
    return names[3] if rest.pose != "flat" else names[0]


def _count_film(tally: Tally, film: Filmed | None, told: Association, shot: TrueShot) -> None:
    if film is None:
        return
    tracks, said, began_with = film.tracks(), film.outcomes(), set(film.names.values())
    for name in began_with & set(told.known):
        struck = name in shot.rest
        if not struck:
            tally.count("filmed, not struck", name in tracks)
        if film.whole:
            clear = film.touched(name, moved=True) == FILMED.missed
            tally.count(f"passed clear, {'struck' if struck else 'not struck'}", clear)
    for name, rest in shot.rest.items():
        key = SHOT if name == shot.disc else name
        outcome = told.shot[0] if key == SHOT else told.known.get(name)
        if key in began_with and outcome is not None and film.whole:
            _count_followed(tally, outcome, key in tracks)
        if key in tracks and rest.pose == "flat":
            _count_end(tally, tracks[key], said.get(key), outcome, rest)


def _count_followed(tally: Tally, outcome: Outcome, followed: bool) -> None:
    """Whether the film followed a struck disc, by how far that went."""
    away = math.inf if outcome.place is None else outcome.away
    tally.followed.append((away, followed))
    if away >= SURELY_FOLLOWED:
        tally.count("struck, not filmed", not followed)


def _count_end(tally: Tally, track: Track, said: str | None, outcome: Outcome | None, rest: RestingDisc) -> None:
    """What the film said of the end of one disc."""
    true = rest.at if isinstance(rest.at, str) else "surface"
    if true == "surface":
        tally.count("filmed back, came back" if rest.returned else "filmed back, did not", track.came_back)
    if rest.returned:
        tally.count("left, came back", track.ended == "left")
        return
    if said is not None:
        tally.count(f"{true}, filmed otherwise", said != true)
    if said == true == "surface" and outcome is not None and outcome.place is not None:
        tally.lengths["film end"].append(math.dist(track.end, (outcome.place.x, outcome.place.y)))


def _count_still(tally: Tally, state: MatchState, told: Association, shot: TrueShot) -> None:
    """Of the discs that lay still: which were touched all the same, and how they lie."""
    touched = {disc for pair in shot.contacts for disc in pair}
    rests = [told.shot[0].place, *(f.place for n, f in told.known.items() if n in shot.rest)]
    for name, outcome in told.known.items():
        if name in shot.rest or outcome.became != "stays" or outcome.place is None or outcome.place.pose != "flat":
            continue
        lay, lies = state.measured[name], outcome.place
        moved = math.hypot(lay.x - lies.x, lay.y - lies.y)
        gaps = [math.dist((r.x, r.y), (lies.x, lies.y)) for r in rests if r is not None and r.pose == "flat"]
        against = min(gaps, default=math.inf) - 2 * TOURNAMENT.disc.radius < TOUCHING
        tally.count("touched, lies still", name in touched)
        tally.count("rests against, touched" if name in touched else "rests against, not", against)
        tally.lengths["softly touched" if name in touched else "still"].append(moved)


def _count_tidying(tally: Tally, state: MatchState, told: Association) -> None:
    hand = told.seen.watching.hand
    if not any(told.seen.owed.values()):
        laid = sum(f.became == "taken" and f.seen for f in told.known.values())
        tally.count("ditch unexplained", len(told.seen.arrived) > laid)
    for name, outcome in told.known.items():
        if name in state.to_remove:
            continue
        if hand:
            tally.count("taken", outcome.became == "taken")
        tally.count("overlooked", outcome.became == "overlooked")
        lay = state.measured[name]
        away = math.hypot(lay.x - outcome.place.x, lay.y - outcome.place.y) if outcome.place else 0.0
        tally.count("nudged", outcome.became == "nudged" and away < 40)
        if outcome.became == "nudged" and away < 40:
            tally.lengths["nudge"].append(away)
        tally.count("carried", outcome.became == "nudged" and away >= 40)
        if lay.pose == "leaning":
            tally.count("slid into hole", outcome.became == "hole")
        if outcome.became == "stays" and lay.pose == "flat":
            tally.lengths["still"].append(away)
    tally.count("ready", bool(told.ready))
    tally.count("strange", bool(told.strange))


def fitted(row: Row, tally: Tally, source: str) -> Row:
    """The row as it was counted; as it is where it is judged, or where too little was counted."""
    name = row.name
    if row.source.startswith("judged"):
        return row
    if name == "still, outliers" and tally.lengths["still"]:
        far = sum(d > STILL_SIGMAS / 2 * TABLE["still"].value for d in tally.lengths["still"])
        return _probability(name, far, len(tally.lengths["still"]), source)
    if name in tally.counts and tally.counts[name][1] >= 20:
        happened, chances = tally.counts[name]
        return _probability(name, happened, chances, source)
    if name == "film follows" and len(tally.followed) >= 20:
        return Row(name, follows(tally.followed), "mm", source, len(tally.followed))
    lengths = tally.lengths.get(name, [])
    if len(lengths) >= 20:
        rms = math.sqrt(sum(length**2 for length in lengths) / len(lengths))
        value = rms if name == "struck goes" else median(lengths) / RAYLEIGH_MEDIAN
        return Row(name, round(max(value, 0.01), 4), "mm", source, len(lengths))
    return row


def follows(followed: Sequence[tuple[float, bool]]) -> float:
    """The likeliest length by which films follow struck discs: of those that go so far they miss 1 in e."""
    lost = TABLE["struck, not filmed"].value

    def likelihood(length: float) -> float:
        missed = ((lost + (1 - lost) * math.exp(-((away / length) ** 2)), seen) for away, seen in followed)
        return sum(math.log1p(-min(p, 1 - 1e-9)) if seen else math.log(p) for p, seen in missed)

    return max((transition / 4 for transition in range(2, 81)), key=likelihood)


def _probability(name: str, happened: int, chances: int, source: str) -> Row:
    low, high = share(happened, chances)
    value = (happened + 0.5) / (chances + 1)
    return Row(name, float(f"{value:.4g}"), "probability", source, chances, low, high)


def tallied(folders: Iterable[Path], only: list[int] | None) -> Tally:
    """What happened in these matches."""
    CountingReferee.tally = Tally()
    for folder in folders:
        for observed in kept(folder, only):
            CountingReferee.truth, CountingReferee.last = Truth(observed), 0.0
            with TemporaryDirectory(prefix="evidence-") as place:
                Again(observed, CountingEngine, Path(place)).run()
    return CountingReferee.tally


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--only", type=int, nargs="*")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    logging.basicConfig(level=logging.CRITICAL)
    tally = tallied(given.folders, given.only)
    names = ", ".join(folder.name for folder in given.folders)
    sections = {title: [fitted(row, tally, f"fitted, {names}") for row in table] for title, table in SECTIONS.items()}
    for row in (row for table in sections.values() for row in table):
        print(f"{row.name:36} {row.value:<10} {row.sample:6} {row.low} {row.high}")
    for name, lengths in tally.lengths.items():
        print(f"{name}: {median(lengths) / RAYLEIGH_MEDIAN:.3f} mm, the largest of {len(lengths)} {max(lengths):.1f}")
    for name, (happened, chances) in sorted(tally.counts.items()):
        if name in TABLE and TABLE[name].source.startswith("judged"):
            print(f"judged, but counted: {name} {happened} of {chances}")
    print("told with probability, of how many so much was true:")
    for k, (low, high) in enumerate(zip((0.0, *BINS), (*BINS, 1.0), strict=True)):
        right, wrong = tally.told[k, True], tally.told[k, False]
        print(f"  {low} to {high}: {right} of {right + wrong}  {share(right, right + wrong)}")
    if given.write:
        FILE.write_text(document(sections), encoding="utf-8")


if __name__ == "__main__":
    main()
