"""The referee over observations that are made by hand here, and the fit of the table from what was counted."""

import pickle

import pytest

from controller import rules
from controller.journal import Journal
from controller.match.events import MatchStarted
from controller.match.fold import new_game
from controller.referee.evidence import FILE, SECTIONS, TABLE, document
from controller.simulation.plan import MatchPlan, plans
from controller.vision.readings import BoardReading
from controller.vision.watching.observations import BoardRead, GateChanged
from hardware.devices import HoleEvent
from hardware.simulated.scene import RestingDisc, TrueShot
from tests.bench.evidence import Tally, fitted
from tests.bench.evidence_sensitivity import changes, told
from tests.bench.observed import Input, Observed, ObservedMatch, keep, kept
from tests.bench.referee import told_by
from tests.controller.fed_table import START, a, b


def round_of_two_shots() -> Observed:
    """A disc is shot to the 15, and knocked off by the next one."""
    started = MatchStarted.model_validate({"rules": "nca", "sides": START["sides"]})
    truth = [new_game(started)]
    truth.append(truth[-1].play(rules.Shot("A", "a1", (), {"a1": rules.Placed(0.0, 60.0)})))
    second = rules.Shot("B", "b1", (("b1", "a1"),), {"b1": rules.Placed(10.0, 55.0), "a1": rules.DITCH})
    truth.append(truth[-1].play(second))
    boards = [(), (a(0, 60),), (b(10, 55), a(320, 130, "ditch"))]
    inputs = [Input("command", ({**START, "doubles": False},), 0.0, truth[0])]
    for k, discs in enumerate(boards):
        t = 8.0 * (k + 1)
        if k:
            inputs += [
                Input("flicked", (), t - 2, truth[k]),
                Input("observed", (GateChanged(t - 2, "hand"),), t - 2, truth[k]),
            ]
        inputs.append(Input("observed", (GateChanged(t, "still"),), t, truth[k]))
        inputs.append(Input("observed", (BoardRead(t, BoardReading(discs, t=t), None),), t, truth[k]))  # type: ignore[arg-type]
    shots = (
        TrueShot(14.0, "A", "a1", (), {"a1": RestingDisc((0.0, 60.0))}),
        TrueShot(22.0, "B", "b1", (("b1", "a1"),), {"b1": RestingDisc((10.0, 55.0)), "a1": RestingDisc("ditch")}),
    )
    plan = MatchPlan(0, 1, "nca")
    return Observed(plan, tuple(inputs), shots, {(1, "a1"): 14.0, (1, "b1"): 22.0}, truth[-1])


def test_the_referee_is_scored_by_the_truth():
    told = told_by(round_of_two_shots())
    assert (told.counts.shots, told.counts.verdicts_right, told.counts.false_events) == (2, 2, 0)
    assert told.boards == 3


def test_wrong_statements_are_counted(tmp_path):
    observed = round_of_two_shots()
    without_last = Observed(observed.plan, observed.inputs[:-1], observed.shots, observed.rested, observed.truth)
    told = told_by(without_last)
    assert (told.counts.shots, told.counts.verdicts_right) == (2, 1)


def test_what_a_match_gives_its_pipeline_is_kept_in_order(tmp_path):
    (plan,) = plans(1, "nca", seed=1)
    journal = Journal(tmp_path / "journal.sqlite")
    match = ObservedMatch(journal, plan)
    pipeline = match._pipeline
    pipeline.hole_changed(HoleEvent(1.0, occupied=True, stream=1, sequence=1))
    pipeline.camera_changed("unplugged")
    pipeline.command({"do": "pause"})
    journal.close()
    assert [one.does for one in match.inputs] == ["command", "hole", "camera", "command"]


def test_matches_that_are_kept_come_back_as_they_were(tmp_path, monkeypatch):
    observed = round_of_two_shots()
    monkeypatch.setattr("tests.bench.observed.ObservedMatch.__init__", lambda self, journal, plan: None)
    monkeypatch.setattr("tests.bench.observed.ObservedMatch.observed", lambda self: observed)
    keep(tmp_path, observed.plan)
    (again,) = kept(tmp_path)
    assert again == observed
    assert list(kept(tmp_path, [7])) == []
    assert pickle.dumps(again.plan) == pickle.dumps(observed.plan)


def test_a_row_is_fitted_where_enough_was_counted():
    tally = Tally()
    for k in range(100):
        tally.count("shot in hole", k < 10)
    for _ in range(19):
        tally.count("shot off", happened=True)
    hole = fitted(TABLE["shot in hole"], tally, "fitted, here")
    assert hole.value == pytest.approx(10.5 / 101, abs=1e-4)
    assert hole.low is not None
    assert hole.high is not None
    assert hole.low < hole.value < hole.high
    assert (hole.unit, hole.source, hole.sample) == ("probability", "fitted, here", 100)
    assert fitted(TABLE["shot off"], tally, "fitted, here").source != "fitted, here"
    assert fitted(TABLE["still"], tally, "fitted, here").source.startswith("judged")


def test_the_table_is_written_as_it_was_read():
    assert document(SECTIONS) == FILE.read_text(encoding="utf-8")


def test_a_row_that_is_varied_shows_what_it_changes_and_is_as_it_was(monkeypatch):
    observed, value = round_of_two_shots(), TABLE["shot rests"].value
    before = told(observed)
    assert len(before.shots) == 2
    monkeypatch.setattr("tests.bench.evidence_sensitivity.FACTORS", (0.9, 1e-15))
    hardly_less, _, never, _ = changes("shot rests", [observed], [before])
    assert hardly_less == 0
    assert never > 0, "then nothing that lies there was shot"
    assert TABLE["shot rests"].value == value
    assert told(observed).differs(before) == (0, 0)
