"""From settled boards to shots: what is conserved decides.

Every shot adds one disc of the shooter's side to surface, hole or ditch. The referee compares the board that the match
knows with the board that was read, and finds the explanation that fits: a shot, discs taken off, the board swept. It
works from single stills; hands and the hole's sensor are further evidence where they exist.

`Referee.read` gives one step at a time: the caller puts its events on disk, folds them, and asks again with the same
reading until nothing is left to explain.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from controller import events as ev
from controller.match import MatchState
from controller.referee.colours import learn_colours
from controller.referee.differences import distance, pair
from controller.referee.ditch import Ditch
from controller.referee.questions import ask_close, ask_swept
from controller.referee.read_board import ReadBoard, measure, stranger
from controller.vision.readings import AT_HOLE, BoardReading, SeenDisc
from controller.words import say
from hardware.board import TOURNAMENT, seat_angle

NUDGED = 10.0  # mm: discs that only moved this little, with no disc added anywhere, were nudged or are hard to see
SEATED = 0.3  # s: a disc that skims the hole is gone sooner; the study's dwell for a twenty
PUT_BACK = 40.0  # mm: as near as people remember where a disc lay
SEAT_SLACK = 8.0  # degrees beyond the quadrant line: a disc may lie half over it
SWEPT_SHORT = 2  # shots that may be missing when the board is swept; more is asked


@dataclass(slots=True)
class Referee:
    """Explains readings. Holds only what a restart may forget: the match itself is in its state."""

    hand: bool = False
    """Whether a hand was over the board since the last step."""
    ditch: Ditch = field(default_factory=Ditch)

    def gate(self, word: str) -> None:
        """The gate's word changed."""
        self.hand |= word == "hand"

    def read(self, state: MatchState, reading: BoardReading) -> list[ev.Event]:
        """The next step that this reading demands, as events that belong together; none when all is explained."""
        if state.paused or state.over:
            return []
        learnt = learn_colours(state, reading)
        if learnt:
            return [learnt]
        board = ReadBoard.of(state, reading)
        if self.ditch.known is None:
            self.ditch.remember(board.ditch)
        events = self._explain(state, board, reading)
        if any(isinstance(event, ev.ShotSeen | ev.RoundEnded | ev.BoardSeen) for event in events):
            self.hand = False
            self.ditch.remember(board.ditch)
        if any(isinstance(event, ev.RoundEnded) for event in events):
            self.ditch.clear()
        return events

    def _explain(self, state: MatchState, board: ReadBoard, reading: BoardReading) -> list[ev.Event]:
        if asked := ask_close(state, reading.frame, at_hole=True):
            return list(asked)
        if lifted := self._lifted_in_doubt(state, board):
            return lifted
        shooter = state.game.round.to_shoot
        if shooter is None:
            return self._after_last_shot(state, board, reading)
        if _swept(state, board, reading) and self.hand:
            return self._swept_early(state, board, shooter, reading)
        if restored := _restored(state, board):
            return restored
        if not board.left and not board.appeared:
            return self._off_unseen(state, board, shooter, reading) or _taken_off(state, board)
        if _placed_only(board, shooter, state.game.round.seat_to_shoot):
            return _taken_off(state, board) if not board.left else []
        return self._shot(state, board, shooter, reading)

    def _shot(self, state: MatchState, board: ReadBoard, shooter: str, reading: BoardReading) -> list[ev.Event]:
        other = "B" if shooter == "A" else "A"
        balance = {side: board.balance(side) for side in (shooter, other)}
        if reading.obstructed and (balance[shooter] != 1 or balance[other] != 0):
            return []  # what is missing may lie under the hand
        if balance[other] > 0 and balance[shooter] <= 0:
            return [self._lost(state, board, shooter, reading)]  # the other side has shot: this side's disc was missed
        if balance[shooter] == 1 and balance[other] == 1:
            return [_first_of_two(state, board, shooter, reading)]
        if balance[shooter] > 1 or balance[other] > 0:
            return _strange(state, board, reading)
        if taken := self._taken_by_people(board):
            return taken
        nudged = balance[shooter] == 0 and balance[other] == 0 and board.largest_move() < NUDGED
        if nudged and not self._gained_in_ditch(board, shooter):
            return _taken_off(state, board)
        return [self._shot_seen(state, board, shooter, reading)]

    def _lifted_in_doubt(self, state: MatchState, board: ReadBoard) -> list[ev.Event]:
        """People lifted the disc of which camera and hole sensor disagreed: they took it for a twenty."""
        gone = [n for n in board.left if state.measured[n].pose == "leaning" and state.measured[n].call == "close"]
        if not gone or board.appeared or len(board.left) > 1 or not self.hand:
            return []
        if any(self._gained_in_ditch(board, side) for side in ("A", "B")):
            return []
        twenty = ev.DiscCorrected(disc=gone[0], zone=20, by="table")
        return [twenty, ev.BoardSeen(measured=board.measured_still, strangers=board.strangers)]

    def _taken_by_people(self, board: ReadBoard) -> list[ev.Event]:
        """Discs in play were put into the ditch, no more and no less, and nothing else changed: no shot did that."""
        if board.appeared or not self.hand:
            return []
        for side in ("A", "B"):
            gained = self.ditch.gained(board.ditch, side, board.expected_in_ditch(side))
            if gained != sum(board.sides[n] == side for n in board.left):
                return []
        off = [ev.DiscCorrected(disc=name, zone=None, by="table") for name in board.left]
        return [*off, ev.BoardSeen(measured=board.measured_still, strangers=board.strangers)]

    def _shot_seen(self, state: MatchState, board: ReadBoard, shooter: str, reading: BoardReading) -> ev.ShotSeen:
        shot_disc = new_id(state, shooter)
        rest: dict[str, str] = {}
        measured = dict(board.measured_still)
        gone: list[str] = []
        for side in ("A", "B"):
            names = {n: state.measured[n] for n in board.left if board.sides[n] == side}
            places = [d for d in board.appeared if d.side == side]
            moved, new = pair(names, places)
            for name, disc in moved.items():
                rest[name] = _where(disc)
                measured[name] = measure(disc)
            gone += [n for n in names if n not in moved]
            if side == shooter and new:
                rest[shot_disc] = _where(new[0])
                measured[shot_disc] = measure(new[0])
        doubt = None
        if shot_disc not in rest:
            gone.insert(0, shot_disc)
        sunk = self._sunk(state, measured, gone, reading.t)
        for name in gone:
            rest[name] = "hole" if name == sunk else "ditch"
        if gone and gone[0] == shot_disc and not sunk and not self._gained_in_ditch(board, shooter):
            doubt = say("The shot disc was not seen after the shot.")
        contacts = tuple((shot_disc, name) for name in rest if name != shot_disc)
        return ev.ShotSeen.model_validate(
            {
                "side": shooter,
                "disc": shot_disc,
                "contacts": contacts,
                "rest": rest,
                "measured": measured,
                "doubt": doubt,
                "t": reading.t,
                "frame": reading.frame,
            }
        )

    def _off_unseen(self, state: MatchState, board: ReadBoard, shooter: str, reading: BoardReading) -> list[ev.Event]:
        """Nothing changed on the surface: the shot disc may have gone straight off, or through the hole and out."""
        lifted = bool(state.hole) and not state.hole_level and self._sunk_unseen(state, reading.t)
        if lifted:
            return [self._lost(state, board, shooter, reading, where="hole")]
        if self._gained_in_ditch(board, shooter) and not reading.obstructed and not board.taken:
            return [self._lost(state, board, shooter, reading)]
        return []

    def _lost(
        self, state: MatchState, board: ReadBoard, shooter: str, reading: BoardReading, where: str = "ditch"
    ) -> ev.ShotSeen:
        disc = new_id(state, shooter)
        seen = where == "hole" or self._gained_in_ditch(board, shooter)
        return ev.ShotSeen.model_validate(
            {
                "side": shooter,
                "disc": disc,
                "rest": {disc: where},
                "measured": dict(state.measured),
                "doubt": None if seen else say("The shot disc was not seen after the shot."),
                "t": reading.t,
                "frame": reading.frame,
            }
        )

    def _after_last_shot(self, state: MatchState, board: ReadBoard, reading: BoardReading) -> list[ev.Event]:
        if questions := ask_close(state, reading.frame):
            return list(questions)
        if not state.round_proposed:
            return []  # its end is confirmed: a shoot-out is awaited
        told = self.hand or bool(board.appeared) or len(state.on_board) > 1
        emptied = len(board.left) == len(state.on_board) and told and not reading.obstructed
        if emptied and not state.await_tap:
            return [ev.RoundEnded(how="swept")]
        if set(board.left) <= set(state.to_remove):
            return _taken_off(state, board)
        return []

    def _swept_early(self, state: MatchState, board: ReadBoard, shooter: str, reading: BoardReading) -> list[ev.Event]:
        """The board was swept although shots are left: at most the last ones went off unseen."""
        left = sum(state.game.round.shots_left.values())
        if left <= SWEPT_SHORT and not state.await_tap:
            return [self._lost(state, board, shooter, reading)]
        return ask_swept(state, left)

    def _gained_in_ditch(self, board: ReadBoard, side: str) -> bool:
        return self.ditch.gained(board.ditch, side, board.expected_in_ditch(side)) > 0

    def _sunk(self, state: MatchState, measured: Mapping[str, ev.Measured], gone: list[str], at: float) -> str | None:
        """Which of the discs that are gone lies or lay in the hole, by the sensor alone: no disc is seen there."""
        if not gone or any(m.pose in AT_HOLE for m in measured.values()):
            return None
        leant = [n for n in gone if n in state.measured and state.measured[n].pose in AT_HOLE]
        if leant and state.hole_level:
            return leant[0]
        return gone[0] if self._sunk_unseen(state, at) else None

    def _sunk_unseen(self, state: MatchState, at: float) -> bool:
        """By the sensor a disc lay in the hole since the last shot, and no disc was seen to lie there."""
        on: float | None = None
        for change in state.hole:
            if change.occupied:
                on = change.t
            elif on is not None:
                if change.t - on >= SEATED:
                    return True
                on = None
        return on is not None and at - on >= SEATED


def new_id(state: MatchState, side: str) -> str:
    """The next disc of a side: a1, a2, .. in the order in which they are shot."""
    count = sum(s.shot.side == side for s in state.game.round.shots)
    return f"{side.lower()}{count + 1}"


def _where(disc: SeenDisc) -> str:
    return "hole" if disc.pose == "in_hole" else "surface"


def _swept(state: MatchState, board: ReadBoard, reading: BoardReading) -> bool:
    """All discs in play are gone at once, and nothing came in their place."""
    in_play = state.on_board
    fresh = [d for d in board.appeared if d.zone != 0]
    return len(in_play) >= 2 and len(board.left) == len(in_play) and not fresh and not reading.obstructed


def _placed_only(board: ReadBoard, shooter: str, seat: int | None) -> bool:
    """All that is new is a disc of the shooter's on the starting line of the shooter's quadrant: not shot yet.

    What is missing besides was not seen: no shot takes a disc away and comes back to where it began.
    """
    if seat is None or len(board.appeared) != 1:
        return False
    disc = board.appeared[0]
    if disc.side not in (shooter, None) or disc.zone != 0:
        return False
    bearing = math.degrees(math.atan2(disc.y, disc.x))
    off = abs((bearing - seat_angle(seat) + 180) % 360 - 180)
    return off <= 45 + SEAT_SLACK and math.hypot(disc.x, disc.y) < TOURNAMENT.surface_radius


def _taken_off(state: MatchState, board: ReadBoard) -> list[ev.Event]:
    """Discs that had to come off are off, or discs were nudged: the board is measured anew."""
    moved = {}
    for side in ("A", "B"):
        names = {n: state.measured[n] for n in board.left if board.sides[n] == side}
        moved.update(pair(names, [d for d in board.appeared if d.side == side])[0])
    if not board.taken and not moved and board.strangers == state.strangers:
        return []
    unseen = {n: state.measured[n] for n in board.left if n not in moved}
    measured = {**board.measured_still, **unseen, **{n: measure(d) for n, d in moved.items()}}
    return [ev.BoardSeen(measured=measured, strangers=board.strangers)]


def _restored(state: MatchState, board: ReadBoard) -> list[ev.Event]:
    """After an undo people put discs back that the undone shot had knocked off: near where they were is there."""
    back: dict[str, ev.Measured] = {}
    for name, disc in state.game.round.board.discs.items():
        near = [d for d in board.appeared if d.side == disc.side and distance(disc, d) < PUT_BACK]
        if name not in state.measured and near:
            back[name] = measure(min(near, key=lambda d: distance(disc, d)))
    if not back:
        return []
    unseen = {name: state.measured[name] for name in board.left}
    return [ev.BoardSeen(measured={**board.measured_still, **unseen, **back}, strangers=board.strangers)]


def _first_of_two(state: MatchState, board: ReadBoard, shooter: str, reading: BoardReading) -> ev.ShotSeen:
    """Both sides have shot since the last still board: the earlier shot, as far as it can be told.

    What else moved is left to the later shot; that the earlier one touched it is assumed, and said.
    """
    names = {n: state.measured[n] for n in board.left if board.sides[n] == shooter}
    _, new = pair(names, [d for d in board.appeared if d.side == shooter])
    disc = new_id(state, shooter)
    others = [n for n in state.on_board if board.sides[n] != shooter]
    return ev.ShotSeen.model_validate(
        {
            "side": shooter,
            "disc": disc,
            "contacts": [(disc, n) for n in others if n in board.left] or [(disc, n) for n in others[:1]],
            "rest": {disc: _where(new[0])},
            "measured": {**state.measured, disc: measure(new[0])},
            "doubt": say("Two shots between two still boards: what this one touched was not seen."),
            "t": reading.t,
            "frame": reading.frame,
        }
    )


def _strange(state: MatchState, board: ReadBoard, reading: BoardReading) -> list[ev.Event]:
    """More discs than one shot can add: keep them out of the score, and say so once a round."""
    strangers = (*state.strangers, *(stranger(d) for d in board.appeared))
    measured = {**board.measured_still, **{n: state.measured[n] for n in board.left}}
    seen = ev.BoardSeen(measured=measured, strangers=strangers)
    number = state.game.round.number
    if any(q.asked.what == "unexplained" and q.asked.round == number for q in state.questions.values()):
        return [seen]
    asked = ev.QuestionAsked(
        what="unexplained",
        text=say("More discs came onto the board than one shot can add. Correct the board, or take them off."),
        round=number,
        answers=(ev.Answer(id="seen", text=say("Seen to"), effect=say("The marked discs stay out of the score")),),
    )
    return [seen, asked]
