"""A match that is started from a page reaches the simulated players at once."""

import pytest

from controller.config import Config
from controller.journal import Journal
from controller.simulation.evening import SimulatedEvening, own_match
from controller.table.engine import Engine
from hardware.devices import ManualClock
from hardware.simulated.lens import CameraPose
from tests.controller.evening import Onlooker


@pytest.fixture
def evening(tmp_path):
    journal = Journal(tmp_path / "journal.sqlite")
    engine, clock = Engine(journal, wall=lambda: 0.0), ManualClock()
    yield engine, SimulatedEvening(Config(), engine, clock)
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
    engine.command({"do": "correct_round", "match": 1, "round": 1, "twenties": {"A": 1}})
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
        poses.append(SimulatedEvening(config, engine, ManualClock()).setting.pose)
        engine.command({"do": "correct_round", "round": 1, "twenties": {"A": 1}})
        journal.close()
    assert poses[0] == poses[1] != CameraPose()


class Demo:
    """The simulated table as `run` plays it, but seen without a camera's pictures."""

    def __init__(self, folder, seed):
        self.journal = Journal(folder / "journal.sqlite")
        self.engine = Engine(self.journal, wall=lambda: 0.0)
        simulated = {"seed": seed, "hung": "straight", "frames_per_second": 12}
        config = Config.model_validate({"simulated": simulated})
        self.evening = SimulatedEvening(config, self.engine, ManualClock())
        self.asked = []
        self.engine.on_happened.append(lambda events, state: self._note(events))
        self._onlooker = Onlooker(self.engine, seed)
        self._frames = self.evening.setting.frames(lambda event: self.engine.hole_changed(event))

    def do(self, do, **command):
        self.engine.command({"do": do, **command, "by": "phone"})

    def _note(self, events):
        asked = (e.case for e in events if e.kind == "question_asked" and e.what != "close_call")
        self.asked += [case for case in asked if case != "ended_short"]  # which a scorer's own command asks

    @property
    def state(self):
        return self.engine.state

    @property
    def played(self):
        """The round and its shots, as the table has them."""
        return self.state.game.round.number, len(self.state.game.round.shots)

    def until(self, wanted, seconds=300.0):
        """Let time pass until something holds."""
        end = self.evening.setting.table.t + seconds
        while not wanted():
            frame = next(self._frames)
            self._onlooker.look(frame.t, self.evening.setting.table.scene())
            assert frame.t < end, f"not within {seconds} s; round and shots: {self.played}"

    def agrees(self):
        """Whether the players hold for true what the table shows, shot by shot."""
        ours, theirs = self.state.game.round, self.evening.setting.umpire.match.round
        return (ours.number, len(ours.shots), ours.totals) == (theirs.number, len(theirs.shots), theirs.totals)

    def goes_on(self, shots=3):
        """Some more shots without any question, and everybody agrees."""
        begin = self.played
        self.until(lambda: self.played[0] > begin[0] or self.played[1] >= begin[1] + shots)
        self.until(self.agrees, 60.0)
        assert self.asked == []
        assert self.state.strangers == ()


@pytest.fixture
def demo(tmp_path, request):
    demo = Demo(tmp_path, getattr(request, "param", 1))
    yield demo
    demo.evening.setting.close()
    demo.journal.close()


SEEDS = pytest.mark.parametrize("demo", [4, 12], indirect=True, ids=str)
"""Evenings whose first round, left alone, asks nothing: a question is the command's doing."""


@SEEDS
@pytest.mark.parametrize(("command", "left"), [("undo", (1, 3)), ("end_round", (2, 0))], ids=["undo", "end_round"])
def test_the_players_play_on_from_what_the_scorer_did(demo, command, left):
    """An undone shot is taken off and shot again; after a round that was ended the board is swept."""
    demo.until(lambda: demo.played[1] >= 4)
    demo.do(command)
    assert demo.played == left
    demo.goes_on()


@SEEDS
def test_an_end_of_a_round_that_is_undone_at_once_ends_nothing(demo):
    demo.until(lambda: demo.played[1] >= 4)
    demo.do("end_round")
    now = demo.evening.setting.table.t
    demo.until(lambda: demo.evening.setting.table.t > now + 0.5)
    demo.do("undo")
    assert demo.played[0] == 1
    demo.goes_on()


@SEEDS
def test_the_players_wait_while_the_table_is_paused(demo):
    demo.until(lambda: demo.played[1] >= 2)
    demo.do("pause")
    flicked = len(demo.evening.setting.table.truth.shots)
    end = demo.evening.setting.table.t + 60.0
    demo.until(lambda: demo.evening.setting.table.t > end - 1)
    assert len(demo.evening.setting.table.truth.shots) <= flicked + 1, "at most the one that was on its way"
    demo.do("resume")
    demo.goes_on()


@SEEDS
def test_what_people_correct_the_players_take_for_right(demo):
    demo.until(lambda: demo.played[1] >= 3 and demo.state.on_board)
    disc, lies = next(iter(demo.state.on_board.items()))
    demo.do("correct_disc", disc=disc, at=[lies.x + 2, lies.y])
    demo.goes_on()
