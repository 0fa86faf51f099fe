"""From settled boards to shots.

No disc is lost: every shot adds one disc of the shooter's side to surface, hole or ditch. The referee compares the
board that the match knows with the board that was read, tells every story that could explain the difference, and books
the likeliest. Single still pictures are enough; hands, rolls and the hole's sensor are further evidence where they
exist.

`Referee.read` gives one step at a time: the caller puts its events on disk, folds them, and asks again with the same
reading until nothing is left to explain.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from controller.match import events as ev
from controller.match.state import Hint, MatchState
from controller.referee.accounts import Evidence
from controller.referee.booking import Booked, Booking
from controller.referee.conduct import played_on
from controller.referee.differences import distance
from controller.referee.ditch import Ditch
from controller.referee.doubts import Doubt, SweptEarly
from controller.referee.filmed import Filmed, unseen_sides
from controller.referee.hints import hint, whose
from controller.referee.hole import InHole, Trust, in_hole
from controller.referee.questions import ask_at_hole, ask_close, ask_outer_line
from controller.referee.read_board import ReadBoard, measure, until_cleared
from controller.referee.reappearing import Gone
from controller.referee.removals import put_back, taken_off
from controller.referee.seats import Seats
from controller.referee.settings import CONDUCT, STORIES
from controller.referee.stories import Story, stories
from controller.referee.whose_disc import learn_colours
from controller.vision.film.film import Film
from controller.vision.readings import BoardReading

EXPLAINING = (ev.ShotSeen, ev.BoardSeen, ev.RoundEnded, ev.Redone)
"""The events that explain what was seen; others rule, correct or ask."""
UNWATCHED = ("covered", "camera_moved")
"""The gate's words for times in which the camera does not see the board."""


@dataclass(slots=True)
class Referee:
    """Explains readings. Holds only what a restart may forget: the match itself is in its state."""

    hint: Hint | None = None
    """A fault of placing that people may want to know of."""
    hand: bool = False
    """Whether a hand was over the board since the last step."""
    beside: bool = False
    """Whether one is there now, beside the surface."""
    unwatched: bool = False
    """Whether the camera saw nothing for a while since the last step."""
    rolls: int | None = None
    """How often something rolled over the board since the last step; None before the first time."""
    ditch: Ditch = field(default_factory=Ditch)
    trust: Trust = field(default_factory=Trust)
    seats: Seats = field(default_factory=Seats)
    arms: tuple[float, ...] = ()
    """Directions of the arms that reached in while something rolled since the last step, in degrees."""
    films: tuple[Film, ...] = ()
    """What was filmed since the last step, each from a reading to a later one."""
    _taken: dict[str, ev.Measured] = field(default_factory=dict)
    """What people took off unasked since the last shot, and where it lay."""
    _played_on: set[str] = field(default_factory=set)
    """Discs that are in play because people played on with them."""
    _gone: Gone = field(default_factory=Gone)
    _overlooked: dict[str, float] = field(default_factory=dict)
    """Discs that the newest reading did not show although nothing explains it, and since which reading."""
    _sweeping: bool = False
    """Whether people have begun to clear the board of a complete round."""
    _after_hand: bool = False
    """Whether a hand had been over the board by then."""
    _doubts: tuple[Doubt, ...] = ()
    _asked_whether_over: int = 0
    """The round of which it was asked whether its early sweep ended it: once is enough."""

    def gate(self, word: str) -> None:
        """The gate's word changed."""
        self.beside = word == "hand"
        self.hand |= self.beside
        self.unwatched |= word in UNWATCHED

    def rolled(self, arms: Sequence[float] = ()) -> None:
        """Something rolled over the board that no hand held, while these arms reached in."""
        self.rolls = (self.rolls or 0) + 1
        self.arms += tuple(arms)

    def filmed(self, film: Film | None) -> None:
        """What moved between the reading before and the one that comes now; None where that was not filmed."""
        if film is not None:
            self.films += (film,)

    def blind(self) -> None:
        """The camera delivers nothing."""
        self.unwatched = True

    def read(self, state: MatchState, reading: BoardReading) -> list[ev.Event]:
        """The next step that this reading demands, as events that belong together; none when all is explained."""
        if state.paused or state.manual or state.over:
            return []
        if state.uncleared:
            seen = until_cleared(state, reading)
            return [seen] if seen and not self.beside else []
        self.trust.compare(state, reading)
        if not self.trust.believed:
            state = replace(state, hole=(), hole_level=None)  # as if there were none
        if questions := self._ask(state):
            return questions
        if learnt := learn_colours(state, reading):
            return [learnt]
        board = ReadBoard.of(state, reading, self.ditch)
        if self.ditch.known is None:
            self.ditch.remember(board.ditch)
        booked = self._explain(state, board, reading)
        self._doubts = booked.doubts
        if booked.events:
            self._close(state, board, booked.events)
            return list(booked.events)
        return self._ask(state)

    def refused(self) -> None:
        """The rules refused the events of the last step, so they are not in the journal.

        Its doubts are dropped. What was remembered of discs that went off or were taken off is forgotten too: else the
        next step would offer the same events again.
        """
        self._doubts = ()
        self._gone = Gone()
        self._taken.clear()

    def _ask(self, state: MatchState) -> list[ev.Event]:
        """The questions about what was booked; without any, those that the state itself raises."""
        doubts, self._doubts = self._doubts, ()
        questions: list[ev.Event] = [q for doubt in doubts if (q := doubt.question(state)) is not None]
        questions = questions or ask_at_hole(state) or ask_outer_line(state)
        return questions or (ask_close(state) if state.game.round.complete else [])

    def _close(self, state: MatchState, board: ReadBoard, events: Sequence[ev.Event]) -> None:
        """End the step that these events explain: evidence that comes from now on belongs to the next one.

        Events that only rule end nothing: what was seen is still to be explained.
        """
        if any(isinstance(event, ev.ShotSeen | ev.RoundEnded) for event in events):
            self._remember_shots(state, events)
        for event in events:
            self._taken |= {disc: state.measured[disc] for disc in taken_off(event) if disc in state.measured}
        if not any(isinstance(event, EXPLAINING) for event in events):
            return
        self.hand, self.unwatched = self.beside, False  # a hand that is there now may yet reach in
        self.rolls = None if self.rolls is None else 0
        self.arms = ()
        self.films = ()
        self.ditch.remember(board.ditch)
        if any(isinstance(event, ev.RoundEnded) for event in events):
            self.ditch.clear()
            self._sweeping = False
            self._taken.clear()
            self._played_on.clear()

    def _remember_shots(self, state: MatchState, events: Sequence[ev.Event]) -> None:
        """Remember what these shots sent off; forget what people took off before, unless a question asks about it."""
        number = state.game.round.number
        asked = {q.asked.disc for q in state.questions.values() if q.asked.round == number}
        self._taken = {disc: was for disc, was in self._taken.items() if disc in asked}
        self._gone = Gone.with_shots(state, events)

    def _explain(self, state: MatchState, board: ReadBoard, reading: BoardReading) -> Booked:
        """The next step that explains the board: discs that came back first, then the likeliest story."""
        if back := _restored(state, board) or self._put_back(state, board) or self._gone.again(state, board):
            return Booked((back,))
        hole = in_hole(state, board, reading.t)
        self.seats.follow(state)
        film = Filmed.of(state, self.films)
        story = stories(board, state.game.round, self._evidence(state, board, hole, film))[0]
        self.hint = hint(state, story.placed) or whose(state, reading)
        if learnt := self.seats.learn(state, story, self.arms):
            return Booked((learnt,))
        if self._waits(state, board, reading, story):
            return Booked()
        if not story.shots:
            self.films = ()  # nobody has shot: they are of hands
        if known := _redone(state, board, story) or self._ruled_by_play(state, board, story):
            return Booked((known,))
        booking = Booking(state, board, hole, reading, self.hand, film)
        if gone := self._gone_for_good(state, board, story, reading.t):
            return booking.gone(gone)
        self._overlooked = {n: self._overlooked.get(n, reading.t) for n in story.hidden}
        self._after_hand = self.hand
        return self._asking_once(state, booking.book(story))

    def _evidence(self, state: MatchState, board: ReadBoard, hole: InHole, film: Filmed | None) -> Evidence:
        """What is known besides the two boards.

        Before the first shot of a round people roll discs to each other: that is no evidence of a shot.
        """
        return Evidence(
            self.hand,
            self.unwatched,
            hole.lifted,
            hole.occupied and not board.obstructed,
            frozenset(self._overlooked),
            self.seats.may_be_ready,
            self.rolls if state.game.round.shots or self.rolls == 0 else None,
            film,
            unseen_sides(state, self.films),
        )

    def _waits(self, state: MatchState, board: ReadBoard, reading: BoardReading, story: Story) -> bool:
        """Whether a later reading will tell more, so that nothing is booked now."""
        if board.obstructed and not story.plain:
            return True  # what is missing may lie under the hand
        if reading.hidden and any(account.unseen for account in story.accounts.values()):
            return True  # it may lie in the part of the ditch that a hand hides
        return state.game.round.complete and self._sweep_goes_on(story)

    def _ruled_by_play(self, state: MatchState, board: ReadBoard, story: Story) -> ev.Event | None:
        """The ruling that people make by playing on; a disc that stays in play by it is remembered."""
        ruled = played_on(state, {*board.still, *story.moved}) if story.shots else None
        if isinstance(ruled, ev.DiscCorrected):
            self._played_on.add(ruled.disc)
        return ruled

    def _asking_once(self, state: MatchState, booked: Booked) -> Booked:
        """What was booked; nothing, where it asks a second time in a round whether its early sweep ended it."""
        if any(isinstance(doubt, SweptEarly) for doubt in booked.doubts):
            if self._asked_whether_over == state.game.round.number:
                return Booked()
            self._asked_whether_over = state.game.round.number
        return booked

    def _sweep_goes_on(self, story: Story) -> bool:
        """Whether people are clearing the board of a complete round, and some of it is left.

        The result of a complete round stands, whatever people do while they clear the board.

        | discs gone | hand | sweep |
        | --- | --- | --- |
        | none | any | has not begun |
        | one or more | beside the board now | has begun |
        | `CONDUCT.sweep_discs` or more | seen since the last step | has begun; this is between two strokes |
        | one or more | otherwise | goes on if it had begun |
        """
        gone = len(story.taken) + len(story.hidden)
        self._sweeping = bool(gone) and (self._sweeping or self.beside or (self.hand and gone >= CONDUCT.sweep_discs))
        return self._sweeping and not story.swept

    def _gone_for_good(self, state: MatchState, board: ReadBoard, story: Story, now: float) -> list[str]:
        """Discs that neither this reading nor an earlier one shows, so that they are off.

        When a complete round is swept, the disc that was missing before the sweep is one of them, if it was the only
        one, the newest shot had moved it, and a hand had been seen: people took it off before they swept.
        """
        missing = () if story.shots or board.obstructed else story.hidden
        if story.swept and state.game.round.complete and self._after_hand and len(self._overlooked) == 1:
            missing = self._moved_last(state)
        return [n for n in missing if self._overlooked.get(n, now) < now and self._may_go(state, n)]

    def _moved_last(self, state: MatchState) -> tuple[str, ...]:
        """The overlooked discs that the newest shot moved."""
        known = [n for n in self._overlooked if n in state.measured]
        return tuple(n for n in known if n in state.game.round.shots[-1].shot.rest)

    def _may_go(self, state: MatchState, disc: str) -> bool:
        """Whether a disc that is not seen is off. Where people said that it lies on the board, it is not."""
        return disc not in state.ruled or disc in self._played_on

    def _put_back(self, state: MatchState, board: ReadBoard) -> ev.Event | None:
        """The event for a disc that people took off and put back: they had taken the wrong one."""
        for name, was in self._taken.items():
            if name in state.measured or name not in state.game.round.owners:
                continue
            if any(distance(was, d) < CONDUCT.put_back_mm for d in board.appeared[state.side_of(name)]):
                del self._taken[name]
                return put_back(state, name, was)
        return None


def _redone(state: MatchState, board: ReadBoard, story: Story) -> ev.Redone | None:
    """The shot that people undid is taken back in when play goes on with its disc on the board: it did happen."""
    if state.undone is None or not story.shots:
        return None
    side = story.shots[0].to_shoot
    lies = any(s.side == side for s in board.strangers)
    return ev.Redone(target=state.undone) if lies and story.accounts[str(side)].lost else None


def _restored(state: MatchState, board: ReadBoard) -> ev.BoardSeen | None:
    """After an undo people put back what the undone shot had knocked off or moved.

    A disc that was put back is a new one of its side within `STORIES.near_mm` of where the disc lay before that shot.
    """
    back: dict[str, ev.Measured] = {}
    for name, disc in state.game.round.board.discs.items():
        near = [d for d in board.appeared[disc.side] if distance(disc, d) < STORIES.near_mm]
        lay = state.measured.get(name)
        just_undone = state.undone is not None and name in board.all_left
        astray = lay is None or (just_undone and distance(disc, lay) > CONDUCT.astray_mm)
        if astray and near:
            back[name] = measure(min(near, key=lambda d: distance(disc, d)))
    if not back:
        return None
    still = {n: measure(d) for n, d in board.still.items()}
    unseen = {n: state.measured[n] for n in board.all_left}
    return ev.BoardSeen(measured={**still, **unseen, **back}, strangers=board.strangers)
