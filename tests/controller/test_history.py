"""The archive: matches, reviews and figures, from what was really played on a journal."""

import json

import pytest

from controller.errors import BadInput
from controller.history import Archive
from controller.history.summary import VERSION
from controller.rules import nearest_line
from controller.words import encoded
from tests.controller.table import ReadTable, a, b


@pytest.fixture
def archive(table: ReadTable) -> Archive:
    return Archive(table.journal)


def play_round(table: ReadTable) -> None:
    """Black's first disc lies in the 15, Natural's hits it, Black's second sinks; the board is swept."""
    table.see(a(0, 60))
    table.see(a(0, 90), b(20, 70))
    table.see(a(0, 90), b(20, 70), a(0, 0, "in_hole"))
    table.see(a(0, 90), b(20, 70))
    table.do(do="end_round")


def test_a_match_is_listed_with_its_sides_and_rounds(table, archive):
    play_round(table)
    (line,) = archive.matches()["matches"]
    assert (line["id"], line["rules"], line["over"]) == (1, "nca", False)
    assert [side["name"] for side in line["sides"]] == ["Black", "Natural"]
    assert [r["totals"] for r in line["rounds"]] == [table.state.finished[0].totals]
    assert "shots" not in line


def test_a_review_steps_through_every_shot_with_its_rule(table, archive):
    play_round(table)
    document = json.loads(encoded(archive.match(1)))
    first, second, *_ = document["shots"]
    assert [(s["round"], s["number"], s["side"]) for s in (first, second)] == [(1, 1, "A"), (1, 2, "B")]
    assert first["before"] == []
    assert [d["id"] for d in first["after"]] == [first["disc"]]
    assert first["after"] == second["before"]
    assert second["rule"]["choice"] == "opponent_contact"
    assert second["why"][0] == "Valid: it hit Black's disc 1."
    moved = {path["disc"]: path for path in second["paths"]}
    assert moved[first["disc"]] == {"disc": first["disc"], "from": [0, 60], "to": [0, 90]}
    assert moved[second["disc"]]["from"] is None


def test_a_correction_changes_what_is_looked_up_and_is_told(table, archive):
    play_round(table)
    before = archive.matches()["matches"][0]["rounds"][0]["totals"]
    table.do(do="correct_round", round=1, totals={"A": 55, "B": 5}, by="phone", who="one")
    line = archive.matches()["matches"][0]["rounds"][0]
    assert line["totals"] == {"A": 55, "B": 5} != before
    assert line["corrected"]
    (change,) = [c for c in archive.match(1)["changes"] if c["kind"] == "round_corrected"]
    assert change["by"] == "phone"


def test_figures_add_up_what_players_did(table, archive):
    play_round(table)
    figures = archive.figures()
    black, natural = figures["players"]
    assert (black["player"], natural["player"]) == ("Black", "Natural")
    assert black["shots"] + natural["shots"] == len(archive.match(1)["shots"])
    assert black["twenties"] == table.state.finished[0].twenty_counts["A"]
    assert black["hammer"]["rounds"] + black["no_hammer"]["rounds"] == 1
    assert natural["hammer"]["rounds"] == 1
    places = archive.figures(player="Natural")["places"]
    assert [(p["x"], p["y"], p["player"]) for p in places] == [(20.0, 70.0, "Natural")]


def test_figures_of_a_span_of_days(table, archive):
    play_round(table)
    day = archive.matches()["matches"][0]["day"]
    assert archive.figures(since=day, until=day)["matches"] == 1
    assert archive.figures(until="1969-01-01")["matches"] == 0


def test_near_misses_are_told_in_millimetres(table, archive):
    radius = 180.0 + nearest_line(180.0, 0.0)[1] + 0.4
    table.see(a(0, 60))
    table.see(a(0, 90), b(radius, 0))
    (near,) = archive.figures()["near"]
    assert near["zone"] == 5
    assert -1.0 <= near["clearance"] <= 0.0


def test_a_finished_match_is_summed_up_once(table, archive):
    play_round(table)
    table.do(do="start", rules="nca", sides=[{"name": "P", "colour": "black"}, {"name": "Q", "colour": "natural"}])
    first = archive.matches()
    assert len(table.journal.summaries(VERSION)) == 1
    assert archive.matches() == first
    table.engine.command({"do": "correct_round", "match": 1, "round": 1, "totals": {"A": 10, "B": 0}})
    assert archive.matches()["matches"][1]["rounds"][0]["totals"] == {"A": 10, "B": 0}


def test_a_match_counts_for_its_players_when_it_is_over(table, archive):
    play_round(table)
    counted = [(one["matches"], one["won"], one["rounds"]) for one in archive.figures()["players"]]
    assert counted == [(0, 0, 1), (0, 0, 1)]
    for number in range(1, 5):
        table.do(do="award", round=number, points={"A": 2, "B": 0})
    counted = [(one["matches"], one["won"], one["rounds"]) for one in archive.figures()["players"]]
    assert counted == [(1, 1, 4), (1, 0, 4)]


def test_head_to_head_counts_finished_matches(table, archive):
    for number in range(1, 5):
        table.do(do="award", round=number, points={"A": 2, "B": 0})
    (line,) = archive.figures()["head_to_head"]
    assert line == {"players": ["Black", "Natural"], "matches": 1, "won": [1, 0], "tied": 0, "twenties": [0, 0]}


@pytest.mark.parametrize("number", [0, -1, 2])
def test_an_unknown_match_is_refused(archive, number):
    with pytest.raises(BadInput, match="no match"):
        archive.match(number)
