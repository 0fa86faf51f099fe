"""The table's membership of a club: connects the link to the engine, and lets set-up join and leave a club."""

import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from controller import link, rules
from controller.api import Snapshot
from controller.config import Config, CrokiSection
from controller.errors import BadInput, ControllerError, Refused
from controller.exchange.croki import Organiser
from controller.journal import Journal
from controller.match import commands as cm
from controller.match.commands import parse_command
from controller.match.fold import fold, new_game
from controller.match.state import parse
from controller.messages import Message, say, wording
from controller.referee.read_board import lying_on
from controller.table.club.account import JOINED, Account, join
from controller.table.club.conversation import Outgoing
from controller.table.club.croki import NAME, CrokiLink
from controller.table.club.discovery import discovery
from controller.table.club.link import Link
from controller.table.club.published_state import published_state
from controller.table.engine import Engine
from controller.table.lamps_and_buttons import signal
from controller.table.match_start import match_started
from controller.table.outbox import POSITION, Outbox, journal_id
from controller.table.pipeline import Pipeline
from controller.views.club import InClub
from controller.vision.readings import BoardReading

log = logging.getLogger(__name__)
ASSIGNED = "club_assignment"  # the fact in which the journal stores the last assignment, for a start while offline
Post = Callable[[Callable[[], None]], None]


class Membership:
    """`start`, `stop`, `join` and `leave` may be called from any thread but the engine's, one at a time."""

    def __init__(self, config: Config, journal: Journal, pipeline: Pipeline, post: Post) -> None:
        """`post` queues work for the engine's thread."""
        self._config = config
        self._journal = journal
        self._pipeline = pipeline
        self._post = post
        self._own_rules: Mapping[str, Mapping[str, Any]] = {str(table["id"]): table for table in config.rules}
        self._link: Link | None = None
        self._croki: CrokiLink | None = None
        self._assignment: InClub | None = None
        self.account: Account | None = None
        self.trouble: Message | None = None
        """What is wrong with the connection to the club, if anything."""
        pipeline.start_command = self._start_by_first_disc
        self._engine.on_changed.append(self._changed)
        journal.on_written.append(self._written)

    @property
    def _engine(self) -> Engine:
        return self._pipeline.engine

    @property
    def club(self) -> tuple[str, str] | None:
        """The club's name, and the table's id in it; None without a club."""
        if self._config.croki is not None:
            return NAME, str(self._config.croki.table)
        return (self.account.name, self.account.table) if self.account else None

    @property
    def fixed(self) -> bool:
        return self._config.club is not None or self._config.croki is not None

    # start and stop

    def start(self) -> None:
        """Connect to the configured or joined club, or to the organiser's laptop, if any."""
        if self._config.croki is not None:
            self._follow(self._config.croki)
            return
        try:
            if self._config.club is not None:
                self.account = Account.configured(self._config.club)
            else:
                self.account = self._journal.facts.read(JOINED, Account.stored)
        except BadInput as error:  # the table plays on its own
            self._set_trouble(wording(error.args[0]))
            return
        if self.account is not None:
            self._begin(self.account)

    def _follow(self, laptop: CrokiSection) -> None:
        organiser = Organiser(laptop.url, laptop.key)
        self._croki = CrokiLink(
            organiser,
            laptop.table,
            self._journal.facts,
            assignment=lambda match: self._assigned(NAME, match),
            trouble=self._set_trouble,
        )
        self._restore_assignment(NAME)
        self._croki.start()

    def _restore_assignment(self, name: str) -> None:
        """Restore the last assignment, for a start while offline."""
        kept = self._journal.facts.read(ASSIGNED, lambda text: link.parse(link.Assignment, text.encode()))
        match = kept.match if kept else None
        self._post(lambda: self._assign(name, match))

    def _begin(self, account: Account) -> None:
        self._restore_assignment(account.name)
        name = self._engine.snapshot.document["table"]["name"]
        club_link = Link(
            account,
            lambda: Outbox(self._journal, account.club, begins=self._first_event, now=time.monotonic),
            assignment=lambda payload: self._received(account, payload),
            command=lambda payload: self._post(lambda: self._command(payload)),
            trouble=self._set_trouble,
            discovery=discovery(account.club, account.table, name, lamps=self._config.lamps.wired),
        )
        self._link = club_link
        self._post(lambda: self._changed(self._engine.snapshot))
        club_link.start()

    def stop(self) -> None:
        """End the connection, after announcing that the table is off."""
        if self._link is not None:
            self._link.stop()
            self._link = None
        if self._croki is not None:
            self._croki.stop()
            self._croki = None

    def join(self, address: str, code: str) -> None:
        """Join a club with a code from its hub. Raises `Refused` or `JournalError`."""
        if self.fixed:
            raise Refused(say("The organiser is set in this table's configuration: change [club] or [croki] there."))
        name = self._engine.snapshot.document["table"]["name"]
        joined = join(address, code, name, journal_id(self._journal))
        account = Account.joined(joined)
        self._leave()
        self._journal.facts.keep(JOINED, link.serialize(joined).decode())
        self.account = account
        self._begin(account)

    def leave(self) -> None:
        """Leave the club. Raises `Refused` or `JournalError`."""
        if self.fixed:
            raise Refused(say("The organiser is set in this table's configuration: change [club] or [croki] there."))
        self._leave()
        self._post(lambda: self._engine.set_club(None))

    def _leave(self) -> None:
        self.stop()
        for name in (JOINED, ASSIGNED, POSITION):
            self._journal.facts.forget(name)
        self.account = None
        self._set_trouble(None)

    def _first_event(self) -> int:
        """The first event for the club: the start of the running match, else the next event."""
        state = self._engine.state
        first = self._journal.first_of(state.number) if state is not None and not state.over else None
        return first or self._journal.last() + 1

    # from the club; on the link's thread

    def _received(self, account: Account, payload: bytes) -> None:
        try:
            match = link.parse(link.Assignment, payload).match if payload else None
        except link.BadMessage as error:
            self._set_trouble(
                say("What the club assigned can't be read ({why}). What was assigned before stands.", why=str(error))
            )
            return
        self._set_trouble(None)
        self._assigned(account.name, match)

    def _assigned(self, name: str, match: link.Assigned | None) -> None:
        self._journal.facts.try_to_keep(ASSIGNED, link.serialize(link.Assignment(match=match)).decode())
        self._post(lambda: self._assign(name, match))

    def _set_trouble(self, trouble: Message | None) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            self._post(lambda: self._engine.set_notice("club", trouble))

    # on the engine's thread

    def _assign(self, name: str, match: link.Assigned | None) -> None:
        before = over_as(match.id, self._journal) if match else None
        self._assignment = in_club(name, match, self._own_rules, before)
        self._engine.set_club(self._assignment)
        self._changed(self._engine.snapshot)

    def _changed(self, snapshot: Snapshot) -> None:
        state = self._engine.state
        if self._croki is not None and state is not None:
            self._croki.played(state)
        if self._link is None:
            return
        lamps = signal(state, self._engine.word)[0] if self._config.lamps.wired else None
        answer = self._assignment.answer(state) if self._assignment else None
        self._link.show(Outgoing(link.serialize(published_state(snapshot.document, lamps)), answer))

    def _written(self) -> None:
        if self._link is not None:
            self._link.wake()

    def _command(self, payload: bytes) -> None:
        try:
            word = link.parse(link.Command, payload).do
        except link.BadMessage as error:
            log.info("A command from the club can't be read: %s", error)
            return
        try:
            document = self.start_assigned() if word == "start" else {"do": word}
            if document is None:
                raise Refused(say("The club has assigned no match to this table."))
            self._pipeline.command({**document, "by": "program", "who": "club"})
        except (Refused, BadInput) as error:
            self._engine.set_notice("button", error.args[0])

    def start_assigned(self) -> dict[str, Any] | None:
        """The command that starts the assigned match; None if there is none, or while a match is running."""
        state, club = self._engine.state, self._engine.snapshot.document["club"]
        if club is None or club["next"] is None or (state is not None and not state.over):
            return None
        return {"do": "start", **club["next"]["start"]}

    def check(self, command: Mapping[str, Any]) -> None:
        """Raise `Refused` if a command would start a match that is no longer assigned."""
        id_ = command.get("assignment")
        assigned = self._assignment.assigned if self._assignment else None
        if id_ is not None and (assigned is None or assigned.id != id_):
            raise Refused(say("The club has assigned another match to this table since. Check the page again."))

    def _start_by_first_disc(self, reading: BoardReading) -> dict[str, Any] | None:
        """The command by which the first disc on the empty board starts the assigned match."""
        before = self._engine.reading
        if before is None or before.obstructed or reading.obstructed or lying_on(before) or not lying_on(reading):
            return None
        document = self.start_assigned()
        return None if document is None else {**document, "by": "table"}


LOOKED_BACK = 50  # matches: more than a table plays in an evening. A restored hub assigns no older one again.


def in_club(
    name: str, assigned: link.Assigned | None, own_rules: Mapping[str, Mapping[str, Any]], over_as: int | None = None
) -> InClub:
    """The club's assignment, after a trial start. `own_rules`: the club's own rule sets by id, as configured.
    `over_as`: the number of the finished match here that was this assignment."""
    if assigned is None:
        return InClub(name)
    if over_as is not None:
        return InClub(name, assigned, over_as=over_as)
    try:
        command = parse_command(
            {
                "do": "start",
                "rules": assigned.rules,
                "format": assigned.format,
                "discs": assigned.discs,
                "doubles": assigned.doubles,
                "sides": [{"name": side.name.strip()} for side in assigned.sides],
                "starter": assigned.starter,
            }
        )
        assert isinstance(command, cm.Start)
        game = new_game(match_started(command, own_rules.get(command.rules), None, cleared=True))
    except rules.RulesError as error:
        return InClub(name, assigned, refused=error.words)
    except BadInput as error:
        return InClub(name, assigned, refused=wording(error.args[0]))
    return InClub(name, assigned, game.terms)


def over_as(assignment: str, journal: Journal) -> int | None:
    """The newest match in the journal that was this assignment, if it is over. Unreadable matches are skipped."""
    for match in sorted(journal.matches(), reverse=True)[:LOOKED_BACK]:
        with suppress(ControllerError, ValueError):
            [first] = journal.since((journal.first_of(match) or 1) - 1, 1)
            if first.match == match and first.body.get("assignment") == assignment:
                return match if fold(match, [parse(entry) for entry in journal.events(match)]).over else None
    return None
