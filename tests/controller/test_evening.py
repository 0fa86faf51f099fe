"""A match that is started from a page reaches the simulated players at once."""

import pytest

from controller.config import Config
from controller.engine import Engine
from controller.journal import Journal
from controller.simulation.evening import SimulatedEvening
from hardware.devices import ManualClock


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
