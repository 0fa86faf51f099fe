"""Who may look, who may change, and what happens to those who guess."""

import time

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from controller.errors import BadInput, JournalError, Refused
from tests.produced import Shown
from tests.web_ui.fake_table import FakeTable
from web_ui import create_app
from web_ui.limiters import ALLOWANCE, FREE_ATTEMPTS, KNOWN_EVERY, LONGEST_WAIT, REFILL, STRANGERS_EVERY, PinLimiter
from web_ui.sessions import LASTS, SessionMemory

BURST = 100  # requests of one address at once, in place of 2,000


def guess(client: FlaskClient, pin: str = "0000", address: str = "192.168.1.20") -> int:
    """The answer to a PIN from a device that the table does not know."""
    stranger = client.application.test_client()
    return stranger.post("/api/session", json={"pin": pin}, environ_base={"REMOTE_ADDR": address}).status_code


def test_anybody_may_look(client, table):
    elsewhere = {"REMOTE_ADDR": "192.168.1.20"}
    assert client.get("/", environ_base=elsewhere).status_code == 200
    assert client.get("/api/state", environ_base=elsewhere).json == table.state
    assert client.get("/picture/q1.jpg", environ_base=elsewhere).mimetype == "image/jpeg"
    assert client.get("/health", environ_base=elsewhere).json["watcher"]["frames"] == 1000


def test_a_command_needs_the_pin(client, table):
    refused = client.post("/api/command", json={"do": "undo"})
    assert refused.status_code == 403
    assert "PIN" in refused.json["error"]
    assert table.commands == []


def test_with_the_pin_a_command_is_carried_out(scorer, table):
    answer = scorer.command(do="undo")
    assert answer.status_code == 200
    assert answer.json == table.state
    assert table.commands == [{"do": "undo"}]


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
    assert cookie is not None
    answer = scorer.client.delete("/api/session", headers={"X-CSRF-Token": scorer.token})
    assert answer.json == {"token": None}
    assert scorer.command(do="undo").status_code == 403
    thief = app.test_client()
    thief.set_cookie("crokinole", cookie.value)
    answer = thief.post("/api/command", json={"do": "undo"}, headers={"X-CSRF-Token": scorer.token})
    assert answer.status_code == 403
    assert table.commands == []


def test_a_new_pin_ends_every_session(scorer, table, monkeypatch):
    monkeypatch.setattr(table, "pin", "1234", raising=False)
    assert scorer.client.get("/api/session").json["token"] is None
    assert scorer.command(do="undo").status_code == 403


def memory_of(kept: list[str]) -> SessionMemory:
    """A memory in a list, whose last is the newest."""
    return SessionMemory(lambda: kept[-1] if kept else None, kept.append)


def test_a_session_that_was_left_stays_closed_over_a_restart(table):
    kept: list[str] = []
    before = create_app(table, secret=b"k" * 32, memory=memory_of(kept)).test_client()
    token = before.post("/api/session", json={"pin": table.pin}).json["token"]
    cookie = before.get_cookie("crokinole")
    assert cookie is not None
    assert before.delete("/api/session", headers={"X-CSRF-Token": token}).status_code == 200
    after = create_app(table, secret=b"k" * 32, memory=memory_of(kept)).test_client()
    after.set_cookie("crokinole", cookie.value)
    assert after.get("/api/session").json["token"] is None


@pytest.mark.parametrize("kept", ["", "{", "[1]", '{"a": "b"}', "null", "x" * 100_000])
def test_a_memory_that_cannot_be_read_asks_for_the_pin_again(table, kept):
    client = create_app(table, memory=memory_of([kept])).test_client()
    assert client.get("/api/session").json["token"] is None
    assert client.post("/api/session", json={"pin": table.pin}).status_code == 200


@pytest.mark.parametrize("jump", [-8 * 86_400, 8 * 86_400, 40 * 365 * 86_400])
def test_the_time_of_day_ends_no_session_and_hinders_no_login(client, scorer, monkeypatch, jump):
    true = time.time
    monkeypatch.setattr(time, "time", lambda: true() + jump)
    assert scorer.command(do="undo").status_code == 200
    answer = client.application.test_client().post("/api/session", json={"pin": FakeTable.pin})
    cookie = next(c for c in answer.headers.getlist("Set-Cookie") if c.startswith("crokinole="))
    # Browsers go by Max-Age before Expires (RFC 6265, 5.3), which is in the past where the table's clock is behind.
    assert int(cookie.partition("Max-Age=")[2].partition(";")[0]) > 86_400


def test_a_session_ends_after_half_a_day_without_use(scorer, now):
    for _ in range(5):
        now[0] += LASTS - 60
        assert scorer.command(do="pause").status_code == 200
    now[0] += LASTS + 60
    assert scorer.command(do="pause").status_code == 403


def test_a_kept_secret_keeps_scorers_logged_in_over_a_restart(table):
    kept: list[str] = []
    before = create_app(table, secret=b"k" * 32, memory=memory_of(kept)).test_client()
    token = before.post("/api/session", json={"pin": table.pin}).json["token"]
    cookie = before.get_cookie("crokinole")
    assert cookie is not None
    for secret, memory, remembered in ((b"k" * 32, kept, token), (None, kept, None), (b"k" * 32, [], None)):
        after = create_app(table, secret=secret, memory=memory_of(memory)).test_client()
        after.set_cookie("crokinole", cookie.value)
        assert after.get("/api/session").json["token"] == remembered


def test_guessing_is_slowed_for_the_address_and_counted(client, now):
    assert [guess(client) for _ in range(FREE_ATTEMPTS)] == [403] * FREE_ATTEMPTS
    slowed = client.post("/api/session", json={"pin": FakeTable.pin}, environ_base={"REMOTE_ADDR": "192.168.1.20"})
    assert slowed.status_code == 429, "even the right PIN waits, or waiting would tell which it is"
    assert int(slowed.headers["Retry-After"]) in range(1, 4)
    assert "Try again" in slowed.json["error"]
    assert guess(client, FakeTable.pin, "192.168.1.21") == 200, "others are not held up"
    now[0] += 3
    assert guess(client) == 403
    now[0] += 3
    assert guess(client, FakeTable.pin) == 429, "the wait grows"
    now[0] += LONGEST_WAIT
    assert guess(client, FakeTable.pin) == 200
    assert client.get("/health").json["web"]["wrong_pins"] == FREE_ATTEMPTS + 1


def test_many_addresses_that_guess_hold_up_strangers_and_no_device_that_was_let_in(client, app, now):
    known = app.test_client()
    assert known.post("/api/session", json={"pin": FakeTable.pin}).status_code == 200
    answers = [guess(client, address=f"10.0.{n // 200}.{n % 200}") for n in range(4 * ALLOWANCE)]
    assert answers == [403] * ALLOWANCE + [429] * 3 * ALLOWANCE, "counted from the first, by all together"
    assert guess(client, FakeTable.pin, "10.1.0.1") == 429
    known.delete_cookie("crokinole")
    entered = known.post("/api/session", json={"pin": FakeTable.pin}, environ_base={"REMOTE_ADDR": "10.0.0.1"})
    assert entered.status_code == 200, "also from the address of one who guesses"
    now[0] += STRANGERS_EVERY
    assert guess(client, FakeTable.pin, "10.1.0.1") == 200


def program(client: FlaskClient, pin: str, address: str) -> int:
    """The answer to a program's command: 409 where there is nothing to undo."""
    answer = client.application.test_client().post(
        "/api/v1/commands", json={"do": "undo"}, headers={"Authorization": f"Bearer {pin}"},
        environ_base={"REMOTE_ADDR": address},
    )  # fmt: skip
    return answer.status_code


def test_a_program_that_worked_goes_on_while_strangers_guess(client, table, monkeypatch):
    assert program(client, FakeTable.pin, "10.1.0.1") == 200
    for n in range(ALLOWANCE):
        assert guess(client, address=f"10.0.0.{n}") == 403
    assert {program(client, FakeTable.pin, "10.1.0.1") for _ in range(20)} <= {200, 409}
    assert program(client, FakeTable.pin, "10.1.0.2") == 429
    monkeypatch.setattr(table, "pin", "1234", raising=False)
    assert program(client, "1234", "10.1.0.1") == 429, "it knew a former PIN"


def test_a_device_that_knew_a_former_pin_is_a_stranger(client, app, table, monkeypatch):
    devices = [app.test_client() for _ in range(30)]
    for device in devices:
        assert device.post("/api/session", json={"pin": FakeTable.pin}).status_code == 200
    monkeypatch.setattr(table, "pin", "1234", raising=False)
    answers = [
        device.post("/api/session", json={"pin": "0000"}, environ_base={"REMOTE_ADDR": f"10.0.0.{n}"}).status_code
        for _ in range(5) for n, device in enumerate(devices)
    ]  # fmt: skip
    assert answers.count(403) == ALLOWANCE
    assert guess(client, "1234", "10.1.0.1") == 429


@given(
    st.lists(
        st.tuples(st.integers(0, 400), st.booleans(), st.sampled_from([0.0, 0.1, 1.0, 30.0, 150.0, 300.0, 3700.0])),
        max_size=400,
    )
)
def test_in_no_day_are_more_than_a_thousand_guesses_looked_at(tries):
    now = [0.0]
    limiter = PinLimiter(lambda: now[0])
    looked_at: list[float] = []
    for who, known, pause in tries:
        for guesser in range(who, who + 30):
            if limiter.reserve(f"{guesser}", known) == 0:
                looked_at.append(now[0])
        now[0] += pause
    for first in range(0, len(looked_at), 20):
        assert sum(looked_at[first] <= at < looked_at[first] + 86_400 for at in looked_at) <= 980


def test_who_guesses_all_day_from_everywhere_gets_fewer_than_a_thousand():
    now = [0.0]
    limiter = PinLimiter(lambda: now[0])
    seen = 0
    for minute in range(24 * 60):
        for guesser in range(ALLOWANCE + 1):
            seen += sum(limiter.reserve(f"{minute} {guesser}", known) == 0 for known in (False, True))
        now[0] += 60.0
    most = 2 * ALLOWANCE + 86_400 / STRANGERS_EVERY + 86_400 / KNOWN_EVERY
    assert 0.9 * most < seen <= most < 1000


def test_an_attempt_that_others_used_up_at_another_process_does_not_count_against_its_sender():
    class UsedUp:
        def reserve(self, known: bool, every: float, most: int) -> float:
            return 30.0

        def refund(self, known: bool, every: float) -> None:
            raise AssertionError("nothing was booked")

    limiter = PinLimiter(lambda: 0.0, UsedUp())
    assert [limiter.reserve("a device") for _ in range(FREE_ATTEMPTS + ALLOWANCE)] == [30.0] * (
        FREE_ATTEMPTS + ALLOWANCE
    )
    assert limiter.failures == 0


def test_the_screens_code_lets_one_phone_in_that_knows_no_pin(client, now):
    for n in range(ALLOWANCE):
        guess(client, address=f"10.0.0.{n}")
    assert client.get("/let-in", environ_base={"REMOTE_ADDR": "10.1.0.1"}).status_code == 403
    assert client.get("/let-in.svg", environ_base={"REMOTE_ADDR": "10.1.0.1"}).status_code == 403
    path = client.get("/let-in").json["path"]
    assert client.get("/let-in").json["path"] == path, "it stays until it was used"
    phone, second = client.application.test_client(), client.application.test_client()
    for who, let_in in ((phone, True), (second, False)):
        assert who.get(path, environ_base={"REMOTE_ADDR": "10.1.0.1"}).headers["Location"] == "/"
        assert (who.get("/api/session").json["token"] is not None) == let_in
    late = client.get("/let-in").json["path"]
    assert late != path
    now[0] += 121
    assert client.get(late).status_code == 302
    assert client.application.test_client().get(late).headers.getlist("Set-Cookie") == []
    assert client.get("/let-in").json["path"] != late


def test_one_who_logs_in_often_ends_nobody_elses_session(client, scorer, monkeypatch):
    monkeypatch.setattr("web_ui.sessions.MOST_SESSIONS", 50)
    often = {"REMOTE_ADDR": "10.0.0.1"}
    for _ in range(60):
        stranger = client.application.test_client()
        assert stranger.post("/api/session", json={"pin": FakeTable.pin}, environ_base=often).status_code == 200
    assert scorer.command(do="undo").status_code == 200


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


def test_one_phone_that_guesses_for_hours_holds_up_nobody_else(client, now):
    for _ in range(2 * ALLOWANCE):
        guess(client)
        now[0] += LONGEST_WAIT
        assert guess(client, FakeTable.pin, "192.168.1.21") == 200


def test_a_device_that_was_let_in_is_braked_for_its_own_guesses(app):
    known = app.test_client()
    assert known.post("/api/session", json={"pin": FakeTable.pin}).status_code == 200
    answers = [known.post("/api/session", json={"pin": "0000"}).status_code for _ in range(FREE_ATTEMPTS + 1)]
    assert answers == [403] * FREE_ATTEMPTS + [429]


def test_a_forged_device_cookie_does_not_lift_the_limit(client):
    forger = client.application.test_client()
    forger.set_cookie("crokinole-device", "known.0000")
    where = {"REMOTE_ADDR": "192.168.1.9"}
    answers = [
        forger.post("/api/session", json={"pin": "0000"}, environ_base=where).status_code
        for _ in range(FREE_ATTEMPTS + 1)
    ]
    assert answers == [403] * FREE_ATTEMPTS + [429]


@pytest.mark.parametrize(
    ("host", "answered"),
    [
        ("192.168.1.30:8080", True), ("[fd00::1]:80", True), ("crokinole.local", True), ("crokinole", True),
        ("localhost:8000", True), ("scores.club.example", True), ("table.lan.", True), ("evil.example", False),
        ("crokinole.local.evil.example", False), ("127.0.0.1.nip.io", False), ("scores.club.example.com", False),
    ],
)  # fmt: skip
def test_the_table_answers_to_its_own_names_alone(table, host, answered):
    client = create_app(table, names=["scores.club.example"]).test_client()
    for path in ("/", "/api/state", "/api/v1/state"):
        answer = client.get(path, headers={"Host": host})
        assert answer.status_code == (200 if answered else 421), path


def test_one_phone_with_many_ipv6_addresses_is_one_address(client):
    answers = [guess(client, address=f"fd00::1:{n:x}") for n in range(FREE_ATTEMPTS + 1)]
    assert answers == [403] * FREE_ATTEMPTS + [429]


def shown(client: FlaskClient, address: str, **headers: str) -> bool:
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


def test_one_device_cannot_keep_the_table_busy(client, now, monkeypatch):
    monkeypatch.setattr("web_ui.limiters.BURST", BURST)
    phone, other = {"REMOTE_ADDR": "192.168.1.20"}, {"REMOTE_ADDR": "192.168.1.21"}
    answers = [client.get("/api/session", environ_base=phone).status_code for _ in range(BURST + 1)]
    assert answers == [200] * BURST + [429]
    slowed = client.get("/api/session", environ_base=phone)
    assert slowed.headers["Retry-After"] == "1"
    assert "Too many requests" in slowed.json["error"]
    assert client.get("/api/session", environ_base=other).status_code == 200, "others are not held up"
    assert client.get("/tv").status_code == 200, "nor is the table's own screen"
    now[0] += 1
    answers = [client.get("/api/session", environ_base=phone).status_code for _ in range(int(REFILL) + 1)]
    assert answers == [200] * int(REFILL) + [429]


def test_the_log_holds_no_secrets(scorer, table, caplog):
    caplog.set_level(0)
    guess(scorer.client, "4321")
    table.fault = KeyError("fault")
    scorer.command(do="undo")
    assert caplog.records
    for secret in ("4321", FakeTable.pin, scorer.token):
        assert secret not in caplog.text


def test_the_tables_own_screen_needs_no_pin_and_another_sites_page_gets_nothing(client):
    away = {"REMOTE_ADDR": "192.168.1.20"}
    assert client.get("/api/session", environ_base=away).json == {"token": None, "pin": True}
    assert client.post("/api/session", json={}, environ_base=away).status_code == 400
    assert client.post("/api/session", json={}, headers={"Origin": "http://evil.example"}).status_code == 403
    assert client.get("/api/session").json == {"token": None, "pin": False}
    assert client.post("/api/session", json={"who": "Player 7"}).json["token"]


@pytest.mark.parametrize("who", [5, "x" * 41, "a\u202eb"])
def test_an_impossible_name_is_refused(client, who):
    answer = client.post("/api/session", json={"pin": FakeTable.pin, "who": who})
    assert answer.status_code == 400
    assert answer.json["error"]


def test_sessions_and_refusals_show_all_that_the_schema_names(client):
    sees = Shown()
    elsewhere = {"REMOTE_ADDR": "192.168.1.20"}
    for environ in ({}, elsewhere):
        sees.take(client.get("/api/session", environ_base=environ).json, "Session")
    sees.take(client.post("/api/session", json={"pin": "0000"}, environ_base=elsewhere).json, "Error")
    opened = client.post("/api/session", json={"pin": FakeTable.pin}).json
    sees.take(opened, "Session")
    sees.take(client.delete("/api/session", headers={"X-CSRF-Token": opened["token"]}).json, "SessionClosed")
    assert sees.never("Session", "SessionClosed", "Error") == set()
