"""The whole pipeline against what really happened: frames, the hole unit's protocol, referee, rules, journal."""

import json
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from controller import rules
from controller.journal import Journal
from controller.replay import Player, engine_in_memory, replay
from controller.simulation.keeping import Keeper
from controller.simulation.plan import FORMATS, PLAYERS, MatchPlan, plans
from controller.simulation.playing import SimulatedMatch
from controller.simulation.simulate import simulate
from controller.vision.eye import Eye
from hardware.errors import UnknownFault
from hardware.recording import LINES, read_recording
from hardware.simulated.faults import FAULTS

ROUND = MatchPlan(0, 11, "nca", {"kind": "rounds", "rounds": 1})


@pytest.fixture(scope="module")
def chosen() -> list[MatchPlan]:
    return [ROUND, replace(ROUND, number=1, seed=41, faults=("bounce", "changing-light"))]


@pytest.fixture(scope="module")
def played(chosen: list[MatchPlan]) -> dict[str, Any]:
    return simulate(chosen)


def test_rounds_are_followed_without_a_human_touch(played):
    assert played["shots"] == played["verdicts_right"] + played["verdicts_wrong"] == 32
    assert (played["rounds"], played["rounds_exact"], played["touched"]) == (2, 2, 0)
    assert played["verdicts_right"] >= 31
    for nothing in ("twenties_missed", "twenties_extra", "silent_wrong_discs", "silent_wrong_rounds", "events_lost"):
        assert played[nothing] == 0, nothing
    assert played["latency"]["to_verdict_ms"]["p99"] < 1000
    assert played["by"]["fault"]["none"]["shots"] == played["by"]["fault"]["bounce"]["shots"] == 16


def test_four_each_for_themselves_are_followed_as_two_are():
    played = simulate([replace(ROUND, seed=2, rules="family", players="four")])
    assert played["shots"] == played["verdicts_right"] == played["by"]["players"]["four"]["shots"] == 24
    assert (played["rounds"], played["rounds_exact"], played["asked"], played["touched"]) == (1, 1, 0, 0)


def test_any_number_of_jobs_counts_the_same(played, chosen):
    again = simulate(chosen, jobs=2)
    for same in ("by", "bounds", "shots", "frames", "reads", "simulated_seconds", "wrong_rounds"):
        assert again[same] == played[same], same


def test_a_kept_round_replays_to_the_same_shots(tmp_path):
    plan = replace(ROUND, seed=5, faults=("haste", "lights-off", "nudged", "stuck", "bumped-board"))
    keeper = Keeper(tmp_path / "whole", plan)
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        (played,) = SimulatedMatch(journal, plan, 30.0, keeper).play().rounds
    keeper.keep(tmp_path, [played])
    folder = tmp_path / f"{plan.title}-round-1"
    assert json.loads((folder / "wrong.json").read_text())["seed"] == plan.seed
    assert len(list(replay(folder))) >= 12
    with engine_in_memory(json.loads((folder / LINES).read_text().splitlines()[0])["journal"]) as engine:
        player = Player(engine, Eye(), "trust")
        for entry in read_recording(folder):
            list(player.play(entry))
        assert engine.state is not None
        shots = engine.state.game.all_rounds[0].shots
    assert len(shots) >= 12
    assert tuple(f"{s.shot.disc} {s.judgement.reason or 'valid'}" for s in shots) == played.told


def test_every_plan_has_its_own_seed_and_half_have_random_faults():
    chosen = plans(300, "all", 1, ("random",))
    assert len({plan.seed for plan in chosen}) == 300
    assert {plan.rules for plan in chosen} == {one.id for one in rules.rule_sets()}
    assert {plan.players for plan in chosen} == set(PLAYERS)
    sides = {plan.players: len(plan.start["sides"]) for plan in chosen}
    assert sides == {"singles": 2, "doubles": 2, "three": 3, "four": 4}
    assert {plan.format["kind"] for plan in chosen if plan.format} == {one["kind"] for one in FORMATS}
    assert sum(bool(plan.faults) for plan in chosen) == 150
    assert {fault for plan in chosen for fault in plan.faults} == set(FAULTS)
    assert plans(20, "all", 1, ("random",)) == chosen[:20]


def test_an_unknown_fault_or_rule_set_is_named():
    with pytest.raises(UnknownFault, match="gremlins"):
        plans(1, "nca", 1, ("gremlins",))
    with pytest.raises(rules.UnknownRuleSet, match="marbles"):
        plans(1, "marbles", 1)
