"""The tables that people read: of a pool, a stage, the whole tournament; and who goes on to the next stage."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from controller.club.tournament.errors import NotNow, say
from controller.club.tournament.formats import Ladder, OpenNight, Playoffs, RoundRobin
from controller.club.tournament.ladder import ladder
from controller.club.tournament.playoffs import came, seeded_apart
from controller.club.tournament.ranking import Row, Table, leavers, scores_of
from controller.club.tournament.ratings import ratings
from controller.club.tournament.round_robin import snake
from controller.club.tournament.state import State


def table(state: State, stage: int, group: int | None = None) -> list[Row]:
    """The table of a stage that has begun, or of one of its pools.

    | table | ranked by |
    |---|---|
    | of one pool, or of a stage with one | the format's ranking |
    | over several pools | first the place in the pool, then the format's ranking for each match: pools differ in size |
    | of play-offs, a ladder, an open night | how far one came, the place on the ladder, the rating |
    """
    groups = state.stages[stage].groups
    shoot_outs = [dict(zip(each.entrants, each.twenties, strict=True)) for each in state.shoot_outs]
    left_out, _ = leavers(state, stage)
    scores = scores_of(state, stage)
    criteria, own = _criteria(state, stage)
    rated = Table(scores, shoot_outs, own)
    if group is not None or len(groups) == 1:
        entrants = groups[group or 0]
        return rated.ranked([each for each in entrants if each not in left_out], criteria)
    places: dict[str, int] = {}
    for k in range(len(groups)):
        places |= {row.entrant: -row.place for row in table(state, stage, k)}
    across = Table(scores, shoot_outs, {**own, "pool_place": places}, per_match=True)
    return across.ranked(places, ["pool_place", *criteria])


def _criteria(state: State, stage: int) -> tuple[list[str], dict[str, dict[str, Any]]]:
    form = state.known_format.stages[stage]
    if isinstance(form, Playoffs):
        return ["bracket", "shoot_out"], {"bracket": came(state, stage)}
    if isinstance(form, Ladder):
        return ["ladder"], {"ladder": {entrant: -k for k, entrant in enumerate(ladder(state, stage))}}
    if isinstance(form, OpenNight):
        return ["rating"], {"rating": ratings(state)}
    ranking = list(state.known_format.ranking)
    return (ranking if "shoot_out" in ranking else [*ranking, "shoot_out"]), {}


def standings(state: State) -> list[Row]:
    """The whole tournament: the stage that is on, then those whom it left behind, as the stages before ranked them."""
    rows: list[Row] = []
    ranked: set[str] = set()
    for stage in reversed(state.stages):
        behind = [row for row in table(state, stage.number) if row.entrant not in ranked]
        base = len(rows)
        places = [row.place for row in behind]
        rows += [replace(row, place=base + 1 + places.index(row.place)) for row in behind]
        ranked |= {row.entrant for row in behind}
    return rows


def tied(state: State) -> list[list[Row]]:
    """Those of the stage that is on who share a place, and whom a shoot-out can separate: they have played."""
    if not state.stages or isinstance(state.stage_format, Ladder | OpenNight):
        return []
    groups = groupby(table(state, state.stage.number), key=lambda row: row.place)
    shared = [list(rows) for _, rows in groups]
    return [rows for rows in shared if len(rows) > 1 and all(row.matches + row.byes for row in rows)]


def next_groups(state: State) -> tuple[tuple[str, ...], ...]:
    """Who plays in the next stage, and in which pool. Raises `NotNow` where a shoot-out has to decide that."""
    number = len(state.stages)
    stages = state.known_format.stages
    if number >= len(stages):
        raise NotNow(say("The tournament is over."))
    form = stages[number]
    if number == 0:
        order: Sequence[str] = state.here(state.seeding)[: form.entrants]
    else:
        order = _qualified(state, number - 1, form.entrants)
    if len(order) < 2:
        raise NotNow(say("A match needs two entrants; add some."))
    if isinstance(form, RoundRobin):
        return snake(order, form.pools)
    if isinstance(form, Playoffs) and form.apart and number:
        pool_of = {each: k for k, group in enumerate(state.stages[-1].groups) for each in group}
        if len(state.stages[-1].groups) > 1:
            order = seeded_apart(order, pool_of)
    return (tuple(order),)


def _qualified(state: State, stage: int, most: int | None) -> list[str]:
    rows = [row for row in table(state, stage) if state.entrants[row.entrant].here]
    if most is not None and len(rows) > most and rows[most - 1].place == rows[most].place:
        tied = [state.labels[row.entrant] for row in rows if row.place == rows[most].place]
        raise NotNow(say("A shoot-out has to decide who goes on: {names}. Enter its twenties.", names=tied))
    return [row.entrant for row in rows][:most]
