"""The events of boards; and how the matches of a round get boards and turns, so that everybody plays on every board."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from controller.club.errors import TournamentError
from controller.club.tournament.base import ByOrganiser, Event, Steps
from controller.club.tournament.rounds import MatchMoved
from controller.club.tournament.stages import Faults, min_cost_assignment
from controller.club.tournament.state import ClubBoard, Pairing, TournamentMatch, TournamentState, normalized_name
from controller.messages import say

Usage = Counter[tuple[str, str | None]]  # by entrant and board, how often it has played there


def pairings(state: TournamentState, pairs: Sequence[Pairing], in_order: bool) -> tuple[Pairing, ...]:
    """Assign boards. With more matches than boards, those who have waited most play in the first turn. If no board is
    free, they queue behind the open matches. `in_order` puts the first pair on the first board, the second on the
    second and so on, as a ladder needs it."""
    boards = free_boards(state)
    before = 0
    if not boards:
        boards = working_boards(state)
        before = max((match.turn for match in state.open_matches), default=0)
    if not boards:
        return tuple(pairs)
    waits = _waits(state)
    order = list(pairs) if in_order else sorted(pairs, key=lambda pair: -sum(waits[side] for side in pair.sides))
    usage = _usage(state)
    placed: dict[Pairing, tuple[str, int]] = {}
    for begin in range(0, len(order), len(boards)):
        some = order[begin : begin + len(boards)]
        chosen = boards if in_order else _fairest(some, boards, usage)
        placed.update(
            {pair: (board, before + begin // len(boards) + 1) for pair, board in zip(some, chosen, strict=False)}
        )
    return tuple(Pairing(pair.sides, *placed[pair], pair.slot) for pair in pairs)


def free_boards(state: TournamentState) -> list[str]:
    """The working boards without an open match."""
    taken = {match.board for match in state.open_matches}
    return [board for board in working_boards(state) if board not in taken]


def working_boards(state: TournamentState) -> list[str]:
    """The boards that are not broken."""
    return [board.id for board in state.boards.values() if board.works]


def _usage(state: TournamentState) -> Usage:
    """The matches on each board, planned ones included."""
    return Counter((side, match.board) for match in state.matches_of() if match.played for side in match.sides)


def _waits(state: TournamentState) -> Counter[str]:
    """The number of turns that each entrant has waited for a board so far."""
    waits: Counter[str] = Counter()
    for match in state.matches_of():
        for side in match.sides:
            waits[side] += match.turn - 1
    return waits


def _fairest(pairs: Sequence[Pairing], boards: Sequence[str], usage: Usage) -> list[str]:
    """A board for each pair; there must be at least as many boards as pairs. Equals keep their order.

    The fault of a board is the sum of squares, over the sides, of the surplus of matches there over the side's least
    used board. scorekinole's rotation (TABLE_ASSIGNMENT.md) has the same aim: no board twice before every board
    once."""
    least = {side: min(usage[side, board] for board in boards) for pair in pairs for side in pair.sides}

    def cost(pair: int, board: int) -> Faults:
        sides = pairs[pair].sides if pair < len(pairs) else ()
        return sum((usage[side, boards[board]] - least[side]) ** 2 for side in sides), (pair - board) ** 2

    return [boards[board] for board in min_cost_assignment(len(boards), cost)[: len(pairs)]]


def _moved_on(state: TournamentState, board: str) -> Steps:
    """The matches that a free board takes over: those without a board, then the last of the longest queue, while that
    is longer than its own."""
    queues: dict[str | None, list[TournamentMatch]] = {}
    for match in state.open_matches:
        queues.setdefault(match.board, []).append(match)
    own = queues.pop(None, [])
    while queues:
        longest = max(queues.values(), key=len)
        if len(longest) <= len(own) + 1 or longest[-1].started:
            break
        own.append(longest.pop())
    for turn, match in enumerate(own, 1):
        yield MatchMoved(match.id, board, turn)


def shortest_queue(state: TournamentState) -> tuple[str | None, int]:
    """The board where one more match can begin first, and its turn there; None if no board works."""
    ends = dict.fromkeys(working_boards(state), 0)
    for match in state.open_matches:
        if match.board in ends:
            ends[match.board] = match.turn
    board = min(ends, key=ends.__getitem__, default=None)
    return board, ends.get(board or "", 0) + 1


class BoardEvent(Event, base=True):
    """The base of what happens to a board."""

    board: str

    def plan(self, state: TournamentState) -> Steps:
        """A board that can be played on takes matches over. The matches of one that can't, or is gone, move to the
        board with the then shortest queue, each in a turn of its own; to none if none works."""
        own = [match.id for match in state.open_matches if match.board == self.board]
        state = yield self
        if self.board in working_boards(state):
            if not own:
                yield from _moved_on(state, self.board)
            return
        for id in own:
            board, turn = shortest_queue(state)
            state = yield MatchMoved(id, board, state.match(id).turn if board is None else turn)


class BoardAdded(ByOrganiser, BoardEvent):
    """A board is there to be played on."""

    name: str = ""

    def apply(self, state: TournamentState) -> TournamentState:
        if self.board in state.boards:
            raise TournamentError(say("There is a board {id} already; choose another id.", id=self.board))
        return state.with_board(ClubBoard(self.board, self.name))


class BoardRenamed(ByOrganiser):
    """A board has a new name."""

    board: str
    name: str

    def apply(self, state: TournamentState) -> TournamentState:
        if any(
            normalized_name(board.label) == normalized_name(self.name)
            for board in state.boards.values()
            if board.id != self.board
        ):
            raise TournamentError(
                say("The club has a table {name} already; give this one another name.", name=self.name)
            )
        return state.with_board(replace(state.board(self.board), name=self.name))


class BoardRemoved(ByOrganiser, BoardEvent):
    """A board was removed: it was added by mistake, or somebody took it home."""

    def apply(self, state: TournamentState) -> TournamentState:
        """Matches waiting for the board lose it. Raises `TournamentError` while one is played there."""
        board = state.board(self.board)
        waiting = [match for match in state.open_matches if match.board == board.id]
        for match in waiting:
            if match.started:
                words = say(
                    "{match} is being played at {board}. Enter its result or move it to another board first.",
                    match=state.label_of(match),
                    board=board.heading,
                )
                raise TournamentError(words)
        return state.with_matches(*(replace(match, board=None, turn=1) for match in waiting)).without_board(board)


class BoardWorks(ByOrganiser, BoardEvent):
    """A board can't be played on for now, or can again."""

    works: bool

    def apply(self, state: TournamentState) -> TournamentState:
        return state.with_board(replace(state.board(self.board), works=self.works))
