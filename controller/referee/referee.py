"""The referee: turns boards at rest, and observations between them, into events and questions.

`read` returns one step at a time: the caller stores its events on disk, folds them, and calls it again with the same
reading until it returns none.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from controller.match import events as ev
from controller.match.discs import SAME_PLACE
from controller.match.parts import Hint
from controller.match.state import MatchState
from controller.referee.amending import Place, amendment
from controller.referee.asking import QuestionKey, agrees, in_doubt, is_settled, key_of, questions_to_ask
from controller.referee.association import Association
from controller.referee.belief import Belief, Hypothesis, shared_prefix
from controller.referee.close_calls import answers_against_end, ask_at_hole, ask_close, ask_outer_line, played_on
from controller.referee.colour_hypotheses import OUTWEIGHED, ColourHypothesis, RecordedBoard, RoundLog
from controller.referee.hints import hint, unknown_owner
from controller.referee.observation import Ditch, Watching, sensor_alone
from controller.referee.questions import Asked, Question, strange, swept_early, whose_colour
from controller.referee.read_board import distance, until_cleared
from controller.referee.seats import Seats
from controller.referee.sensor import SensorHealth
from controller.referee.settings import HOLE
from controller.referee.sweep import SHORT, cleared, emptied, sweeping
from controller.referee.transitions import Transition
from controller.referee.whose_disc import learn_colours
from controller.vision.film.film import Film
from controller.vision.readings import AT_HOLE, BoardReading

UNWATCHED = ("covered", "camera_moved", "light_changed")
"""The gate's words for times in which the camera may have missed a shot; nothing is filmed either."""
_OF_THE_BOARD = ("game", "measured", "to_remove", "strangers", "ruled", "end_undone")
"""The members of a state that people see."""


@dataclass(slots=True)
class Referee:
    """Explains readings. Holds only what a restart may lose: the match itself is in its state."""

    hint: Hint | None = None
    trust: SensorHealth = field(default_factory=SensorHealth)
    seats: Seats = field(default_factory=Seats)
    watching: Watching = field(default_factory=Watching)
    belief: Belief | None = None
    _ditch: Ditch = field(default_factory=Ditch)
    _journal: MatchState | None = None  # the state after the last events from here
    _recorded: tuple[Transition, ...] = ()  # the transitions of the best hypothesis that are in the journal
    _log: RoundLog | None = None  # the round's boards, to weigh again if a later one contradicts
    _colour_doubt: Question | None = None  # about the sides' colours, if they are in doubt
    _relearned: tuple[ev.Event, ...] = ()  # colours and seats that go with the next amendment
    _offered: tuple[Transition, ...] | None = None  # transitions whose events were given to the caller
    _weighed: BoardReading | None = None
    _edges: tuple[ev.HoleChange, ...] = ()  # of the hole's sensor since the last board
    _edges_until: float = 0.0
    _sweeping: bool = False
    _end_checked: tuple[Transition, ...] = ()  # the transitions with which a complete round's board was weighed again
    _asked: dict[QuestionKey, bool] = field(default_factory=dict)  # in this round; whether a later board may answer it
    _resolved: set[QuestionKey] = field(default_factory=set)  # those of these that a later board has answered

    def __deepcopy__(self, memo: dict[int, object]) -> "Referee":
        """Values are shared, and transitions keep their identity; what changes in place is copied."""
        changing = {"trust": replace(self.trust), "seats": self.seats.copy(), "_ditch": self._ditch.copy()}
        changing |= {"_asked": dict(self._asked), "_resolved": set(self._resolved)}
        return replace(self, **changing)  # type: ignore[arg-type]

    def gate(self, word: str) -> None:
        """Note the gate's new word. Between two boards there is time to weigh earlier ones."""
        was, now = self.watching, word == "hand"
        self.watching = replace(was, beside=now, hand=was.hand or now, unwatched=was.unwatched or word in UNWATCHED)
        if self._log is not None and self._journal is not None and self._log.boards:
            self._log = self._log.weighed_on(self._journal)

    def filmed(self, film: Film | None) -> None:
        """Take the film between the last reading and the next one; None if that was not filmed."""
        if film is not None:
            self.watching = replace(self.watching, films=(*self.watching.films, film))

    def blind(self) -> None:
        """Note that the camera delivers nothing."""
        self.watching = replace(self.watching, unwatched=True)

    def refused(self) -> None:
        """Note that the rules refused the events of the last transition, so that they are not in the journal."""
        self._offered = None
        self.belief = None

    def read(self, state: MatchState, reading: BoardReading) -> list[ev.Event]:
        """The next step for this reading, as events that belong together; none once all is explained."""
        if state.paused or state.manual:
            return []
        if state.over:
            return self._played_on(state, reading)
        if state.uncleared:
            seen = until_cleared(state, reading)
            return [seen] if seen and not self.watching.beside else []
        self._follow(state)
        if learnt := learn_colours(state, reading):
            return [learnt]
        events = self._weigh_new_board(state, reading) or self._record(state)
        return events or self._ask(state) or self._late_end(state, reading)

    def _played_on(self, state: MatchState, reading: BoardReading) -> list[ev.Event]:
        """The answer to an open question that people give by playing another round: the match was not over."""
        self._follow(state)
        if reading is self._weighed:
            return []
        self._weighed = reading
        for answer, game in answers_against_end(state):
            on = replace(state, game=game.next_round())
            best = Belief.certain(on).after(on, reading, self._ditch, self.watching, self.seats.may_be_ready).best
            if best.ready or best.state.game.round.shots:
                self.belief, self._weighed = None, None  # the further round begins with this board
                return [answer]
        self._close(reading)
        return []

    def _weigh_new_board(self, state: MatchState, reading: BoardReading) -> list[ev.Event]:
        """Weigh a new board; the events, if any, that come before recording the best hypothesis."""
        if reading is not self._weighed:
            self.trust.compare(state, reading)
            unseen = self.trust.discs_unseen, self.trust.empty_unseen
            self.watching = replace(self.watching, discs_unseen=unseen[0], empty_unseen=unseen[1])
            self._weighed = reading
            return self._weigh(state, reading)
        return []

    def _late_end(self, state: MatchState, reading: BoardReading) -> list[ev.Event]:
        """The end of a round whose last shots were recorded once its board was already clear."""
        assert self.belief is not None
        if self._recorded == self._end_checked or not state.game.round.complete:
            return []
        self._end_checked = self._recorded
        again = self.belief.after(state, reading, self._ditch, self.watching, self.seats.may_be_ready)
        return self._over(state, again.newest[0])

    def _follow(self, state: MatchState) -> None:
        """Adopt the journal's state, after the events offered by `read` or after people's commands."""
        if self._offered is not None and self.belief is not None:
            ended = any(isinstance(e, ev.RoundEnded) for transition in self._offered for e in transition.events)
            self._offered = None
            self._commit(state)
            if ended:
                self._begin_round(state)
        elif self.belief is None or self._journal is None or _differ(self._journal, state):
            if not self._condition(state):
                self.belief, self._recorded = Belief.certain(state), ()
                self._log, self._colour_doubt = RoundLog(state), None
                self._asked = dict.fromkeys(self._asked, False)
                self._resolved.clear()
        elif self._log is not None and _colours_answered(self._journal, state):
            self._log, self._colour_doubt = replace(self._log, said=True, given_up=()), None
            self._reconsider_colours(state)
        self._journal = state

    def _condition(self, state: MatchState) -> bool:
        """Keep the hypotheses that agree with people's answers; False if none does, or people did more than answer."""
        if self.belief is None or self._journal is None or self._log is None:
            return False
        answered, aside = _answered_since(self._journal, state)
        if any(asked.round != state.game.round.number for asked in answered) or not (answered or aside):
            return False
        given = self.belief.given(state, partial(agrees, shown=state, answered=answered))
        if given is None:
            return False
        self.belief, self._log = given, self._log.after_answer(state)
        return True

    def _commit(self, state: MatchState) -> None:
        """Note that the best hypothesis is in the journal. Dropping other hypotheses does not answer a question."""
        assert self.belief is not None
        self.belief = self.belief.after_commit(state)
        self._recorded = self.belief.best.transitions
        self._asked = {key: open_ and not is_settled(self.belief, key) for key, open_ in self._asked.items()}

    def _begin_round(self, state: MatchState) -> None:
        self.belief, self._recorded, self._weighed, self._sweeping = Belief.certain(state), (), None, False
        self._log, self._colour_doubt = RoundLog(state), None
        self._asked.clear()
        self._resolved.clear()
        self._ditch.clear()

    def _weigh(self, state: MatchState, reading: BoardReading) -> list[ev.Event]:
        """Weigh the hypotheses by this board, unless a later one will show more."""
        assert self.belief is not None
        edges, level = self._of_sensor(state)
        self.seats.follow(state)
        now = replace(state, hole=edges, hole_level=level)
        weighed = self.belief.after(now, reading, self._ditch, self.watching, self.seats.may_be_ready)
        association = weighed.newest[0]
        to_shoot = weighed.best.state if weighed.best.state.game.round.shots else state  # who should begin, not who may
        self.hint = hint(to_shoot, weighed.best.ready) or unknown_owner(state, reading)
        if self._ditch.known is None:
            # A disc that a hand seems to carry there was there before, or is a late arrival.
            self._ditch.remember(association.seen.in_ditch)
        ended = self._over(state, association) if state.game.round.complete else []
        if ended or association.must_wait or (state.game.round.complete and self._sweeping):
            return ended
        left = sum(state.game.round.shots_left.values())
        if left > SHORT and emptied(state, association):
            return self._not_asked_yet([swept_early(state, left)])
        if learnt := self._learn(state, association, weighed.best):
            self._weighed = None  # weigh it again with the new knowledge
            return [learnt]
        self._adopt(weighed, association, RecordedBoard(reading, self.watching, edges, level, state.last_id))
        self._reconsider_colours(state)
        return []

    def _of_sensor(self, state: MatchState) -> tuple[tuple[ev.HoleChange, ...], bool | None]:
        """The sensor's changes since the last board, and its present level; none if it is not trusted, or could not
        tell at some moment."""
        new = tuple(e for e in state.hole if e.t > self._edges_until)
        self._edges_until = max([self._edges_until, *(e.t for e in new)])
        self._edges += new
        certain = self.trust.believed and all(e.occupied is not None for e in self._edges)
        return (self._edges, state.hole_level) if certain else ((), None)

    def _learn(self, state: MatchState, association: Association, best: Hypothesis) -> ev.Event | None:
        """The event for what this board shows of seats, an undone shot, or an answer that people give by playing on."""
        learnt = self.seats.learn(best) or _redone(state, association)
        lying = [name for name, outcome in association.known.items() if outcome.place is not None]
        if learnt is None and association.shots and (learnt := played_on(state, lying)) is not None:
            self.belief = None  # people's playing on is certain evidence
        return learnt

    def _adopt(self, weighed: Belief, association: Association, board: RecordedBoard) -> None:
        """Adopt this belief for the next board."""
        assert self.belief is not None
        assert self._log is not None
        self._ditch.remember(association.seen.ditch)
        if weighed.pruned == self.belief.pruned:
            self._resolved |= {key for key, open_ in self._asked.items() if open_ and is_settled(weighed, key)}
        self.belief, self._log = weighed, self._log.with_board(board, association)
        self._close(board.reading)

    def _reconsider_colours(self, state: MatchState) -> None:
        """Weigh the round's boards under other assignments of the colours; one amendment records the likeliest."""
        assert self.belief is not None
        assert self._log is not None
        self._log = self._log.weighed_on(state)
        if not (near := self._log.likeliest):
            return  # no doubt, or not weighed yet
        shown = (one for behind, one in self._log.ranked if one.colours == state.colours and behind < OUTWEIGHED)
        best = next(shown, near[0])  # people see the shown one unless it is outweighed
        other = next((one.colours for one in near if one is not best), None)
        self._colour_doubt = None
        if other is not None:
            self._colour_doubt = partial(whose_colour, shown=best.colours, names=best.names, other=other)
        now = best.full_belief
        # Compared by total costs: a hypothesis that one of the two had no room for is not less likely for that.
        if best.colours == state.colours and not self._log.said and in_doubt(self.belief.spent - now.spent):
            return
        self.belief, self._recorded = now, self._log.recorded
        self.seats, self._ditch = best.seats.copy(), best.ditch.copy()
        self._relearned = tuple(_relearned(state, best))
        self._asked.clear()
        self._resolved.clear()

    def _over(self, state: MatchState, association: Association) -> list[ev.Event]:
        """The end of a complete round, once its board is clear; while people clear it nothing is recorded."""
        assert self.belief is not None
        if cleared(state, association):
            events: list[ev.Event] = [ev.RoundEnded(how="swept")]
            transition = Transition(association, 0.0, events=tuple(events))
            best = self.belief.best
            self.belief = replace(self.belief, hypotheses=(replace(best, transitions=(*best.transitions, transition)),))
            self._offered = (transition,)
            self._close(association.seen.reading)
            return events
        self._sweeping = sweeping(state, association, self._sweeping)
        return []

    def _close(self, reading: BoardReading) -> None:
        """End the observations of this board: new ones belong to the next."""
        was = self.watching
        reported = was.hand or bool(was.hands_reported)
        self.watching = Watching(hand=was.beside, hands_reported=reported, beside=was.beside)
        last = self._edges[-1:]
        counted = sensor_alone(reading, was) or any(d.pose in AT_HOLE for d in reading.discs)
        fresh = bool(last) and last[0].occupied is True and reading.t - last[0].t < HOLE.seated_seconds
        self._edges = last if fresh and not counted else ()

    def _record(self, state: MatchState) -> list[ev.Event]:
        """The events that bring the best hypothesis into the journal.

        Those of the newest board come after an amendment, if the journal has another account of earlier boards.
        """
        assert self.belief is not None
        assert self._log is not None
        best = self.belief.best.transitions
        same = shared_prefix(best, self._recorded)
        newest = [transition for transition in best[same:] if transition.association.seen.reading is self._weighed]
        given_up, late = self._recorded[same:], best[same : len(best) - len(newest)]
        events: list[ev.Event] = [e for transition in newest for e in transition.journalled()]
        if given_up or late:
            events.insert(0, amendment(state, self.belief.best, given_up, late, self._place_of))
        events[:0], self._relearned = self._relearned, ()
        if not events:
            self._commit(state)
            return []
        self._offered = best[same:]
        self._log = self._log.with_recorded(given_up, best[same:])
        return events

    def _place_of(self, transition: Transition) -> Place:
        assert self._log is not None
        t = transition.association.seen.reading.t
        return self._log.place_of(t), t

    def _ask(self, state: MatchState) -> list[ev.Event]:
        """The questions that are worth their cost now."""
        assert self.belief is not None
        if idle := self._answered(state):
            return idle
        complete = state.game.round.complete
        found = [self._colour_doubt(state) if self._colour_doubt else None, *questions_to_ask(self.belief, state)]
        unexplained = len(self.belief.newest[0].strange) if self.belief.newest and not complete else 0
        found += [strange(state, unexplained)] if unexplained else []
        questions = self._not_asked_yet(found) or ask_at_hole(state) or ask_outer_line(state)
        return questions or (ask_close(state) if complete else [])

    def _answered(self, state: MatchState) -> list[ev.Event]:
        """The end of each open question that a later board has answered."""
        number = state.game.round.number
        open_ = (q for q in state.questions.values() if q.asked.round == number)
        return [ev.QuestionClosed(question=q.id) for q in open_ if key_of(q.asked) in self._resolved]

    def _not_asked_yet(self, found: Iterable[Asked]) -> list[ev.Event]:
        """Those of these questions that were not asked yet in this round."""
        assert self.belief is not None
        questions: list[ev.Event] = []
        for asked in filter(None, found):
            if (key := key_of(asked)) not in self._asked:
                self._asked[key] = not is_settled(self.belief, key)
                questions.append(asked)
        return questions


def _differ(before: MatchState, now: MatchState) -> bool:
    """Whether people have changed the match: the hole's changes and questions leave `_OF_THE_BOARD` as it was.

    After an answer the match is folded again, and one about the colours leaves its board equal.
    """
    pairs = [(getattr(before, name), getattr(now, name)) for name in _OF_THE_BOARD]
    if all(was is is_ for was, is_ in pairs):
        return False
    answered, _ = _answered_since(before, now)
    return {asked.what for asked in answered} != {"colours"} or any(was != is_ for was, is_ in pairs)


def _colours_answered(before: MatchState, now: MatchState) -> bool:
    return any(asked.what == "colours" for asked in _answered_since(before, now)[0])


def _answered_since(before: MatchState, now: MatchState) -> tuple[list[ev.Question], bool]:
    """The questions that are no longer open, and whether people could not answer another one."""
    left = now.questions
    aside = any(id_ in left and left[id_].aside and not question.aside for id_, question in before.questions.items())
    return [question.asked for id_, question in before.questions.items() if id_ not in left], aside


def _relearned(state: MatchState, now: ColourHypothesis) -> Iterator[ev.Event]:
    """The events for the newly assumed colours and seats, and the end of the questions asked before."""
    if now.colours != state.colours:
        yield ev.ColoursLearnt.model_validate({"sides": dict(now.colours), "instead": True})
    if now.seating.sure and now.seating != state.seating:
        yield ev.SeatsLearnt(directions=dict(now.seating.directions))
    number = state.game.round.number
    yield from (ev.QuestionClosed(question=q.id) for q in state.questions.values() if q.asked.round == number)


def _redone(state: MatchState, association: Association) -> ev.Redone | None:
    """Redo the shot that people undid, if play continues with its disc on the board: it did happen."""
    if state.undone is None or not association.shots:
        return None
    end = association.shot[0]
    if end.place is None and end.seen:
        return None
    left = [stranger for stranger in state.strangers if stranger.side == association.shots[0].to_shoot]
    there = [d for d in (end.place, *association.strange) if d is not None]
    lies = any(distance(stranger, d) < SAME_PLACE for stranger in left for d in there)
    return ev.Redone(target=state.undone) if lies else None
