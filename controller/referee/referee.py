"""The referee: boards at rest, and what was seen between them, to events and questions.

`read` gives one step at a time: the caller puts its events on disk, folds them, and asks again with the same reading
until nothing is left to tell.
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace

from controller.match import events as ev
from controller.match.cases import What
from controller.match.fold import SAME_PLACE
from controller.match.state import Hint, MatchState
from controller.referee.conduct import played_on
from controller.referee.ditch import Ditch
from controller.referee.doubts import Doubt, Strange, SweptEarly
from controller.referee.hints import hint, whose
from controller.referee.model.amending import Place, amendment
from controller.referee.model.belief import Belief
from controller.referee.model.decisions import agreed, doubts
from controller.referee.model.explanation import Explanation
from controller.referee.model.observation import Watching
from controller.referee.model.sensor import SensorHealth
from controller.referee.model.steps import Step
from controller.referee.model.sweep import SHORT, cleared, emptied, sweeping
from controller.referee.questions import ask_at_hole, ask_close, ask_outer_line
from controller.referee.read_board import distance, until_cleared
from controller.referee.seats import Seats
from controller.referee.whose_disc import learn_colours
from controller.vision.film.film import Film
from controller.vision.readings import AT_HOLE, BoardReading

UNWATCHED = ("covered", "camera_moved")
"""The gate's words for times in which the camera does not see the board."""


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
    _read_after: dict[float, int] = field(default_factory=dict)  # by a reading's time, the journal's newest event then
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
        changing = {name: deepcopy(getattr(self, name), memo) for name in ("trust", "seats", "_ditch")}
        return replace(
            self, **changing, _read_after=dict(self._read_after), _asked=dict(self._asked), _idle=set(self._idle)
        )

    def gate(self, word: str) -> None:
        """The gate's word changed."""
        now = word == "hand"
        self.watching = replace(
            self.watching,
            beside=now,
            hand=self.watching.hand or now,
            unwatched=self.watching.unwatched or word in UNWATCHED,
        )

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
        if reading is not self._weighed:
            self.trust.compare(state, reading)
            self._weighed = reading
            if told := self._weigh(state, reading):
                return told
        assert self.belief is not None
        if told := self._tell(state) or self._ask(state, reading):
            return told
        if self._written != self._looked and state.game.round.complete:
            self._looked = self._written  # its last shots may be told of a board that is clear by now
            again = self.belief.after(state, reading, self._ditch, self.watching, self.seats.may_be_ready)
            return self._over(state, again.newest[0])
        return []

    def _follow(self, state: MatchState) -> None:
        """Take over the journal's state: after what was told here, or after what people commanded."""
        if self._offered is not None and self.belief is not None:
            ended = any(isinstance(e, ev.RoundEnded) for step in self._offered for e in step.events)
            self._offered = None
            self._told(state)
            if ended:
                self._begin_round(state)
        elif self.belief is None or self._journal is None or _differ(self._journal, state):
            self.belief, self._written = Belief.sure(state), ()
            self._read_after.clear()
            self._asked = dict.fromkeys(self._asked, False)
            self._idle.clear()
        self._journal = state

    def _told(self, state: MatchState) -> None:
        """The best history is in the journal. What was in doubt too long ago is not answered by being forgotten."""
        assert self.belief is not None
        self.belief = self.belief.told(state)
        self._written = self.belief.best.steps
        self._asked = {key: open_ and not agreed(self.belief, *key[:2]) for key, open_ in self._asked.items()}

    def _begin_round(self, state: MatchState) -> None:
        self.belief, self._written, self._weighed, self._sweeping = Belief.sure(state), (), None, False
        self._read_after.clear()
        self._asked.clear()
        self._idle.clear()
        self._ditch.clear()

    def _weigh(self, state: MatchState, reading: BoardReading) -> list[ev.Event]:
        """Weigh the histories by this board, unless a later one will tell more."""
        assert self.belief is not None
        new = tuple(e for e in state.hole if e.t > self._edge_told)
        self._edge_told = max([self._edge_told, *(e.t for e in new)])
        self._edges += new
        edges, level = (self._edges, state.hole_level) if self.trust.believed else ((), None)
        now = replace(state, hole=edges, hole_level=level)
        self.seats.follow(state)
        weighed = self.belief.after(now, reading, self._ditch, self.watching, self.seats.may_be_ready)
        told = weighed.newest[0]
        self.hint = hint(weighed.best.state, weighed.best.ready) or whose(state, reading)
        if self._ditch.known is None:
            self._ditch.remember(told.seen.in_ditch)  # what a hand seems to carry there lay there before, or comes late
        if state.game.round.complete:
            ended = self._over(state, told)
            if ended or self._sweeping:
                return ended
        if _waits(reading, told):
            return []
        left = sum(state.game.round.shots_left.values())
        if left > SHORT and emptied(state, told):
            question = SweptEarly(left).question(state)
            return [question] if question is not None and self._first_asked(question) else []
        if learnt := self.seats.learn(state, told, self.watching.arms):
            self._weighed = None  # weigh it again by what is known now
            return [learnt]
        if (redone := _redone(state, told)) is not None:
            self._weighed = None
            return [redone]
        lying = [name for name, fate in told.known.items() if fate.place is not None]
        if told.shots and (ruled := played_on(state, lying)):
            self._weighed = None
            return [ruled]
        self._ditch.remember(told.seen.ditch)
        if weighed.cut_off == self.belief.cut_off:
            self._idle |= {key for key, open_ in self._asked.items() if open_ and agreed(weighed, *key[:2])}
        self.belief = weighed
        self._read_after[reading.t] = state.last_id
        self._close(reading)
        return []

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
        self.watching = Watching(was.beside, told, was.beside, rolls=None if was.rolls is None else 0)
        last, seen = self._edges[-1:], any(d.pose in AT_HOLE for d in reading.discs)
        self._edges = last if last and last[0].occupied and not seen and reading.t - last[0].t < HOLD else ()

    def _tell(self, state: MatchState) -> list[ev.Event]:
        """The events by which the journal comes to tell the best history: those of the newest board, after an amendment
        where earlier boards are told otherwise."""
        assert self.belief is not None
        best = self.belief.best.steps
        same = 0
        while same < min(len(best), len(self._written)) and best[same] is self._written[same]:
            same += 1
        newest = [step for step in best[same:] if step.explanation.seen.reading is self._weighed]
        given_up, late = self._written[same:], best[same : len(best) - len(newest)]
        events: list[ev.Event] = [e for step in newest for e in step.written()]
        if given_up or late:
            events.insert(0, amendment(state, self.belief.best, given_up, late, self._place_of))
        if not events:
            self._told(state)
            return []
        self._offered = best[same:]
        return events

    def _place_of(self, step: Step) -> Place:
        t = step.explanation.seen.reading.t
        return self._read_after[t], t

    def _ask(self, state: MatchState, reading: BoardReading) -> list[ev.Event]:
        """The questions that are worth their cost now."""
        assert self.belief is not None
        if idle := self._answered(state):
            return idle
        found: list[Doubt] = doubts(self.belief)
        newest = self.belief.newest[0] if self.belief.newest else None
        if newest is not None and newest.strange and not state.game.round.complete:
            found.append(Strange(newest.strange))
        questions: list[ev.Event] = []
        for doubt in found:
            question = doubt.question(state)
            if question is not None and self._first_asked(question):
                questions.append(question)
        questions = questions or self._at_hole(state) or ask_outer_line(state)
        return questions or (ask_close(state) if state.game.round.complete else [])

    def _answered(self, state: MatchState) -> list[ev.Event]:
        """The end of each open question that a later board has answered."""
        number = state.game.round.number
        open_ = (q for q in state.questions.values() if q.asked.round == number)
        return [ev.QuestionClosed(question=q.id) for q in open_ if _key(q.asked) in self._idle]

    def _first_asked(self, question: ev.QuestionAsked) -> bool:
        """Whether it was not asked yet in this round."""
        assert self.belief is not None
        if (key := _key(question)) in self._asked:
            return False
        self._asked[key] = not agreed(self.belief, question.what, question.disc)
        return True

    def _at_hole(self, state: MatchState) -> list[ev.Event]:
        """Questions about discs at the hole, once people have left them there for another shot: a twenty they lift.

        By rules under which every disc at the hole is taken off, that tells nothing: they are asked at once.
        """
        current = state.game.round
        waits = current.shots and not current.complete and not state.game.terms.rules.hole_decides
        newest = current.shots[-1].shot.rest if waits else {}
        return [q for q in ask_at_hole(state) if isinstance(q, ev.QuestionAsked) and q.disc not in newest]


HOLD = 0.3
"""Seconds: a disc that came into the hole so lately may only skim it."""


def _key(question: ev.QuestionAsked) -> _Key:
    return question.what, question.disc, question.shot


def _differ(before: MatchState, now: MatchState) -> bool:
    """Whether people changed the match meanwhile: the hole's changes and questions leave all of this as it was."""
    names = ("game", "measured", "to_remove", "strangers", "ruled", "await_tap")
    return any(getattr(before, name) is not getattr(now, name) for name in names)


def _redone(state: MatchState, told: Explanation) -> ev.Redone | None:
    """The shot that people undid is taken back in when play goes on with its disc on the board: it did happen."""
    if state.undone is None or not told.shots or (told.shot[0].place is None and told.shot[0].seen):
        return None
    left = [stranger for stranger in state.strangers if stranger.side == told.shots[0].to_shoot]
    there = [d for d in (told.shot[0].place, *told.strange) if d is not None]
    lies = any(distance(stranger, d) < SAME_PLACE for stranger in left for d in there)
    return ev.Redone(target=state.undone) if lies else None


def _waits(reading: BoardReading, told: Explanation) -> bool:
    """Whether a later reading will tell more: what is missing may lie under the hand, or in the ditch under it."""
    fates = (*told.known.values(), *told.shot)
    gone = [f for f in fates if f.place is None and f.became != "nothing" and not (f.became == "lifted" and f.seen)]
    return bool(reading.obstructed and (gone or told.strange or len(told.shots) > 1))
