"""The standings of a pool, a stage and the whole tournament: everybody's scores, and the order by a list of criteria;
and who advances to the next stage.

Criteria apply one after another, as in the FIDE Handbook, C.07, Tie-Break Regulations, article 4: each splits the
entrants that the earlier ones left tied. Entrants that no criterion separates share a place. A criterion with missing
data is skipped, never guessed: twenties if a match of one of the tied has none on record, head to head unless all of
the tied have met.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, groupby, takewhile
from typing import Any

from controller.club.errors import TournamentError
from controller.club.tournament.formats import TIE, WIN
from controller.club.tournament.playoffs import Slot, bracket, bracket_size, slot_name
from controller.club.tournament.stages import check_two, stage_kind
from controller.club.tournament.state import TournamentMatch, TournamentRound, TournamentState
from controller.messages import Message, say


@dataclass(frozen=True, slots=True)
class Score:
    """One entrant's score of a match or a bye. `wins`: match points. `twenties` is None if they are not on record."""

    entrant: str
    opponent: str | None
    points: int
    wins: int
    twenties: int | None
    played: bool = True


@dataclass(frozen=True, slots=True)
class RankingRow:
    """One line of a ranking. `points` and `twenties` count what a bye gives too; `twenties`: see `at_least`."""

    place: int
    entrant: str
    matches: int
    won: int
    byes: int
    walkovers: int  # and forfeits: what else counts without having been played
    points: int
    twenties: int | None
    twenties_missing: int  # how many matches have no twenties on record: the number above is too low by theirs
    stage: int = 0  # from 0: the last one that the entrant has reached


def at_least(figures: Sequence[int | None]) -> int | None:
    """The sum of those that are known; None if there are some and none is known."""
    known = [figure for figure in figures if figure is not None]
    return sum(known) if known or not figures else None


Values = Mapping[str, Any] | None
"""Of a criterion, a value for each of the tied entrants; None if it does not apply."""


@dataclass
class Ranking:
    """The scores of a stage, and the criteria as functions of them. `own`: the stage's own criteria. `per_match`
    divides sums by the number of matches, to compare pools of different sizes."""

    scores: Sequence[Score]
    shoot_outs: Sequence[Mapping[str, int]] = ()
    own: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    per_match: bool = False

    def __post_init__(self) -> None:
        self.of: defaultdict[str, list[Score]] = defaultdict(list)
        self.points: Counter[str] = Counter()
        for score in self.scores:
            self.of[score.entrant].append(score)
            self.points[score.entrant] += score.points

    def ranked(self, entrants: Iterable[str], criteria: Sequence[str]) -> list[RankingRow]:
        """The rows, the first place first; equals keep their order."""
        rows: list[RankingRow] = []
        for tied in self._split(list(entrants), list(criteria), 1):
            place = len(rows) + 1
            rows += [self.row(entrant, place) for entrant in tied]
        return rows

    def _split(self, tied: list[str], criteria: list[str], place: int) -> list[list[str]]:
        """Groups of equals in their order."""
        for k, name in enumerate(criteria):
            values = self._values(name, tied, place) if len(tied) > 1 else None
            if values is None or len(set(values.values())) == 1:
                continue
            again = criteria[k:] if name == "shoot_out" else criteria[k + 1 :]
            groups: list[list[str]] = []
            ordered = sorted(tied, key=values.__getitem__, reverse=True)
            for _, same in groupby(ordered, key=values.__getitem__):
                groups += self._split(list(same), again, place + sum(map(len, groups)))
            return groups
        return [tied] if tied else []

    def row(self, entrant: str, place: int) -> RankingRow:
        """An entrant's line: the figures of these scores."""
        scores = self.of[entrant]
        played = [score for score in scores if score.played]
        return RankingRow(
            place=place,
            entrant=entrant,
            matches=len(played),
            won=sum(score.wins == WIN for score in played),
            byes=sum(score.opponent is None for score in scores),
            walkovers=sum(score.opponent is not None and not score.played for score in scores),
            points=self.points[entrant],
            twenties=at_least([score.twenties for score in scores]),
            twenties_missing=sum(score.twenties is None for score in scores),
        )

    # --- criteria

    def _values(self, name: str, tied: Sequence[str], place: int) -> Values:
        if name in self.own:
            return {entrant: self.own[name][entrant] for entrant in tied}
        match name:
            case "points" | "wins" | "twenties":
                return self._sums(tied, name)
            case "head_to_head_for_first" if place > 1:
                return None
            case "head_to_head" | "head_to_head_for_first":
                return self._head_to_head(tied, "points")
            case "head_to_head_twenties":
                return self._head_to_head(tied, "twenties")
            case "buchholz":
                return {entrant: self._opponents(entrant) for entrant in tied}
            case "shoot_out":
                return self._shoot_out(tied)
        return None

    def _sums(self, tied: Sequence[str], member: str) -> Values:
        """Each entrant's sum of one member of the scores; None if any value is not on record."""
        figures = {entrant: [getattr(score, member) for score in self.of[entrant]] for entrant in tied}
        if any(None in each for each in figures.values()):
            return None
        return {
            entrant: Fraction(sum(each), max(1, len(each)) if self.per_match else 1)
            for entrant, each in figures.items()
        }

    def _opponents(self, entrant: str) -> int:
        return sum(self.points[score.opponent] for score in self.of[entrant] if score.played and score.opponent)

    def _head_to_head(self, tied: Sequence[str], member: str) -> Values:
        """From the matches of the tied among themselves, if each two have met equally often."""
        group = set(tied)
        scores = {e: [s for s in self.of[e] if s.played and s.opponent in group] for e in tied}
        met = {sum(score.opponent == b for score in scores[a]) for a, b in combinations(tied, 2)}
        if len(met) != 1 or met == {0}:
            return None
        return Ranking([score for each in scores.values() for score in each])._sums(tied, member)

    def _shoot_out(self, tied: Sequence[str]) -> Values:
        together = [figures for figures in self.shoot_outs if all(entrant in figures for entrant in tied)]
        return {entrant: tuple(figures[entrant] for figures in together) for entrant in tied}


def scores_of(state: TournamentState, stage: int) -> list[Score]:
    """The scores of every result, walkover and bye of a stage, without annulled matches. Byes score in a Swiss alone:
    in a round robin everybody in a pool has equally many."""
    full = state.known_format.play_of(stage).full
    form = stage_kind(state, stage)
    left_out, forfeits = form.leavers(state, stage)
    scores: list[Score] = []
    for match in state.matches_of(stage):
        if match.over and not left_out & set(match.sides):
            scores += _scores_of_match(state, match)
    for winner, loser in forfeits:
        scores += [Score(winner, loser, full, WIN, 0, played=False), Score(loser, winner, 0, 0, 0, played=False)]
    if form.byes_score:
        scores += [score for round in state.rounds_of(stage) for score in _scores_of_byes(state, round)]
    return scores


def _scores_of_byes(state: TournamentState, round: TournamentRound) -> list[Score]:
    """The scores of a round's byes, from the matches that have been played so far."""
    play = state.known_format.play_of(round.stage)
    if play.bye is not None:
        return [Score(entrant, None, play.bye, WIN, 0, played=False) for entrant in round.byes]
    played = [match for match in state.matches_of(round=round.id) if match.result is not None]
    given = [score for match in played for score in _scores_of_match(state, match)]
    points, twenties = _mean([score.points for score in given]), _mean([score.twenties for score in given])
    return [Score(entrant, None, points or 0, TIE, twenties, played=False) for entrant in round.byes]


def _mean(figures: Sequence[int | None]) -> int | None:
    """The mean of those that are known, to the nearest whole number, halves up; as `at_least` where none is known."""
    known = [figure for figure in figures if figure is not None]
    return (2 * sum(known) + len(known)) // (2 * len(known)) if known else at_least(figures)


def _scores_of_match(state: TournamentState, match: TournamentMatch) -> list[Score]:
    """Both sides' scores of a match that is over. A walkover counts all points for its winner, if it has one."""
    play, result, winner = state.play_of(match), match.result, match.winner
    tie = result is not None and winner is None
    shares = [TIE if tie else WIN * (side == winner) for side in match.sides]
    points: Sequence[int] = shares
    if result is None:
        points = [play.full * (side == winner) for side in match.sides]
    elif play.counts == "points":
        points = result.points
    twenties = (0, 0) if result is None else result.twenties or (None, None)
    return [
        Score(side, match.other(side), own, share, made, played=result is not None)
        for side, own, share, made in zip(match.sides, points, shares, twenties, strict=True)
    ]


def stage_standings(state: TournamentState, stage: int, group: int | None = None) -> list[RankingRow]:
    """The standings of a stage that has begun, or of one of its pools.

    | standings | ranked by |
    |---|---|
    | of one pool, or of a stage with one | the stage's own criteria, or the format's ranking |
    | over several pools | first the place in the pool, then the format's ranking per match: pools differ in size |
    """
    groups = state.stages[stage].groups
    form = stage_kind(state, stage)
    left_out, _ = form.leavers(state, stage)
    scores = scores_of(state, stage)
    own = form.own_ranking(state, stage)
    criteria = list(own or state.known_format.ranking)
    if form.shoot_outs and "shoot_out" not in criteria:
        criteria.append("shoot_out")
    rated = Ranking(scores, state.shoot_outs, own)
    if group is not None or len(groups) == 1:
        entrants = groups[group or 0]
        return rated.ranked([each for each in entrants if each not in left_out], criteria)
    places: dict[str, int] = {}
    for k in range(len(groups)):
        places |= {row.entrant: -row.place for row in stage_standings(state, stage, k)}
    across = Ranking(scores, state.shoot_outs, {**own, "pool_place": places}, per_match=True)
    return across.ranked(places, ["pool_place", *criteria])


def standings(state: TournamentState) -> list[RankingRow]:
    """The whole tournament: the running stage, then those who did not reach it, as the stages before ranked them. The
    figures of a line are those of the stage that ranks it."""
    rows: list[RankingRow] = []
    ranked: set[str] = set()
    for stage in reversed(state.stages):
        behind = [row for row in stage_standings(state, stage.number) if row.entrant not in ranked]
        base = len(rows)
        places = [row.place for row in behind]
        rows += [replace(row, place=base + 1 + places.index(row.place), stage=stage.number) for row in behind]
        ranked |= {row.entrant for row in behind}
    return rows


def overall(state: TournamentState) -> list[RankingRow]:
    """The standings with each entrant's figures of all stages, not of the last one alone."""
    every = Ranking([score for stage in state.stages for score in scores_of(state, stage.number)])
    return [replace(every.row(row.entrant, row.place), stage=row.stage) for row in standings(state)]


def tied(state: TournamentState) -> list[list[RankingRow]]:
    """Entrants of the running stage who have played, share a place and can be separated by a shoot-out."""
    if not state.stages or not stage_kind(state).shoot_outs:
        return []
    groups = groupby(stage_standings(state, state.stage.number), key=lambda row: row.place)
    shared = [list(rows) for _, rows in groups]
    return [rows for rows in shared if len(rows) > 1 and all(row.matches + row.byes + row.walkovers for row in rows)]


def next_groups(state: TournamentState) -> tuple[tuple[str, ...], ...]:
    """The pools of the next stage. Raises `TournamentError` if a shoot-out has to decide who advances."""
    number = len(state.stages)
    if number >= len(state.known_format.stages):
        raise TournamentError(say("The tournament is over."))
    form = stage_kind(state, number)
    if number == 0:
        order: Sequence[str] = state.here(state.seeding)[: form.entrants]
    else:
        order = _qualified(state, number - 1, form.entrants)
    check_two(order)
    return form.groups(state, order)


def _qualified(state: TournamentState, stage: int, most: int | None) -> list[str]:
    rows = [row for row in stage_standings(state, stage) if state.entrants[row.entrant].here]
    if most is not None and len(rows) > most and rows[most - 1].place == rows[most].place:
        tied = [state.labels[row.entrant] for row in rows if row.place == rows[most].place]
        raise TournamentError(say("A shoot-out has to decide who goes on: {names}. Enter its twenties.", names=tied))
    return [row.entrant for row in rows][:most]


PODIUM = 3  # places


def all_played(state: TournamentState) -> bool:
    """Whether every round of the last stage has its results."""
    if not state.stages or state.open_matches or len(state.stages) < len(state.known_format.stages):
        return False
    return stage_kind(state).all_drawn(state)


def podium(state: TournamentState) -> list[RankingRow]:
    """The first three places, shared ones included, once all is played or the evening is closed; else nobody. The
    figures are those of the last stage, which ranks them."""
    if not (state.closed or all_played(state)):
        return []
    return list(takewhile(lambda row: row.place <= PODIUM, standings(state)))


def last_bracket(state: TournamentState) -> list[list[Slot]]:
    """The bracket of the last play-offs that have begun; empty if there are none."""
    for stage in reversed(state.stages):
        if state.known_format.stages[stage.number].knock_out:
            return bracket(state, stage.number)
    return []


def match_name(state: TournamentState, match: TournamentMatch) -> Message | None:
    """The name of a play-off match; None for any other."""
    return slot_name(match.slot, _rounds_of(state, match.stage)) if match.slot else None


def round_names(state: TournamentState, round: TournamentRound) -> list[Message]:
    """The names of a play-off round, one for each kind of match; empty for any other round."""
    slots = sorted(match.slot for match in state.matches_of(round=round.id) if match.slot)  # that for third place last
    rounds = _rounds_of(state, round.stage)
    names = {str(name): name for name in (slot_name(slot, rounds) for slot in slots)}
    return list(names.values())


def _rounds_of(state: TournamentState, stage: int) -> int:
    """How many rounds the bracket of a stage has."""
    return bracket_size(len(state.stages[stage].entrants)).bit_length() - 1
