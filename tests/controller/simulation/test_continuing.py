"""A long run of simulated matches that is ended and begun again, and how sure its figures are."""

from dataclasses import replace

import pytest

from controller.errors import BadInput
from controller.simulation import simulate as simulation
from controller.simulation.comparison import Counts, RoundVerdict, share
from controller.simulation.plan import MatchPlan, plans
from controller.simulation.playing import Played
from controller.simulation.simulate import Sums
from controller.tools.verbs import silence_table


@pytest.fixture
def file(tmp_path):
    return tmp_path / "matches.jsonl"


@pytest.fixture
def played(monkeypatch):
    """The numbers of the matches that were really played, each in no time."""
    numbers = []

    def play(plan, **_):
        numbers.append(plan.number)
        if plan.number == 3 and numbers.count(3) == 1:
            raise KeyboardInterrupt
        counts = Counts(shots=plan.number + 10, asked=1, latencies=[0.25, 0.1 + plan.number], work=[0.01])
        verdict = RoundVerdict(1, ("A has 1 twenties, told 0",), silent=False, told=("a1 valid",))
        return Played(plan, counts, (verdict,))

    monkeypatch.setattr(simulation, "play", play)
    return numbers


def run(file, *, seed=7, **how):
    report = simulation.simulate(plans(5, "all", seed), continued=file, **how)
    del report["wall_seconds"]
    return report


def test_a_run_that_was_ended_goes_on_where_it_was(file, played):
    with pytest.raises(KeyboardInterrupt):
        run(file)
    assert played == [0, 1, 2, 3]
    report = run(file)
    assert played == [0, 1, 2, 3, 3, 4]
    assert report == run(None)  # as if it had never been ended
    assert report["shots"] == 60


def test_matches_that_end_in_another_order_count_the_same(file, played, monkeypatch):
    played.append(3)  # nothing ends this run
    one_by_one = run(None)
    monkeypatch.setattr(simulation, "_each", lambda task, plans, jobs: map(task, reversed(plans)))
    assert run(file, jobs=2) == run(None, jobs=2) == one_by_one


def test_an_incomplete_line_is_written_again(file, played):
    played.append(3)  # nothing ends this run
    whole = run(file)
    text = file.read_text()
    file.write_text(text[:-40])
    played.clear()
    played.append(3)
    assert run(file) == whole
    assert played == [3, 4]
    assert file.read_text() == text


def test_matches_that_were_played_otherwise_are_played_again(file, played):
    played.append(3)
    run(file)
    for how in ({"film": False}, {"frames_per_second": 60.0}, {"seed": 8}, {"keep": file.parent / "kept"}):
        played.clear()
        played.append(3)
        run(file, **how)
        assert played == [3, 0, 1, 2, 3, 4], how
    played.clear()
    for how in ({}, {"film": False}, {"frames_per_second": 60.0}, {"seed": 8}):
        run(file, **how)
    assert played == []


def test_a_file_that_is_something_else_is_named_and_left_as_it_is(file, played):
    for text in ("a note\n", '{"played": {"plan": 1}}\n', "[]\n"):
        file.write_text(text)
        with pytest.raises(BadInput, match=r"matches\.jsonl, line 1 is not a match written by --continue"):
            run(file)
        assert file.read_text() == text
    file.write_bytes(b"\xff\xfe\n")
    with pytest.raises(BadInput, match="can't be read"):
        run(file)
    with pytest.raises(BadInput, match="can't be"):
        run(file.parent)
    assert played == []


def test_a_plan_is_known_by_everything_that_it_holds(file, played):
    one = plans(1, "all", 7)[0]
    simulation.simulate([one], continued=file)
    simulation.simulate([replace(one, players="four")], continued=file)
    assert played == [0, 0]


def test_bounds_are_those_of_published_tables():
    assert share(4, 20) == (0.0573, 0.4366)
    assert share(0, 30) == (0.0, 0.1157)
    assert share(0, 0) == (0.0, 1.0)


def test_what_was_silently_wrong_is_reported_by_players_rules_and_faults():
    sums = Sums()
    plan = MatchPlan(0, 1, "nca", players="doubles", faults=("bounce", "sleeve"))
    sums.add(plan, Counts(rounds=20, shots=300, silent_wrong_rounds=4, silent_wrong_verdicts=2, silent_wrong_discs=1))
    sums.add(MatchPlan(1, 2, "family", players="four"), Counts(rounds=10, shots=200))
    report = {**sums.total.report(), "bounds": sums.total.bounds(), "by": sums.by()}
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in silence_table(report)]
    cells = {row[0]: row[1:] for row in rows[2:]}
    assert set(cells) == {
        *("all", "players doubles", "players four", "rules nca", "rules family"),
        *("fault bounce", "fault sleeve", "fault none"),
    }
    assert cells["fault sleeve"] == ["20", "300", "4", "5.73% to 43.66%", "2", "0.08% to 2.39%", "1", "0.01% to 1.84%"]
    assert cells["all"][:3] == ["30", "500", "4"]
