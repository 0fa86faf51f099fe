"""The evening of a club: this table is a client of the club's hub, over HTTP.

It sends the journal in batches. The journal itself is the queue, so an hour offline takes no memory; the table keeps
no position in it, since the hub says what it has."""

import hashlib
import secrets
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import accumulate

import urllib3
from pydantic_core import from_json

from controller.errors import BadInput, Refused, causes
from controller.exchange import NoAnswer
from controller.journal import JOURNAL_ID, SCHEMA_VERSION, Journal, Stored
from controller.match import club
from controller.match.state import MatchState
from controller.messages import Message, say
from controller.table.club import evening
from controller.table.club.evening import TIMEOUT, Evening, Receiver

SILENT = 2.5 * club.BEAT  # s without a byte after which the stream of assignments is dead
REPORT_EVERY = 60.0  # s between reports without news, by which the hub sees that this table is there, and what it lost
MAX_ANSWER = 100_000  # bytes
TEXT = "application/json"


class Account(club.Joined):
    """A table's place in a club: what the hub answered to its code, the address of the hub's pages, and the first event
    of the journal that concerns the club."""

    url: str
    begins: club.Number


def _address(typed: str) -> str:
    url = typed.strip().rstrip("/")
    return url if url.startswith(("http://", "https://")) else f"http://{url}"


@contextmanager
def _asked(method: str, url: str, body: bytes | None, token: str, read: float) -> Iterator[urllib3.BaseHTTPResponse]:
    """The hub's answer. Raises `NoAnswer`."""
    headers = {"Content-Type": TEXT, **({"Authorization": f"Bearer {token}"} if token else {})}
    timeout = urllib3.Timeout(connect=TIMEOUT, read=read)
    try:
        with urllib3.PoolManager(timeout=timeout, retries=False) as pool:
            answer = pool.request(method, url, body=body, headers=headers, redirect=False, preload_content=False)
            try:
                yield answer
            finally:
                answer.close()
    except (urllib3.exceptions.HTTPError, OSError, ValueError) as error:
        raise NoAnswer(_why(url, error)) from error


def _why(url: str, error: Exception) -> Message:
    cause = next((one for one in causes(error) if isinstance(one, ssl.SSLCertVerificationError)), None)
    if cause is None:
        return say("The club's hub does not answer at {address}. What is played is kept here.", address=url)
    if "not yet valid" in cause.verify_message:
        return say(
            "The hub's certificate is not yet valid by this table's clock: the clock of one of the two is wrong."
        )
    return say("The hub's certificate is not trusted: {why}.", why=cause.verify_message)


def join(address: str, code: str, begins: int) -> Account:
    """The table's place in the club. `address`: of the hub's pages, as typed. Raises `Refused` with what to do."""
    try:
        document = club.Join(code=club.normalize_code(code))
    except ValueError as error:
        raise Refused(
            say("A join code has eight letters and digits, as in K7M2-QX4A: look at the organiser's page again.")
        ) from error
    url = _address(address)
    try:
        with _asked("POST", url + club.JOIN, club.serialize(document), "", TIMEOUT) as answer:
            status, body = answer.status, answer.read(MAX_ANSWER)
    except NoAnswer as error:
        why = error.args[0]
        raise Refused(say("{why} Type the address that the organiser's page shows.", why=why)) from error
    if status == 403:
        raise Refused(
            say("The club does not know this code. It may be used or too old: have the organiser show another.")
        )
    try:
        if status != 200:
            raise BadInput(f"it answers {status}")
        joined = club.parse(club.Joined, body)
    except BadInput as error:
        raise Refused(_no_hub(address, error)) from error
    return Account(url=url, begins=begins, **joined.model_dump())


class HubEvening(Evening):
    """One of its threads posts the journal, the other listens for assignments."""

    def __init__(
        self, account: Account, journal: Journal, assigned: Receiver[club.Assigned], trouble: Receiver[Message]
    ) -> None:
        works = {"club reports": self._report, "club assignments": self._listen}
        super().__init__(account.club, account.table, assigned, trouble, **works)
        self._account = account
        self._journal = journal
        self._answer: club.AssignmentAnswer | None = None
        self._have: int | None = None
        self._stream: urllib3.BaseHTTPResponse | None = None

    def start(self) -> None:
        self._journal.on_written.append(self._wake.set)
        super().start()

    def stop(self) -> None:
        self._stopping.set()
        self._hang_up()
        with suppress(ValueError):
            self._journal.on_written.remove(self._wake.set)
        super().stop()

    def changed(self, state: MatchState | None, answer: club.AssignmentAnswer | None) -> None:
        if answer != self._answer:
            self._answer = answer
            self._wake.set()

    # --- reports

    def _report(self) -> None:
        """Send everything that the hub does not have, then wait for news. Raises `NoAnswer`."""
        self._wake.clear()
        while not self._stopping.is_set():
            known = self._have is not None
            self._have = self._post(batch_after(self._journal, self._have, self._account.begins, self._answer))
            if known and self._journal.last() <= self._have:
                break
        self._set_trouble(self._report, None)
        self._wake.wait(REPORT_EVERY)

    def _post(self, batch: club.Batch) -> int:
        """Post a batch. Returns the last event number that the hub has now."""
        url, token = self._account.url, self._account.token
        with _asked("POST", url + club.EVENTS, club.serialize(batch), token, TIMEOUT) as answer:
            status, body = answer.status, answer.read(MAX_ANSWER)
        if status not in (200, 409):
            self._have = None
            raise NoAnswer(_refusal(url, status))
        try:
            said = club.parse(club.Have, body)
        except BadInput as error:
            raise NoAnswer(_no_hub(url, error)) from error
        if status == 409 and said.renew:
            renew_id(self._journal)
            return self._account.begins - 1
        return said.have

    # --- assignments

    def _listen(self) -> None:
        """Follow the assignments until the stream ends. Raises `NoAnswer`."""
        url = self._account.url
        with _asked("GET", url + club.ASSIGNMENT, None, self._account.token, SILENT) as answer:
            if answer.status != 200:
                raise NoAnswer(_refusal(url, answer.status))
            self._stream = answer
            self._set_trouble(self._listen, None)
            for line in _lines(answer):
                if self._stopping.is_set():
                    return
                if line.startswith(b"data: "):
                    self._received(line.removeprefix(b"data: "))
        self._stopping.wait(evening.FIRST_PAUSE)

    def _received(self, payload: bytes) -> None:
        try:
            match = club.parse(club.Assignment, payload).match
        except BadInput as error:
            self._set_trouble(
                self._listen,
                say(
                    "What the club assigned can't be read ({why}). What was assigned before stands.",
                    why=_as_clause(error),
                ),
            )
            return
        self._set_trouble(self._listen, None)
        self._on_assigned(match)

    def _hang_up(self) -> None:
        stream = self._stream
        if stream is not None:
            with suppress(OSError, urllib3.exceptions.HTTPError, ValueError):
                stream.shutdown()


def _no_hub(address: str, error: BadInput) -> Message:
    return say("{address} is not a club's hub ({why}).", address=address, why=_as_clause(error))


def _as_clause(error: BadInput) -> str:
    """What is wrong with a message, to stand within a sentence."""
    return str(error).removesuffix(".")


def _refusal(url: str, status: int) -> Message:
    if status == 401:
        return say("The club no longer knows this table. What is played is kept here: join again on the set-up page.")
    return say(
        "The club's hub at {address} refuses what this table sends ({status}). What is played is kept here.",
        address=url,
        status=status,
    )


def _lines(answer: urllib3.BaseHTTPResponse) -> Iterator[bytes]:
    """The lines of a stream, as they come; a longer one than a batch ends it."""
    kept = b""
    while chunk := answer.read1():
        *lines, kept = (kept + chunk).split(b"\n")
        yield from lines
        if len(kept) > club.LARGEST:
            return


MOST_BYTES = club.LARGEST * 3 // 4
"""Bytes of the bodies in one batch, as stored in the journal; the rest is for the message around them."""


RENEWED = "club_journal_renewed"  # the fact: a random text since the last renewal


def journal_id(journal: Journal) -> str:
    """The id under which the club knows the journal: it follows from the journal's own, and is another one each time
    that the club asks for that. Mirror and backups keep the journal's own, since they are still of the same journal."""
    own, renewed = journal.facts.get(JOURNAL_ID), journal.facts.get(RENEWED)
    return hashlib.sha256(f"{own} {renewed}".encode()).hexdigest()[:32]


def renew_id(journal: Journal) -> None:
    """Give the journal another id for the club: it was set back. Raises `JournalError`."""
    journal.facts.keep(RENEWED, secrets.token_hex(16))


def batch_after(journal: Journal, have: int | None, begins: int, answer: club.AssignmentAnswer | None) -> club.Batch:
    """What follows the number that the hub has, and concerns the club from `begins` on. The last event that it has goes
    again: if the journal was set back, the hub has another one there. `have` None: nobody knows what it has, and the
    batch is empty. Raises `JournalError`."""
    sent = max(journal.last() if have is None else have - 1, begins - 1)
    rows = [] if have is None else journal.stored_after(sent, club.MOST_EVENTS)
    sizes = accumulate(len(row[4]) for row in rows)
    fits = [row for row, size in zip(rows, sizes, strict=True) if size <= MOST_BYTES]
    events = tuple(_event(row) for row in fits or rows[:1])
    return club.Batch(
        journal=journal_id(journal),
        journal_schema=SCHEMA_VERSION,
        begins=begins,
        first=sent + 1,
        last=events[-1].id if events else sent,
        events=events,
        answer=answer,
    )


def _event(row: Stored) -> club.Event:
    """An event as it is sent, without the damaged parts."""
    number, match, at, kind, body = row
    parsed = None
    if len(body) <= club.LARGEST_EVENT:
        with suppress(ValueError):
            parsed = from_json(body, allow_inf_nan=False)
    whole = parsed if isinstance(parsed, dict) and club.storage_problem(parsed) is None else None
    try:
        return club.Event(id=number, match=match, at=float(at), kind=kind, body=whole)
    except ValueError:
        return club.Event(id=number, match=max(match, 0), at=0.0, kind="unreadable", body=None)
