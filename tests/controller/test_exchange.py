"""What other programs get, read by checks that were written from their owners' documents and not from our code."""

import csv
import dataclasses
import datetime as dt
import io
import json
import threading
import unicodedata
import uuid
from contextlib import closing

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.exchange import NoAnswer, NotExpressible, PlayedMatch, PlayedRound
from controller.exchange.cmn import batch, single
from controller.exchange.croki import Organiser, score
from controller.exchange.spreadsheet import lines
from controller.rules.formats import Format
from controller.rules.record import written_format
from tests.checkout import DATA
from tests.serving import Serving

NAMES = st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=12)
LATE = dt.datetime(2026, 3, 1, 23, 30, tzinfo=dt.timezone(dt.timedelta(hours=-5)))
CMN, INGEST_SCORE = (
    json.loads((DATA / f"{name}.schema.json").read_text("utf-8")) for name in ("match-notation", "croki-ingest-score")
)


@st.composite
def matches(draw):
    """A match that was played to its end by a format of the rules engine, by starters in turn or not."""
    kind = draw(st.sampled_from(("points", "rounds", "race")))
    tie = draw(st.sampled_from(("stands", "round")))
    format = Format(kind, target=None if kind == "rounds" else draw(st.integers(2, 9)), tie=tie)
    in_turn = draw(st.booleans())
    rounds = []
    score = {"A": 0, "B": 0}
    while not (outcome := format.outcome(score, len(rounds), {})).over:
        twenties = (draw(st.integers(0, 4)), draw(st.integers(0, 4)))
        fives = draw(st.tuples(st.integers(0, 9), st.integers(0, 9))) if len(rounds) < 18 else (30, 0)
        totals = {side: 20 * n + 5 * five for side, n, five in zip("AB", twenties, fives, strict=True)}
        points = format.award(totals)
        score = {side: score[side] + points[side] for side in score}
        first = len(rounds) % 2 if in_turn else draw(st.integers(0, 1))
        rounds.append(PlayedRound(first, (totals["A"], totals["B"]), twenties, (points["A"], points["B"])))
    side = st.tuples(NAMES, NAMES) if draw(st.booleans()) else st.tuples(NAMES)
    return PlayedMatch(
        id=uuid.uuid4(),
        began=LATE,
        rules="nca",
        format=written_format(format),
        sides=(draw(side), draw(side)),
        rounds=tuple(rounds),
        over=True,
        winner=None if outcome.winner is None else "AB".index(outcome.winner),
    )


def four_rounds(**changes):
    rounds = (
        PlayedRound(0, (60, 35), (2, 0), (2, 0)),
        PlayedRound(1, (45, 45), (1, 1), (1, 1)),
        PlayedRound(0, (20, 80), (0, 3), (0, 2)),
        PlayedRound(1, (30, 15), (0, 0), (2, 0)),
    )
    match = PlayedMatch(
        uuid.uuid4(), LATE, "nca", {"kind": "rounds", "rounds": 4}, (("Player 1",), ("Player 2",)), rounds, True, 0
    )
    return dataclasses.replace(match, **changes)


class TestCrokinoleMatchNotation:
    @given(matches())
    def test_every_match_is_what_its_document_asks(self, match):
        document = json.loads(json.dumps(single(match, {"name": "An evening", "type": "club", "venue": "Hall"})))
        assert document["cmn"] == "1.0"
        assert uuid.UUID(document["id"])
        assert document["source"]["app"] == document["source"]["app"].lower().replace(" ", "")
        told = document["match"]
        jsonschema_rs.validator_for(CMN).validate(told)
        assert len({len(team["players"]) for team in told["teams"]}) == 1
        for game, played in zip(told["games"], match.rounds, strict=True):
            assert game["hammer"] == played.first, "by its definition the team that shot first"
            assert (game["first_shooter"], game["last_shooter"]) == (played.first, 1 - played.first)
            assert all(score >= 20 * n for score, n in zip(game["scores"], game["twenties"], strict=True))
            one, two = game["scores"]
            assert game["winner"] == (None if one == two else int(two > one))
        points = [sum({side: 2, None: 1}.get(game["winner"], 0) for game in told["games"]) for side in (0, 1)]
        match told.get("gameFormat"):
            case {"type": "fixed", "count": count}:
                assert len(told["games"]) == count
            case {"type": "first_to", "target": target}:
                assert max(points) >= target
                assert points[0] == points[1] or told["winner"] == int(points[1] > points[0])

    def test_the_date_is_in_utc_and_a_batch_says_its_event_once(self):
        document = batch([four_rounds(), four_rounds()], {"name": "An evening", "type": "club"})
        assert document["batch"] is True
        assert document["event"] == {"name": "An evening", "type": "club"}
        assert [set(entry) for entry in document["matches"]] == [{"id", "match"}] * 2
        assert document["matches"][0]["match"]["date"] == "2026-03-02T04:30:00Z"

    def test_a_match_to_points_has_no_format_of_its_own_there(self):
        told = single(four_rounds(format={"kind": "points", "target": 100}))["match"]
        assert "gameFormat" not in told, "first_to counts 2 a game"
        assert told["crokinole_table"] == {"rules": "nca", "format": {"kind": "points", "target": 100}}

    def test_what_is_not_over_is_no_result(self):
        with pytest.raises(NotExpressible, match="not over"):
            single(four_rounds(over=False, winner=None))


ON_TABLE_7 = {
    "match_code": "MD55",
    "match_id": 55,
    "round": 3,
    "table": 7,
    "poule_table": 2,
    "poule": "A",
    "phase": "poule",
    "bracket": None,
    "team_a": {"id": 12, "name": "Team 12"},
    "team_b": {"id": 27, "name": "Team 27"},
    "points_a": None,
    "points_b": None,
    "status": "pending",
}
"""One match as `ingest_tables` gives it; MD56 beside it is a bye."""


class Laptop(Serving):
    """An organiser's laptop as its OpenAPI document describes it."""

    def __init__(self, answer=None, port=0):
        self.got = []
        self.asked = 0
        self.matches = [ON_TABLE_7, {**ON_TABLE_7, "match_code": "MD56", "table": None, "team_b": None}]
        self.unknown = set()  # the codes of matches whose results it refuses
        self.answers = threading.Event()
        """Cleared, it takes its time to say which matches there are."""
        self.answers.set()
        self._answer = answer
        super().__init__(port)
        self.url = f"{self.address}/"

    def get(self, asked):
        matches = self.matches
        self.asked += 1
        self.answers.wait(20.0)
        self._reply(asked, {"ok": True, "round": 3, "matches": matches})

    def post(self, asked, body):
        self.got.append(json.loads(body))
        refused = self.got[-1]["match_code"] in self.unknown
        answer = {"error": "Unknown match."} if refused else {"match": {"id": 55, "match_code": "MD55"}}
        self._reply(asked, {"ok": not refused, **answer})

    def _reply(self, asked, usual):
        assert asked.path in ("/api/ingest_tables", "/api/ingest_score")
        wrong_key = (401, {"ok": False, "error": "Invalid API key."})
        status, document = self._answer or ((200, usual) if asked.headers["X-Api-Key"] == "key" else wrong_key)
        asked.say(status, document if isinstance(document, bytes) else json.dumps(document).encode())


@pytest.fixture
def laptop():
    with closing(Laptop()) as laptop:
        yield laptop


class TestCroki:
    def test_a_result_is_sent_as_its_interface_asks(self, laptop):
        organiser = Organiser(laptop.url, "key")
        (on_table,) = organiser.tables()
        assert (on_table.code, on_table.table, on_table.round, on_table.status) == ("MD55", 7, 3, "pending")
        assert (on_table.teams, on_table.knock_out) == (("Team 12", "Team 27"), None)
        half = four_rounds(rounds=four_rounds().rounds[:2], over=False, winner=None)
        for match in (half, four_rounds()):
            organiser.post(score(on_table.code, match, source="table-7"))
        validator = jsonschema_rs.validator_for(INGEST_SCORE)
        for body in laptop.got:
            validator.validate(body)
        assert [(body["complete"], len(body["sets"])) for body in laptop.got] == [(False, 2), (True, 4)]
        assert laptop.got[1]["sets"][2] == {"pa": 20, "pb": 80, "ta": 0, "tb": 3}

    def test_a_wrong_key_is_reported(self, laptop):
        with pytest.raises(NoAnswer, match="refuses the key: take it from the organiser's screen"):
            Organiser(laptop.url, "old key").tables()

    @pytest.mark.parametrize(
        ("answer", "why"),
        [
            ((409, {"ok": False, "error": "Table 4 is ambiguous."}), "Table 4 is ambiguous"),
            ((200, b"<html>"), "refuses it: HTTP 200"),
            ((200, {"ok": True, "matches": [{"table": 7}]}), "in an unknown form"),
            ((302, b""), "HTTP 302"),
            ((500, b"x" * 2_000_000), "HTTP 500"),
        ],
    )
    def test_any_other_answer_is_reported(self, answer, why):
        with closing(Laptop(answer)) as laptop, pytest.raises(NoAnswer, match=why):
            Organiser(laptop.url, "key").tables()

    def test_an_absent_server_is_reported(self, laptop):
        laptop.close()
        with pytest.raises(NoAnswer, match="does not answer"):
            Organiser(laptop.url, "key").tables()

    def test_twenties_that_nobody_recorded_are_left_out_and_a_round_without_totals_is_refused(self):
        rounds = four_rounds().rounds
        unrecorded = dataclasses.replace(rounds[0], twenties=None)
        sets = score("MD55", four_rounds(rounds=(unrecorded, *rounds[1:])), source="here")["sets"]
        assert sets[:2] == [{"pa": 60, "pb": 35}, {"pa": 45, "pb": 45, "ta": 1, "tb": 1}]
        with pytest.raises(NotExpressible, match="Round 2"):  # a level one, too
            score("MD55", four_rounds(rounds=(rounds[0], dataclasses.replace(rounds[1], totals=None))), source="here")

    def test_another_format_is_refused(self):
        with pytest.raises(NotExpressible, match="four rounds"):
            score("MD55", four_rounds(format={"kind": "race", "target": 9}), source="table-7")


SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"
CELL = st.text(st.sampled_from([*SIGNS, *" \t\r\n;,'\"\u00a0a1("]), max_size=8)


@given(st.lists(CELL, min_size=1, max_size=4), st.sampled_from(",;"))
def test_no_text_is_taken_for_a_formula_where_commas_or_semicolons_part_cells(row, separator):
    table = csv.reader(io.StringIO(lines([row]), newline=""), delimiter=separator)
    for cell in (cell for line in table for cell in line):
        first = unicodedata.normalize("NFKC", cell.strip())[:1]
        assert first == "" or first not in "=+-@", (row, cell)


@given(st.text(max_size=20))
def test_a_text_stays_as_it_is_but_for_apostrophes_and_numbers_stay_numbers(text):
    written = lines([[text, -3]])
    ((cell, number),) = csv.reader(io.StringIO(written, newline=""))
    assert cell.replace("'", "") == text.replace("'", "")
    assert number == "-3"
