"""Queries of the history's tables. Each answer is bounded, however many matches there are."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from controller.match.players import Names, side_name
from controller.match.shot_kinds import DISTANCES, KINDS, Distance, Kind
from controller.messages import Message
from controller.views.common import Day, Seat, Sentence
from controller.views.history import statistics
from controller.views.history.figures import NEAR, OF_PLAYED, OF_ROUNDS, PlayerFigures, Streaks
from controller.views.history.one_match import MatchInShort
from controller.views.history.statistics import (
    SPAN,
    Asked,
    Density,
    Practice,
    Record,
    RoundsByTwenties,
    Selection,
    Trend,
)
from controller.views.history.tables import Tables
from controller.views.phrases import SHOT_KINDS

PAGE = 50  # matches, players or pairs of opponents in one answer
MAX_PLACES = 1000  # resting places in one answer: 70 kB, and more than a picture can show
MAX_NEAR = 50
MAX_NAMES = 2000  # players to choose from, at most 160 kB
MAX_BYTES = 150_000  # of the lines in one answer: matches of very many rounds make fewer lines
SUMS = [*OF_PLAYED, *OF_ROUNDS, "place"]
READ_LINE = TypeAdapter(MatchInShort)

Pair = Annotated[list[int], Field(min_length=2, max_length=2)]
"""A whole number for each of two players."""
PairIfKnown = Annotated[list[int | None], Field(min_length=2, max_length=2)]
"""A whole number for each of two players, null if it is not known."""
Ring = Literal[15, 10, 5]


@dataclass
class UnreadableMatch:
    """A match that is set aside because it can't be read."""

    match: int  #: Its number in the journal.
    text: str  #: Why.


@dataclass
class KnownPlayer:
    """A player known to the table."""

    player: str  #: The player's present name.
    matches: int  #: The number of matches, finished or not.
    days: int  #: The number of days.
    first: Day  #: The first of these days.
    last: Day  #: The last one.


@dataclass
class HeadToHead:
    """Two players' results against each other, in matches played to their end."""

    players: Annotated[list[str], Field(min_length=2, max_length=2)]  #: Their names.
    matches: int  #: The number of matches.
    won: Pair  #: Each one's wins.
    tied: int  #: Matches without a winner.
    matches_with_twenties: int  #: The number of matches in which all twenties of both were recorded.
    twenties: PairIfKnown
    """Twenties of each one's side where they were recorded: at least so many if not in all matches, null if in none."""


@dataclass
class RestingPlace:
    """The resting place of a shot disc that stayed."""

    x: float  #: mm in the players' board frame
    y: float  #: mm
    zone: Ring  #: Its points.
    seat: Seat  #: The seat from which it was shot.
    player: str  #: The player.


@dataclass
class NearALine:
    """A shot that came to rest near a line between two rings."""

    match: int  #: The number of its match.
    round: int  #: The number of its round.
    number: int  #: Its number in the round.
    player: str  #: The player.
    zone: Ring  #: Its points.
    clearance: float  #: mm; below 0 it missed the better ring.


@dataclass(kw_only=True)
class Figures:
    """Players' figures over a span of days, inclusive, fifty players at a time."""

    schema: Literal["figures/1"] = "figures/1"  #: The document's type.
    since: Day | None  #: The first day, if requested.
    until: Day | None  #: The last day, if requested.
    matches: int  #: The number of matches that began in the span.
    days: list[Day]  #: The days on which matches began.
    players: list[PlayerFigures]  #: By name.
    head_to_head: list[HeadToHead]  #: Pairs of players who met.
    next: int | None  #: The next value of `page`; null on the last page.
    player: str | None  #: The player of these places; null for all.
    places: list[RestingPlace]  #: Where shots came to rest, the newest first.
    near: list[NearALine]  #: The nearest misses and hits, the nearest first.
    enough_rounds: int  #: The number of rounds from which a mean or a share is meaningful.
    trend: Trend  #: Of the player, or of all.
    rounds_by_twenties: list[RoundsByTwenties]  #: Of the player, or of all, by the number of twenties.
    density: Density  #: Of the player, or of all.
    records: list[Record]  #: Of the player, or of the table.
    practice: list[Practice]  #: Of the player, or of all, by name, without rounds that ended early.


@dataclass
class KindFigures:
    """The success rate of a kind of shot."""

    kind: Kind
    """`open_twenty`: the hole, with no opponent's disc on the board. With one there: `contact`, an opponent's disc was
    touched; `takeout`, one came off; `follow_through`, one was touched and the shot disc fell into the hole. `double`:
    two or more came off, of at least two. `promotion`: another own disc came to count more. `rebound`: the shot disc
    turned at a peg."""
    distance: Distance
    """The distance from the flick to the target: `near` below 250 mm, `middle` below 400 mm, else `far`; `unknown` if
    the shot was not filmed; `any` for kinds that are not counted by distance."""
    shots: int  #: Shots that could be of this kind.
    hits: int  #: Shots that were.
    text: Sentence  #: The kind for people.


@dataclass
class Flicks:
    """A player's flicks with a measured speed."""

    player: str  #: The name.
    shots: int  #: The number of flicks.
    mean: int  #: mm/s on average.
    fastest: int  #: mm/s.


@dataclass(kw_only=True)
class Shots:
    """Kinds of shots and flicks over a span of days, inclusive."""

    schema: Literal["shots/1"] = "shots/1"  #: The document's type.
    since: Day | None  #: The first day, if requested.
    until: Day | None  #: The last day, if requested.
    player: str | None  #: The player of the kinds of shots; null for all.
    kinds: list[KindFigures]  #: The kinds with shots.
    flicks: list[Flicks]  #: Of every player, by name, fifty at a time.
    next: int | None  #: The next value of `page`; null on the last page.


def lines(tables: Tables, names: Names, about: Selection) -> tuple[list[MatchInShort], int | None]:
    """Summaries of matches, the newest first; and the next `before`."""
    of_player = "match IN (SELECT match FROM played WHERE player = :player) AND" if about.player is not None else ""
    rows = Asked(tables, about).read(
        f"SELECT match, line FROM matches WHERE {of_player} +{SPAN} AND match < ifnull(:before, 1 << 62) "
        f"AND line IS NOT NULL ORDER BY match DESC LIMIT {PAGE + 1}",
    )
    found: list[MatchInShort] = []
    size = 0
    for _, text in rows[:PAGE]:
        size += len(text)
        if found and size > MAX_BYTES:
            break
        line = READ_LINE.validate_json(text)
        line.rules_name = Message(str(line.rules_name))
        for side in line.sides:
            side.name = side_name(side.name, side.players, names.shown)
            side.players = [names.shown(player) for player in side.players]
        found.append(line)
    return found, found[-1].id if len(found) < len(rows) else None


def deleted(tables: Tables) -> list[int]:
    """The deleted matches, the newest first."""
    rows = tables.read(f"SELECT match FROM matches WHERE deleted ORDER BY match DESC LIMIT {PAGE}")
    return [match for (match,) in rows]


def unreadable(tables: Tables) -> list[UnreadableMatch]:
    """The matches that were set aside, with the reasons."""
    rows = tables.read(f"SELECT match, trouble FROM matches WHERE trouble IS NOT NULL ORDER BY match DESC LIMIT {PAGE}")
    return [UnreadableMatch(*row) for row in rows]


def names(tables: Tables) -> list[str]:
    """Everybody who has played, in order."""
    everybody = "SELECT player FROM played UNION SELECT player FROM practised"
    rows = tables.read(f"{everybody} ORDER BY player LIMIT {MAX_NAMES}")
    return [name for (name,) in rows]


def figures(tables: Tables, about: Selection) -> Figures:
    """The document `figures/1`."""
    asked = Asked(tables, about)
    days = [day for (day,) in asked.read(f"SELECT DISTINCT day FROM matches WHERE {SPAN} ORDER BY day")]
    ((count,),) = asked.read(f"SELECT count(*) FROM matches WHERE {SPAN}")
    players, more_players = _players(asked)
    met, more_met = _met(asked)
    return Figures(
        since=about.since,
        until=about.until,
        matches=count,
        days=days,
        players=players,
        head_to_head=met,
        next=about.page + 1 if more_players or more_met else None,
        player=about.player,
        places=_places(asked),
        near=_near(asked),
        enough_rounds=statistics.ENOUGH_ROUNDS,
        trend=statistics.trend(asked),
        rounds_by_twenties=statistics.by_twenties(asked),
        density=statistics.density(asked),
        records=statistics.records(asked),
        practice=statistics.practice(asked),
    )


def _players(asked: Asked) -> tuple[list[PlayerFigures], bool]:
    rows = asked.read(
        "SELECT *, rank() OVER (ORDER BY won DESC, rounds_won DESC, ifnull(twenties, 0) DESC) "
        f"FROM ({_sums('played', OF_PLAYED)}) JOIN ({_sums('rounds', OF_ROUNDS)}) USING (player) "
        f"ORDER BY player LIMIT {PAGE + 1} OFFSET {PAGE} * (:page - 1)",
    )
    runs = statistics.streaks(replace(asked, about=replace(asked.about, player=None)))
    found = [
        PlayerFigures.of(name, runs.get(name, Streaks(0, 0)), dict(zip(SUMS, sums, strict=True)))
        for name, *sums in rows[:PAGE]
    ]
    return found, len(rows) > PAGE


def _sums(view: str, figures: Mapping[str, str]) -> str:
    """A query for each player's figures, from the rows of a view."""
    named = ", ".join(f"{figure} AS {name}" for name, figure in figures.items())
    return f"SELECT player, {named} FROM {view} WHERE {SPAN} GROUP BY player"


def _met(asked: Asked) -> tuple[list[HeadToHead], bool]:
    one = ":player IN (first, second) AND" if asked.about.player is not None else ""
    rows = asked.read(
        "SELECT first, second, count(*), sum(won_first), sum(won_second), sum(tied), sum(twenties_first), "
        "sum(twenties_second), count(twenties_first + twenties_second) "
        f"FROM meetings WHERE {one} {SPAN} GROUP BY first, second ORDER BY first, second "
        f"LIMIT {PAGE + 1} OFFSET {PAGE} * (:page - 1)",
    )
    found = [
        HeadToHead([first, second], count, [a, b], tied, recorded, [c, d])
        for first, second, count, a, b, tied, c, d, recorded in rows[:PAGE]
    ]
    return found, len(rows) > PAGE


def _places(asked: Asked) -> list[RestingPlace]:
    """The resting places of shot discs that stayed, the newest first: one player's, or everybody's."""
    rows = asked.read(
        f"SELECT x, y, zone, seat, player FROM places WHERE {asked.whose} "
        f"ORDER BY day DESC, match DESC, round DESC, number DESC LIMIT {MAX_PLACES}",
    )
    return [RestingPlace(*row) for row in rows]


def _near(asked: Asked) -> list[NearALine]:
    """Shots that came to rest near a line, the nearest first; below 0 mm the better ring was missed."""
    rows = asked.read(
        f"SELECT match, round, number, player, zone, clearance FROM places WHERE {asked.whose} "
        f"AND abs(clearance) <= {NEAR} ORDER BY abs(clearance), match, round, number LIMIT {MAX_NEAR}",
    )
    return [NearALine(*row) for row in rows]


MAX_KNOWN = 500  # players in one answer, at most 80 kB
WEIGHTS = ((4, 100), (14, 70), (31, 50), (90, 30))
OLDEST = 10
"""What a match weighs by its age in days before the newest day of play: how Firefox weighs visits when it suggests
addresses ("frecency": buckets of 4, 14, 31 and 90 days with the weights 100, 70, 50, 30, and 10 for older ones)."""
AGE = "julianday((SELECT max(day) FROM matches)) - julianday(day)"
WEIGHT = "CASE " + " ".join(f"WHEN {AGE} <= {days} THEN {weight}" for days, weight in WEIGHTS) + f" ELSE {OLDEST} END"


def known_players(tables: Tables) -> list[KnownPlayer]:
    """The players who played most often and most recently, in that order."""
    rows = tables.read(
        f"SELECT player, count(DISTINCT match), count(DISTINCT day), min(day), max(day), sum({WEIGHT}) AS weight "
        f"FROM played WHERE day > '' GROUP BY player ORDER BY weight DESC, player LIMIT {MAX_KNOWN}"
    )
    return [KnownPlayer(*known) for *known, _ in rows]


def shots(tables: Tables, about: Selection) -> Shots:
    """The document `shots/1`."""
    asked = Asked(tables, about)
    found = asked.read(
        f"SELECT kind, distance, sum(shots), sum(hits) FROM kinds WHERE {asked.whose} GROUP BY kind, distance",
    )
    rows = asked.read(
        f"SELECT player, sum(flicks), sum(speeds), max(fastest) FROM played WHERE {SPAN} GROUP BY player "
        f"HAVING sum(flicks) > 0 ORDER BY player LIMIT {PAGE + 1} OFFSET {PAGE} * (:page - 1)",
    )
    return Shots(
        since=about.since,
        until=about.until,
        player=about.player,
        kinds=sorted(
            (KindFigures(kind, distance, count, hits, SHOT_KINDS[kind]) for kind, distance, count, hits in found),
            key=_in_order,
        ),
        flicks=[Flicks(name, count, round(total / count), fastest) for name, count, total, fastest in rows[:PAGE]],
        next=about.page + 1 if len(rows) > PAGE else None,
    )


def _in_order(one: KindFigures) -> tuple[int, int]:
    return KINDS.index(one.kind), DISTANCES.index(one.distance)
