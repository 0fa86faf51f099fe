"""The engine against the naive judge, shot by shot. RULES_SHOTS=100000 runs the full comparison."""

import os
from random import Random

import pytest

from controller.rules import judge, rule_set, rule_sets

from .naive_judge import SOURCES, naive
from .shots_at_random import random_board, random_shot

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
        judged = judge(board, shot, rules)
        why = {removal.disc: removal.why for removal in judged.removed}
        got = judged.valid, judged.reason, why, set(judged.twenties), set(judged.board.discs)
        assert got == naive(board, shot, id), f"RULES_SEED={SEED}, shot {k}: {board} {shot}"
        seen[judged.reason or "valid"] += 1
        seen["twenty"] += len(judged.twenties)
    free = rules.open_board == "free"
    assert all(count > SHOTS / 100 for what, count in seen.items() if not (free and what == "not_in_fifteen")), seen
