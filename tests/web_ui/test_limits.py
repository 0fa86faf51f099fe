"""What a request may contain."""

import json
import logging

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.errors import JournalError
from tests.web_ui.conftest import Scorer
from web_ui import create_app
from web_ui.errors import SILENT, Faults
from web_ui.limits import LARGEST_BODY, LONGEST_NAME


def post(scorer, body, kind="application/json"):
    return scorer.client.post(
        "/api/command", data=body, content_type=kind, headers={"X-CSRF-Token": scorer.token, "Accept": "*/*"}
    )


QUERIES = st.dictionaries(
    st.sampled_from(["match", "since", "until", "player", "before", "after", "page", "language", "of", "devices"]),
    st.sampled_from(["", "0", "1", "-1", "9" * 20, "٣", "\n", "\0", "\u202e", "2026-02-28", "2026-02-30", "x" * 300]),
    max_size=5,
)


def test_no_query_makes_the_scoreboard_fail(played):
    """Every address but the streams, which do not end."""
    app = create_app(played)
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in rule.methods and not rule.rule.endswith("/events")]
    paths = [*sorted(rule.rule for rule in rules if not rule.arguments), "/api/v1/matches/1"]
    client = app.test_client()

    @settings(max_examples=250, derandomize=True, database=None)
    @given(st.sampled_from(paths), QUERIES)
    def asks(path, query):
        assert client.get(path, query_string=query, buffered=True).status_code < 500

    played.play()
    asks()


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b'{"do": "undo"}', "text/plain", 415),
        (b"", "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
        (b"[1]", "application/json", 400),
        (b'{"do": "undo", "value": NaN}', "application/json", 400),
        (b'{"do": "add_shot", "side": "A", "at": [1e999, 0]}', "application/json", 400),
        (b'{"a":' * 2000 + b"1" + b"}" * 2000, "application/json", 400),
        (b'{"do": "\\ud800"}', "application/json", 400),
        (b'{"\\u202edo": 1}', "application/json", 400),
        (b'{"do": "' + b"x" * LARGEST_BODY + b'"}', "application/json", 413),
    ],
)
def test_a_bad_body_is_refused_with_words(scorer, table, body, kind, status):
    answer = post(scorer, body, kind)
    assert answer.status_code == status
    assert answer.json["error"]
    assert table.commands == []


def start(name):
    sides = [{"name": name, "colour": "black"}, {"name": "Player 2", "colour": "natural"}]
    return {"do": "start", "rules": "nca", "format": None, "sides": sides, "starter": "A"}


@pytest.mark.parametrize("name", ["🏆" * 200, "x" * (LONGEST_NAME + 1), "a\u202eb", "line\nbreak", "nul\0"])
def test_an_unusable_name_is_refused_with_words(scorer, table, name):
    answer = scorer.command(**start(name))
    assert answer.status_code == 400
    assert "name" in answer.json["error"]
    assert table.commands == []


@pytest.mark.parametrize("name", ["Zoë O'Hara-Łukasz", "<b>&amp;</b>", "山田", "👩‍👩‍👧", "می‌خواهم"])
def test_a_name_of_any_script_arrives_as_it_was_typed(scorer, table, name):
    assert scorer.command(**start(name)).status_code == 200
    assert table.commands[0]["sides"][0]["name"] == name


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=50), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(anything | st.fixed_dictionaries({"do": anything, "sides": anything}))
def test_no_json_makes_the_scoreboard_fail(scorer, body):
    answer = post(scorer, json.dumps(body).encode())
    assert answer.status_code in (200, 400, 409, 413)
    if answer.status_code != 200:
        assert answer.json["error"]


def test_no_number_in_a_command_makes_the_scoreboard_fail(played):
    played.play()
    scorer = Scorer(create_app(played).test_client())
    for do, name in (("delete_match", "match"), ("end_round", "round"), ("undo", "match"), ("start", "discs")):
        for number in (2**53, 2**63, -(2**70), 10**400):
            assert scorer.command(**{"do": do, name: number}).status_code in (400, 409), (do, number)


@pytest.mark.parametrize("name", ["nothing.jpg", "..%2f..%2fetc%2fpasswd", "%00", ".hidden", "x" * 500])
def test_only_known_pictures_are_served(scorer, name):
    assert scorer.client.get(f"/picture/{name}").status_code == 404


def fail(of):
    try:
        raise of
    except Exception as error:
        return error


def test_a_fault_is_logged_once_an_hour_with_how_often_it_came(caplog):
    now = [0.0]
    faults = Faults(lambda: now[0])
    for _ in range(500):
        faults.report("GET /", fail(KeyError("x")))
    faults.report("GET /other", fail(JournalError("The disk is full")))
    assert [bool(one.exc_info) for one in caplog.records] == [True, False], "each kind once; a known one in a line"
    now[0] += SILENT
    faults.report("GET /", fail(KeyError("x")))
    assert "499 times more" in caplog.records[-1].getMessage()
    assert len(caplog.records) == 3


def test_clients_that_misbehave_are_noted_in_short_at_the_lowest_level(caplog):
    caplog.set_level(logging.DEBUG)
    Faults(lambda: 0.0).note("a request could not be understood: " + "x" * 10_000)
    assert [record.levelno for record in caplog.records] == [logging.DEBUG]
    assert len(caplog.messages[0]) < 300


def test_another_line_that_fails_is_another_fault(caplog):
    faults = Faults(lambda: 0.0)
    for text in ("nothing", "x" * 9):
        try:
            int(text) if len(text) > 8 else {}[text]
        except (KeyError, ValueError) as error:
            faults.report("GET /", error)
    assert len(caplog.records) == 2
    assert caplog.records[0].levelno == logging.ERROR
