"""The standings of a pool, a stage and the whole tournament; and who advances to the next stage."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, takewhile

from controller.club.tournament.errors import Message, NotNow, say
from controller.club.tournament.playoffs import Slot, bracket, bracket_size, slot_name
from controller.club.tournament.ranking import Ranking, RankingRow, at_least, scores_of
from controller.club.tournament.stages import check_two, stage_kind
from controller.club.tournament.state import TournamentMatch, TournamentRound, TournamentState

FIGURES = ("matches", "won", "byes", "walkovers", "points", "twenties_missing")  # of a row, summed over stages


def stage_standings(state: TournamentState, stage: int, group: int | None = None) -> list[RankingRow]:
    """The standings of a stage that has begun, or of one of its pools.

    | standings | ranked by |
    |---|---|
    | of one pool, or of a stage with one | the stage's own criteria, or the format's ranking |
    | over several pools | first the place in the pool, then the format's ranking per match: pools differ in size |
    """
    groups = state.stages[stage].groups
    shoot_outs = [dict(zip(each.entrants, each.twenties, strict=True)) for each in state.shoot_outs]
    form = stage_kind(state, stage)
    left_out, _ = form.leavers(state, stage)
    scores = scores_of(state, stage)
    own = form.own_ranking(state, stage)
    criteria = list(own or state.known_format.ranking)
    if form.shoot_outs and "shoot_out" not in criteria:
        criteria.append("shoot_out")
    rated = Ranking(scores, shoot_outs, own)
    if group is not None or len(groups) == 1:
        entrants = groups[group or 0]
        return rated.ranked([each for each in entrants if each not in left_out], criteria)
    places: dict[str, int] = {}
    for k in range(len(groups)):
        places |= {row.entrant: -row.place for row in stage_standings(state, stage, k)}
    across = Ranking(scores, shoot_outs, {**own, "pool_place": places}, per_match=True)
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
    by_entrant: dict[str, list[RankingRow]] = {}
    for stage in state.stages:
        for row in stage_standings(state, stage.number):
            by_entrant.setdefault(row.entrant, []).append(row)
    sums = {
        entrant: {name: sum(getattr(row, name) for row in rows) for name in FIGURES}
        | {"twenties": at_least([row.twenties for row in rows])}
        for entrant, rows in by_entrant.items()
    }
    return [replace(row, **sums[row.entrant]) for row in standings(state)]


def tied(state: TournamentState) -> list[list[RankingRow]]:
    """Entrants of the running stage who have played, share a place and can be separated by a shoot-out."""
    if not state.stages or not stage_kind(state).shoot_outs:
        return []
    groups = groupby(stage_standings(state, state.stage.number), key=lambda row: row.place)
    shared = [list(rows) for _, rows in groups]
    return [rows for rows in shared if len(rows) > 1 and all(row.matches + row.byes + row.walkovers for row in rows)]


def next_groups(state: TournamentState) -> tuple[tuple[str, ...], ...]:
    """The pools of the next stage. Raises `NotNow` if a shoot-out has to decide who advances."""
    number = len(state.stages)
    if number >= len(state.known_format.stages):
        raise NotNow(say("The tournament is over."))
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
        raise NotNow(say("A shoot-out has to decide who goes on: {names}. Enter its twenties.", names=tied))
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
