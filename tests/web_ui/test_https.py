"""https with a certificate that was made by OpenSSL, seen by Python's own TLS and by Chromium; and pages without."""

import json
import logging
import os
import socket
import ssl
import struct
import subprocess
from contextlib import suppress
from http.client import HTTPConnection, HTTPSConnection

import pytest

from tests.slow import first_is_quick, slow
from tests.waiting import eventually
from tests.web_ui.conftest import keep_score
from tests.web_ui.fake_table import FakeTable
from web_ui import Server, Tls, WebError, create_app

NAME = "table.localhost"


def made(folder, number=1):
    """An authority of its own, and a certificate that it signed for the table's name and address."""
    folder.mkdir(exist_ok=True)

    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    if not (folder / "ca.crt").exists():
        openssl(
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-noenc",
            "-keyout",
            "ca.key",
            "-out",
            "ca.crt",
            "-days",
            "30",
            "-subj",
            "/CN=Crokinole table",
        )
    openssl("req", "-newkey", "rsa:2048", "-noenc", "-keyout", "new.key", "-out", "new.csr", "-subj", f"/CN={NAME}")
    (folder / "names").write_text(f"subjectAltName=DNS:{NAME},IP:127.0.0.1")
    openssl(
        "x509",
        "-req",
        "-in",
        "new.csr",
        "-CA",
        "ca.crt",
        "-CAkey",
        "ca.key",
        "-days",
        "20",
        "-extfile",
        "names",
        "-set_serial",
        str(number),
        "-out",
        "new.crt",
    )
    (folder / "new.key").replace(folder / "table.key")
    (folder / "new.crt").replace(folder / "table.crt")
    return Tls(folder / "table.crt", folder / "table.key", 0)


@pytest.fixture(scope="module")
def tls(tmp_path_factory):
    return made(tmp_path_factory.mktemp("tls"))


def https_port(server):
    return int(server._app.config["HTTPS"][1])


def trusting(tls):
    return ssl.create_default_context(cafile=str(tls.certificate.with_name("ca.crt")))


def asked(server, tls):
    connection = HTTPSConnection("127.0.0.1", https_port(server), timeout=10, context=trusting(tls))
    connection.request("GET", "/api/v1/state")
    answer = connection.getresponse()
    found = answer.status, json.loads(answer.read())
    connection.close()
    return found


def test_the_pages_are_served_with_and_without_encryption(serve, tls):
    server = serve(tls=tls)
    status, state = asked(server, tls)
    assert (status, state["schema"]) == (200, "table-state/1")
    plain = HTTPConnection("127.0.0.1", server.port, timeout=10)
    plain.request("GET", "/api/v1/state")
    assert json.loads(plain.getresponse().read()) == state
    plain.close()


def test_who_speaks_no_tls_or_nothing_at_all_harms_nobody(serve, tls):
    server = serve(tls=tls)
    silent = [socket.create_connection(("127.0.0.1", https_port(server))) for _ in range(20)]
    with socket.create_connection(("127.0.0.1", https_port(server)), timeout=10) as rude:
        rude.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        with suppress(ConnectionResetError):
            assert rude.recv(1000) == b""
    with pytest.raises(ssl.SSLError), socket.create_connection(("127.0.0.1", https_port(server)), timeout=10) as plain:
        ssl.create_default_context().wrap_socket(plain, server_hostname="127.0.0.1")
    assert asked(server, tls)[0] == 200
    for one in silent:
        one.close()


@pytest.mark.parametrize("begun", [b"GET / HTTP/1.1\r\nAcc", b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"])
def test_who_leaves_an_encrypted_connection_midway_does_not_fill_the_log(serve, tls, begun, caplog, capfd):
    caplog.set_level(logging.INFO)
    server = serve(tls=tls, heartbeat=0.05)
    with socket.create_connection(("127.0.0.1", https_port(server)), timeout=10) as garbled:
        garbled.sendall(b"\x16\x03\x01\x02\x00" + b"\x01" * 600)
    for spoil in (b"", b"\x17\x03\x03\x00\x20" + b"x" * 32):  # nothing more, or what was not encrypted
        plain = socket.create_connection(("127.0.0.1", https_port(server)), timeout=10)
        encrypted = trusting(tls).wrap_socket(plain, server_hostname=NAME)
        encrypted.sendall(begun)
        raw = socket.socket(fileno=encrypted.detach())
        raw.sendall(spoil)
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raw.close()
    assert asked(server, tls)[0] == 200
    server.stop()
    assert (caplog.text, *capfd.readouterr()) == ("", "", "")


@slow
def test_a_renewed_certificate_is_taken_over_and_a_broken_one_is_not(serve, tmp_path):
    tls = made(tmp_path / "renewed")
    server = serve(tls=tls)

    def serial():
        with (
            socket.create_connection(("127.0.0.1", https_port(server)), timeout=10) as plain,
            trusting(tls).wrap_socket(plain, server_hostname=NAME) as encrypted,
        ):
            return int(encrypted.getpeercert()["serialNumber"], 16)

    assert serial() == 1
    made(tmp_path / "renewed", number=2)
    eventually(lambda: serial() == 2, "the renewed certificate is shown")
    tls.certificate.write_text("no certificate")
    assert serial() == 2
    assert asked(server, tls)[0] == 200


@pytest.mark.parametrize(
    ("spoil", "says"),
    first_is_quick(
        [
            (lambda tls: tls.certificate.unlink(), "can't be read"),
            (lambda tls: tls.key.write_text("no key"), "no certificate and its key"),
            (lambda tls: os.replace(tls.certificate.with_name("ca.key"), tls.key), "no certificate and its key"),
        ]
    ),
)
def test_files_that_are_no_certificate_and_its_key_are_refused_in_words(table, tmp_path, spoil, says):
    tls = made(tmp_path / "spoilt")
    spoil(tls)
    with pytest.raises(WebError, match=says):
        Server(create_app(table), "127.0.0.1", 0, tls)


def test_over_https_the_screen_can_be_kept_on_and_without_it_the_menu_says_where(open_page, serve, tls):
    server = serve(tls=tls)
    script = """window.locks = 0; if (navigator.wakeLock) {
      navigator.wakeLock.request = async () => { window.locks += 1; return { released: false }; }; }"""
    page = open_page(f"http://{NAME}:{server.port}/", (360, 640), script, ignore_https_errors=True)
    page.wait_for_selector("html[data-live=yes]")
    page.click("text=Menu")
    address = page.get_attribute("text=Open this page with https", "href")
    assert address == f"https://{NAME}:{https_port(server)}/"
    page.click("text=Open this page with https")
    page.wait_for_selector("html[data-live=yes]")
    page.wait_for_function("() => window.locks > 0")
    assert page.evaluate("isSecureContext")
    page.click("text=Menu")
    page.wait_for_selector("dialog >> text=Language")
    assert not page.is_visible("text=Open this page with https")
    page.click("dialog >> [aria-label=Close]")
    keep_score(page)


PLAYS = """() => { const video = document.querySelector('video.awake');
  return Boolean(video && !video.paused && video.currentTime > 0); }"""
RESTS = "() => document.querySelector('video.awake').paused"
HIDE = """(hidden) => { Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event('visibilitychange')); }"""


@slow
def test_without_https_a_result_is_saved_and_neither_shared_nor_copied(in_clear, serve, played):
    played.play()
    page = in_clear(serve(played).port)
    page.click("text=Menu")
    page.click("dialog >> text=Share the result")
    page.wait_for_selector("text=Save the picture")
    assert not page.is_visible("text=Share the picture")
    assert not page.is_visible("text=Copy the address")


@slow
def test_without_https_a_silent_video_keeps_a_scorers_screen_on(in_clear, serve):
    page = in_clear(serve().port)
    assert page.evaluate("!isSecureContext && navigator.wakeLock === undefined")
    page.click("h1")
    assert page.locator("video").count() == 0, "who only looks hears what their phone plays"
    page.click("text=Keep score")
    page.fill("input.pin", FakeTable.pin)
    page.click("dialog >> text=Enter")
    page.wait_for_selector("dialog .tools")
    page.click("dialog h2")
    page.wait_for_function(PLAYS)
    facts = page.evaluate("""() => { const video = document.querySelector('video.awake');
      return { muted: video.muted, volume: video.volume, loop: video.loop, seconds: video.duration,
               sound: video.webkitAudioDecodedByteCount > 0, picture: video.videoWidth > 0 }; }""")
    assert facts.pop("seconds") < 5, "longer than that, and Android takes it for music"
    assert facts == {"muted": False, "volume": 1, "loop": False, "sound": True, "picture": True}
    page.evaluate("() => { document.querySelector('video.awake').currentTime = 2.9; }")
    page.wait_for_function("() => document.querySelector('video.awake').currentTime < 1")
    page.wait_for_function(PLAYS)  # it begins again
    page.evaluate(HIDE, True)
    page.wait_for_function(RESTS)
    page.evaluate(HIDE, False)
    page.wait_for_function(PLAYS)
    page.click("dialog >> [aria-label=Close]")
    page.click("#tools >> text=Menu")
    page.click("text=Chosen by the phone")
    page.wait_for_function(RESTS)
    page.click("text=Stays on")
    page.wait_for_function(PLAYS)
    page.click("dialog >> [aria-label=Close]")
    page.click("#tools >> text=Menu")
    page.click("dialog >> text=Leave scoring")
    page.wait_for_function(RESTS)


def test_the_video_weighs_next_to_nothing(client):
    version = client.application.extensions["assets"].version
    for kind in ("webm", "mp4"):
        file = client.get(f"/static/{version}/en/awake.{kind}", headers={"Range": "bytes=0-99"})
        assert (file.status_code, file.mimetype, len(file.data)) == (206, f"video/{kind}", 100), "Safari asks for parts"
        assert len(client.get(f"/static/{version}/en/awake.{kind}").data) < 4_000
