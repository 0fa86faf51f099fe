"""The table's account in its club, from the configuration or from the hub in exchange for a join code."""

import json
import re
import warnings
from dataclasses import dataclass
from typing import Self

import urllib3

from controller import link
from controller.config import ClubSection
from controller.errors import BadInput, Refused
from controller.link.mqtt import Broker
from controller.messages import say
from controller.table.club.published_state import printable
from hardware.files import read_text

JOINED = "club"  # the fact in which the journal stores the hub's answer to a join code
PATH = "/api/v1/club/join"
TIMEOUT = 5.0  # s
MAX_ANSWER = 100_000  # bytes: five times a certificate


@dataclass(frozen=True, slots=True)
class Account:
    """A table's place in a club, and its account at the club's broker."""

    club: str
    name: str
    table: str
    broker: Broker

    @classmethod
    def configured(cls, section: ClubSection) -> Self:
        """From the configuration. Raises `BadInput` if a file that it names can't be read or used."""
        password = _text(section.credentials, "[club] credentials").strip()
        if not re.fullmatch("[!-~]{1,200}", password):
            raise BadInput(
                f"[club] credentials: {section.credentials} must hold the table's password at the broker, in one line."
            )
        certificate = _text(section.certificate, "[club] certificate") if section.certificate else None
        broker = Broker.at(section.broker, section.table, password, certificate)
        return cls(section.club, section.club, section.table, broker)

    @classmethod
    def joined(cls, document: link.Joined) -> Self:
        """From the hub's answer. Raises `ValueError` for an invalid address."""
        broker = Broker.at(document.broker, document.table, document.password, document.certificate)
        return cls(document.club, document.club_name, document.table, broker)

    @classmethod
    def stored(cls, text: str) -> Self:
        """From the text in the journal. Raises `ValueError`."""
        return cls.joined(link.parse(link.Joined, text.encode()))


def _text(path: object, what: str) -> str:
    try:
        return read_text(path)  # type: ignore[arg-type]
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise BadInput(f"{what}: {path} can't be read: {why}.") from error


def join(address: str, code: str, name: str, journal: str) -> link.Joined:
    """The account. `address`: the hub's pages, as people type it. Raises `Refused` with what to do."""
    plain_code = link.normalize_code(code)
    if len(plain_code) != 8 or any(letter not in link.CODE_LETTERS for letter in plain_code):
        raise Refused(
            say("A join code has eight letters and digits, as in K7M2-QX4A: look at the organiser's page again.")
        )
    document = link.Join(code=plain_code, name=printable(name), journal=journal)
    status, body = _posted(address, link.serialize(document))
    if status == 403:
        raise Refused(
            say("The club does not know this code. It may be used or too old: have the organiser show another.")
        )
    if status == 429:
        raise Refused(say("Too many wrong codes were tried. Wait a minute, then try again."))
    try:
        if status != 200:
            raise link.BadMessage(f"it answers {status}")
        joined = link.parse(link.Joined, body)
        Broker.at(joined.broker, joined.table, joined.password)
    except ValueError as error:
        raise Refused(say("{address} is not a club's hub ({why}).", address=address, why=str(error))) from error
    return joined


def _posted(address: str, body: bytes) -> tuple[int, bytes]:
    """The status and the body of the answer. Raises `Refused`. Uses https if the hub does. Its certificate is not
    verified, but who only listens in the network learns neither the code nor the account."""
    url = address.strip().rstrip("/")
    url = url if url.startswith(("http://", "https://")) else f"http://{url}"
    try:
        with urllib3.PoolManager(timeout=TIMEOUT, retries=False, cert_reqs="NONE", assert_hostname=False) as pool:
            status, found = _asked(pool, "GET", url + PATH, None)
            encrypted = str(json.loads(found)["https"]) if status == 200 and url.startswith("http://") else url
            if encrypted != url and not encrypted.startswith("https://"):
                raise ValueError(encrypted)
            return _asked(pool, "POST", encrypted.rstrip("/") + PATH, body)
    except (urllib3.exceptions.HTTPError, OSError, ValueError, KeyError, TypeError) as error:
        raise Refused(
            say("The club's hub does not answer at {address}. Type the address that its page shows.", address=address)
        ) from error


def _asked(pool: urllib3.PoolManager, method: str, url: str, body: bytes | None) -> tuple[int, bytes]:
    headers = {"Content-Type": "application/json"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", urllib3.exceptions.InsecureRequestWarning)
        answer = pool.request(method, url, body=body, headers=headers, redirect=False, preload_content=False)
        try:
            return answer.status, answer.read(MAX_ANSWER)
        finally:
            answer.close()
