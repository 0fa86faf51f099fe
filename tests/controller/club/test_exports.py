"""An evening as files: read by other parsers, and compared with what was played, not with what the hub shows."""

import csv
import io
import json

import jsonschema_rs
import pytest

from controller.cli import command
from controller.club.exports import FILES, export
from controller.club.hub.report import evening_report, report
from controller.club.tournament.events import BoardAdded, Corrected, EntrantRenamed, FormatSet
from controller.club.tournament.formats import TournamentFormat
from controller.club.tournament.planning import NextRound
from controller.club.tournament.playoffs import Playoffs
from controller.club.tournament.round_robin import RoundRobin
from controller.club.tournament.standings import standings
from controller.errors import BadInput, Refused
from tests.controller.club.a_club import assign, begun, do, play_reported
from tests.controller.club.evenings import result_of
from tests.controller.test_exchange import CMN

LONG = "Wolfeschlegelsteinhausenbergerdorff of the river & of the hill"[:60]


@pytest.fixture
def evening(hub):
    """A round robin of four and its play-offs; gives by match what each side counted, as the tables know it.

    The second match is entered as a result only, and the third one is corrected by the organiser: their rounds are not
    known, or are not what counts.
    """
    tables = begun(hub, format=TournamentFormat((RoundRobin(), Playoffs(entrants=4))))
    do(hub, EntrantRenamed("p1", (LONG,)))
    assign(hub, tables)
    known, played = {}, 0
    while played < 10:
        for match in hub.tournament.state.open_matches:
            played += 1
            if played == 2:
                do(hub, result_of(match, (5, 3)))
                continue
            table = tables[match.board]
            assign(hub, tables)
            play_reported(hub, table)
            if played == 3:
                points = (0, 8) if hub.tournament.state.match(match.id).result.points[0] else (8, 0)
                do(hub, Corrected(result_of(match, points)))
            else:
                known[match.id] = [tuple(r.totals[side] for side in "AB") for r in table.state.finished]
        if played < 10:
            do(hub, NextRound())
    return known


def exported(hub, kind):
    return export(report(hub.store, hub.evening.id, "Club of tests"), kind)


def rows(text):
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def test_match_notation_holds_every_match_of_which_the_rounds_are_known(hub, evening):
    made = exported(hub, "cmn.json")
    document = json.loads(made.text)
    check = jsonschema_rs.Draft202012Validator(CMN)
    for entry in document["matches"]:
        assert check.is_valid(entry["match"])
    assert len(evening) == 8
    assert sorted(str([game["scores"] for game in entry["match"]["games"]]) for entry in document["matches"]) == sorted(
        str([list(totals) for totals in rounds]) for rounds in evening.values()
    )
    assert made.left_out == 2
    names = {
        player["name"]
        for entry in document["matches"]
        for team in entry["match"]["teams"]
        for player in team["players"]
    }
    assert names == {LONG, "Player 2", "Player 3", "Player 4"}, "whole names, which tables cut to 40 letters"
    assert document["event"] == {"name": "Club evening", "type": "club", "venue": "Club of tests"}
    assert len({entry["id"] for entry in document["matches"]}) == 8


def test_spreadsheets_have_every_match_and_every_place(hub, evening):
    found = rows(exported(hub, "matches.csv").text)
    state = hub.tournament.state
    assert len(found) == 10
    for row, match in zip(found, state.matches_of(), strict=True):
        assert (int(row["points_first"]), int(row["points_second"])) == match.result.points
        assert [row["first"], row["second"]] == [state.labels[side] for side in match.sides]
        assert row["won"] == (state.labels[match.winner] if match.winner else "")
    names = [row["name"] for row in rows(exported(hub, "standings.csv").text)]
    assert names == [state.labels[row.entrant] for row in standings(state)]


def test_after_play_offs_the_files_count_the_whole_evening_and_the_podium_the_play_offs(hub, evening):
    made = evening_report(report(hub.store, hub.evening.id, "Club"))
    sheet = rows(exported(hub, "standings.csv").text)
    for placed, row in zip(made.podium, sheet, strict=False):
        results = [match.result for match in hub.tournament.state.matches_of() if placed.entrant in match.sides]
        points = [result.points[result.sides.index(placed.entrant)] for result in results]
        twenties = [result.twenties and result.twenties[result.sides.index(placed.entrant)] for result in results]
        known = [figure for figure in twenties if figure is not None]
        assert (row["name"], row["matches"], row["points"]) == (placed.name, str(len(points)), str(sum(points)))
        assert (row["twenties"], row["twenties_missing"]) == (str(sum(known)), str(twenties.count(None)))
        assert (placed.matches, placed.twenties) == (2, sum(twenties[-2:])), "those of the semi-final and after it"


def test_a_name_is_no_formula_of_a_spreadsheet(hub):
    begun(hub, players=2)
    do(hub, EntrantRenamed("p1", ('=HYPERLINK("x")',)))
    for kind in ("matches.csv", "standings.csv"):
        assert "'=HYPERLINK" in exported(hub, kind).text


def test_a_former_evening_is_shown_as_it_was(hub, evening):
    former = hub.evening.id
    before = evening_report(report(hub.store, former, "Club"))
    begun(hub, players=2)
    assert evening_report(report(hub.store, former, "Club")) == before
    assert sum(match.rounds is not None for round in before.rounds for match in round.matches) == 8
    for round in before.rounds:
        for match in round.matches:
            if match.rounds is not None:
                sums = [sum(each.points[side] for each in match.rounds) for side in (0, 1)]
                assert sums == list(match.points)
                assert [list(each) for each in evening[match.id]] == [each.totals for each in match.rounds]


@pytest.mark.parametrize("kind", FILES)
def test_an_evening_without_a_round_is_a_file_too(hub, kind):
    hub.begin("")
    do(hub, FormatSet(TournamentFormat((RoundRobin(),))), BoardAdded("t1"))
    assert exported(hub, kind).text


def test_what_is_not_there_is_named(hub):
    hub.begin("")
    with pytest.raises(BadInput, match=r"cmn\.json"):
        exported(hub, "cmn.xml")
    with pytest.raises(Refused, match="no such evening"):
        report(hub.store, "f" * 8, "Club")


@pytest.fixture
def club_file(hub, evening, tmp_path):
    """The club's file; its database is that of the evening, which a hub has open."""
    file = tmp_path / "club.toml"
    file.write_text(f'[club]\nid = "our-club"\nname = "Club of tests"\ndata = "{tmp_path}"\n')
    return file


def test_the_command_writes_the_newest_evening_while_the_hub_runs(hub, club_file, tmp_path, capsys):
    command.main(["club-export", "--config", str(club_file)], standalone_mode=False)
    assert hub.evening.id in capsys.readouterr().out
    made = tmp_path / "evening.csv"
    asked = ["club-export", "--config", str(club_file), "--as", "matches.csv"]
    command.main([*asked, "-o", str(made)], standalone_mode=False)
    with made.open(newline="", encoding="utf-8") as file:
        assert file.read() == exported(hub, "matches.csv").text
    command.main([*asked[:-1], "cmn.json", "--evening", hub.evening.id], standalone_mode=False)
    reported = capsys.readouterr()
    assert reported.out == exported(hub, "cmn.json").text
    assert "left out: 2" in reported.err


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--as", "cmn.xml"], r"cmn\.json"),
        (["--as", "cmn.json", "--evening", "none"], "no such evening"),
        (["--as", "cmn.json", "-o", "/nowhere/at/all"], "can't be written"),
    ],
)
def test_the_command_says_what_is_wrong(club_file, more, words):
    with pytest.raises((BadInput, Refused), match=words):
        command.main(["club-export", "--config", str(club_file), *more], standalone_mode=False)


@pytest.mark.parametrize(
    ("reported", "words"),
    [
        ('[club]\nid = "a"\n[club]\nid = "b"\n', "is not valid TOML"),
        ('[club]\nid = "a"\nname = "A"\ndata = "."\n[[table]]\nname = "1"\n', "table is unknown"),
        ('[club]\nid = "a"\nname = "A"\ndata = "nowhere"\n', "no evening was begun"),
    ],
    ids=["the club twice", "tables, which the desk adds", "no database"],
)
def test_an_unusable_club_file_is_refused_with_the_place(tmp_path, reported, words):
    file = tmp_path / "club.toml"
    file.write_text(reported)
    with pytest.raises(BadInput, match=words):
        command.main(["club-export", "--config", str(file)], standalone_mode=False)
