"""The table of evidence fitted by maximum likelihood, with the truth of simulated matches at hand; and its calibration.

`python -m tests.bench.evidence FOLDER [FOLDER ..]` counts, over the matches that `tests.bench.observed` kept, how often
each thing of the table happened, and prints each row with its bounds. `--write` puts them into the table.
`--calibration` plays the matches and prints how much was true of what was shown with which probability: use other seeds
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
from functools import cached_property
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from controller import rules
from controller.match import commands as cm
from controller.match import events as ev
from controller.match.state import MatchState
from controller.referee import Referee
from controller.referee.association import Association, Outcome
from controller.referee.belief import visible_outcome
from controller.referee.evidence import FILE, SECTIONS, TABLE, Row, document
from controller.referee.film_evidence import TOUCHING, filmed_return
from controller.referee.filmed import Filmed, new_disc
from controller.referee.settings import FILMED
from controller.referee.situation import STILL_SIGMAS
from controller.simulation.counts import share
from controller.table.engine import Engine
from controller.vision.film.film import SHOT, Track
from controller.vision.readings import BoardReading, SeenDisc
from hardware.board import TOURNAMENT
from hardware.simulated.scene import RestingDisc, TrueShot
from tests.bench.observed import Observed, kept
from tests.bench.referee import Again

RAYLEIGH_MEDIAN = 1.1774
"""The median of the distance from the middle of a round normal distribution, in its standard deviations."""
SURELY_FOLLOWED = 15.0
"""mm from which films follow nearly every struck disc: of 2,158 on painted boards they lost two."""
ENDS = ("shot rests", "shot off", "shot in hole", "shot leans")
STRUCK = ("struck moved", "struck off", "struck into hole", "struck leans")
FILMED_DISC = ("flick filmed", "motion filmed", "hardly moved", "nothing filmed")
ENOUGH = 20
"""Chances, or lengths, from which a row is fitted."""
CARRIED = 40.0
"""mm: a disc that moved farther without a shot was carried."""
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
    shown: Counter[tuple[int, bool]] = field(default_factory=Counter)

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
        assert self._journal is not None
        watching, state, cls = self.watching, self._journal, type(self)
        super()._close(reading)
        since, cls.last = cls.last, reading.t
        before = cls.truth.shots(state.game.round.number, -1.0, since)
        now = cls.truth.shots(state.game.round.number, since, reading.t)
        agrees = [s.disc for s in before] == [p.shot.disc for p in state.game.round.shots]
        if agrees and not watching.unwatched and not state.game.round.complete and not reading.obstructed:
            self._count(state, len(before), now)

    def _count(self, state: MatchState, before: int, now: list[TrueShot]) -> None:
        """Count this board: `before` shots were seen rightly in this round, and `now` are new."""
        assert self.belief is not None
        cls, best = type(self), self.belief.best
        association = next((one for one in self.belief.newest if len(one.shots) == len(now)), None)
        if association is None:
            return
        Counting(cls.tally, state, association, now, cls.lying).count()
        cls.lying = frozenset(association.still.keys() & state.to_remove.keys())
        if now and len(best.state.game.round.shots) == before + len(now):
            outcome = visible_outcome(best.state)
            group = [h for h in self.belief.hypotheses if visible_outcome(h.state) == outcome]
            right = _right(best.state, cls.truth.observed, state.game.round.number)
            cls.tally.shown[_bin(self.belief.probability(group)), right] += 1


class CountingEngine(Engine):
    """The engine with the referee that counts."""

    def _start(self, command: cm.Start) -> None:
        super()._start(command)
        self.referee = CountingReferee()


def _bin(probability: float) -> int:
    return sum(probability >= edge for edge in BINS)


def _right(state: MatchState, observed: Observed, round_: int) -> bool:
    """Whether the newest shot is shown as it was: its verdict, and the twenties."""
    true, shown = observed.truth.all_rounds[round_ - 1].shots, state.game.round.shots
    mine, its = true[len(shown) - 1].judgement, shown[-1].judgement
    return (mine.valid, len(mine.twenties)) == (its.valid, len(its.twenties))


@dataclass(frozen=True)
class Counting:
    """What one board adds to the tally: `now` are the true shots before it, `lying` the discs left there although they
    had to come off."""

    tally: Tally
    state: MatchState
    association: Association
    now: list[TrueShot]
    lying: frozenset[str]

    def count(self) -> None:
        """Count everything."""
        self._shots()
        self._removals()
        if len(self.now) == 1:
            self._shot(self.now[0])
        elif not self.now:
            self._tidying()

    def _shots(self) -> None:
        watching, now = self.association.seen.watching, len(self.now)
        names = [*(f"shots {k}" for k in range(3)), "shots more"]
        self.tally.one_of(names[min(now, 3)], names)
        what = new_disc(self.state, self._film, watching.films) if watching.films else None
        if what is not None:
            of = "shot" if now else "no shot"
            self.tally.one_of(f"{what}, {of}", [f"{one}, {of}" for one in FILMED_DISC])

    def _removals(self) -> None:
        row = "marked taken before shot" if self.now else "marked taken"
        for name, outcome in self.association.known.items():
            if name in self.state.to_remove:
                gone = outcome.became in ("taken", "lifted")
                self.tally.count("marked taken late" if name in self.lying else row, gone)

    @cached_property
    def _film(self) -> Filmed | None:
        return Filmed.of_flick(Filmed.all_of(self.state, self.association.seen.watching.films))

    @cached_property
    def _in_play(self) -> list[str]:
        marked, lay = self.state.to_remove, self.state.measured
        return [n for n in self.association.known if n not in marked and n in lay]

    def _shot(self, shot: TrueShot) -> None:
        self.tally.count("ready after shot", bool(self.association.ready))
        own = shot.rest[shot.disc]
        self.tally.one_of(_end(shot, shot.disc, ENDS), ENDS)
        if own.pose == "flat" and not isinstance(own.at, str):
            self.tally.count("shot returned", own.returned)
            self.tally.lengths["shot from hole"].append(math.hypot(*own.at))
        self._good(shot)
        self._struck(shot)
        if self._film is not None:
            self._ends_on_film(self._film, shot)
            self._moves_on_film(self._film, shot)
        self._still(shot)
        self._at_hole(shot)
        self._ditch(shot)

    def _good(self, shot: TrueShot) -> None:
        """Whether the shot did what it had to; and of one that did not, where its disc ended."""
        theirs = [n for n in self._in_play if self.state.side_of(n) != shot.side]
        own = self.association.shot[0].place
        good = any(n in shot.rest for n in theirs) if theirs else own is None or rules.reaches_fifteen(own.x, own.y)
        self.tally.count("good", good)
        if not good:
            missed = [f"{end}, missed" for end in ENDS[:3]]
            self.tally.one_of(_end(shot, shot.disc, (*missed, missed[2])), missed)

    def _struck(self, shot: TrueShot) -> None:
        for name in self._in_play:
            self.tally.one_of(_end(shot, name, STRUCK), STRUCK)
        for name, rest in shot.rest.items():
            if name != shot.disc and not isinstance(rest.at, str):
                self.tally.count("struck returned", rest.returned)
        for name in set(self._in_play) & set(shot.rest):
            outcome = self.association.known[name]
            if outcome.became == "moved" and outcome.place is not None:
                self.tally.lengths["struck goes"].append(outcome.away)

    def _at_hole(self, shot: TrueShot) -> None:
        row = self.association.seen.at_hole
        at_hole = [r for r in shot.rest.values() if r.at == "hole" or r.pose == "leaning"]
        if shot.disc in shot.rest and row is not None and len(at_hole) == 1:
            self.tally.count(f"in hole: {row}", at_hole[0].at == "hole")

    def _ditch(self, shot: TrueShot) -> None:
        for name in (n for n, r in shot.rest.items() if r.at == "ditch"):
            outcome = self._outcome(shot, name)
            if outcome is not None and outcome.became == "off":
                self.tally.count("off is seen in ditch", outcome.seen)

    def _outcome(self, shot: TrueShot, name: str) -> Outcome | None:
        return self.association.shot[0] if name == shot.disc else self.association.known.get(name)

    def _moves_on_film(self, film: Filmed, shot: TrueShot) -> None:
        """Of discs with which the film began: whether it shows that they moved, and that all passed clear of them."""
        tracks = film.tracks()
        for name in set(film.names.values()) & set(self.association.known):
            struck = name in shot.rest
            if not struck:
                self.tally.count("filmed, not struck", name in tracks)
            if film.whole:
                clear = film.touched(name, moved=True) == FILMED.missed
                self.tally.count(f"passed clear, {'struck' if struck else 'not struck'}", clear)

    def _ends_on_film(self, film: Filmed, shot: TrueShot) -> None:
        """Whether the film followed the discs that the shot moved, and what it said of their ends."""
        tracks, ends, began_with = film.tracks(), film.ends(), set(film.names.values())
        for name, rest in shot.rest.items():
            key, outcome = SHOT if name == shot.disc else name, self._outcome(shot, name)
            if key in began_with and outcome is not None and film.whole:
                self._followed(outcome, key in tracks)
            if key in tracks and rest.pose == "flat":
                self._end_on_film(tracks[key], ends.get(key), outcome, rest)

    def _followed(self, outcome: Outcome, followed: bool) -> None:
        """Whether the film followed a struck disc, by how far that went."""
        away = math.inf if outcome.place is None else outcome.away
        self.tally.followed.append((away, followed))
        if away >= SURELY_FOLLOWED:
            self.tally.count("struck, not filmed", not followed)

    def _end_on_film(self, track: Track, said: str | None, outcome: Outcome | None, rest: RestingDisc) -> None:
        """What the film said of the end of one disc."""
        true = rest.at if isinstance(rest.at, str) else "surface"
        if true == "surface":
            filmed, names = filmed_return(track), ("turned back", "came back", "no return")
            really = "came back" if rest.returned else "did not"
            self.tally.one_of(f"filmed {filmed}, {really}", [f"filmed {name}, {really}" for name in names])
        if rest.returned:
            self.tally.count("left, came back", track.ended == "left")
            return
        if said is not None:
            self.tally.count(f"{true}, filmed otherwise", said != true)
        if said == true == "surface" and outcome is not None and outcome.place is not None:
            self.tally.lengths["film end"].append(math.dist(track.end, (outcome.place.x, outcome.place.y)))

    def _still(self, shot: TrueShot) -> None:
        """Of the discs that lay still: which were touched all the same, and how they lie."""
        touched = {disc for pair in shot.contacts for disc in pair}
        rests = [self.association.shot[0].place]
        rests += [outcome.place for n, outcome in self.association.known.items() if n in shot.rest]
        flat = [(rest.x, rest.y) for rest in rests if rest is not None and rest.pose == "flat"]
        for name, lies in self.association.still.items():
            if name not in shot.rest and lies.pose == "flat":
                gap = min((math.dist(at, (lies.x, lies.y)) for at in flat), default=math.inf)
                self._grazed(name, lies, gap - 2 * TOURNAMENT.disc.radius, touched=name in touched)

    def _grazed(self, name: str, lies: SeenDisc, gap: float, *, touched: bool) -> None:
        """One disc that lay still, with the gap (mm) to the nearest that the shot moved."""
        lay = self.state.measured[name]
        self.tally.count("touched, lies still", touched)
        self.tally.count("rests against, touched" if touched else "rests against, not", gap < TOUCHING)
        moved = math.hypot(lay.x - lies.x, lay.y - lies.y)
        self.tally.lengths["softly touched" if touched else "still"].append(moved)

    def _tidying(self) -> None:
        seen, known = self.association.seen, self.association.known
        if not any(seen.owed.values()):
            laid = sum(f.became == "taken" and f.seen for f in known.values())
            self.tally.count("ditch unexplained", len(seen.arrived) > laid)
        for name, outcome in known.items():
            if name not in self.state.to_remove:
                self._tidied(self.state.measured[name], outcome)
        self.tally.count("ready", bool(self.association.ready))
        self.tally.count("strange", bool(self.association.strange))

    def _tidied(self, lay: ev.Measured, outcome: Outcome) -> None:
        """What people did with a disc in play."""
        if self.association.seen.watching.hand:
            self.tally.count("taken", outcome.became == "taken")
        self.tally.count("overlooked", outcome.became == "overlooked")
        away = math.hypot(lay.x - outcome.place.x, lay.y - outcome.place.y) if outcome.place else 0.0
        nudged = outcome.became == "nudged" and away < CARRIED
        self.tally.count("nudged", nudged)
        self.tally.count("carried", outcome.became == "nudged" and not nudged)
        if nudged:
            self.tally.lengths["nudge"].append(away)
        if lay.pose == "leaning":
            self.tally.count("slid into hole", outcome.became == "hole")
        elif outcome.became == "stays" and lay.pose == "flat":
            self.tally.lengths["still"].append(away)


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


def fitted(row: Row, tally: Tally, source: str) -> Row:
    """The row as it was counted; as it is where it is judged, or where too little was counted."""
    name, lengths = row.name, tally.lengths.get(row.name, [])
    if row.source.startswith("judged"):
        return row
    if name == "still, outliers" and tally.lengths["still"]:
        far = sum(d > STILL_SIGMAS / 2 * TABLE["still"].value for d in tally.lengths["still"])
        return _probability(name, far, len(tally.lengths["still"]), source)
    if name in tally.counts and tally.counts[name][1] >= ENOUGH:
        happened, chances = tally.counts[name]
        return _probability(name, happened, chances, source)
    if name == "film follows" and len(tally.followed) >= ENOUGH:
        return Row(name, follows(tally.followed), "mm", source, len(tally.followed))
    return _length(name, lengths, source) if len(lengths) >= ENOUGH else row


def _length(name: str, lengths: Sequence[float], source: str) -> Row:
    rms = math.sqrt(sum(length**2 for length in lengths) / len(lengths))
    value = rms if name == "struck goes" else median(lengths) / RAYLEIGH_MEDIAN
    return Row(name, round(max(value, 0.01), 4), "mm", source, len(lengths))


def follows(followed: Sequence[tuple[float, bool]]) -> float:
    """The likeliest length by which films follow struck discs: of those that go so far they miss 1 in e."""
    lost = TABLE["struck, not filmed"].value

    def likelihood(length: float) -> float:
        missed = ((lost + (1 - lost) * math.exp(-((away / length) ** 2)), seen) for away, seen in followed)
        return sum(math.log1p(-min(p, 1 - 1e-9)) if seen else math.log(p) for p, seen in missed)

    return max((quarters / 4 for quarters in range(2, 81)), key=likelihood)


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


def _print_calibration(tally: Tally) -> None:
    print("shown with probability, of how many so much was true:")
    for k, (low, high) in enumerate(zip((0.0, *BINS), (*BINS, 1.0), strict=True)):
        right, wrong = tally.shown[k, True], tally.shown[k, False]
        print(f"  {low} to {high}: {right} of {right + wrong}  {share(right, right + wrong)}")


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
    _print_calibration(tally)
    if given.write:
        FILE.write_text(document(sections), encoding="utf-8")


if __name__ == "__main__":
    main()
