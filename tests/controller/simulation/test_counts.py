"""How sure the figures of `simulate` are."""

from controller.simulation.counts import Counts, share
from controller.simulation.plan import MatchPlan
from controller.simulation.simulate import Sums
from controller.tools.verbs import silence_table


def test_bounds_are_those_of_published_tables():
    assert share(4, 20) == (0.0573, 0.4366)
    assert share(0, 30) == (0.0, 0.1157)
    assert share(0, 0) == (0.0, 1.0)


def test_what_was_silently_wrong_is_reported_by_players_rules_and_faults():
    sums = Sums()
    plan = MatchPlan(0, 1, "nca", players="doubles", faults=("bounce", "sleeve"))
    sums.add(plan, Counts(rounds=20, shots=300, silent_wrong_rounds=4, silent_wrong_discs=1))
    sums.add(MatchPlan(1, 2, "family", players="four"), Counts(rounds=10, shots=200))
    report = {**sums.total.report(), "bounds": sums.total.bounds(), "by": sums.by()}
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in silence_table(report)]
    cells = {row[0]: row[1:] for row in rows[2:]}
    assert set(cells) == {
        *("all", "players doubles", "players four", "rules nca", "rules family"),
        *("fault bounce", "fault sleeve", "fault none"),
    }
    assert cells["fault sleeve"] == cells["players doubles"]
    assert cells["fault sleeve"] == ["20", "4", "5.73% to 43.66%", "300", "1", "0.01% to 1.84%"]
    assert cells["all"][:2] == ["30", "4"]
    assert cells["rules family"] == ["10", "0", "0.00% to 30.85%", "200", "0", "0.00% to 1.83%"]
