"""A match that is started from a page reaches the simulated players at once."""

import pytest

from controller.config import Config
from controller.engine import Engine
from controller.journal import Journal
from controller.simulation.evening import SimulatedEvening, own_match
from hardware.devices import ManualClock
from hardware.simulated.lens import CameraPose


@pytest.fixture
def evening(tmp_path):
    journal = Journal(tmp_path / "journal.sqlite")
    engine, clock = Engine(journal, wall=lambda: 0.0), ManualClock()
    yield engine, SimulatedEvening(Config(), engine, clock, {}, lambda gap: None)
    journal.close()


def test_the_players_play_the_match_that_was_started_from_the_next_frame_on(evening):
    engine, table = evening
    frames = table.setting.frames(lambda event: None)
    next(frames)
    sides = [{"name": "Ann", "colour": "red"}, {"name": "Bo", "colour": "blue"}]
    engine.command({"do": "start", "rules": "family", "sides": sides, "starter": "B", "by": "phone"})
    next(frames)
    playing = table.setting.umpire.match
    assert playing.terms.rules.id == "family"
    assert playing.round.to_shoot == "B"
    assert [side.name for side in playing.terms.sides] == ["Ann", "Bo"]
    table.setting.close()


def test_a_correction_of_an_earlier_match_leaves_the_players_alone(evening):
    engine, table = evening
    frames = table.setting.frames(lambda event: None)
    next(frames)
    engine.command({"do": "start", "rules": "nca", "sides": [{"name": "1"}, {"name": "2"}]})
    next(frames)
    playing = table.setting.umpire
    engine.command({"do": "correct_twenties", "match": 1, "round": 1, "side": "A", "value": 1})
    next(frames)
    assert table.setting.umpire is playing
    table.setting.close()


def test_either_side_begins_unless_the_starter_is_configured_or_all_is_straight():
    def begins(**sections):
        return own_match(Config.model_validate(sections)).get("starter")

    assert {begins(simulated={"seed": seed}) for seed in range(20)} == {"A", "B"}
    assert {begins(simulated={"seed": seed}, match={"starter": "B"}) for seed in range(20)} == {"B"}
    assert {begins(simulated={"seed": seed, "hung": "straight"}) for seed in range(20)} == {"A"}
    assert begins(camera={"device": "folder:evening"}) is None


def test_camera_and_players_stay_where_they_are_when_the_service_starts_again(tmp_path):
    config = Config.model_validate({"simulated": {"seed": 6}})
    poses = []
    for _ in range(2):
        journal = Journal(tmp_path / "journal.sqlite")
        engine = Engine(journal, wall=lambda: 0.0)
        poses.append(SimulatedEvening(config, engine, ManualClock(), {}, lambda gap: None).setting.pose)
        engine.command({"do": "correct_twenties", "round": 1, "side": "A", "value": 1})
        journal.close()
    assert poses[0] == poses[1] != CameraPose()
