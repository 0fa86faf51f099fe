"""The whole pipeline against what really happened: frames, the hole unit's protocol, referee, rules, journal."""

import json
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
import pytest

from controller import rules
from controller.journal import Journal
from controller.rules.choices import FEWEST_DISCS
from controller.simulation.plan import FORMATS, PLAYERS, MatchPlan, plans
from controller.simulation.playing import Keeper, SimulatedMatch
from controller.simulation.simulate import simulate
from controller.tools.replay import RecordingPlayer, engine_in_memory, replay
from controller.vision.watching.background_model import BackgroundModel
from hardware.recording import LINES, read_recording
from hardware.simulated.faults import FAULTS
from tests.slow import slow


class ShortPlan(MatchPlan):
    """A match of a few discs, for what does not depend on how many there are."""

    @property
    def start(self):
        return {**MatchPlan.start.fget(self), "discs": FEWEST_DISCS}


SLOW = 15.0  # frames per second, half a camera's: painting them is much of the work
SHORT = ShortPlan(0, 11, "nca", {"kind": "rounds", "rounds": 1})
KEPT_WITH = ("haste", "lights-off", "nudged", "stuck", "bumped-board", "bounce", "returned-discs", "two-shots")


@pytest.fixture(scope="module")
def chosen():
    return [
        replace(SHORT, seed=12),
        replace(SHORT, number=1, seed=41, faults=("bounce", "changing-light", "ring-at-hole")),
        replace(SHORT, number=2, seed=2, rules="family", players="four"),
    ]


@pytest.fixture(scope="module")
def played(chosen):
    return simulate(chosen, jobs=2, frames_per_second=SLOW)


@slow
def test_rounds_are_followed_without_a_human_touch(played):
    assert played["shots"] == played["verdicts_right"] + played["verdicts_wrong"] == 48
    assert (played["rounds"], played["rounds_exact"], played["touched"]) == (3, 3, 0)
    assert played["verdicts_right"] >= 47
    for nothing in ("twenties_missed", "twenties_extra", "silent_wrong_discs", "silent_wrong_rounds", "events_lost"):
        assert played[nothing] == 0, nothing
    assert played["latency"]["to_verdict_ms"]["p99"] < 1000
    assert (played["by"]["fault"]["none"]["shots"], played["by"]["fault"]["bounce"]["shots"]) == (36, 12)


@slow
def test_four_each_for_themselves_are_followed_as_two_are(played):
    four = played["by"]["players"]["four"]
    assert four["shots"] == four["verdicts_right"] == 24
    assert (four["rounds"], four["rounds_exact"], four["asked"], four["touched"]) == (1, 1, 0, 0)


def test_a_ring_of_lamps_at_the_hole_is_dark_while_a_match_is_watched(played):
    ring = played["by"]["fault"]["ring-at-hole"]
    assert (ring["shots"], ring["verdicts_right"], ring["rounds_exact"]) == (12, 12, 1)


def test_players_anywhere_are_followed_from_when_the_lamps_go_on(chosen, played):
    truth, late = chosen[0].truth, played["by"]["lamps"]["late"]
    assert (truth["quarter"], truth["begins"], truth["lamps_on"]) == (1, 3, 10.3)
    assert truth["seats"] == {"1": "A at the left", "3": "B at the right"}
    assert chosen[0].start["starter"] == "B"
    assert (late["shots"], late["verdicts_right"], late["rounds_exact"]) == (12, 12, 1)
    for nothing in ("seats_wrong", "seats_unknown", "silent_wrong_discs", "twenties_missed", "twenties_extra"):
        assert late[nothing] == 0, nothing


@dataclass
class Kept:
    """A match that was kept as a recording, and what its table made of it."""

    plan: MatchPlan
    folder: Path  # of its round
    events: list[Any]
    shots: tuple[str, ...]


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kept")
    plan = replace(SHORT, seed=5, faults=KEPT_WITH)
    keeper = Keeper(folder / "whole", plan)
    with closing(Journal(folder / "journal.sqlite")) as journal:
        (round_,) = SimulatedMatch(journal, plan, SLOW, keeper).play().rounds
        events = events_of(journal)
    keeper.keep(folder, [round_])
    return Kept(plan, folder / f"{plan.title}-round-1", events, round_.told)


def events_of(journal):
    """Every event of a match, without the names of pictures."""
    written = json.dumps([[entry.kind, entry.at, entry.body] for entry in journal.events(1)], sort_keys=True)
    return list(json.loads(written, object_hook=lambda one: {k: v for k, v in one.items() if k != "frame"}))


def looked_at(plan, folder):
    """The events of a match of which nothing is kept; somebody looks now and then."""
    with closing(Journal(folder / "journal.sqlite")) as journal:
        match = SimulatedMatch(journal, plan, SLOW, None)
        look = match._watcher.process_frame

        def peek(frame):
            if frame.number % 20 == 0:
                frame.full()
            return look(frame)

        match._watcher.process_frame = peek
        match.play()
        return events_of(journal)


@slow
def test_the_same_seed_plays_the_same_match_kept_looked_at_and_in_any_process(kept, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONHASHSEED", "77")  # sets of names have another order in a process of their own
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        looked = pool.submit(looked_at, kept.plan, tmp_path).result()
    assert len(kept.events) > 12
    assert looked == kept.events


@slow
def test_a_kept_round_replays_to_the_same_shots(kept):
    report = json.loads((kept.folder / "wrong.json").read_text())
    assert report["seed"] == kept.plan.seed
    assert report["truth"] == kept.plan.truth
    assert len(list(replay(kept.folder))) >= 9
    journal = json.loads((kept.folder / LINES).read_text().splitlines()[0])["journal"]
    with engine_in_memory(BackgroundModel(), journal) as engine:
        player = RecordingPlayer(engine, "trust")
        for entry in read_recording(kept.folder):
            list(player.play(entry))
        shots = engine.state.game.all_rounds[0].shots
    assert len(shots) >= 9
    assert tuple(f"{s.shot.disc} {s.judgement.reason or 'valid'}" for s in shots) == kept.shots


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


def test_everybody_sits_everywhere_and_begins_unless_all_is_straight():
    chosen = plans(300, "all", 1)
    for players in PLAYERS:
        of = [plan for plan in chosen if plan.players == players]
        assert {plan.truth["quarter"] for plan in of} == {0, 1, 2, 3}
        assert {plan.starter for plan in of} == set(of[0].seats)
    assert 30 < sum(plan.truth["lamps_on"] > 0 for plan in chosen) < 70
    doubles = next(plan for plan in chosen if plan.players == "doubles" and plan.starter[0] == 4)
    assert (doubles.start["starter"], doubles.start["seat"]) == ("B", 4)
    for plan, straight in zip(chosen, plans(300, "all", 1, hung="straight"), strict=True):
        assert straight == replace(plan, hung="straight")
        assert (straight.truth["quarter"], straight.truth["askew"], straight.truth["lamps_on"]) == (0, 0, 0)
        assert straight.start["starter"] == "A"
