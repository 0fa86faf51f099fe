"""Who may look, who may change, and what happens to those who guess."""

import json
import time
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.errors import BadInput, JournalError, Refused
from tests.controller.command_line import call
from tests.loopback import ask
from tests.waiting import free_port
from tests.web_ui.conftest import Scorer
from tests.web_ui.fake_table import FakeTable
from web_ui import create_app
from web_ui.access import ATTEMPTS, CODE_LASTS, CODE_SHOWN, NEXT_ATTEMPT, Bucket
from web_ui.routes import SCORER_IS_IN


def guess(client, pin="0000", address="192.168.1.20"):
    """The answer to a PIN from a device that the table does not know."""
    stranger = client.application.test_client()
    return stranger.post("/api/session", json={"pin": pin}, environ_base={"REMOTE_ADDR": address}).status_code


def test_anybody_may_look(client, table):
    elsewhere = {"REMOTE_ADDR": "192.168.1.20"}
    assert client.get("/", environ_base=elsewhere).status_code == 200
    assert client.get("/api/state", environ_base=elsewhere).json == table.state
    assert client.get("/picture/q1.jpg", environ_base=elsewhere).mimetype == "image/jpeg"
    assert client.get("/health", environ_base=elsewhere).json["waiting"] == 0


@pytest.mark.parametrize("token", [None, "", "guessed", "é"])
def test_a_forged_request_without_the_token_is_refused(scorer, table, token):
    headers = {} if token is None else {"X-CSRF-Token": token}
    assert scorer.client.post("/api/command", json={"do": "undo"}, headers=headers).status_code == 403
    assert table.commands == []


@pytest.mark.parametrize(
    "header", [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}]
)
def test_a_request_from_another_site_is_refused(client, header):
    answer = client.post("/api/session", json={"pin": FakeTable.pin}, headers=header)
    assert answer.status_code == 403
    assert "another site" in answer.json["error"]


def test_leaving_ends_the_session_and_a_replayed_request_is_refused(scorer, app, table):
    cookie = scorer.client.get_cookie("crokinole")
    answer = scorer.client.delete("/api/session", headers={"X-CSRF-Token": scorer.token})
    assert answer.json == {"token": None}
    assert scorer.command(do="undo").status_code == 403
    thief = app.test_client()
    thief.set_cookie("crokinole", cookie.value)
    answer = thief.post("/api/command", json={"do": "undo"}, headers={"X-CSRF-Token": scorer.token})
    assert answer.status_code == 403
    assert table.commands == []


AWAY = {"REMOTE_ADDR": "192.168.1.20"}


def let_in(app):
    """A phone that sent the PIN."""
    phone = app.test_client()
    assert phone.post("/api/session", json={"pin": FakeTable.pin}, environ_base=AWAY).status_code == 200
    return phone


def test_a_phone_that_was_let_in_before_is_not_asked_until_it_leaves_or_the_pin_changes(app, table):
    stays, other, leaves = let_in(app), let_in(app), let_in(app)
    for phone in (stays, other, leaves):
        phone.delete_cookie("crokinole")
        assert phone.get("/api/session", environ_base=AWAY).json == {"token": None, "pin": False}
        opened = phone.post("/api/session", json={}, environ_base=AWAY)
        assert opened.json["token"], "the session had ended, as after a night"
    leaves.delete("/api/session", headers={"X-CSRF-Token": opened.json["token"]}, environ_base=AWAY)
    assert leaves.post("/api/session", json={}, environ_base=AWAY).status_code == 400
    table.tokens.end_all("session", "device")  # as the table does with a new PIN
    assert stays.get("/api/session", environ_base=AWAY).json == {"token": None, "pin": True}
    assert stays.post("/api/session", json={}, environ_base=AWAY).status_code == 400
    guesses = [
        (stays, other)[n % 2].post("/api/session", json={"pin": "0"}, environ_base=AWAY) for n in range(ATTEMPTS + 1)
    ]
    assert [guess.status_code for guess in guesses] == [403] * ATTEMPTS + [429], "former devices guess with all others"


def test_while_strangers_guess_all_who_have_a_token_or_an_entry_code_come_in(client, app, table, now):
    known, token = let_in(app), table.tokens.make("program", "Overlay")
    known.delete_cookie("crokinole")
    answers = [guess(client, address=f"10.0.{n // 200}.{n % 200}") for n in range(4 * ATTEMPTS)]
    assert answers == [403] * ATTEMPTS + [429] * 3 * ATTEMPTS, "counted from the first, by all together"
    assert client.get("/health").json["web"]["wrong_pins"] == ATTEMPTS
    refused = app.test_client().post("/api/session", json={"pin": FakeTable.pin}, environ_base=AWAY)
    assert refused.status_code == 429, "even the right PIN waits, or waiting would tell which it is"
    assert "Scan the code" in refused.json["error"]
    assert int(refused.headers["Retry-After"]) == NEXT_ATTEMPT + 1
    assert known.post("/api/session", json={}, environ_base=AWAY).status_code == 200
    headers = {"Authorization": f"Bearer {token}"}
    sent = client.post("/api/v1/commands", json={"do": "undo"}, headers=headers, environ_base=AWAY)
    assert sent.status_code == 200
    phone = app.test_client()
    phone.get(urlsplit(client.get("/let-in").json["link"]).path, environ_base=AWAY)
    assert phone.get("/api/session", environ_base=AWAY).json["token"]
    now[0] += NEXT_ATTEMPT
    assert guess(client, FakeTable.pin) == 200


def test_right_pins_cost_nothing(client):
    assert {guess(client, FakeTable.pin) for _ in range(2 * ATTEMPTS)} == {200}


@given(st.lists(st.sampled_from([0.0, 0.1, 1.0, 30.0, 150.0, 300.0, 3700.0, 90_000.0]), max_size=400))
def test_in_no_day_are_more_than_630_guesses_looked_at(pauses):
    now = [0.0]
    bucket = Bucket(lambda: now[0])
    looked_at = []
    for pause in pauses:
        while bucket.take() == 0:
            looked_at.append(now[0])
        now[0] += pause
    for first in range(0, len(looked_at), 20):
        assert (
            sum(looked_at[first] <= at < looked_at[first] + 86_400 for at in looked_at)
            <= ATTEMPTS + 86_400 / NEXT_ATTEMPT + 1
        )


def test_an_entry_code_lets_one_phone_in_for_a_minute(client, app, now):
    for path in ("/let-in", "/let-in.svg"):
        assert client.get(path, environ_base=AWAY).status_code == 403
    path = entry_path(client)
    assert entry_path(client) == path, "it stays until it was used"
    for let_in in (True, False):
        phone = app.test_client()
        assert phone.get(path, environ_base=AWAY).headers["Location"] == "/"
        assert (phone.get("/api/session", environ_base=AWAY).json["token"] is not None) == let_in
    late = entry_path(client)
    now[0] += CODE_SHOWN
    assert entry_path(client) not in (path, late)
    now[0] += CODE_LASTS - CODE_SHOWN
    assert app.test_client().get(late, environ_base=AWAY).headers.getlist("Set-Cookie") == []


def entry_path(client):
    return urlsplit(client.get("/let-in").json["link"]).path


def test_a_scorer_lets_others_in_and_the_tables_screen_does_while_it_is_needed(client, app, table, now):
    def wanted():
        return client.get("/let-in").json["wanted"]

    assert wanted(), "no scorer is in"
    scorer = let_in(app)
    assert not wanted()
    assert scorer.get("/let-in", environ_base=AWAY).json["link"] == client.get("/let-in").json["link"]
    assert scorer.get("/let-in.svg", environ_base=AWAY).mimetype == "image/svg+xml"
    table.publish(over=True)
    assert wanted(), "between matches"
    table.publish(over=False)
    assert not wanted()
    for _ in range(ATTEMPTS):
        guess(client)
    assert wanted(), "no PIN is looked at"
    now[0] += NEXT_ATTEMPT
    assert not wanted()
    now[0] += SCORER_IS_IN
    assert wanted(), "the scorer has gone"


def test_the_terminal_shows_an_entry_code_of_the_table_that_runs_here(serve):
    server = serve()
    link = json.loads(call("let-in", "--port", server.port, "--json").stdout)["link"]
    assert link in call("let-in", "--port", server.port).stdout
    opened = ask(("127.0.0.1", server.port), "GET", urlsplit(link).path)
    assert "crokinole=" in opened.cookies()
    assert "proxy = true" in call("let-in", "--port", serve(proxy=True).port, expect=1).stderr
    assert "No table answers" in call("let-in", "--port", free_port(), expect=1).stderr


def test_a_program_gets_a_token_by_which_it_sends_commands_until_it_is_revoked(scorer, client, table):
    def change(**body):
        return scorer.client.post("/api/programs", json=body, headers={"X-CSRF-Token": scorer.token})

    def command(token):
        headers = {"Authorization": f"Bearer {token}"}
        return client.post("/api/v1/commands", json={"do": "pause"}, headers=headers, environ_base=AWAY).status_code

    made = change(name=" Overlay ").json
    assert command(made["token"]) == 200
    assert table.given[-1]["who"] == "Overlay"
    table.tokens.end_all("session", "device")
    assert command(made["token"]) == 200, "a new PIN ends no program"
    scorer = Scorer(client)
    listed = scorer.client.get("/api/programs").json
    assert listed == {"programs": [{"id": listed["programs"][0]["id"], "name": "Overlay"}], "token": None}
    assert change(revoke=listed["programs"][0]["id"]).json["programs"] == []
    assert command(made["token"]) == 403
    for body in ({}, {"name": " "}, {"name": "x" * 41}, {"revoke": 5}):
        assert change(**body).status_code == 400
    assert client.application.test_client().get("/api/programs", environ_base=AWAY).status_code == 403


@pytest.mark.parametrize("jump", [-8 * 86_400, 8 * 86_400, 40 * 365 * 86_400])
def test_the_time_of_day_ends_no_session_and_hinders_no_login(client, scorer, monkeypatch, jump):
    true = time.time
    monkeypatch.setattr(time, "time", lambda: true() + jump)
    assert scorer.command(do="undo").status_code == 200
    answer = client.application.test_client().post("/api/session", json={"pin": FakeTable.pin})
    cookie = next(c for c in answer.headers.getlist("Set-Cookie") if c.startswith("crokinole="))
    # Browsers go by Max-Age before Expires (RFC 6265, 5.3), which is in the past where the table's clock is behind.
    assert int(cookie.partition("Max-Age=")[2].partition(";")[0]) > 86_400


def test_cookies_are_for_this_site_not_for_scripts_and_those_of_https_are_sent_over_https_alone(app):
    for base, begins, secure in (("http://table.local", "crokinole", False), ("https://table.local", "__Host-", True)):
        answer = app.test_client().post("/api/session", json={"pin": FakeTable.pin}, base_url=base)
        cookies = answer.headers.getlist("Set-Cookie")
        assert len(cookies) == 2
        assert all(cookie.startswith(begins) and ("; Secure" in cookie) == secure for cookie in cookies)
        assert all("; HttpOnly" in cookie and "; SameSite=Strict" in cookie for cookie in cookies)


def test_behind_a_proxy_on_this_machine_nobody_is_the_tables_screen(table):
    client = create_app(table, proxy=True).test_client()
    assert not shown(client, "127.0.0.1", Host="localhost:8000")
    assert client.get("/let-in").status_code == 403
    assert client.post("/api/session", json={}).status_code == 400


@pytest.mark.parametrize(
    ("host", "answered"),
    [
        ("192.168.1.30:8080", True),
        ("[fd00::1]:80", True),
        ("crokinole.local", True),
        ("crokinole", True),
        ("localhost:8000", True),
        ("scores.club.example", True),
        ("table.lan.", True),
        ("evil.example", False),
        ("crokinole.local.evil.example", False),
        ("127.0.0.1.nip.io", False),
        ("scores.club.example.com", False),
    ],
)
def test_the_table_answers_to_its_own_names_alone(table, host, answered):
    client = create_app(table, names=["scores.club.example"]).test_client()
    for path in ("/", "/api/state", "/api/v1/state"):
        answer = client.get(path, headers={"Host": host})
        assert answer.status_code == (200 if answered else 421), path


def shown(client, address, **headers):
    page = client.get("/tv", environ_base={"REMOTE_ADDR": address}, headers=headers)
    assert page.status_code == 200
    return FakeTable.pin in page.text


def test_only_the_table_itself_sees_the_pin(client):
    assert shown(client, "127.0.0.1", Host="localhost:8000")
    assert shown(client, "::1", Host="[::1]:8000")
    assert not shown(client, "192.168.1.20", Host="localhost:8000")
    rebound = client.get("/tv", headers={"Host": "rebound.example:8000"})
    assert rebound.status_code == 421
    assert FakeTable.pin not in rebound.text
    assert not shown(client, "127.0.0.1", **{"Host": "localhost", "X-Forwarded-For": "203.0.113.5"})
    for path in ("/", "/api/state", "/api/session", "/health"):
        assert FakeTable.pin not in client.get(path).text


@pytest.mark.parametrize(
    ("fault", "status", "words"),
    [
        (BadInput("side: A or B"), 400, "side: A or B"),
        (Refused("The round is over."), 409, "The round is over."),
        (JournalError("The disk is full: delete something."), 500, "The disk is full: delete something."),
        (KeyError("secret detail"), 500, "Something in the table's program failed; see its log."),
    ],
)
def test_errors_come_back_as_words(scorer, table, fault, status, words, caplog):
    before = table.state
    table.fault = fault
    answer = scorer.command(do="undo")
    assert (answer.status_code, answer.json) == (status, {"error": words})
    assert table.state == before
    assert bool(caplog.records) == (status == 500), "the log tells of faults, not of refusals"
    traced = [record for record in caplog.records if record.exc_info]
    assert bool(traced) == isinstance(fault, KeyError), "a disk that is full for hours must not fill the log"


def test_the_stream_needs_the_running_service(app):
    assert app.test_client().get("/events").status_code == 503


def test_the_log_holds_no_secrets(scorer, table, caplog):
    caplog.set_level(0)
    guess(scorer.client, "4321")
    table.fault = KeyError("fault")
    scorer.command(do="undo")
    assert caplog.records
    for secret in ("4321", FakeTable.pin, scorer.token):
        assert secret not in caplog.text


def test_the_tables_own_screen_needs_no_pin_and_another_sites_page_gets_nothing(client, table):
    away = {"REMOTE_ADDR": "192.168.1.20"}
    assert client.get("/api/session", environ_base=away).json == {"token": None, "pin": True}
    assert client.post("/api/session", json={}, environ_base=away).status_code == 400
    assert client.post("/api/session", json={}, headers={"Origin": "http://evil.example"}).status_code == 403
    assert client.get("/api/session").json == {"token": None, "pin": False}
    headers = {"X-CSRF-Token": client.post("/api/session", json={"who": "Player 7"}).json["token"]}
    assert client.post("/api/command", json={"do": "undo"}, headers=headers).status_code == 200
    assert (table.given[0]["by"], table.given[0]["who"]) == ("screen", "Player 7")


@pytest.mark.parametrize("who", [5, "x" * 41, "a\u202eb"])
def test_an_impossible_name_is_refused(client, who):
    answer = client.post("/api/session", json={"pin": FakeTable.pin, "who": who})
    assert answer.status_code == 400
    assert answer.json["error"]
