"""How fast shots are judged, matches played and records read, on one core."""

import time
from random import Random

from controller.rules import Match, judge, judge_document, rule_set, write
from tests.controller.rules.shots_at_random import random_board, random_round, random_shot

SHOTS = 5000


def run() -> list[tuple[str, float, str]]:
    rng, rules = Random(3), rule_set("nca")
    cases = []
    for _ in range(SHOTS):
        board = random_board(rng, most=15)
        cases.append((board, random_shot(rng, board, "A", "shot")))
    match = Match.start(rules)
    for _ in range(4):
        match = random_round(rng, match)
        match = match if match.over else match.next_round()
    shots = [played.shot for round in match.all_rounds for played in round.shots]
    document = write(match)
    return [
        ("judged shots", SHOTS / _seconds(lambda: [judge(board, shot, rules) for board, shot in cases]), "1/s"),
        ("played shots, totals and score", len(shots) / _seconds(lambda: _play(shots)), "1/s"),
        ("a match record of 64 shots judged", 1000 * _seconds(lambda: judge_document(document)), "ms"),
    ]


def _play(shots):
    match = Match.start("nca")
    for shot in shots:
        match = match.next_round() if match.round.complete else match
        match = match.play(shot)
        assert match.round.totals
        assert match.score


def _seconds(work, times=5):
    taken = []
    for _ in range(times):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)
