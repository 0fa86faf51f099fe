"""What holds for every shot, every board and every rule set; and the engine against the naive judge, shot by shot.

RULES_SHOTS=100000 runs the full comparison.
"""

import os
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rules import Format, Match, judge, judgement_of, read, rule_set, rule_sets, write

from .naive_judge import SOURCES, naive
from .shots_at_random import random_board, random_round, random_shot
from .test_match import annulled

thorough = settings(max_examples=60)
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
        undone = annulled(match)
        assert undone.round.board == before.round.board
        assert undone.round.totals == before.round.totals
        assert undone.round.shots_left == before.round.shots_left
        assert undone.round.to_shoot == before.round.to_shoot


SHOTS = int(os.environ.get("RULES_SHOTS", "2000"))
SEED = int(os.environ.get("RULES_SEED", "20"))


def test_every_rule_set_has_its_naive_judge():
    assert set(SOURCES) == {rules.id for rules in rule_sets()}


@pytest.mark.parametrize("id", SOURCES)
def test_the_engine_judges_by_the_sources_text(id):
    rng, rules = Random(f"{SEED} {id}"), rule_set(id)
    seen = {"valid": 0, "no_opponent_contact": 0, "not_in_fifteen": 0, "twenty": 0}
    for k in range(SHOTS):
        sides = rng.choice(("AB", "AB", "ABC"))
        board = random_board(rng, sides)
        shot = random_shot(rng, board, rng.choice(sides), "shot")
        if rng.random() < 0.1:
            shot = replace(shot, contacts=(("shot", "in the ditch"), *shot.contacts))
        judged = judge(board, shot, rules)
        why = {removal.disc: removal.why for removal in judged.removed}
        got = judged.valid, judged.reason, why, set(judged.twenties), set(judged.board.discs)
        assert got == naive(board, shot, id), f"RULES_SEED={SEED}, shot {k}: {board} {shot}"
        seen[judged.reason or "valid"] += 1
        seen["twenty"] += len(judged.twenties)
    free = rules.open_board == "free"
    assert all(count > SHOTS / 100 for what, count in seen.items() if not (free and what == "not_in_fifteen")), seen
