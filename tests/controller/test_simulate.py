"""The whole pipeline against what really happened: frames, the hole unit's protocol, referee, rules, journal."""

from dataclasses import replace

import pytest

from controller import rules
from controller.replay import replay
from controller.simulation.counts import Counts
from controller.simulation.plan import FORMATS, PLAYERS, MatchPlan, plans
from controller.simulation.playing import play
from controller.simulation.simulate import simulate
from hardware.errors import UnknownFault
from hardware.simulated.faults import FAULTS

ROUND = MatchPlan(0, 11, "nca", {"kind": "rounds", "rounds": 1})


def sound(counts: Counts) -> None:
    """What must hold of any match, with faults or without: nothing is lost, and no error is silent."""
    assert counts.shots == counts.verdicts_right + counts.verdicts_wrong
    assert counts.events_lost == 0
    assert counts.silent_wrong_rounds == 0
    assert counts.frames > 1000


def test_a_round_is_followed_without_a_human_touch():
    counts = play(ROUND).counts
    sound(counts)
    assert (counts.rounds, counts.rounds_exact, counts.touched) == (1, 1, 0)
    assert counts.shots == 16
    assert counts.verdicts_right >= 15
    assert (counts.twenties_missed, counts.twenties_extra, counts.silent_wrong_discs) == (0, 0, 0)
    assert len(counts.latencies) >= 12
    assert max(counts.latencies) < 1.0


def test_any_number_of_jobs_counts_the_same():
    chosen = [replace(ROUND, number=k, seed=40 + k, faults=("bounce", "changing-light")) for k in range(2)]

    def figures(jobs: int) -> dict[str, object]:
        report = simulate(chosen, jobs=jobs)
        return {name: report[name] for name in ("by", "bounds", "shots", "frames", "reads", "simulated_seconds")}

    assert figures(1) == figures(2)


def test_a_recording_of_a_match_replays_to_the_same_shots(tmp_path):
    plan = replace(ROUND, seed=3, faults=("stuck", "bumped-board", "two-shots", "forgotten-removal", "dead-sensor"))
    played = play(plan, keep=tmp_path)
    assert played.wrong, "choose a seed whose match goes wrong somewhere"
    for verdict in played.wrong:
        lines = list(replay(tmp_path / f"{plan.title}-round-{verdict.number}"))
        told = sum(len(line["shots"]) for line in lines)
        assert told >= 14
        assert lines[-1]["totals"] is not None


def test_every_plan_has_its_own_seed_and_half_have_random_faults():
    chosen = plans(300, "all", 1, ("random",))
    assert len({plan.seed for plan in chosen}) == 300
    assert {plan.rules for plan in chosen} == {one.id for one in rules.rule_sets()}
    assert {plan.players for plan in chosen} == set(PLAYERS)
    assert {plan.format["kind"] for plan in chosen if plan.format} == {one["kind"] for one in FORMATS}
    assert sum(bool(plan.faults) for plan in chosen) == 150
    assert {fault for plan in chosen for fault in plan.faults} == set(FAULTS)
    assert plans(20, "all", 1, ("random",)) == chosen[:20]


def test_an_unknown_fault_or_rule_set_is_named():
    with pytest.raises(UnknownFault, match="gremlins"):
        plans(1, "nca", 1, ("gremlins",))
    with pytest.raises(rules.UnknownRuleSet, match="marbles"):
        plans(1, "marbles", 1)
