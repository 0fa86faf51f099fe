"""Who may do what at the club's pages, and what a bad request is answered."""

import time
from pathlib import Path

import pytest

from controller.club.desk import Desk
from controller.club.exports import FILES
from controller.club.store import NO_EVENING
from controller.match.club import Have, Join, Joined, parse, serialize
from tests.controller.club.a_club import begun, play
from tests.controller.table import full_disk
from tests.slow import slow
from tests.web_ui.club.conftest import tap
from web_ui.access import ATTEMPTS, NEXT_ATTEMPT
from web_ui.club import create_club_app

FAR = {"REMOTE_ADDR": "192.0.2.7"}  # a phone; the test's own address is the hub's own screen


@pytest.fixture
def desk(hub):
    return Desk(hub, "Club")


@pytest.fixture
def now():
    return [1000.0]


@pytest.fixture
def client(desk, now):
    return create_club_app(desk, clock=lambda: now[0]).test_client()


def log_in(client, **body):
    return {"X-CSRF-Token": client.post("/api/session", json=body).json["token"]}


BEGIN = {"title": "", "format": "swiss", "boards": ["h1"], "players": [], "doubles": False}
WISHES = [
    ("/api/begin", BEGIN),
    ("/api/plan", {"actions": [{"do": "next_round"}]}),
    ("/api/confirm", {"actions": [{"do": "next_round"}], "token": "x"}),
    ("/api/tables", {"name": "Another", "by_hand": True}),
    ("/api/join-code", {"table": "t1"}),
    ("/api/revoke", {"table": "t1"}),
    ("/api/open", {"evening": "x"}),
    ("/api/password", {"password": "a long password"}),
]


@pytest.mark.parametrize(("path", "body"), WISHES, ids=[path for path, _ in WISHES])
def test_nobody_organises_without_a_session_and_its_token(client, hub, path, body):
    version = hub.store.version()
    for place in ({}, FAR):
        assert client.post(path, json=body, environ_overrides=place).status_code == 403
    assert client.get("/api/desk", environ_overrides=FAR).status_code == 403
    log_in(client)
    assert client.post(path, json=body).status_code == 403, "another site's page has the cookie and not the token"
    assert hub.store.version() == version


def test_the_password_lets_a_phone_in_and_a_new_one_ends_its_session(client, desk, hub):
    phone = client.application.test_client()
    assert phone.post("/api/session", json={"pin": ""}, environ_overrides=FAR).status_code == 403
    headers = log_in(client)
    assert client.post("/api/password", json={"password": "short"}, headers=headers).status_code == 400
    assert client.post("/api/password", json={"password": "a long password"}, headers=headers).status_code == 200
    assert phone.post("/api/session", json={"pin": "another password"}, environ_overrides=FAR).status_code == 403
    assert phone.post("/api/session", json={"pin": "a long password"}, environ_overrides=FAR).status_code == 200
    assert phone.get("/api/desk", environ_overrides=FAR).status_code == 200
    desk.set_password("a newer password")
    assert phone.get("/api/desk", environ_overrides=FAR).status_code == 403
    database = Path(hub.store.engine.url.database)
    assert {file.stat().st_mode & 0o077 for file in database.parent.glob(f"{database.name}*")} == {0}


def test_who_guesses_waits_and_a_full_disk_lets_the_organiser_in(client, desk, hub, now):
    hub.clock = lambda: 1_790_000_000.0 + now[0]
    desk.set_password("a long password")
    body = {"pin": "a guess"}
    answers = [client.post("/api/session", json=body, environ_overrides=at(n)) for n in range(2 * ATTEMPTS)]
    assert [answer.status_code for answer in answers] == [403] * ATTEMPTS + [429] * ATTEMPTS
    now[0] += NEXT_ATTEMPT + 1
    wal = Path(hub.store.engine.url.database + "-wal")
    full_disk.close_at(wal.stat().st_size)
    try:
        entered = client.post("/api/session", json={"pin": "a long password"}, environ_overrides=FAR)
        assert entered.status_code == 200
        assert client.get("/api/desk", environ_overrides=FAR).status_code == 200
        headers = {"X-CSRF-Token": entered.json["token"]}
        refused = client.post("/api/begin", json=BEGIN, headers=headers, environ_overrides=FAR)
        assert (refused.status_code, "does not answer as it should" in refused.text) == (500, True)
    finally:
        full_disk.open_again()
    assert client.get("/api/desk", environ_overrides=FAR).status_code == 200
    client.delete("/api/session", headers=headers, environ_overrides=FAR)
    assert client.get("/api/desk", environ_overrides=FAR).status_code == 403


@pytest.mark.parametrize(
    ("path", "body"),
    [
        *(
            ("/api/begin", {**BEGIN, **wrong})
            for wrong in (
                {"format": "none"},
                {"boards": ["h9"]},
                {"id": "a:b"},
                {"format": {"stages": [{"type": "swiss", "rounds": -1}], "play": {"kind": "chess"}}},
                {"players": ["x" * 100]},
            )
        ),
        ("/api/begin", {}),
        *(
            ("/api/plan", {"actions": actions})
            for actions in (
                [],
                [{"do": "explode"}],
                [{"event": ["p1"]}],
                [{"event": {"a": 1}}],
                [{"do": ["next_round"]}],
                [{"do": "count", "source": 2**70}],
                [{"event": "result", "match": "1.1", "sides": ["a", "b"], "points": [1, 1], "report": "x"}],
            )
        ),
        ("/api/tables", {"name": " "}),
        ("/api/join-code", {"table": "h1"}),
    ],
)
def test_an_invalid_request_is_explained_and_changes_nothing(client, hub, path, body):
    version = hub.store.version()
    answer = client.post(path, json=body, headers=log_in(client))
    assert answer.status_code == 400
    assert len(answer.json["error"]) > 10
    assert hub.store.version() == version


EVENTS = "/api/v1/club/events"


def sent(client, table, headers):
    """The answer to what a table with these headers has to say."""
    return client.post(EVENTS, data=serialize(table.batch()), headers=headers, environ_overrides=FAR)


def joined(client, table="t1"):
    """The header with this table's token."""
    code = client.post("/api/join-code", json={"table": table}, headers=log_in(client)).json["code"]
    asked = serialize(Join(code=code))
    answer = parse(Joined, client.post("/api/v1/club/join", data=asked, environ_overrides=FAR).data)
    assert (answer.club, answer.table) == ("Club", table)
    assert client.post("/api/v1/club/join", data=asked, environ_overrides=FAR).status_code == 403, "a code serves once"
    return {"Authorization": f"Bearer {answer.token}"}


def troubles(client):
    """What the organiser is shown of the tables."""
    board = client.get("/api/evening").json["boards"][0]
    return [*board["troubles"], client.get("/api/desk").json["stranger"]]


def test_a_table_joins_and_its_journal_counts(client, hub):
    table = begun(hub, boards=("t1",))["t1"]
    play(table)
    token = joined(client)
    assert client.post("/api/v1/club/join", data=b"{}", environ_overrides=FAR).status_code == 400
    answer = sent(client, table, token)
    assert (answer.status_code, answer.json) == (409, {"have": 0, "renew": False})
    table.hear(parse(Have, answer.data))
    for _ in range(2):
        answer = sent(client, table, token)
        assert (answer.status_code, answer.json) == (200, {"have": len(table.events), "renew": False})
    assert any(match.over for match in hub.tournament.state.matches.values())


def test_who_has_no_valid_token_is_refused_and_seen_by_the_organiser(client, hub):
    table = begun(hub, boards=("t1",))["t1"]
    play(table)
    table.have = 0
    old = joined(client)
    joined(client)  # the table has joined again: its old token is nobody's
    for wrong in (
        {},
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer guess"},
        {"Authorization": "Basic x"},
        old,
    ):
        answer = sent(client, table, wrong)
        assert answer.status_code == 401
        assert client.get("/api/v1/club/assignment", headers=wrong, environ_overrides=FAR).status_code == 401
    assert hub.tournament.state.open_matches
    client.application.extensions["club"].desk.showing.show()
    assert "192.0.2.7 without a valid token" in troubles(client)[-1]


@pytest.mark.parametrize(
    ("batch", "status", "why"), [(b"x" * 10_000_000, 413, "more than 262144 bytes"), (b"x", 400, "can't be read")]
)
def test_a_batch_that_cannot_be_is_refused_and_seen_by_the_organiser(client, hub, batch, status, why):
    begun(hub, boards=("t1",))
    answer = client.post(EVENTS, data=batch, headers=joined(client), environ_overrides=FAR)
    assert answer.status_code == status
    client.application.extensions["club"].desk.showing.show()
    assert any(why in words for words in troubles(client)[:-1])
    assert hub.tournament.state.open_matches


def test_a_table_sends_one_request_at_a_time(client, hub):
    table, token = begun(hub, boards=("t1",))["t1"], joined(client)
    client.application.extensions["club"].sending.add("t1")
    answer = sent(client, table, token)
    assert (answer.status_code, "still being stored" in answer.json["error"]) == (429, True)


def test_a_table_whose_token_was_revoked_has_to_join_again(client, hub):
    table, headers = begun(hub, boards=("t1",))["t1"], log_in(client)

    def status(token):
        return sent(client, table, token).status_code

    def has_joined():
        return {each["id"]: each["joined"] for each in client.get("/api/desk").json["tables"]}

    token = joined(client)
    headers = log_in(client)
    assert (status(token), has_joined()) == (200, {"t1": True, "h1": False})
    answer = client.post("/api/revoke", json={"table": "t1"}, headers=headers)
    assert answer.json["tables"] == client.get("/api/desk").json["tables"]
    assert (status(token), has_joined()) == (401, {"t1": False, "h1": False})
    assert status(joined(client)) == 200


def test_who_guesses_join_codes_keeps_no_table_out(client):
    code = client.post("/api/join-code", json={"table": "t1"}, headers=log_in(client)).json["code"]
    wrong, right = (serialize(Join(code=each)) for each in ("A" * 8, code))
    for n in range(200):
        assert client.post("/api/v1/club/join", data=wrong, environ_overrides=at(n % 40)).status_code == 403
    assert client.post("/api/v1/club/join", data=right, environ_overrides=at(1)).status_code == 200


@slow
def test_without_https_the_desk_says_that_others_can_read_the_password(in_clear, open_page, server):
    note = "others in this network could read the password"
    page = in_clear(server.port, "organiser")
    page.get_by_role("button", name="Log in").wait_for()
    assert page.get_by_text(note).is_visible()
    at_the_hub = open_page("/organiser")
    tap(at_the_hub, "Password")
    at_the_hub.get_by_role("dialog").wait_for()
    assert not at_the_hub.get_by_text(note).is_visible()


def at(number):
    return {"REMOTE_ADDR": f"192.168.7.{number}"}


def test_a_boards_score_is_kept_by_its_code_alone(client, desk):
    tables = client.get("/api/desk", headers=log_in(client)).json["tables"]
    codes = {table["id"]: table["code"] for table in tables}
    assert codes["t1"] is None
    assert client.get(f"/board/h1/{codes['h1']}", environ_overrides=FAR).status_code == 200
    for path in ("/board/h1/000000000000", f"/board/t1/{codes['h1']}", "/board/h1/ä"):
        assert client.get(path, environ_overrides=FAR).status_code == 404
        assert client.post(f"/api{path}", json={"do": "undo", "seen": 1}, environ_overrides=FAR).status_code == 404
    answer = client.post(f"/api/board/h1/{codes['h1']}", json={"do": "undo", "seen": 1}, environ_overrides=FAR)
    assert answer.status_code == 409
    desk.set_password("another password")
    assert client.get(f"/board/h1/{codes['h1']}", environ_overrides=FAR).status_code == 404


def test_a_result_is_decided_at_its_board_alone(client, hub):
    begun(hub, boards=("t1", "h1"))
    here, there = hub.tournament.state.open_matches
    code = client.application.extensions["club"].desk.board_code("h1")
    for match in (here, there):
        for by, given in zip(match.sides, ({}, {"code": "0" * 12}), strict=True):
            body = {"by": by, "points": [5, 3], **given}
            phone = client.application.test_client()
            answer = phone.post(f"/api/matches/{match.id}/claim", json=body, environ_overrides=FAR)
            assert answer.status_code == 403, "two requests of anybody's decide nothing"
    by_board = {match.board: match for match in (here, there)}
    for match, status in ((by_board["t1"], 403), (by_board["h1"], 200)):
        for by in match.sides:
            body = {"by": by, "points": [5, 3], "code": code}
            phone = client.application.test_client()
            answer = phone.post(f"/api/matches/{match.id}/claim", json=body, environ_overrides=FAR)
            assert answer.status_code == status
        assert (hub.tournament.state.match(match.id).result is not None) is (status == 200)
    body = {"by": by, "points": [5, 3], "code": code}
    for wrong in ({"twenties": []}, {"twenties": [1]}, {"points": [8]}):
        answer = client.post(f"/api/matches/{by_board['h1'].id}/claim", json={**body, **wrong})
        assert (answer.status_code, answer.json["error"]) == (409, "A result needs one number for each side.")
    assert client.post("/api/matches/9.9/claim", json=body).status_code == 409, "no such match"


def test_a_plan_that_has_changed_comes_back_as_it_is_now(client, hub):
    headers = log_in(client)
    body = {**BEGIN, "players": ["Player 1", "Player 2", "Player 3"]}
    begun = client.post("/api/begin", json=body, headers=headers)
    assert [player["name"] for player in begun.json["players"]] == body["players"], "with its effect"
    plan = client.post("/api/plan", json={"actions": [{"do": "next_round"}]}, headers=headers).json
    late = client.post("/api/plan", json={"players": ["Player 2", "Player 4"]}, headers=headers).json
    assert [each["words"] for each in late["changes"]] == ["Player 2 2 plays.", "Player 4 plays."]
    assert len(client.post("/api/confirm", json=late, headers=headers).json["players"]) == 5
    outdated = client.post("/api/confirm", json=plan, headers=headers)
    assert outdated.status_code == 409
    assert hub.tournament.state.rounds == {}
    paired = client.post("/api/confirm", json=outdated.json["plan"], headers=headers)
    assert (paired.json["round"], len(paired.json["matches"])) == (1, 2)
    assert len(hub.tournament.state.matches) == 2
    assert {entry.who for entry in hub.tournament.entries} == {"organiser"}


@slow
def test_one_name_600_times_is_told_apart_within_two_seconds(client):
    before, body = time.process_time(), {**BEGIN, "players": ["The same name"] * 600}
    began = client.post("/api/begin", json=body, headers=log_in(client))
    assert len({player["name"] for player in began.json["players"]}) == 600
    assert time.process_time() - before < 2.0


def test_a_board_is_added_once_under_its_name(client, hub):
    headers = log_in(client)
    before = hub.store.tables()
    for name in ("By the window", " by the  WINDOW "):
        answer = client.post("/api/tables", json={"name": name, "by_hand": True}, headers=headers)
        assert (answer.status_code, "already" in answer.json["error"]) == (409, True)
    assert hub.store.tables() == before


def test_missing_pages_are_not_found_and_a_missing_evening_is_not_opened(client, hub):
    boards = ("/board/%ff/x", "/qr.svg?board=h1&code=x", "/qr.svg?code=x&board=" + "x" * 4000)
    for path in ("/api/evenings/none", "/evenings/none/cmn.json", "/evenings/%ff/%00", *boards):
        assert client.get(path).status_code == 404
    assert client.get("/api/evenings").json == {"evenings": []}
    opened = client.post("/api/open", json={"evening": "none"}, headers=log_in(client))
    assert (opened.status_code, opened.json["error"]) == (409, "There is no such evening.")
    assert hub.evening is NO_EVENING


@pytest.mark.parametrize("kind", FILES)
def test_an_evening_is_taken_along_by_anybody(client, hub, kind):
    begun(hub, boards=("t1", "h1"))
    answer = client.get(f"/evenings/{hub.evening.id}/{kind}", environ_overrides=FAR)
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="20')
    assert client.get(f"/evenings/{hub.evening.id}/x-{kind}").status_code == 404
