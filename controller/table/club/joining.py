"""Asks a club's hub for an account, with the code that its organiser shows."""

import urllib3

from controller.club import wire
from controller.club.mqtt import Broker
from controller.errors import Refused
from controller.messages import say
from controller.table.club.shown import plain

PATH = "/api/v1/club/join"
TIMEOUT = 5.0  # s
MOST_BYTES = 100_000  # of an answer: a certificate, five times


def join(address: str, code: str, name: str, journal: str) -> wire.Joined:
    """The account. `address`: of the hub's pages, as people type it. Raises `Refused`, with what to do."""
    plain_code = wire.plain_code(code)
    if len(plain_code) != 8 or any(letter not in wire.CODE_LETTERS for letter in plain_code):
        raise Refused(
            say("A join code has eight letters and digits, as in K7M2-QX4A: look at the organiser's page again.")
        )
    document = wire.Join(code=plain_code, name=plain(name), journal=journal)
    status, body = _posted(address, wire.written(document))
    if status == 403:
        raise Refused(
            say("The club does not know this code. It may be used or too old: have the organiser show another.")
        )
    if status == 429:
        raise Refused(say("The club was asked with wrong codes too often. Wait a minute, then try again."))
    try:
        if status != 200:
            raise wire.BadMessage(f"it answers {status}")
        joined = wire.read(wire.Joined, body)
        Broker.at(joined.broker, joined.table, joined.password)
    except ValueError as error:
        raise Refused(
            say("What answers at {address} is no club's hub ({why}).", address=address, why=str(error))
        ) from error
    return joined


def _posted(address: str, body: bytes) -> tuple[int, bytes]:
    """The status and the body of the answer. Raises `Refused`."""
    url = address.strip().rstrip("/")
    url = url if url.startswith(("http://", "https://")) else f"http://{url}"
    try:
        with urllib3.PoolManager(timeout=TIMEOUT, retries=False) as pool:
            answer = pool.request(
                "POST",
                url + PATH,
                body=body,
                headers={"Content-Type": "application/json"},
                redirect=False,
                preload_content=False,
            )
            given = answer.status, answer.read(MOST_BYTES)
            answer.close()
    except (urllib3.exceptions.HTTPError, OSError, ValueError) as error:
        raise Refused(
            say("The club's hub does not answer at {address}. Type the address that its page shows.", address=address)
        ) from error
    return given
