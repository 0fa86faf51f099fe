"""Statistics, held against a naive count over all matches as each of them is reviewed, one after the other."""

import math
import random
from collections import Counter, defaultdict
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.errors import Refused
from controller.journal import Journal
from controller.views.history import Archive, Selection
from controller.views.history.figures import Streaks
from controller.views.history.statistics import CELL, ENOUGH_ROUNDS
from controller.views.history.tables import history_path
from tests.controller.fed_table import ReadTable
from tests.slow import slow

DAY = 86_400.0
FORMAT = {"kind": "rounds", "rounds": 3}
NAMES = ["Player 1", "Player 2", "Player 3", "Player 4", "Player 5"]


def live(table, dice):
    """One thing that happens to a table: a match, a shot, a round, a correction, an undo, the next evening."""
    kind = dice.choice(["start", "shot", "shot", "shot", "round", "round", "round", "round", "correct", "undo", "day"])
    side = dice.choice("AB")
    place = dice.choice(["hole", "hole", "ditch", [dice.uniform(-200, 200), dice.uniform(-200, 200)]])
    totals = {of: 5 * dice.randrange(13) for of in "AB"}
    twenties = {of: min(dice.randrange(4), totals[of] // 20) for of in "AB"}
    match kind:
        case "start":
            doubles = dice.random() < 0.3
            names = dice.sample(NAMES, 4)
            sides = [{"name": " & ".join(names[k : 4 if doubles else k + 1 : 2])} for k in range(2)]
            seats = {str(k + 1): name for k, name in enumerate(names)} if doubles else {}
            table.do("start", rules="nca", sides=sides, doubles=doubles, seats=seats, format=FORMAT)
        case "shot":
            table.do("add_shot", side=table.round.to_shoot or side, at=place)
        case "round":
            table.do("end_round", totals=totals, twenties=twenties)
        case "correct":
            table.do("correct_round", round=dice.randrange(1, 4), totals=totals)
        case "undo":
            table.do("undo")
        case "day":
            table.t += DAY * dice.choice([1, 1, 9, 40])


def all_matches(archive, newest):
    for number in range(1, newest + 1):
        whole = archive.match(number)
        after = whole.next
        while after is not None:
            part = archive.match(number, after)
            whole.shots = [*whole.shots, *part.shots]
            after = part.next
        if not whole.deleted:  # as a match is whose start was undone
            yield whole


def counted(matches, who):
    """The statistics of one player, or of all, by plain loops."""
    points = defaultdict(list)
    by_twenties = Counter()
    best = defaultdict(list)
    wins = defaultdict(list)
    for match in matches:
        played = [(side, name) for side in match.sides for name in side.players if who in (None, name)]
        for side, name in played:
            mine = [(r.totals[side.id], r.twenties[side.id]) for r in match.rounds]
            won = [
                total > max(v for k, v in r.totals.items() if k != side.id)
                for r, (total, _) in zip(match.rounds, mine, strict=True)
            ]
            hammer = [r.hammer == side.id for r in match.rounds]
            points[match.day] += [(match.id, None)]
            points[match.day] += [
                (match.id, (*figures, had, victory)) for figures, had, victory in zip(mine, hammer, won, strict=True)
            ]
            by_twenties.update(twenties for _, twenties in mine)
            best["round_points"] += [(total, -match.id, name) for total, _ in mine]
            best["round_twenties"] += [(twenties, -match.id, name) for _, twenties in mine]
            best["match_twenties"].append((sum(t for _, t in mine), -match.id, name))
            best["twenties_in_a_row"].append((longest_run(match, name), -match.id, name))
            if match.over:
                wins[name].append((match.winner == side.id, match.id))
    for name, ended in wins.items():
        run = 0
        for victory, number in ended:
            run = run + 1 if victory else 0
            best["wins_in_a_row"].append((run, -number, name))
    shots = [shot for match in matches for shot in match.shots if who in (None, shot.player)]
    return {
        "points": points,
        "by_twenties": by_twenties,
        "cells": cells(shots),
        "records": firsts(best),
        "wins": wins,
        "shots": shots,
    }


def longest_run(match, name):
    most = run = 0
    for shot in match.shots:
        if shot.player == name and not shot.annulled:
            run = run + 1 if shot.disc in shot.twenties else 0
            most = max(most, run)
    return most


def cells(shots):
    lying = [
        (shot.seat, one.x, one.y)
        for shot in shots
        for one in shot.after
        if one.id == shot.disc and one.zone != 20 and not one.remove
    ]
    return Counter((seat, nearest(x), nearest(y)) for seat, x, y in lying)


def nearest(value):
    return int(math.copysign(math.floor(abs(value) / CELL + 0.5), value))


def firsts(best):
    records = {}
    for kind, reached in best.items():
        value, match, _ = max(reached, default=(0, 0, ""))
        if value > 0:
            records[kind] = (value, -match, sorted({n for v, m, n in reached if (v, m) == (value, match)}))
    return records


def compared(figures, naive):
    by = figures.trend.by
    spans = defaultdict(list)
    for day, rounds in naive["points"].items():
        spans[day if by == "day" else f"{day[:7]}-01"] += rounds
    assert [point.begins for point in figures.trend.points] == sorted(spans)
    for point in figures.trend.points:
        told = spans[point.begins]
        rounds = [one for _, one in told if one]
        assert (point.matches, point.rounds) == (len({match for match, _ in told}), len(rounds))
        if len(rounds) < ENOUGH_ROUNDS:
            assert (point.mean_round, point.twenties_a_round) == (None, None)
        else:
            assert point.mean_round == pytest.approx(sum(r[0] for r in rounds) / len(rounds), abs=0.051)
            assert point.twenties_a_round == pytest.approx(sum(r[1] for r in rounds) / len(rounds), abs=0.0051)
        hammer = [won for _, _, had, won in rounds if had]
        share = sum(hammer) / len(hammer) if len(hammer) >= ENOUGH_ROUNDS else None
        assert point.won_with_hammer == (share if share is None else pytest.approx(share, abs=0.00051))
    assert {one.twenties: one.rounds for one in figures.rounds_by_twenties} == naive["by_twenties"]
    assert {tuple(cell[:3]): cell[3] for cell in figures.density.cells} == naive["cells"]
    told = {one.kind: (one.value, one.match, one.players) for one in figures.records}
    assert told == naive["records"]


@slow
@settings(max_examples=8, suppress_health_check=list(HealthCheck), print_blob=True)
@given(st.integers(0, 2**32))
def test_statistics_are_what_a_naive_count_over_all_matches_gives(seed):
    dice = random.Random(seed)
    with TemporaryDirectory() as folder:
        table = ReadTable(Path(folder))
        with closing(table.journal) as journal, closing(Archive(journal)) as archive:
            for number in range(dice.randrange(20, 90)):
                with suppress(Refused):
                    live(table, dice)
                if number % 7 == 0:
                    archive.upkeep.catch_up()  # little by little, as at a table
            archive.upkeep.catch_up()
            matches = list(all_matches(archive, journal.newest()))
            for who in (None, *NAMES):
                compared(archive.figures(Selection(player=who)), counted(matches, who))
            naive = counted(matches, None)
            for one in archive.figures().players:
                mine = counted(matches, one.player)
                rounds = [n for n, times in mine["by_twenties"].items() for _ in range(times)]
                ended, shots = naive["wins"].get(one.player, []), mine["shots"]
                assert (one.matches, one.won) == (len(ended), sum(won for won, _ in ended))
                assert (one.rounds, one.twenties or 0) == (len(rounds), sum(rounds))
                assert (one.shots, one.fouls) == (len(shots), sum(not shot.valid for shot in shots))
                mean = sum(rounds) / len(rounds) if rounds else 0
                if len(rounds) > 1:
                    spread = math.sqrt(sum((n - mean) ** 2 for n in rounds) / (len(rounds) - 1))
                    assert one.spread_of_twenties == pytest.approx(spread, abs=0.0051)
                else:
                    assert one.spread_of_twenties is None
                now = 0
                for won, _ in naive["wins"].get(one.player, []):
                    now = now + 1 if won else 0
                longest = mine["records"].get("wins_in_a_row", (0,))[0]
                assert one.wins_in_a_row == Streaks(longest, now)
            little_by_little = archive.figures()
            for one in little_by_little.players:
                figures = (one.won, one.rounds_won, one.twenties or 0)
                better = [o for o in little_by_little.players if (o.won, o.rounds_won, o.twenties or 0) > figures]
                assert one.place == 1 + len(better)
            history_path(journal).unlink()
        with closing(Journal(table.journal.path)) as journal, closing(Archive(journal)) as archive:
            archive.upkeep.catch_up()
            assert archive.figures() == little_by_little, "the tables made anew have the same figures"
