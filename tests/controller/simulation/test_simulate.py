"""The whole pipeline against what really happened: frames, the hole unit's protocol, referee, rules, journal."""

import json
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
import pytest

from controller import rules
from controller.journal import Journal
from controller.rules.choices import FEWEST_DISCS
from controller.simulation.keeping import Keeper
from controller.simulation.plan import FORMATS, PLAYERS, MatchPlan, plans
from controller.simulation.playing import SimulatedMatch
from controller.simulation.simulate import simulate
from controller.tools.replay import Player, pipeline_in_memory, replay
from controller.vision.watching.eye import Eye
from controller.vision.watching.observations import Observation
from hardware.devices import Frame
from hardware.errors import UnknownFault
from hardware.recording import LINES, read_recording
from hardware.simulated.faults import FAULTS


class ShortPlan(MatchPlan):
    """A match of a few discs, for what does not depend on how many there are."""

    @property
    def start(self) -> dict[str, Any]:
        assert MatchPlan.start.fget is not None
        return {**MatchPlan.start.fget(self), "discs": FEWEST_DISCS}


SLOW = 15.0  # frames per second, for what compares one run with another
SHORT = ShortPlan(0, 11, "nca", {"kind": "rounds", "rounds": 1})


@pytest.fixture(scope="module")
def chosen():
    return [SHORT, replace(SHORT, number=1, seed=41, faults=("bounce", "changing-light"))]


@pytest.fixture(scope="module")
def played(chosen):
    return simulate(chosen)


def test_rounds_are_followed_without_a_human_touch(played):
    assert played["shots"] == played["verdicts_right"] + played["verdicts_wrong"] == 24
    assert (played["rounds"], played["rounds_exact"], played["touched"]) == (2, 2, 0)
    assert played["verdicts_right"] >= 23
    for nothing in ("twenties_missed", "twenties_extra", "silent_wrong_discs", "silent_wrong_rounds", "events_lost"):
        assert played[nothing] == 0, nothing
    assert played["latency"]["to_verdict_ms"]["p99"] < 1000
    assert played["by"]["fault"]["none"]["shots"] == played["by"]["fault"]["bounce"]["shots"] == 12


def test_four_each_for_themselves_are_followed_as_two_are():
    played = simulate([replace(SHORT, seed=2, rules="family", players="four")])
    assert played["shots"] == played["verdicts_right"] == played["by"]["players"]["four"]["shots"] == 24
    assert (played["rounds"], played["rounds_exact"], played["asked"], played["touched"]) == (1, 1, 0, 0)


def test_players_anywhere_are_followed_from_when_the_lamps_go_on(tmp_path):
    plan = replace(SHORT, seed=12)
    truth = plan.truth
    assert (truth["quarter"], truth["begins"], truth["lamps_on"]) == (1, 3, 10.3)
    assert truth["seats"] == {"1": "A at the left", "3": "B at the right"}
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        counts = SimulatedMatch(journal, plan, 30.0, None).play().counts
        (started,) = (entry.body for entry in journal.events(1) if entry.kind == "match_started")
    assert started["starter"] == "B"
    assert (counts.shots, counts.verdicts_right, counts.rounds_exact) == (12, 12, 1)
    assert counts.seats_wrong == counts.seats_unknown == 0
    assert counts.silent_wrong_discs == counts.twenties_missed == counts.twenties_extra == 0


def test_any_number_of_jobs_counts_the_same(played, chosen):
    again = simulate(chosen, jobs=2)
    for same in ("by", "bounds", "shots", "frames", "reads", "simulated_seconds", "arranged", "wrong_rounds"):
        assert again[same] == played[same], same


def journal_of(plan: MatchPlan, folder: Path, *, keep: bool) -> list[Any]:
    """Every event of a match, without the names of pictures. Where nothing is kept, somebody looks now and then."""
    folder.mkdir()
    with closing(Journal(folder / "journal.sqlite")) as journal:
        match = SimulatedMatch(journal, plan, SLOW, Keeper(folder / "whole", plan) if keep else None)
        look = match._pipeline.look

        def peek(frame: Frame) -> list[Observation]:
            if not keep and frame.number % 20 == 0:
                frame.full()
            return look(frame)

        match._pipeline.look = peek  # type: ignore[method-assign]
        match.play()
        written = json.dumps([[entry.kind, entry.at, entry.body] for entry in journal.events(1)], sort_keys=True)
    return list(json.loads(written, object_hook=lambda one: {k: v for k, v in one.items() if k != "frame"}))


def test_the_same_seed_plays_the_same_match_kept_looked_at_and_in_any_process(tmp_path, monkeypatch):
    plan = replace(SHORT, seed=5, faults=("bounce", "haste", "returned-discs", "two-shots"))
    kept = journal_of(plan, tmp_path / "kept", keep=True)
    monkeypatch.setenv("PYTHONHASHSEED", "77")  # sets of names have another order in a process of their own
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        looked = pool.submit(journal_of, plan, tmp_path / "looked", keep=False).result()
    assert len(kept) > 12
    assert looked == kept


def test_a_kept_round_replays_to_the_same_shots(tmp_path):
    plan = replace(SHORT, seed=5, faults=("haste", "lights-off", "nudged", "stuck", "bumped-board"))
    keeper = Keeper(tmp_path / "whole", plan)
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        (played,) = SimulatedMatch(journal, plan, SLOW, keeper).play().rounds
    keeper.keep(tmp_path, [played])
    folder = tmp_path / f"{plan.title}-round-1"
    report = json.loads((folder / "wrong.json").read_text())
    assert report["seed"] == plan.seed
    assert report["truth"] == plan.truth
    assert len(list(replay(folder))) >= 9
    with pipeline_in_memory(Eye(), json.loads((folder / LINES).read_text().splitlines()[0])["journal"]) as pipeline:
        player = Player(pipeline, "trust")
        for entry in read_recording(folder):
            list(player.play(entry))
        assert pipeline.engine.state is not None
        shots = pipeline.engine.state.game.all_rounds[0].shots
    assert len(shots) >= 9
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


def seen_at(plan: MatchPlan) -> list[str]:
    """On which side of the picture each player is, in the order of play."""
    return [told.split()[-1] for told in plan.truth["seats"].values()]


def test_everybody_sits_everywhere_and_begins_unless_all_is_straight():
    chosen = plans(300, "all", 1)
    for players in PLAYERS:
        of = [plan for plan in chosen if plan.players == players]
        assert {plan.truth["quarter"] for plan in of} == {0, 1, 2, 3}
        assert {plan.starter for plan in of} == set(of[0].seats)
    assert 30 < sum(plan.truth["lamps_on"] > 0 for plan in chosen) < 70
    doubles = next(plan for plan in chosen if plan.players == "doubles" and plan.starter[0] == 4)
    assert (doubles.start["starter"], doubles.start["seat"]) == ("B", 4)
    around = ["bottom", "left", "top", "right"]
    assert seen_at(doubles) == (around * 2)[doubles.truth["quarter"] :][:4]
    threes = [seen_at(plan) for plan in chosen if plan.players == "three"]
    turns = [[(around.index(b) - around.index(a)) % 4 for a, b in pairwise(three)] for three in threes]
    assert {tuple(turn) for turn in turns} == {(1, 1), (1, 2), (2, 1)}  # clockwise, with any side but seat 1's empty
    for plan, straight in zip(chosen, plans(300, "all", 1, hung="straight"), strict=True):
        assert straight == replace(plan, hung="straight")
        assert (straight.truth["quarter"], straight.truth["askew"], straight.truth["lamps_on"]) == (0, 0, 0)
        assert straight.start["starter"] == "A"


def test_an_unknown_fault_or_rule_set_is_named():
    with pytest.raises(UnknownFault, match="gremlins"):
        plans(1, "nca", 1, ("gremlins",))
    with pytest.raises(rules.UnknownRuleSet, match="marbles"):
        plans(1, "marbles", 1)
