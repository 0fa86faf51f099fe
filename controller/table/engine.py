"""The engine owns the match: observations, hole events and commands in, journal and state out. It is called on one
thread. An event is first applied to a copy of the state, then written to disk, then folded in, then shown: what the
rules refuse never reaches the journal, and everything shown is on disk."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from typing import Any, Literal

from controller import rules
from controller.errors import JournalError, Refused
from controller.journal import Journal
from controller.journal.match_log import MatchLog
from controller.journal.media import Clip
from controller.match import events as ev
from controller.match.base import At
from controller.match.commands import Command, parse_command
from controller.match.lifecycle import Start
from controller.match.players import NamingCommand, refuse_one_person_twice
from controller.match.state import MatchState
from controller.match.timers import Timekeeper
from controller.match.undo import Undo
from controller.messages import Message, say
from controller.referee import Referee
from controller.referee.read_board import lying_on
from controller.referee.sensor import twenty_alone
from controller.table.clips import ClipKeeper
from controller.table.devices import counts_as_fact
from controller.table.hole_sensor import STUCK_SENSOR, HoleWatch
from controller.table.question_pictures import NO_PICTURES, with_pictures
from controller.table.recorder import Recorder
from controller.table.status import ShownMatch
from controller.table.unseen_shots import ReadBoard
from controller.views.audit import refuse_if_stale, refuse_unseen, saying_unseen
from controller.views.phrases import placing, silent_sensor
from controller.views.state import TableView
from controller.vision.readings import USUAL_SIDES, BoardReading
from controller.vision.side_colours import Palette
from controller.vision.watching.background_model import BackgroundModel
from controller.vision.watching.observations import BoardRead, GateChanged, Observation, ReadingFailed
from hardware.devices import HoleEvent, Image

log = logging.getLogger(__name__)
MAX_STEPS = 8  # per reading: enough for two shots, a sweep and their questions; more means that the referee loops
OBSTRUCTED = say("Something lies on the board, or a lamp mirrors in it: take it off, or move the lamp.")
UNEXPLAINED = say("The last change on the board could not be explained. Correct it by hand.")
CONTRADICTING = say("The hole sensor contradicts the camera. Only the camera counts until they agree again.")


def _known_empty(before: MatchState | None, reading: BoardReading | None, *, camera_lost: bool, still: bool) -> bool:
    """Whether the board is known to be free of discs of the previous match."""
    if before is None:
        return True
    if reading is None:
        return camera_lost or not (before.measured or before.strangers)
    return still and not reading.obstructed and not lying_on(reading)


class Engine(ShownMatch):
    """Runs the match at one table. `wall`: the time of day for the journal; the match itself knows no clock."""

    def __init__(
        self,
        journal: Journal,
        model: BackgroundModel | None = None,
        *,
        name: str = "Table",
        simulated: bool = False,
        wall: Callable[[], float],
        now: Callable[[], float] = lambda: 0.0,
        level: Callable[[], bool | None] = lambda: None,
        pictures: bool = True,
        own_rules: Sequence[Mapping[str, Any]] = (),
        steady: Callable[[], float] | None = None,
        boot: str = "",
    ) -> None:
        """`model`: what reads the pictures; by default nothing does. `now`: the clock of the frames, s. `level`: the
        hole sensor's level, None for no answer. `pictures`: whether those of questions and shots are kept. `own_rules`:
        a club's own rule sets, as configured. `steady`: a monotonic clock in seconds restarting at each `boot`; by
        default the time of day. Raises `rules.RulesError`."""
        own = [rules.own_rule_set(table) for table in own_rules]
        self.own_rules = {str(table["id"]): table for table in own_rules}
        self.clips = ClipKeeper(journal.clips)
        rule_sets = (*rules.rule_sets(), *rules.practices(), *own)
        super().__init__(journal, TableView(name, simulated, rule_sets, journal.clips.by_event))
        self._wall = wall
        self._hole = HoleWatch(journal, level)
        self._pictures = pictures
        self.referee = Referee()
        self.on_happened: list[Callable[[Sequence[ev.Event], MatchState], None]] = []  # on disk; the state after them
        self.start_command: Callable[[BoardReading], dict[str, Any] | None] = lambda _: None
        """Called with each reading before the referee gets it: returns the command that starts a match, or None."""
        self.model = model or BackgroundModel()
        self.model.sides = lambda: len(self.state.sides) if self.state is not None else USUAL_SIDES
        self.recorder = Recorder(self.model, now)
        self.reading: BoardReading | None = None
        self._picture: Image | None = None
        self._certified: tuple[ev.ColoursLearnt, ...] = ()  # by set-up: none, or one event
        self._timers = Timekeeper(wall, steady or wall, boot)
        with suppress(JournalError):  # a notice says so
            self._about_timers(lambda state: self._timers.after_boot(state, self.history))
        self.snapshot = self._take_snapshot()

    # input

    def observe(self, observation: Observation, clip: Clip | None = None) -> None:
        """Handle an observation; `clip`: of the motion before a reading."""
        if isinstance(observation, BoardRead):
            self.clips.filmed(clip)
            if (document := self.start_command(observation.reading)) is not None:
                self.command(document, observation.t)
        try:
            self._observe(self.recorder.observed(observation))
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
                seen = observation.reading
                lies = self._gate == "still" and (seen.obstructed or seen.laid)
                self.set_notice("obstructed", OBSTRUCTED if lies else None)
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
        """Handle an event of the hole's sensor. `side`: the disc's side, if it is known without its colour. The unit's
        counts are kept in any case."""
        side = self._hole.side(event, self.state) if side is None else side
        self.recorder.hole_changed(event, side)
        facts = None if event.counts is None else counts_as_fact(event.counts)
        events = self._hole.events(event, side, self.state, alone=self._counts_alone)
        try:
            if events or facts:
                self._commit(events, facts=facts)
            if events and self.state is not None and self._counts_alone and (counted := twenty_alone(self.state)):
                self._commit(counted)
        except JournalError:
            self._hole.forget_level()  # a pin does not repeat the change
            raise
        finally:
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

    def camera_changed(self, lost: bool, why: Message | str | None = None) -> None:
        """The camera was lost, and why, or is back."""
        self.recorder.camera_changed(lost)
        self._note("camera", why)
        self._camera_lost = lost
        if lost:
            self.referee.blind()
        self.publish()

    def command(self, document: Mapping[str, Any], t: float | None = None) -> None:
        """Carry out a command, given at `t` (s on the frames' clock), by default now. Raises `BadInput`, `Refused` or
        `JournalError`; then nothing has changed."""
        try:
            self._carry_out(parse_command(document))
        finally:
            self.publish()
        self.recorder.command(document, t)
        self.set_notice("button", None)

    def button(self, name: Literal["undo", "confirm"]) -> None:
        """Carry out a button's command. If it is refused, a notice says why."""
        try:
            self.command({"do": name, "by": "button"})
        except Refused as error:
            self.set_notice("button", error.args[0])

    def _carry_out(self, command: Command) -> None:
        if isinstance(command, Start):
            if not command.was_carried_out(self.history):
                self._start(command)
        elif isinstance(command, NamingCommand):
            names = self._journal.players.names()
            refuse_unseen(command.newer(names), names.changes)
            self._write_outside_matches([command.named(names).model_copy(update=command.sent)])
            if self._match_log is not None:
                self._match_log = MatchLog.open(self._journal, self._match_log.number)
        else:
            if self._match_log is None:
                raise Refused(say("No match has been started."), "next")
            match_log = self._match_log.of(command)
            running = match_log is self._match_log
            if running and isinstance(command, Undo) and command.undoes_start(match_log.history):
                refuse_if_stale(command, match_log.history)
                self._resume(command, match_log.state)
                return
            board = ReadBoard(match_log.state, self.reading)
            with saying_unseen(command, match_log.history):
                events = command.carry_out(At(match_log.history, match_log.state, self._timers.clock, board))
            refuse_if_stale(command, match_log.history)  # after it: what can't be done at all is not asked about
            self._commit(events, match_log=match_log)
            if running and command.rereads:
                self._referee()

    # work

    def _check_hole(self, reading: BoardReading) -> None:
        """Compare the hole with its sensor, if the reading shows it."""
        if reading.obstructed or not reading.shows(0.0, 0.0):
            return
        if (level := self._hole.unreported(self.state)) is not None:
            self.recorder.level(reading.t, level)
            self._commit([ev.HoleChanged(t=reading.t, occupied=level)])
        self.set_notice("hole_level", STUCK_SENSOR if self._hole.is_stuck(reading, self.state) else None)

    def _referee(self) -> None:
        """Let the referee explain the newest reading, one shot or question at a time."""
        for _ in range(MAX_STEPS):
            if self.state is None or self.reading is None or self.state.manual:
                return
            before = copy(self.referee)
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
        if match_log is None or not events:
            self._write_outside_matches(events, facts)
            return
        if match_log is self._match_log:
            events = [*events, *self._timers.first_shot(events, match_log.state)]
        room, at = self._journal.pictures.has_room(), self._wall()
        self._note("pictures", None if room else NO_PICTURES)
        calibration = self.model.calibration if room and self._pictures else None
        illustrated, pictures = with_pictures(events, match_log.state, self.reading, self._picture, calibration, at)
        written = match_log.write(illustrated, at, facts=facts, pictures=pictures)
        if match_log is self._match_log:
            self._notify(written)

    def _write_outside_matches(self, events: Sequence[ev.Event], facts: Mapping[str, str] | None = None) -> None:
        self._journal.append(0, self._wall(), [(event.kind, ev.body(event)) for event in events], facts=facts)

    def _notify(self, events: Sequence[ev.Event]) -> None:
        if events and self._match_log:
            state, history = self._match_log.state, self._match_log.history
            self._hole.happened(events, state)
            self.clips.happened(history[-len(events) :], state, history)
            for happened in self.on_happened:
                happened(events, state)

    def certify(self, palette: Palette) -> None:
        """Set the discs' colours as set-up learnt them, for the running match and later ones."""
        self.recorder.palette(palette)
        certified = ev.ColoursLearnt(sides=dict(palette.sides), certified=True)
        self._certified = (certified,)
        if self.state is not None and not self.state.over and self.state.certified != certified.sides:
            self._commit([certified])

    def try_again(self) -> None:
        """Call every few seconds: if the journal could not be written, try again, then referee the newest reading."""
        with suppress(JournalError):  # a notice says so already
            if self._journal.trouble is not None:
                self._journal.try_to_write()
                self._referee()
        self.publish()

    def _start(self, command: Start) -> None:
        refuse_if_stale(command, self.history)
        cleared = _known_empty(self.state, self.reading, camera_lost=self._camera_lost, still=self._gate == "still")
        started = command.started(self.own_rules.get(command.rules), self.state, cleared=cleared)
        refuse_one_person_twice(started, self._journal.players.names())
        handed = [ev.ScoringModeChanged(manual=True)] if command.manual or self._camera_lost else []
        events: list[ev.Event] = [started, *handed, *self._certified, *self._timers.for_next_match(self.state)]
        self._match_log = MatchLog.begin(self._journal, events, self._wall())
        self.referee = Referee()
        self._hole.forget_level()
        self._note("referee", None)
        self._note("match", None)
        self._notify(events)
        left = lying_on(self.reading) if self.reading else ()  # discs of the match before have to be cleared
        if left:
            self._commit([ev.BoardSeen(measured={}, strangers=left)])

    def _resume(self, command: Undo, started: MatchState) -> None:
        """Undo the start of this match and continue the one before it."""
        deleted, undone = command.start_undone(started)
        later, former = self._match_log, MatchLog.open(self._journal, deleted.resumed or 0)
        assert later is not None
        former.resume(later, deleted, undone, self._wall())
        self._notify([deleted])
        self._match_log, self.referee = former, Referee()
        self._hole.forget_level()
        self._notify([undone])
        self._referee()
