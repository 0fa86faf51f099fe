"""https with a certificate that was made by OpenSSL, seen by Python's own TLS and by Chromium."""

import json
import logging
import os
import re
import socket
import ssl
import struct
import subprocess
from contextlib import suppress
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from typing import Any

import pytest

from tests.slow import first_is_quick, slow
from tests.waiting import eventually
from tests.web_ui.conftest import keep_score
from web_ui import Server, Tls, WebError, create_app

NAME = "table.localhost"


def made(folder: Path, number: int = 1) -> Tls:
    """An authority of its own, and a certificate that it signed for the table's name and address."""
    folder.mkdir(exist_ok=True)

    def openssl(*arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    if not (folder / "ca.crt").exists():
        openssl("req", "-x509", "-newkey", "rsa:2048", "-noenc", "-keyout", "ca.key", "-out", "ca.crt", "-days", "30",
                "-subj", "/CN=Crokinole table")  # fmt: skip
    openssl("req", "-newkey", "rsa:2048", "-noenc", "-keyout", "new.key", "-out", "new.csr", "-subj", f"/CN={NAME}")
    (folder / "names").write_text(f"subjectAltName=DNS:{NAME},IP:127.0.0.1")
    openssl("x509", "-req", "-in", "new.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-days", "20", "-extfile", "names",
            "-set_serial", str(number), "-out", "new.crt")  # fmt: skip
    (folder / "new.key").replace(folder / "table.key")
    (folder / "new.crt").replace(folder / "table.crt")
    return Tls(folder / "table.crt", folder / "table.key", 0)


@pytest.fixture(scope="module")
def tls(tmp_path_factory):
    return made(tmp_path_factory.mktemp("tls"))


def https_port(server: Server) -> int:
    return int(server._app.config["HTTPS"][1])


def trusting(tls: Tls) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(tls.certificate.with_name("ca.crt")))


def asked(server: Server, tls: Tls) -> tuple[int, Any]:
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

    def serial() -> int:
        with (
            socket.create_connection(("127.0.0.1", https_port(server)), timeout=10) as plain,
            trusting(tls).wrap_socket(plain, server_hostname=NAME) as encrypted,
        ):
            return int(encrypted.getpeercert()["serialNumber"], 16)  # type: ignore[index, arg-type]

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


def test_the_commands_of_the_page_about_https_make_a_certificate_that_serves(serve, tmp_path):
    page = (Path(__file__).resolve().parents[2] / "docs" / "pages.md").read_text()
    (commands,) = re.findall(r"```sh\n(openssl.*?)```", page, re.DOTALL)
    script = commands.replace("192.168.1.30", "127.0.0.1")
    subprocess.run(["sh", "-e", "-c", script], cwd=tmp_path, check=True, capture_output=True)
    tls = Tls(tmp_path / "table.crt", tmp_path / "table.key", 0)
    assert asked(serve(tls=tls), tls)[0] == 200
