"""The table's membership of a club: connects the evening to the engine, and lets set-up join and leave a club."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from controller import rules
from controller.config import Config
from controller.errors import BadInput, ControllerError, Refused
from controller.journal import Journal
from controller.match import club as docs
from controller.match.commands import parse_command
from controller.match.events import parse
from controller.match.fold import fold, new_game
from controller.match.lifecycle import Start
from controller.messages import Message, say, wording
from controller.referee.read_board import lying_on
from controller.table.club.croki import CrokiEvening
from controller.table.club.evening import Evening
from controller.table.club.hub import Account, HubEvening, join
from controller.table.engine import Engine
from controller.views.club import InClub
from controller.views.state import State
from controller.vision.readings import BoardReading

JOINED = "club"  # the fact in which the journal stores the table's place in its club
ASSIGNED = "club_assignment"  # the fact in which the journal stores the last assignment, for a start while offline
Post = Callable[[Callable[[], None]], None]


@dataclass
class Membership:
    """`start`, `stop`, `join` and `leave` may be called from any thread but the engine's, one at a time. `post` queues
    work for the engine's thread."""

    config: Config
    journal: Journal
    engine: Engine
    post: Post
    _evening: Evening | None = None
    _assignment: InClub | None = None
    trouble: Message | None = None
    """What is wrong with the connection to the club, if anything."""

    def __post_init__(self) -> None:
        self.engine.start_command = self._start_by_first_disc
        self.engine.on_changed.append(self._changed)

    @property
    def club(self) -> tuple[str, str] | None:
        """The club's name, and the table's id in it; None without a club."""
        return (self._evening.name, self._evening.table) if self._evening else None

    @property
    def fixed(self) -> bool:
        return self.config.croki is not None

    # start and stop

    def start(self) -> None:
        """Follow the organiser's laptop that is configured, or the club that this table has joined, if any."""
        if self.config.croki is not None:
            self._begin(CrokiEvening(self.config.croki, self.journal.facts, self._assigned, self._set_trouble))
        elif account := self.journal.facts.read(JOINED, Account.model_validate_json):
            self._begin(HubEvening(account, self.journal, self._assigned, self._set_trouble))

    def _begin(self, evening: Evening) -> None:
        kept = self.journal.facts.read(ASSIGNED, lambda text: docs.parse(docs.Assignment, text.encode()))
        match = kept.match if kept else None  # for a start while offline
        self._evening = evening
        self.post(lambda: self._assign(match))
        evening.start()

    def stop(self) -> None:
        """End the connection."""
        if self._evening is not None:
            self._evening.stop()
            self._evening = None

    def join(self, address: str, code: str) -> None:
        """Join a club with a code from its hub. Raises `Refused` or `JournalError`."""
        self._check_free()
        account = join(address, code, self._first_event())
        self._leave()
        self.journal.facts.keep(JOINED, account.model_dump_json())
        self.start()

    def leave(self) -> None:
        """Leave the club. Raises `Refused` or `JournalError`."""
        self._check_free()
        self._leave()
        self.post(lambda: self.engine.set_club(None))

    def _check_free(self) -> None:
        if self.fixed:
            raise Refused(say("The organiser is set in this table's configuration: change [croki] there."))

    def _leave(self) -> None:
        self.stop()
        for name in (JOINED, ASSIGNED):
            self.journal.facts.forget(name)
        self._set_trouble(None)

    def _first_event(self) -> int:
        """The first event for the club: the start of the running match, else the next event."""
        state = self.engine.state
        if state is None or state.over:
            return self.journal.last() + 1
        return self.engine.history[0].id

    # from the evening; on its threads

    def _assigned(self, match: docs.Assigned | None) -> None:
        self.journal.facts.try_to_keep(ASSIGNED, docs.serialize(docs.Assignment(match=match)).decode())
        self.post(lambda: self._assign(match))

    def _set_trouble(self, trouble: Message | None) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            self.post(lambda: self.engine.set_notice("club", trouble))

    # on the engine's thread

    def _assign(self, match: docs.Assigned | None) -> None:
        if self._evening is None:  # the club was left in the meantime
            return
        before = over_as(match.id, self.journal) if match else None
        self._assignment = in_club(self._evening.name, match, self.engine.own_rules, before)
        self.engine.set_club(self._assignment)
        self._changed(self.engine.snapshot)

    def _changed(self, snapshot: State) -> None:
        if self._evening is not None:
            state = self.engine.state
            self._evening.changed(state, self._assignment.answer(state) if self._assignment else None)

    def start_assigned(self) -> dict[str, Any] | None:
        """The command that starts the assigned match; None if there is none, or while a match is running."""
        state, club = self.engine.state, self.engine.snapshot.club
        if club is None or club.next is None or (state is not None and not state.over):
            return None
        return {"do": "start", **club.next.start}

    def check(self, command: Mapping[str, Any]) -> None:
        """Raise `Refused` if a command would start a match that is no longer assigned."""
        id_ = command.get("assignment")
        assigned = self._assignment.assigned if self._assignment else None
        if id_ is not None and (assigned is None or assigned.id != id_):
            raise Refused(say("The club has assigned another match to this table since. Check the page again."))

    def _start_by_first_disc(self, reading: BoardReading) -> dict[str, Any] | None:
        """The command by which the first disc on the empty board starts the assigned match."""
        before = self.engine.reading
        if before is None or before.obstructed or reading.obstructed or lying_on(before) or not lying_on(reading):
            return None
        document = self.start_assigned()
        return None if document is None else {**document, "by": "table"}


LOOKED_BACK = 50  # matches: more than a table plays in an evening. A restored hub assigns no older one again.


def in_club(
    name: str,
    assigned: docs.Assigned | None,
    own_rules: Mapping[str, Mapping[str, Any]],
    over_as: int | None = None,
) -> InClub:
    """The club's assignment, after a trial start. `own_rules`: the club's own rule sets by id, as configured.
    `over_as`: the number of the finished match here that was this assignment."""
    if assigned is None:
        return InClub(name)
    if over_as is not None:
        return InClub(name, assigned, over_as=over_as)
    try:
        command = parse_command({"do": "start", **assigned.start})
        assert isinstance(command, Start)
        game = new_game(command.started(own_rules.get(command.rules), None, cleared=True))
    except rules.RulesError as error:
        return InClub(name, assigned, refused=error.words)
    except BadInput as error:
        return InClub(name, assigned, refused=wording(error.args[0]))
    return InClub(name, assigned, game.terms)


def over_as(assignment: str, journal: Journal) -> int | None:
    """The newest match in the journal that was this assignment, if it is over. Unreadable matches are skipped."""
    newest = journal.newest()
    for match in range(newest, max(0, newest - LOOKED_BACK), -1):
        with suppress(ControllerError, ValueError):
            first = next(journal.events(match), None)
            if first is not None and first.body.get("assignment") == assignment:
                return match if fold(match, [parse(entry) for entry in journal.events(match)]).over else None
    return None
