"""`/api/v1` against its own OpenAPI document, on a table that was really played on."""

import json
import re
from contextlib import ExitStack, contextmanager

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings

from controller.match.commands import command_schema
from controller.messages import encoded
from tests import loopback
from tests.slow import slow
from tests.web_ui.played_table import PlayedTable
from web_ui import create_app
from web_ui.openapi import document


@pytest.fixture
def played(played):
    played.play()
    return played


@pytest.fixture
def bearer(played):
    return {"Authorization": f"Bearer {played.tokens.make('program', 'Overlay')}"}


@pytest.fixture
def programs(played, bearer):
    client = create_app(played).test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = bearer["Authorization"]
    return client


def send(programs, **command):
    return programs.post("/api/v1/commands", json=command)


ADDRESSES = [(path, method) for path, methods in document()["paths"].items() for method in methods if path != "/events"]


@slow
@pytest.mark.parametrize(("path", "method"), ADDRESSES)
def test_every_answer_is_as_the_document_says(played, bearer, path, method):
    """Every address but the stream, which does not end, with a token and what Hypothesis makes of the document."""
    import schemathesis  # takes seconds: only where it is used
    from schemathesis.specs.openapi.checks import positive_data_acceptance

    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", create_app(played))

    @settings(max_examples=15, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(case=schema[path][method].as_strategy())
    def answers(case):
        case.call_and_validate(
            headers={**bearer, "Accept-Encoding": "identity"},
            excluded_checks=[positive_data_acceptance],  # a command may fit the schema and not the match
        )

    answers()


def test_what_is_read_is_what_was_played(programs, played):
    (line,) = programs.get("/api/v1/matches").json["matches"]
    assert line["rounds"][0]["totals"] == played.table.state.finished[0].totals
    match = programs.get("/api/v1/matches/1").json
    assert [shot["call"] for shot in match["shots"]][:2] == ["Valid.", "Valid."]
    assert programs.get("/api/v1/state").json == json.loads(encoded(played.snapshot()))
    assert programs.get("/api/v1/reading").json["schema"] == "board-reading/1"
    assert {r["id"] for r in programs.get("/api/v1/rules").json["rule_sets"]} >= {"nca", "wcc", "club-100"}
    players = programs.get("/api/v1/figures?player=Black").json["players"]
    assert [p["player"] for p in players] == ["Black", "Natural"]


def test_a_command_is_carried_out_for_a_program_with_a_token(programs, played):
    answer = send(programs, do="correct_round", round=2, twenties={"B": 2})
    assert answer.status_code == 200
    assert answer.json["match"]["sides"][1]["twenties"] == 2
    (change,) = played.archive.match(1).changes[-1:]
    assert change.by == "program"


def test_a_program_that_missed_something_gets_the_changes_with_the_refusal(programs):
    assert send(programs, do="correct_round", round=2, twenties={"B": 2}).status_code == 200
    refused = send(programs, do="correct_round", round=2, twenties={"B": 1}, seen=0)
    assert refused.status_code == 409
    assert [change["kind"] for change in refused.json["changes"]][-1:] == ["round_corrected"]


@pytest.mark.parametrize(
    ("header", "status"),
    [("", 401), ("Basic NDcxMQ==", 401), (f"Bearer {PlayedTable.pin}", 403), ("Bearer \xff", 403)],
)
def test_without_a_token_nothing_changes_and_the_pin_is_none(programs, header, status):
    before = programs.get("/api/v1/state").json
    for _ in range(100):  # nothing about a token needs a limit
        answer = programs.post("/api/v1/commands", json={"do": "undo"}, headers={"Authorization": header})
        assert answer.status_code == status
    assert "token" in answer.json["error"]
    assert programs.get("/api/v1/state").json == before


@pytest.mark.parametrize(
    ("command", "status", "word"),
    [
        ({"do": "dance"}, 400, "do"),
        ({"do": "correct_round", "round": 1, "twenties": {"A": -1}}, 400, "twenties.A"),
        ({"do": "undo", "by": "phone"}, 200, ""),
        ({"do": "redo"}, 409, "redo"),
        ({"do": "correct_round", "round": 9, "totals": {"A": 5, "B": 5}}, 409, "9"),
    ],
)
def test_a_wrong_command_is_answered_with_what_would_be_right(programs, played, command, status, word):
    answer = send(programs, **command)
    assert answer.status_code == status, answer.text
    if status != 200:
        assert word in answer.json["error"]
    else:
        assert played.archive.match(1).changes[-1].by == "program"


@pytest.mark.parametrize("query", ["since=yesterday", "until=2026-02-30", "player=", "player=" + "x" * 41])
def test_figures_of_no_span_are_refused(programs, query):
    answer = programs.get(f"/api/v1/figures?{query}")
    assert answer.status_code == 400
    assert query.split("=")[0] in answer.json["error"]


def test_an_unknown_match_is_not_found(programs):
    for number in (0, 7, 10**30):
        answer = programs.get(f"/api/v1/matches/{number}")
        assert answer.status_code == 404
        assert answer.json["error"]


def test_sentences_are_in_the_language_that_is_asked_for(programs):
    english = programs.get("/api/v1/matches/1").json["shots"][1]["why"]
    french = programs.get("/api/v1/matches/1?language=fr").json["shots"][1]["why"]
    assert english != french
    assert "le premier disque de Black" in french[0]


def test_the_document_names_every_command():
    commands = document()["components"]["schemas"]["Command"]
    assert set(commands["discriminator"]["mapping"]) == set(command_schema()["discriminator"]["mapping"])
    assert "by" not in document()["components"]["schemas"]["Undo"]["properties"]


@contextmanager
def listening(server, last):
    with loopback.connect(("127.0.0.1", server.port)) as connection:
        headers = {} if last is None else {"Last-Event-ID": str(last)}
        connection.sendall(loopback.request("GET", "/api/v1/events", headers))
        reader = connection.makefile("rb")
        assert loopback.head(reader)[0] == 200
        yield loopback.events(reader)


def heard(stream):
    """The names and ids of what comes, up to the next state; heartbeats, which come with time, are left out."""
    found = []
    while not found or found[-1][0] != "state":
        event = next(stream)
        if event.get("event", "beat") != "beat":
            found.append((event["event"], int(event["id"]) if "id" in event else None))
    return found


@pytest.fixture
def server(played, serve):
    return serve(played)


def test_many_programs_that_listen_read_the_journal_once(played, server, monkeypatch):
    looked = []
    events = played.archive.events
    monkeypatch.setattr(played.archive, "events", lambda after: looked.append(after) or events(after))
    with ExitStack() as stack:
        streams = [stack.enter_context(listening(server, None)) for _ in range(30)]
        for stream in streams:
            assert heard(stream) == [("state", None)]
        looked.clear()
        told = []
        for what in ("pause", "resume", "pause"):
            played.do(what)
            told.append([heard(stream) for stream in streams])
        assert all(one == of_all[0] for of_all in told for one in of_all)
        assert [of_all[0][0][0] for of_all in told] == ["paused"] * 3
    assert len(looked) == 6, "what is new, and that there is no more: for each change, whoever listens"


def test_a_program_that_is_far_behind_catches_up_without_a_gap(played, server):
    with listening(server, None) as stream:
        heard(stream)
        for what in ("pause", "resume") * 4:
            played.do(what)
        happened = [entry.id for entry in played.table.journal.since(0, 10_000)]
        numbers = []
        while not numbers or numbers[-1] != happened[-1]:
            numbers += [number for _, number in heard(stream) if number is not None]
        assert numbers == happened[-8:]
    for after in (0, happened[4], happened[-4], happened[-1]):
        with listening(server, after) as stream:
            assert [number for _, number in heard(stream) if number] == [n for n in happened if n > after]


def test_what_happens_outside_matches_is_sent_at_once(played, server):
    with listening(server, None) as stream:
        heard(stream)
        played.command({"do": "pause"})
        heard(stream)
        for name, to in (("Black", "Ann"), ("Ann", "Bo")):
            played.command({"do": "rename_player", "name": name, "to": to})
            assert [kind for kind, _ in heard(stream)] == ["player_called", "state"]
    with listening(server, None) as stream:
        assert heard(stream) == [("state", None)], "it begins now"


def test_a_program_that_knows_more_than_the_journal_hears_what_comes(played, server):
    """As after a backup was restored."""
    with listening(server, played.table.journal.last() + 1000) as stream:
        assert heard(stream) == [("state", None)]
        played.command({"do": "pause"})
        assert [kind for kind, _ in heard(stream)] == ["paused", "state"]


def test_an_id_that_was_never_sent_is_refused(programs):
    answer = programs.get("/api/v1/events", headers={"Last-Event-ID": "-1"})
    assert answer.status_code == 400
    assert "Last-Event-ID" in answer.json["error"]


def test_the_document_is_plain_json(programs):
    answer = programs.get("/api/v1/openapi.json")
    assert re.match("3[.]1", answer.json["openapi"])
    for schema in answer.json["components"]["schemas"].values():
        jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})


@pytest.mark.parametrize("address", ["/api/v1/matches", "/api/v1/matches/2"])
def test_a_rule_set_has_its_name_in_the_language_that_is_asked_for(programs, played, address):
    played.do("start", rules="club-100", sides=[{"name": "Player 1"}, {"name": "Player 2"}])
    names = []
    for language in ("en", "fr", "pl"):
        answer = programs.get(f"{address}?language={language}").json
        names.append(answer.get("matches", [answer])[0]["rules_name"])
    assert names[0] == "Club rules to 100"
    assert len(set(names)) == 3
