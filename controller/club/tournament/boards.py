"""Assigns the matches of a round to boards and turns, so that everybody plays on every board."""

from collections import Counter
from collections.abc import Generator, Sequence

from controller.club.tournament.events import MatchMoved, Pairing
from controller.club.tournament.stages import Faults, min_cost_assignment
from controller.club.tournament.state import TournamentMatch, TournamentState

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
    """A board for each pair, there being at least as many boards. Equals keep their order.

    The fault of a board is the sum of squares, over the sides, of the surplus of matches there over the side's least
    used board. scorekinole's rotation (TABLE_ASSIGNMENT.md) has the same aim: no board twice before every board
    once."""
    least = {side: min(usage[side, board] for board in boards) for pair in pairs for side in pair.sides}

    def cost(pair: int, board: int) -> Faults:
        sides = pairs[pair].sides if pair < len(pairs) else ()
        return sum((usage[side, boards[board]] - least[side]) ** 2 for side in sides), (pair - board) ** 2

    return [boards[board] for board in min_cost_assignment(len(boards), cost)[: len(pairs)]]


def moved_on(state: TournamentState, board: str) -> Generator[MatchMoved, TournamentState]:
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
