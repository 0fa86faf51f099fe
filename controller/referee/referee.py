"""The referee: turns boards at rest, and observations between them, into events and questions.

`read` returns one step at a time: the caller stores its events on disk, folds them, and calls it again with the same
reading until it returns none.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from controller.match import events as ev
from controller.match.discs import SAME_PLACE
from controller.match.parts import Hint
from controller.match.state import MatchState
from controller.referee.amending import amendment
from controller.referee.asked import RoundQuestions, agrees, key_of, verdicts_corrected
from controller.referee.asking import about_unwatched, ask_before_end, hint, questions_to_ask, unknown_owner
from controller.referee.association import Association
from controller.referee.beginnings import OUTWEIGHED, Bank, Beginning, RecordedBoard
from controller.referee.belief import Belief, shared_prefix, shooters
from controller.referee.close_calls import answers_against_end, ask_about, ask_close_calls, off_the_hole, played_on
from controller.referee.observation import BetweenBoards, DitchSeen, sensor_alone
from controller.referee.questions import Asked, felt_alone, played, strange, swept_early
from controller.referee.read_board import distance, until_cleared
from controller.referee.sensor import SensorHealth
from controller.referee.settings import SEATED
from controller.referee.sweep import SHORT, cleared, emptied, ended_as_shown, ended_short, sweeping
from controller.referee.transitions import Transition
from controller.referee.whose_disc import learn_colours
from controller.vision.film.film import Film
from controller.vision.readings import AT_HOLE, BoardReading

UNWATCHED = ("covered", "camera_moved", "light_changed")
"""The gate's words for times in which the camera may have missed a shot; nothing is filmed either."""
PATIENCE = 15.0
"""Seconds for which a board is not weighed while a hand may hide a disc: longer than anybody aims, so that the hand
rests there. In 14 simulated matches of 744 shots each such hand was gone at the next reading, after 8 s at most."""
_OF_THE_BOARD = ("game", "measured", "to_remove", "strangers", "ruled", "end_undone")
"""The members of a state that people see."""


@dataclass(slots=True)
class Referee:
    """Explains readings. Holds only what a restart may lose: the match itself is in its state. All that it holds are
    values, so a shallow copy is a copy."""

    hint: Hint | None = None
    trust: SensorHealth = field(default_factory=SensorHealth)
    watching: BetweenBoards = field(default_factory=BetweenBoards)
    _beginnings: Bank | None = None
    _journal: MatchState | None = None  # the state after the last events from here; None to begin again with it
    _relearned: tuple[ev.Event, ...] = ()  # colours and seats that go with the next amendment
    _offered: bool = False  # the caller has events of transitions, or the round's end
    _weighed: BoardReading | None = None
    _edges: tuple[ev.HoleChange, ...] = ()  # of the hole's sensor since the last board
    _edges_until: float = 0.0
    _sweeping: bool = False
    _bare_since_end: bool = False  # whether the board was seen bare after the match's end
    _end_checked: tuple[Transition, ...] = ()  # the transitions with which a complete round's board was weighed again
    _asked: RoundQuestions = field(default_factory=RoundQuestions)

    @property
    def belief(self) -> Belief:
        """What is shown, and what else may be."""
        return self._shown.belief

    @property
    def _bank(self) -> Bank:
        assert self._beginnings is not None
        return self._beginnings

    @property
    def _shown(self) -> Beginning:
        return self._bank.shown

    def _show(self, shown: Beginning) -> None:
        self._beginnings = replace(self._bank, shown=shown)

    def gate(self, word: str) -> None:
        """Note the gate's new word. Between two boards there is time to weigh earlier ones."""
        was, now = self.watching, word == "hand"
        self.watching = replace(was, beside=now, hand=was.hand or now, unwatched=was.unwatched or word in UNWATCHED)
        if self._journal is not None and self._bank.boards:
            self._beginnings = self._bank.weighed_on(self._journal)

    def filmed(self, film: Film | None) -> None:
        """Take the film between the last reading and the next one; None if that was not filmed."""
        if film is not None:
            self.watching = replace(self.watching, films=(*self.watching.films, film))

    def blind(self) -> None:
        """Note that the camera delivers nothing."""
        self.watching = replace(self.watching, unwatched=True)

    def refused(self) -> None:
        """Note that the rules refused the events of the last transition, so that they are not in the journal."""
        self._offered, self._journal = False, None

    def read(self, state: MatchState, reading: BoardReading) -> list[ev.Event]:
        """The next step for this reading, as events that belong together; none once all is explained."""
        if state.paused or state.manual:
            return []
        if short := self._about_end(state):
            return short
        if state.over:
            return self._played_on(state, reading)
        if state.uncleared:
            seen = until_cleared(state, reading)
            return [seen] if seen and not self.watching.beside else []
        self._follow(state)
        self._bare_since_end = False
        if learnt := learn_colours(state, reading):
            return [learnt]
        events = self._weigh_new_board(state, reading) or self._record(state)
        return events or self._ask(state) or self._late_end(state, reading)

    def _about_end(self, state: MatchState) -> list[ev.Event]:
        """The questions about a round that people have just ended: a few shots short, or with the colours in doubt."""
        before = self._journal
        if before is None or self._offered or state.confirmed <= before.confirmed:
            return []
        doubt = self._not_asked_yet([ask_before_end(self.belief, before)] if ended_as_shown(before, state) else [])
        self._follow(state)
        self._asked = RoundQuestions()
        return [*doubt, *filter(None, [played(before)]), *ended_short(before, state)]

    def _played_on(self, state: MatchState, reading: BoardReading) -> list[ev.Event]:
        """The answer to an open question that people give by playing another round: the match was not over."""
        self._follow(state)
        if reading is self._weighed:
            return []
        self._weighed = reading
        for answer, game in answers_against_end(state):
            on = replace(state, game=game.next_round())
            best = replace(self._shown, belief=Belief.certain(on)).weighed(on, reading, self.watching).belief.best
            if best.ready or best.state.game.round.shots:
                self._journal = self._weighed = None  # the further round begins with this board
                return [answer]
        self._close(reading)
        lying = any(disc.pose == "flat" for disc in reading.discs)
        self._bare_since_end |= not (lying or reading.obstructed)
        self.hint = Hint("match_over") if lying and self._bare_since_end else None
        return []

    def _weigh_new_board(self, state: MatchState, reading: BoardReading) -> list[ev.Event]:
        """Weigh a new board; the events, if any, that come before recording the best hypothesis."""
        if reading is not self._weighed:
            self.trust = self.trust.after(state, reading)
            self.watching = replace(self.watching, after=state.last_id, trust=self.trust)
            self._weighed = reading
            return self._weigh(state, reading)
        return []

    def _late_end(self, state: MatchState, reading: BoardReading) -> list[ev.Event]:
        """The end of a round whose last shots were recorded once its board was already clear."""
        if self._bank.recorded == self._end_checked or not state.game.round.complete:
            return []
        self._end_checked = self._bank.recorded
        return self._over(state, self._shown.weighed(state, reading, self.watching).belief.newest[0])

    def _follow(self, state: MatchState) -> None:
        """Adopt the journal's state, after the events offered by `read` or after people's commands."""
        if self._offered and self._journal is not None:
            self._offered = False
            self._commit(state)
            if state.confirmed > self._journal.confirmed:
                self._begin_round(state)
        elif self._journal is None or _differ(self._journal, state):
            if not self._condition(state):
                first = self._beginnings is None
                self._beginnings = Bank.certain(state) if first else self._bank.again(state, self._shown.ditch)
                self._asked = self._asked.settled()
        elif any(asked.what == "colours" for asked in _answered_since(self._journal, state)):
            self._beginnings = replace(self._bank, said=True)
            self._reconsider(state)
        self._journal = state

    def _condition(self, state: MatchState) -> bool:
        """Keep the hypotheses that agree with what people said about shots and discs of the running round, or all if it
        is unchanged. False if none agrees, or people did more than that."""
        if self._journal is None or shooters(self._journal) != shooters(state):
            return False
        answered = [one for one in _answered_since(self._journal, state) if one.round == state.game.round.number]
        verdicts = verdicts_corrected(self._journal, state)
        if not answered and not verdicts and _round_differs(self._journal, state):
            return False
        bank = self._bank.with_earlier_rounds(state)
        if answered or verdicts:
            given = bank.shown.belief.given(state, partial(agrees, shown=state, answered=answered, verdicts=verdicts))
            if given is None:
                return False
            bank = bank.after_answer(state, given)
        self._beginnings = bank
        return True

    def _commit(self, state: MatchState) -> None:
        """Note that the best hypothesis is in the journal. Dropping other hypotheses does not answer a question."""
        belief = self.belief.after_commit(state)
        self._show(self._shown.settling(belief))
        self._asked = self._asked.noted("settled", belief)

    def _begin_round(self, state: MatchState) -> None:
        self._beginnings = self._bank.again(state, DitchSeen())
        self._weighed, self._sweeping = None, False
        self._asked = RoundQuestions()

    def _weigh(self, state: MatchState, reading: BoardReading) -> list[ev.Event]:
        """Weigh the hypotheses by this board, unless a later one will show more."""
        edges, level = self._of_sensor(state)
        before = self.belief
        weighed = self._shown.weighed(replace(state, hole=edges, hole_level=level), reading, self.watching)
        best, association = weighed.belief.best, weighed.belief.newest[0]
        to_shoot = best.state if best.state.game.round.shots else state  # who should begin, not who may
        self.hint = hint(to_shoot, best.ready) or unknown_owner(state, reading)
        self._show(replace(weighed, belief=before))
        ended = self._over(state, association) if state.game.round.complete else []
        if ended or (state.game.round.complete and self._sweeping) or self._waits(reading, association):
            return ended
        left = sum(state.game.round.shots_left.values())
        if left > SHORT and emptied(state, association):
            return self._not_asked_yet([swept_early(state, left)])
        seats, learnt = weighed.seats.after(best)
        self._show(replace(weighed, belief=before, seats=seats))
        if learnt := learnt or self._learn(state, association):
            self._weighed = None  # weigh it again with the new knowledge
            return [learnt]
        board = RecordedBoard(reading, self.watching, edges, level)
        self._accept(replace(weighed, seats=seats), board)
        self._reconsider(state)
        return []

    def _waits(self, reading: BoardReading, association: Association) -> bool:
        """Whether to wait for a reading on which no hand may hide a disc, or be read as a strange one."""
        read_as_disc = reading.obstructed and association.strange
        if not (read_as_disc or association.may_be_hidden(self.belief.best.overlooked)):
            return False
        self.watching = replace(self.watching, waited=(*self.watching.waited, reading.t))
        return reading.t - self.watching.waited[0] < PATIENCE

    def _of_sensor(self, state: MatchState) -> tuple[tuple[ev.HoleChange, ...], bool | None]:
        """The sensor's changes since the last board, and its present level; none if it is not trusted, or could not
        tell at some moment."""
        new = tuple(e for e in state.hole if e.t > self._edges_until)
        self._edges_until = max([self._edges_until, *(e.t for e in new)])
        self._edges += new
        certain = self.trust.believed and all(e.occupied is not None for e in self._edges)
        return (self._edges, state.hole_level) if certain else ((), None)

    def _learn(self, state: MatchState, association: Association) -> ev.Event | None:
        """The event for what this board shows of an undone shot, or an answer that people give by playing on."""
        learnt: ev.Event | None = _redone(state, association)
        lying = [name for name, outcome in association.known.items() if outcome.place is not None]
        if learnt is None and association.shots and (learnt := played_on(state, lying)) is not None:
            self._journal = None  # people have ruled
        return learnt

    def _accept(self, weighed: Beginning, board: RecordedBoard) -> None:
        """Accept what the shown beginning makes of this board."""
        belief = weighed.belief
        if not belief.pruned:
            self._asked = self._asked.noted("answered", belief)
        if not belief.newest[0].strange:  # those that come later are others
            self._asked = self._asked.without("unexplained")
        self._beginnings = self._bank.with_board(board, weighed)
        self._close(board.reading)

    def _reconsider(self, state: MatchState) -> None:
        """Weigh the round's boards under other beginnings; one amendment records the likeliest."""
        self._beginnings = bank = self._bank.weighed_on(state)
        likeliest = next(iter(bank.likeliest), bank.shown)  # the shown one while others have boards to weigh
        if likeliest is not bank.shown and bank.behind(bank.shown) >= OUTWEIGHED:
            self._beginnings = bank.showing(likeliest)
            self._relearned = (*likeliest.relearned(state), *filter(None, [self._bank.earlier_shots(state)]))
            self._asked = RoundQuestions()

    def _over(self, state: MatchState, association: Association) -> list[ev.Event]:
        """The end of a complete round, once its board is clear; while people clear it nothing is recorded."""
        if cleared(state, association):
            self._offered = True
            self._close(association.seen.reading)
            doubt = self._not_asked_yet([ask_before_end(self.belief, state)])
            asked = (*ask_about(state, off_the_hole(state)), *doubt)
            return [*asked, ev.RoundEnded(how="swept"), *filter(None, [played(state)])]
        self._sweeping = sweeping(state, association, self._sweeping)
        return []

    def _close(self, reading: BoardReading) -> None:
        """End the observations of this board: new ones belong to the next."""
        was = self.watching
        reported = was.hand or bool(was.hands_reported)
        self.watching = BetweenBoards(hand=was.beside, hands_reported=reported, beside=was.beside)
        last = self._edges[-1:]
        counted = sensor_alone(reading, was) or any(d.pose in AT_HOLE for d in reading.discs)
        fresh = bool(last) and last[0].occupied is True and reading.t - last[0].t < SEATED
        self._edges = last if fresh and not counted else ()

    def _record(self, state: MatchState) -> list[ev.Event]:
        """The events that bring the best hypothesis into the journal.

        Those of the newest board come after an amendment, if the journal has another account of earlier boards.
        """
        best, recorded = self._shown.transitions, self._bank.recorded
        given_up, late, newest = _to_record(best, recorded, self._weighed)
        events: list[ev.Event] = [e for transition in newest for e in transition.journalled()]
        if given_up or late:
            events.insert(0, amendment(state, self.belief.best, given_up, late))
        events[:0], self._relearned = self._relearned, ()
        if not events:
            self._commit(state)
            return []
        self._offered = True
        self._beginnings = replace(self._bank, recorded=best)
        return events

    def _ask(self, state: MatchState) -> list[ev.Event]:
        """The questions that are worth their cost now."""
        if idle := self._answered(state):
            return idle
        complete, belief = state.game.round.complete, self.belief
        of_boards = self._shown.transitions[len(self._bank.known) :]
        found = [self._bank.doubt(state), *questions_to_ask(belief, of_boards, state)]
        if belief.newest and not complete:
            found += _about_unexplained(state, belief.newest[0], of_boards[-1:])
        questions = self._not_asked_yet(found) or ask_close_calls(state)
        return questions or self._not_asked_yet(about_unwatched(state, belief.best.transitions, self._asked.asked))

    def _answered(self, state: MatchState) -> list[ev.Event]:
        """The end of each open question that a later board has answered, or whose answer would have no effect."""
        late = () if self._bank.whole else [q for q in state.open_now if q.asked.what == "colours"]
        ended = (*late, *(q for q in state.open_now if self._asked.answered(q.asked)))
        return [*(ev.QuestionClosed(question=q.id) for q in ended), *filter(None, [played(state) if late else None])]

    def _not_asked_yet(self, found: Iterable[Asked]) -> list[ev.Event]:
        """Those of these questions that were not asked yet in this round."""
        questions: list[ev.Event] = []
        for asked in filter(None, found):
            if key_of(asked) not in self._asked.asked:
                self._asked = self._asked.having(asked, self.belief)
                questions.append(asked)
        return questions


def _differ(before: MatchState, now: MatchState) -> bool:
    """Whether people have changed the match: the hole's changes and questions leave `_OF_THE_BOARD` as it was.

    After an answer the match is folded again, and one about the colours leaves its board equal.
    """
    pairs = [(getattr(before, name), getattr(now, name)) for name in _OF_THE_BOARD]
    if all(was is is_ for was, is_ in pairs):
        return False
    answered = {asked.what for asked in _answered_since(before, now)}
    return answered != {"colours"} or any(was != is_ for was, is_ in pairs)


def _to_record(
    best: Sequence[Transition], recorded: Sequence[Transition], newest: BoardReading | None
) -> tuple[Sequence[Transition], Sequence[Transition], Sequence[Transition]]:
    """The transitions that an amendment gives up, those that it has instead, and those of the newest board to record
    plainly. If the journal has an account of that board already, all are in the amendment: what was asked and answered
    about those shots still holds.
    """
    same = shared_prefix(best, recorded)
    given_up, instead = recorded[same:], best[same:]
    if any(one.association.seen.reading is newest for one in given_up):
        return given_up, instead, ()
    plainly = [one for one in instead if one.association.seen.reading is newest]
    return given_up, instead[: len(instead) - len(plainly)], plainly


def _round_differs(before: MatchState, now: MatchState) -> bool:
    """Whether people have changed the running round, and not earlier ones alone."""
    shots = before.game.round == now.game.round and before.shots == now.shots and before.confirmed == now.confirmed
    return not shots or any(getattr(before, name) != getattr(now, name) for name in _OF_THE_BOARD if name != "game")


def _answered_since(before: MatchState, now: MatchState) -> list[ev.Question]:
    """The questions that are no longer open."""
    return [question.asked for id_, question in before.questions.items() if id_ not in now.questions]


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


def _about_unexplained(state: MatchState, newest: Association, shown: Iterable[Transition]) -> Iterator[Asked]:
    """Ask about what no shot explains: strange discs on the newest board; what the sensor felt there, or by the newest
    of the shown transitions."""
    if newest.strange:
        yield strange(state, len(newest.strange))
    if newest.felt_alone or any(one.association.felt_alone for one in shown):
        yield felt_alone(state)
