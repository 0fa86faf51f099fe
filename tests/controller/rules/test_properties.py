"""What holds for every shot, every board and every rule set."""

import math
from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.rules import (
    Disc,
    Format,
    Match,
    Placed,
    Position,
    Shot,
    judge,
    judgement_of,
    read,
    rule_sets,
    write,
    zone,
)

from .shots_at_random import random_board, random_round, random_shot

# No deadline: what a busy machine takes says nothing of the rules.
thorough = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
RULES = st.sampled_from(rule_sets())
RANDOM = st.randoms(use_true_random=False)


def scenes(sides="AB"):
    def scene(rng):
        board = random_board(rng, sides, most=8)
        return board, random_shot(rng, board, rng.choice(sides), "shot")

    return RANDOM.map(scene)


SCENES = st.one_of(scenes(), scenes("ABC"))


@thorough
@given(SCENES, RULES)
def test_nothing_appears_or_vanishes(scene, rules):
    board, shot = scene
    judged = judge(board, shot, rules)
    gone = [removal.disc for removal in judged.removed]
    assert len(gone) == len(set(gone))
    assert set(judged.board.discs) | set(gone) == set(board.discs) | {shot.disc}
    assert not set(judged.board.discs) & set(gone)
    for id, disc in judged.board.discs.items():
        assert disc.side == (board.discs[id].side if id in board else shot.side)
        if id not in shot.rest:
            assert disc == board.discs[id]


@thorough
@given(SCENES, RULES)
def test_a_removed_disc_never_scores(scene, rules):
    board, shot = scene
    judged = judge(board, shot, rules)
    assert all(zone(disc.x, disc.y) > 0 for disc in judged.board.discs.values())
    banked = {removal.disc for removal in judged.removed if removal.why == "twenty"}
    assert banked == set(judged.twenties)
    assert judged.valid == (judged.reason is None)
    if judged.valid:
        assert all(removal.why != "foul" for removal in judged.removed)


@thorough
@given(SCENES, RULES)
def test_a_foul_takes_own_discs_only(scene, rules):
    board, shot = scene
    for removal in judge(board, shot, rules).removed:
        if removal.why == "foul":
            assert removal.disc == shot.disc or board.discs[removal.disc].side == shot.side


@thorough
@given(SCENES, RULES)
def test_judging_is_idempotent(scene, rules):
    board, shot = scene
    judged = judge(board, shot, rules)
    assert judge(board, shot, rules) == judged
    # a further shot that touches nothing finds nothing more to remove
    bystander = Shot(shot.side, "next", (), {"next": Placed(0.0, 325.0)})
    if all(math.hypot(disc.x, disc.y - 325.0) > 32 for disc in judged.board.discs.values()):
        assert judge(judged.board, bystander, rules).board == judged.board


def moved(board, shot, turn):
    """The same scene seen after `turn`, which maps places to places and keeps distances."""

    def there(thing):
        x, y = turn(thing.x, thing.y)
        return replace(thing, x=x, y=y)

    rest = {id: there(where) if isinstance(where, Placed) else where for id, where in shot.rest.items()}
    return Position({id: there(disc) for id, disc in board.discs.items()}), replace(shot, rest=rest)


# Whole quarter turns and mirrors keep every number exact, so that a disc on a line stays on it.
TURNS = [lambda x, y: (-y, x), lambda x, y: (-x, -y), lambda x, y: (y, -x), lambda x, y: (-x, y), lambda x, y: (y, x)]


def verdict(judged):
    return judged.valid, judged.reason, judged.removed, judged.twenties, judged.deciding


@thorough
@given(SCENES, RULES, st.sampled_from(TURNS))
def test_turning_or_mirroring_the_board_changes_nothing(scene, rules, turn):
    assert verdict(judge(*moved(*scene, turn), rules)) == verdict(judge(*scene, rules))


@thorough
@given(scenes(), RULES, st.floats(0.0, 2 * math.pi))
def test_turning_the_board_by_any_angle_changes_nothing(scene, rules, angle):
    def turn(x, y):
        return x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)

    assert verdict(judge(*moved(*scene, turn), rules)) == verdict(judge(*scene, rules))


@thorough
@given(scenes(), RULES)
def test_swapping_the_sides_swaps_the_result(scene, rules):
    board, shot = scene
    other = {"A": "B", "B": "A"}
    swapped = Position({id: replace(disc, side=other[disc.side]) for id, disc in board.discs.items()})
    judged, mirrored = judge(board, shot, rules), judge(swapped, replace(shot, side=other[shot.side]), rules)
    assert verdict(mirrored) == verdict(judged)
    assert {id: other[disc.side] for id, disc in judged.board.discs.items()} == {
        id: disc.side for id, disc in mirrored.board.discs.items()
    }


@thorough
@given(scenes(), RULES)
def test_a_disc_that_nothing_touched_does_not_matter_to_its_own_side(scene, rules):
    """An own disc far from everything changes neither verdict nor removals."""
    board, shot = scene
    bystander = Disc(shot.side, 0.0, 270.0)
    placed = [rest for rest in shot.rest.values() if isinstance(rest, Placed)]
    if any(math.hypot(thing.x, thing.y - 270.0) < 32 for thing in (*board.discs.values(), *placed)):
        return
    crowded = Position({**board.discs, "far": bystander})
    assert verdict(judge(crowded, shot, rules)) == verdict(judge(board, shot, rules))


FORMATS = [Format("points", target=60), Format("rounds", rounds=2, games=2, tie="twenties"), Format("race", target=3)]


@settings(thorough, max_examples=20)
@given(RANDOM, RULES, st.sampled_from(FORMATS), st.sampled_from([("AB", False), ("AB", True), ("ABC", False)]))
def test_any_match_keeps_its_invariants(rng, rules, format, players):
    sides, doubles = players
    match = Match.start(rules, format, tuple(sides), rng.choice(sides), discs=6, doubles=doubles)
    for _ in range(3):
        match = random_round(rng, match)
        round = match.round
        on_board_and_banked = len(round.board) + sum(map(len, round.twenties.values()))
        assert on_board_and_banked <= len(round.shots) == 6 * len(sides)
        for side in sides:
            assert round.totals[side] % 5 == 0
            assert 0 <= round.totals[side] <= 20 * 6
        assert match.score == {side: sum(r.awarded[side] for r in match.rounds) for side in sides}
        if format.kind == "points":
            assert min(round.awarded.values()) == 0
        elif len(sides) == 2:
            assert sum(round.awarded.values()) == 2
        if match.over:
            break
        match = match.next_round()
    again = read(write(match))
    assert again == match
    assert judgement_of(again) == judgement_of(match)


@pytest.mark.parametrize("seed", range(3))
def test_swapping_the_sides_of_a_match_swaps_its_result(seed):
    match = random_round(Random(seed), Match.start("nca", starter="A"))
    other = {"A": "B", "B": "A"}
    mirrored = Match.start("nca", starter="B")
    for played in match.round.shots:
        mirrored = mirrored.play(replace(played.shot, side=other[played.shot.side]))
    assert mirrored.round.totals == {other[side]: total for side, total in match.round.totals.items()}
    assert mirrored.score == {other[side]: points for side, points in match.score.items()}


@settings(thorough, max_examples=30)
@given(RANDOM, RULES)
def test_annulling_the_last_shot_restores_the_board(rng, rules):
    match = Match.start(rules, discs=6, starter="A")
    for k in range(4):
        side = match.round.to_shoot
        before, match = match, match.play(random_shot(rng, match.round.board, side, f"d{k}"))
        undone = match.annul()
        assert undone.round.board == before.round.board
        assert undone.round.totals == before.round.totals
        assert undone.round.shots_left == before.round.shots_left
        assert undone.round.to_shoot == before.round.to_shoot
