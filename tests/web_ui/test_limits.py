"""What a request may contain."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.web_ui.conftest import Scorer
from web_ui.limits import LARGEST_BODY, LONGEST_NAME


def post(scorer: Scorer, body: bytes, kind: str = "application/json") -> Any:
    return scorer.client.post(
        "/api/command", data=body, content_type=kind, headers={"X-CSRF-Token": scorer.token, "Accept": "*/*"}
    )


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b'{"do": "undo"}', "text/plain", 415),
        (b"", "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
        (b"[1]", "application/json", 400),
        (b'{"do": "undo", "value": NaN}', "application/json", 400),
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


def start(name: str) -> dict[str, Any]:
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


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(anything | st.fixed_dictionaries({"do": anything, "sides": anything}))
def test_no_json_makes_the_scoreboard_fail(scorer, body):
    answer = post(scorer, json.dumps(body).encode())
    assert answer.status_code in (200, 400, 409, 413)
    if answer.status_code != 200:
        assert answer.json["error"]


@pytest.mark.parametrize("name", ["nothing.jpg", "..%2f..%2fetc%2fpasswd", "%00", ".hidden", "x" * 500])
def test_only_known_pictures_are_served(scorer, name):
    assert scorer.client.get(f"/picture/{name}").status_code == 404
