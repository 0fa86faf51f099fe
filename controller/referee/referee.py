"""The referee: boards at rest, and what was seen between them, to events and questions.

`read` gives one step at a time: the caller puts its events on disk, folds them, and asks again with the same reading
until nothing is left to tell.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from controller.match import events as ev
from controller.match.boards import SAME_PLACE
from controller.match.cases import What
from controller.match.state import Hint, MatchState
from controller.referee.conduct import played_on
from controller.referee.ditch import Ditch
from controller.referee.doubts import Doubt, Strange, SweptEarly, WhoseColour
from controller.referee.hints import hint, whose
from controller.referee.model.amending import Place, amendment
from controller.referee.model.belief import Belief, alike
from controller.referee.model.decisions import agreed, doubts, in_doubt
from controller.referee.model.explanation import Explanation
from controller.referee.model.observation import Watching
from controller.referee.model.retelling import KeptBoard, Past, Retelling
from controller.referee.model.sensor import SensorHealth
from controller.referee.model.steps import Step
from controller.referee.model.sweep import SHORT, cleared, emptied, sweeping
from controller.referee.questions import ask_at_hole, ask_close, ask_outer_line
from controller.referee.read_board import distance, until_cleared
from controller.referee.seats import Seats
from controller.referee.settings import HOLE
from controller.referee.whose_disc import learn_colours
from controller.vision.film.film import Film
from controller.vision.readings import AT_HOLE, BoardReading

UNWATCHED = ("covered", "camera_moved")
"""The gate's words for times in which the camera does not see the board."""


_OF_THE_BOARD = ("game", "measured", "to_remove", "strangers", "ruled", "await_tap")
"""What a state says of the match that people see."""

_Key = tuple[What, str | None, int | None]
"""What a question is about: its kind, its disc, its shot."""


@dataclass(slots=True)
class Referee:
    """Explains readings. Holds only what a restart may forget: the match itself is in its state."""

    hint: Hint | None = None
    trust: SensorHealth = field(default_factory=SensorHealth)
    seats: Seats = field(default_factory=Seats)
    watching: Watching = field(default_factory=Watching)
    belief: Belief | None = None
    _ditch: Ditch = field(default_factory=Ditch)
    _journal: MatchState | None = None  # as it was after what this referee told last
    _written: tuple[Step, ...] = ()  # the steps of the best history that are in the journal
    _past: Past | None = None  # the round's boards, to be weighed again where a later one contradicts
    _whose: WhoseColour | None = None  # which colour is whose is in doubt
    _relearnt: tuple[ev.Event, ...] = ()  # colours and seats by which the next amendment tells the round
    _offered: tuple[Step, ...] | None = None  # steps whose events were given to the caller
    _weighed: BoardReading | None = None
    _edges: tuple[ev.HoleChanged, ...] = ()  # of the hole's sensor since the last board
    _edge_told: float = 0.0
    _sweeping: bool = False
    _looked: tuple[Step, ...] = ()  # as the best history was when a complete round's board was looked at again
    _asked: dict[_Key, bool] = field(default_factory=dict)  # in this round; whether a later board may answer it
    _idle: set[_Key] = field(default_factory=set)  # of these, what a later board has answered

    def __deepcopy__(self, memo: dict[int, object]) -> "Referee":
        """Values are shared, and steps keep their identity; what changes in place is copied."""
        changing = {"trust": replace(self.trust), "seats": self.seats.copy(), "_ditch": self._ditch.copy()}
        return replace(self, **changing, _asked=dict(self._asked), _idle=set(self._idle))  # type: ignore[arg-type]

    def gate(self, word: str) -> None:
        """The gate's word changed. Between two boards there is time to weigh earlier ones."""
        now = word == "hand"
        self.watching = replace(
            self.watching,
            beside=now,
            hand=self.watching.hand or now,
            unwatched=self.watching.unwatched or word in UNWATCHED,
        )
        if self._past is not None and self._journal is not None and self._past.boards:
            self._past = self._past.looked_into(self._journal)

    def rolled(self, arms: Sequence[float] = ()) -> None:
        """Something rolled over the board that no hand held, while these arms reached in."""
        seen = self.watching
        self.watching = replace(seen, rolls=(seen.rolls or 0) + 1, arms=(*seen.arms, *arms))

    def filmed(self, film: Film | None) -> None:
        """What moved between the reading before and the one that comes now; None where that was not filmed."""
        if film is not None:
            self.watching = replace(self.watching, films=(*self.watching.films, film))

    def blind(self) -> None:
        """The camera delivers nothing."""
        self.watching = replace(self.watching, unwatched=True)

    def refused(self) -> None:
        """The rules refused the events of the last step, so they are not in the journal."""
        self._offered = None
        self.belief = None

    def read(self, state: MatchState, reading: BoardReading) -> list[ev.Event]:
        """The next step that this reading demands, as events that belong together; none when all is explained."""
        if state.paused or state.manual or state.over:
            return []
        if state.uncleared:
            seen = until_cleared(state, reading)
            return [seen] if seen and not self.watching.beside else []
        self._follow(state)
        if learnt := learn_colours(state, reading):
            return [learnt]
        told = self._of_new_board(state, reading) or self._tell(state)
        return told or self._ask(state) or self._late(state, reading)

    def _of_new_board(self, state: MatchState, reading: BoardReading) -> list[ev.Event]:
        """What a board that was not weighed yet demands before its histories are told."""
        if reading is not self._weighed:
            self.trust.compare(state, reading)
            self.watching = replace(self.watching, hole_unseen=not self.trust.camera_believed)
            self._weighed = reading
            return self._weigh(state, reading)
        return []

    def _late(self, state: MatchState, reading: BoardReading) -> list[ev.Event]:
        """The end of a round whose last shots were told of a board that is clear by now."""
        assert self.belief is not None
        if self._written == self._looked or not state.game.round.complete:
            return []
        self._looked = self._written
        again = self.belief.after(state, reading, self._ditch, self.watching, self.seats.may_be_ready)
        return self._over(state, again.newest[0])

    def _follow(self, state: MatchState) -> None:
        """Take over the journal's state: after what was told here, or after what people commanded."""
        if self._offered is not None and self.belief is not None:
            ended = any(isinstance(e, ev.RoundEnded) for step in self._offered for e in step.events)
            self._offered = None
            self._told(state)
            if ended:
                self._begin_round(state)
        elif self.belief is None or self._journal is None or _differ(self._journal, state):
            self.belief, self._written, self._past, self._whose = Belief.sure(state), (), Past(state), None
            self._asked = dict.fromkeys(self._asked, False)
            self._idle.clear()
        elif "colours" in _decided(self._journal, state) and self._past is not None:
            self._past, self._whose = replace(self._past, said=True, given_up=()), None
            self._tell_again(state)
        self._journal = state

    def _told(self, state: MatchState) -> None:
        """The best history is in the journal. What was in doubt too long ago is not answered by being forgotten."""
        assert self.belief is not None
        self.belief = self.belief.told(state)
        self._written = self.belief.best.steps
        self._asked = {key: open_ and not agreed(self.belief, *key[:2]) for key, open_ in self._asked.items()}

    def _begin_round(self, state: MatchState) -> None:
        self.belief, self._written, self._weighed, self._sweeping = Belief.sure(state), (), None, False
        self._past, self._whose = Past(state), None
        self._asked.clear()
        self._idle.clear()
        self._ditch.clear()

    def _weigh(self, state: MatchState, reading: BoardReading) -> list[ev.Event]:
        """Weigh the histories by this board, unless a later one will tell more."""
        assert self.belief is not None
        edges, level = self._of_sensor(state)
        self.seats.follow(state)
        now = replace(state, hole=edges, hole_level=level)
        weighed = self.belief.after(now, reading, self._ditch, self.watching, self.seats.may_be_ready)
        told = weighed.newest[0]
        self.hint = hint(weighed.best.state, weighed.best.ready) or whose(state, reading)
        if self._ditch.known is None:
            self._ditch.remember(told.seen.in_ditch)  # what a hand seems to carry there lay there before, or comes late
        ended = self._over(state, told) if state.game.round.complete else []
        if ended or told.must_wait or (state.game.round.complete and self._sweeping):
            return ended
        left = sum(state.game.round.shots_left.values())
        if left > SHORT and emptied(state, told):
            return self._first(state, [SweptEarly(left)])
        if learnt := self._learn(state, told):
            self._weighed = None  # weigh it again by what is known now
            return [learnt]
        self._take_over(weighed, told, KeptBoard(reading, self.watching, edges, level, state.last_id))
        self._tell_again(state)
        return []

    def _of_sensor(self, state: MatchState) -> tuple[tuple[ev.HoleChanged, ...], bool | None]:
        """What the hole's sensor said since the last board, and says now; nothing where it is not believed."""
        new = tuple(e for e in state.hole if e.t > self._edge_told)
        self._edge_told = max([self._edge_told, *(e.t for e in new)])
        self._edges += new
        return (self._edges, state.hole_level) if self.trust.believed else ((), None)

    def _learn(self, state: MatchState, told: Explanation) -> ev.Event | None:
        """What this board shows of seats, of an undone shot, or of a ruling that people played on by."""
        learnt = self.seats.learn(state, told, self.watching.arms) or _redone(state, told)
        lying = [name for name, fate in told.known.items() if fate.place is not None]
        return learnt or (played_on(state, lying) if told.shots else None)

    def _take_over(self, weighed: Belief, told: Explanation, board: KeptBoard) -> None:
        """From now on this is believed: the next board is weighed by it."""
        assert self.belief is not None
        assert self._past is not None
        self._ditch.remember(told.seen.ditch)
        if weighed.cut_off == self.belief.cut_off:
            self._idle |= {key for key, open_ in self._asked.items() if open_ and agreed(weighed, *key[:2])}
        self.belief, self._past = weighed, self._past.with_board(board, told)
        self._close(board.reading)

    def _tell_again(self, state: MatchState) -> None:
        """Weigh boards of the round again; what then is likeliest is told by one amendment."""
        assert self.belief is not None
        assert self._past is not None
        self._past = self._past.looked_into(state)
        if not (near := self._past.likeliest):
            return  # no doubt, or not weighed yet
        best = next((one for one in near if one.colours == state.colours), near[0])  # in doubt what is told stands
        other = next((one.colours for one in near if one is not best), None)
        self._whose = WhoseColour(best.colours, best.names, other) if other is not None else None
        now = best.whole
        # By their costs: a history that one of the two had no room for is no less likely for that.
        if best.colours == state.colours and not self._past.said and in_doubt(self.belief.spent - now.spent):
            return
        self.belief, self._written = now, self._past.written
        self.seats, self._ditch = best.seats.copy(), best.ditch.copy()
        self._relearnt = tuple(_relearnt(state, best))
        self._asked.clear()
        self._idle.clear()

    def _over(self, state: MatchState, told: Explanation) -> list[ev.Event]:
        """The end of a complete round, once its board is clear; while people clear it nothing is told."""
        assert self.belief is not None
        if cleared(state, told):
            events: list[ev.Event] = [ev.RoundEnded(how="swept")]
            step = Step(told, 0.0, events=tuple(events))
            best = self.belief.best
            self.belief = replace(self.belief, histories=(replace(best, steps=(*best.steps, step)),))
            self._offered = (step,)
            self._close(told.seen.reading)
            return events
        self._sweeping = sweeping(state, told, self._sweeping)
        return []

    def _close(self, reading: BoardReading) -> None:
        """What was seen until this board is weighed: what comes from now on belongs to the next one."""
        was = self.watching
        told = was.hand or bool(was.hands_are_told)
        rolls = None if was.rolls is None else 0
        self.watching = Watching(hand=was.beside, hands_are_told=told, beside=was.beside, rolls=rolls)
        last = self._edges[-1:]
        counted = was.hole_unseen or any(d.pose in AT_HOLE for d in reading.discs)
        fresh = bool(last) and last[0].occupied and reading.t - last[0].t < HOLE.seated_seconds
        self._edges = last if fresh and not counted else ()

    def _tell(self, state: MatchState) -> list[ev.Event]:
        """The events by which the journal comes to tell the best history: those of the newest board, after an amendment
        where earlier boards are told otherwise."""
        assert self.belief is not None
        assert self._past is not None
        best = self.belief.best.steps
        same = alike(best, self._written)
        newest = [step for step in best[same:] if step.explanation.seen.reading is self._weighed]
        given_up, late = self._written[same:], best[same : len(best) - len(newest)]
        events: list[ev.Event] = [e for step in newest for e in step.written()]
        if given_up or late:
            events.insert(0, amendment(state, self.belief.best, given_up, late, self._place_of))
        events[:0], self._relearnt = self._relearnt, ()
        if not events:
            self._told(state)
            return []
        self._offered = best[same:]
        written = self._past.written
        self._past = replace(self._past, written=(*written[: len(written) - len(given_up)], *best[same:]))
        return events

    def _place_of(self, step: Step) -> Place:
        assert self._past is not None
        t = step.explanation.seen.reading.t
        return self._past.place_of(t), t

    def _ask(self, state: MatchState) -> list[ev.Event]:
        """The questions that are worth their cost now."""
        assert self.belief is not None
        if idle := self._answered(state):
            return idle
        complete = state.game.round.complete
        found: list[Doubt] = [] if self._whose is None else [self._whose]
        found += doubts(self.belief)
        found += [Strange(told.strange) for told in self.belief.newest[:1] if told.strange and not complete]
        questions = self._first(state, found) or self._at_hole(state) or ask_outer_line(state)
        return questions or (ask_close(state) if complete else [])

    def _answered(self, state: MatchState) -> list[ev.Event]:
        """The end of each open question that a later board has answered."""
        number = state.game.round.number
        open_ = (q for q in state.questions.values() if q.asked.round == number)
        return [ev.QuestionClosed(question=q.id) for q in open_ if _key(q.asked) in self._idle]

    def _first(self, state: MatchState, found: Iterable[Doubt]) -> list[ev.Event]:
        """The questions about these doubts that were not asked yet in this round."""
        assert self.belief is not None
        questions: list[ev.Event] = []
        for question in filter(None, (doubt.question(state) for doubt in found)):
            if (key := _key(question)) not in self._asked:
                self._asked[key] = not agreed(self.belief, question.what, question.disc)
                questions.append(question)
        return questions

    def _at_hole(self, state: MatchState) -> list[ev.Event]:
        """Questions about discs at the hole, once people have left them there for another shot: a twenty they lift.

        By rules under which every disc at the hole is taken off, that tells nothing: they are asked at once.
        """
        current = state.game.round
        waits = current.shots and not current.complete and not state.game.terms.rules.hole_decides
        newest = current.shots[-1].shot.rest if waits else {}
        return [q for q in ask_at_hole(state) if isinstance(q, ev.QuestionAsked) and q.disc not in newest]


def _key(question: ev.QuestionAsked) -> _Key:
    return question.what, question.disc, question.shot


def _differ(before: MatchState, now: MatchState) -> bool:
    """Whether people changed the match meanwhile: the hole's changes and questions leave all of this as it was.

    After an answer the match is folded again: one about the colours leaves its board as it was.
    """
    pairs = [(getattr(before, name), getattr(now, name)) for name in _OF_THE_BOARD]
    if all(was is is_ for was, is_ in pairs):
        return False
    return _decided(before, now) != {"colours"} or any(was != is_ for was, is_ in pairs)


def _decided(before: MatchState, now: MatchState) -> set[What]:
    """Of what kinds the questions are that are open no more."""
    return {question.asked.what for id_, question in before.questions.items() if id_ not in now.questions}


def _relearnt(state: MatchState, now: Retelling) -> Iterator[ev.Event]:
    """What is known of colours and seats as the round is told now, and the end of what was asked about it before."""
    if now.colours != state.colours:
        yield ev.ColoursLearnt.model_validate({"sides": dict(now.colours), "instead": True})
    if now.seating.sure and now.seating != state.seating:
        yield ev.SeatsLearnt(directions=dict(now.seating.directions))
    number = state.game.round.number
    yield from (ev.QuestionClosed(question=q.id) for q in state.questions.values() if q.asked.round == number)


def _redone(state: MatchState, told: Explanation) -> ev.Redone | None:
    """The shot that people undid is taken back in when play goes on with its disc on the board: it did happen."""
    if state.undone is None or not told.shots or (told.shot[0].place is None and told.shot[0].seen):
        return None
    left = [stranger for stranger in state.strangers if stranger.side == told.shots[0].to_shoot]
    there = [d for d in (told.shot[0].place, *told.strange) if d is not None]
    lies = any(distance(stranger, d) < SAME_PLACE for stranger in left for d in there)
    return ev.Redone(target=state.undone) if lies else None
