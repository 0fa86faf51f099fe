"""The engine owns the match: observations, hole events and commands in, journal and state out. It is called on one
thread. An event is first applied to a copy of the state, then written to disk, then folded in, then shown: what the
rules refuse never reaches the journal, and everything shown is on disk."""

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from typing import Any

from controller import rules
from controller.api import Snapshot
from controller.errors import JournalError, Refused
from controller.journal import Journal
from controller.journal.match_log import MatchLog
from controller.match import events as ev
from controller.match.base import Stamped
from controller.match.base_command import At
from controller.match.commands import Command, parse_command
from controller.match.lifecycle import Start
from controller.match.players import NamingCommand, refuse_one_person_twice
from controller.match.state import MatchState
from controller.match.timekeeper import Timekeeper
from controller.match.undo import Undo
from controller.messages import Message, say
from controller.referee import Referee
from controller.referee.read_board import lying_on
from controller.referee.sensor import ask_about_missed, twenty_alone
from controller.table.devices import counts_as_fact
from controller.table.journal_writer import JournalWriter
from controller.table.question_pictures import PictureMaker
from controller.table.status import Notices, word_of
from controller.table.unseen_shots import ReadBoard
from controller.views.audit import check_not_stale, refuse_if_stale
from controller.views.club import InClub
from controller.views.phrases import placing, silent_sensor
from controller.views.state import ClipsOf, NoticeKind, State, StatusWord, TableView, no_clips
from controller.vision.readings import AT_HOLE, BoardReading
from controller.vision.watching.gate import Word
from controller.vision.watching.observations import BoardRead, GateChanged, Observation, ReadingFailed
from hardware.devices import HoleEvent, Image

log = logging.getLogger(__name__)
MAX_STEPS = 8  # per reading: enough for two shots, a sweep and their questions; more means that the referee loops
STUCK = 2.0  # s of an occupied sensor over an empty hole: longer than any disc takes to fall or be lifted

STUCK_SENSOR = say(
    "The hole sensor reports a disc, but the hole is empty. Clean it, check its wire, or teach it "
    "with a disc on the set-up page."
)

OBSTRUCTED = say("Something lies on the board: take it off.")
UNEXPLAINED = say("The last change on the board could not be explained. Correct it by hand.")
CONTRADICTING = say("The hole sensor contradicts the camera. Only the camera counts until they agree again.")


def _stuck(reading: BoardReading, level: bool | None, state: MatchState | None) -> bool:
    at_hole = any(d.pose in AT_HOLE for d in reading.discs)
    since = state.hole[-1].t if state is not None and state.hole else -math.inf
    return level is True and not at_hole and reading.t - since > STUCK


def _known_empty(before: MatchState | None, reading: BoardReading | None, *, camera_lost: bool, still: bool) -> bool:
    """Whether the board is known to be free of discs of the previous match."""
    if before is None:
        return True
    if reading is None:
        return camera_lost or not (before.measured or before.strangers)
    return still and not reading.obstructed and not lying_on(reading)


class Engine:
    """Runs the match at one table. `wall`: the time of day for the journal; the match itself knows no clock."""

    def __init__(
        self,
        journal: Journal,
        *,
        name: str = "Table",
        simulated: bool = False,
        wall: Callable[[], float],
        level: Callable[[], bool | None] = lambda: None,
        picture_maker: PictureMaker | None = None,
        own_rules: Sequence[Mapping[str, Any]] = (),
        steady: Callable[[], float] | None = None,
        boot: str = "",
        clips_of: ClipsOf = no_clips,
    ) -> None:
        """`level`: the hole sensor's level, None for no answer. `picture_maker`: for questions and shots, None without
        pictures. `own_rules`: a club's own rule sets, as configured. `steady`: a monotonic clock in seconds restarting
        at each `boot`; by default the time of day. Raises `rules.RulesError`."""
        own = [rules.own_rule_set(table) for table in own_rules]
        self._own_rules = {str(table["id"]): table for table in own_rules}
        self._journal = journal
        self._wall = wall
        self._level = level
        self._picture_maker = picture_maker
        self.referee = Referee()
        self.on_happened: list[Callable[[Sequence[ev.Event], MatchState], None]] = []  # on disk; the state after them
        self.on_changed: list[Callable[[Snapshot], None]] = []  # all three are called on the engine's thread
        self.on_level_found: Callable[[float, bool], None] = lambda *_: None  # the hole changed while nobody listened
        self.reading: BoardReading | None = None
        self._picture: Image | None = None
        self._gate: Word = "still"
        self._camera_lost = False
        self._level_known = False
        self._certified: tuple[ev.ColoursLearnt, ...] = ()  # by set-up: none, or one event
        self._notices = Notices()
        self._writer = JournalWriter(journal, self._notices)
        self.view = TableView(name, simulated, (*rules.rule_sets(), *rules.practices(), *own), clips_of)
        self._match_log = self._writer.newest_match()  # a restarted table continues it
        self._timers = Timekeeper(wall, steady or wall, boot)
        with suppress(JournalError):  # a notice says so
            self._about_timers(lambda state: self._timers.after_boot(state, self.history))
        self.snapshot = self._take_snapshot()

    @property
    def state(self) -> MatchState | None:
        """The running or last match; None before the first."""
        return self._match_log.state if self._match_log else None

    @property
    def history(self) -> Sequence[Stamped]:
        """The match's events, undone ones included."""
        return self._match_log.history if self._match_log else ()

    # input

    def observe(self, observation: Observation) -> None:
        try:
            self._observe(observation)
        finally:
            self.publish()

    def _observe(self, observation: Observation) -> None:
        match observation:
            case GateChanged():
                self._gate = observation.word
                self.referee.gate(observation.word)
            case BoardRead():
                self.set_notice("reading", None)
                self.reading, self._picture = observation.reading, observation.picture
                self._check_hole(observation.reading)
                self.referee.filmed(observation.film)
                self._referee()
                obstructed = self._gate == "still" and observation.reading.obstructed
                self.set_notice("obstructed", OBSTRUCTED if obstructed else None)
                self.set_notice("placing", placing(self.referee.hint, self.state))
                silent = silent_sensor(self.history)
                self.set_notice("hole_trust", silent if self.referee.trust.believed else CONTRADICTING)
            case ReadingFailed():
                self.set_notice("reading", observation.text)

    @property
    def _counts_alone(self) -> bool:
        """Whether the hole's sensor alone counts twenties, without a camera."""
        return self._camera_lost or (self.state is not None and self.state.manual)

    def hole_changed(self, event: HoleEvent, side: str | None = None) -> None:
        """Handle an event of the hole's sensor. `side`: the disc's side, if its colour shows it. A level that is known
        is no event of the match; the unit's counts are kept in any case."""
        facts = None if event.counts is None else counts_as_fact(event.counts)
        events: list[ev.Event] = []
        if self.state is None or event.occupied != self.state.hole_level or side is not None:
            events.append(ev.HoleChanged.model_validate({"t": event.t, "occupied": event.occupied, "side": side}))
        events += ask_about_missed(self.state, event.missed, sensor_alone=self._counts_alone)
        try:
            if not events:
                if facts is not None:
                    self._writer.write_outside_matches([], self._wall(), facts)
                return
            self._commit(events, facts=facts)
            if self.state is not None and self._counts_alone and (counted := twenty_alone(self.state)):
                self._commit(counted)
        except JournalError:
            self._level_known = False  # a pin does not repeat the change: compare its level at the next reading
            raise
        finally:
            self.publish()

    def rename(self, name: str) -> None:
        self.view = replace(self.view, name=name)
        self.publish()

    def set_club(self, club: InClub | None) -> None:
        self.view = replace(self.view, club=club)
        self.publish()

    def clock_set(self, ahead: float, after: int = 0) -> None:
        """The time of day was set ahead by this many seconds: correct the dates in the running match of events that
        follow the number `after`."""
        if self.state is not None and not self.state.over:
            self._commit([ev.ClockSet(ahead=ahead, after=after)])
            self._about_timers(self._timers.time_of_day_set)
            self.publish()

    def time_is_up(self) -> None:
        self._about_timers(self._timers.ended)
        self.publish()

    def _about_timers(self, events: Callable[[MatchState], list[ev.Event]]) -> None:
        if self.state is not None and (found := events(self.state)):
            self._commit(found)

    def camera_changed(self, lost: bool) -> None:
        self._camera_lost = lost
        if lost:
            self.referee.blind()
        self.publish()

    def set_notice(self, kind: NoticeKind, text: Message | str | None) -> None:
        """Set the notice about something missing or broken; None removes it."""
        if self._notices.set(kind, text):
            self.publish()

    def command(self, document: object) -> None:
        """Carry out a command. Raises `BadInput`, `Refused` or `JournalError`; then nothing has changed."""
        try:
            self._carry_out(parse_command(document))
        finally:
            self.publish()

    def _carry_out(self, command: Command) -> None:
        if isinstance(command, Start):
            if not command.was_carried_out(self.history):
                self._start(command)
        elif isinstance(command, NamingCommand):
            names = self._journal.players.names()
            check_not_stale(command.newer(names), {}, {s.id: s.event for s in names.changes})
            self._writer.write_outside_matches([command.named(names).model_copy(update=command.sent)], self._wall())
            if self._match_log is not None:
                self._match_log.reload_names()
        else:
            match_log = self._writer.match_of(command, self._match_log)
            refuse_if_stale(command, match_log.history)
            running = match_log is self._match_log
            if running and isinstance(command, Undo) and command.undoes_start(match_log.history):
                self._resume(command, match_log.state)
                return
            board = ReadBoard(match_log.state, self.reading)
            at = At(match_log.history, match_log.state, self._timers.clock, board)
            self._commit(command.carry_out(at), match_log=match_log)
            if running and command.rereads:
                self._referee()

    # work

    def _check_hole(self, reading: BoardReading) -> None:
        """Set a notice if the sensor reports a disc while the camera sees an empty hole: it is stuck or dirty."""
        if reading.obstructed or not reading.shows(0.0, 0.0):
            return
        level = self._level()
        if self.state is not None:
            if not self._level_known and level is not None:
                self._level_known = True
                if level != self.state.hole_level:
                    self.on_level_found(reading.t, level)
                    self._commit([ev.HoleChanged(t=reading.t, occupied=level)])
            level = self.state.hole_level
        self.set_notice("hole_level", STUCK_SENSOR if _stuck(reading, level, self.state) else None)

    def _referee(self) -> None:
        """Let the referee explain the newest reading, one shot or question at a time."""
        for _ in range(MAX_STEPS):
            if self.state is None or self.reading is None or self.state.manual:
                return
            before = deepcopy(self.referee)
            events = self.referee.read(self.state, self.reading)
            if not events:
                return
            try:
                self._commit(events)
            except JournalError:
                self.referee = before  # forget what was never written
                raise
            except Refused as error:
                self.referee.refused()
                log.error("The referee's explanation was refused by the rules: %s", error)
                self.set_notice("referee", UNEXPLAINED)
                return
            self.set_notice("referee", None)
        log.error("One reading led to more than %d steps; the last: %s", MAX_STEPS, events)

    def _commit(
        self, events: Sequence[ev.Event], match_log: MatchLog | None = None, facts: Mapping[str, str] | None = None
    ) -> None:
        """Write events to a match's log, by default the running match's; outside all matches before the first. Raises
        `Refused` if the rules refuse one; then none is written."""
        match_log = match_log or self._match_log
        if match_log is None:
            self._writer.write_outside_matches(events, self._wall(), facts)
            return
        if match_log is self._match_log:
            events = [*events, *self._timers.first_shot(events, match_log.state)]
        evidence = (self.reading, self._picture, self._picture_maker)
        written = self._writer.write(match_log, events, self._wall(), facts, evidence)
        if match_log is self._match_log:
            self._notify(written)

    def _notify(self, events: Sequence[ev.Event]) -> None:
        if events and self._match_log:
            for happened in self.on_happened:
                happened(events, self._match_log.state)

    def certify(self, sides: Mapping[str, ev.Lab]) -> None:
        """Set the discs' colours by side as set-up learnt them, for the running match and later ones."""
        certified = ev.ColoursLearnt.model_validate({"sides": dict(sides), "certified": True})
        self._certified = (certified,)
        if self.state is not None and not self.state.over and self.state.certified != certified.sides:
            self._commit([certified])

    def try_again(self) -> None:
        """Call every few seconds: if the journal could not be written, try again, then referee the newest reading."""
        with suppress(JournalError):  # a notice says so already
            if self._writer.recovers():
                self._referee()
        self.publish()

    def _start(self, command: Start) -> None:
        refuse_if_stale(command, self.history)
        cleared = _known_empty(self.state, self.reading, camera_lost=self._camera_lost, still=self._gate == "still")
        started = command.started(self._own_rules.get(command.rules), self.state, cleared=cleared)
        refuse_one_person_twice(started, self._journal.players.names())
        handed = [ev.ScoringModeChanged(manual=True)] if command.manual or self._camera_lost else []
        events: list[ev.Event] = [started, *handed, *self._certified, *self._timers.for_next_match(self.state)]
        self._match_log = self._writer.guarded(lambda: MatchLog.begin(self._journal, events, self._wall()))
        self.referee, self._level_known = Referee(), False
        self._notices.set("referee", None)
        self._notices.set("match", None)
        self._notify(events)
        left = lying_on(self.reading) if self.reading else ()  # discs of the match before have to be cleared
        if left:
            self._commit([ev.BoardSeen(measured={}, strangers=left)])

    def _resume(self, command: Undo, started: MatchState) -> None:
        """Undo the start of this match and continue the one before it."""
        deleted, undone = command.start_undone(started)
        later, former = self._match_log, MatchLog.open(self._journal, deleted.resumed or 0)
        assert later is not None
        self._writer.guarded(lambda: former.resume(later, deleted, undone, self._wall()))
        self._notify([deleted])
        self._match_log, self.referee, self._level_known = former, Referee(), False
        self._notify([undone])
        self._referee()

    # output

    @property
    def word(self) -> StatusWord:
        # until the camera has adapted to changed light, a notice is set and nothing is read
        seen: Word = "light_changed" if "light" in self._notices else self._gate
        return word_of(self.state, "no_camera" if self._camera_lost else seen)

    def publish(self) -> None:
        """Publish the newest state to all listeners, if it has changed. A failing one does not affect the others."""
        snapshot = self._take_snapshot()
        if snapshot != self.snapshot:
            self.snapshot = snapshot
            for changed in tuple(self.on_changed):  # other threads add and remove some
                try:
                    changed(snapshot)
                except Exception:
                    log.exception("A listener failed")

    def _take_snapshot(self) -> Snapshot:
        view = replace(self.view, word=self.word, notices=self._notices.standing, history=tuple(self.history))
        document = State.of(view, self.state)
        return Snapshot(document.id, document)
