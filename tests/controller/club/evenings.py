"""Evenings that play themselves: entrants by number, results by chance, and everything that can go wrong on the way."""

from contextlib import suppress

from controller.club.errors import TournamentError
from controller.club.tournament.events import (
    BoardAdded,
    BoardRemoved,
    BoardRenamed,
    BoardWorks,
    Corrected,
    EntrantAdded,
    EntrantHere,
    FormatSet,
    MatchMoved,
    MatchStarted,
    Result,
    Undone,
    WalkedOver,
)
from controller.club.tournament.formats import TournamentFormat
from controller.club.tournament.planning import NextRound, PairAgain
from controller.club.tournament.tournament import Tournament


def of_stages(form):
    """The format; that of a tournament of this stage alone."""
    return form if isinstance(form, TournamentFormat) else TournamentFormat((form,))


def result_of(match, points, *figures, **more):
    """A result of this match, its figures in the order of its sides."""
    return Result(match.id, match.sides, points, *figures, **more)


def begun(form, entrants, boards=0):
    """A tournament with entrants "1" to "n" and boards "A1" to "An", before its first round."""
    evening = Tournament().do(FormatSet(of_stages(form)))
    for k in range(1, boards + 1):
        evening = evening.do(BoardAdded(f"A{k}"))
    for k in range(1, entrants + 1):
        evening = evening.do(EntrantAdded(str(k), (f"Player {k}",)))
    return evening


def a_result(evening, match, rng, points=None):
    """A result that such a match can end with; a play-off always has a winner."""
    a = rng.randint(0, 8)
    usual = (a, 8 - a)
    if evening.state.play_of(match).kind == "best_of":
        usual = rng.choice([(2, 0), (2, 1), (1, 2), (0, 2)])
    points = points or usual
    winner = None
    if points[0] == points[1] and match.slot:
        winner = rng.randint(0, 1)
    return result_of(match, points, (rng.randint(0, 12), rng.randint(0, 12)), winner)


def played(evening, rng):
    """With a result for every open match."""
    for match in evening.state.open_matches:
        evening = evening.do(a_result(evening, match, rng))
    return evening


def played_out(evening, rng, most=200):
    """Round after round, until nothing is left to pair."""
    for _ in range(most):
        try:
            evening = evening.do(NextRound())
        except TournamentError:
            return evening
        evening = played(evening, rng)
    raise AssertionError(f"not over after {most} rounds")


def disturbed(evening, rng, steps):
    """An evening on which anything happens in any order; what can't be done is refused and changes nothing."""
    for _ in range(steps):
        with suppress(TournamentError):
            evening = evening.do(_something(evening, rng))
        if rng.random() < 0.3:
            evening = played(evening, rng)
    return evening


def _something(evening, rng):
    """An action that could be tried now, at random, the usual ones more often."""
    state, number = evening.state, evening.next_number
    choices = [*[NextRound()] * 3, EntrantAdded(f"late{number}", (f"Late {number}",)), BoardAdded(f"B{number}")]
    if state.entrants:
        entrant = rng.choice(list(state.entrants))
        choices += [EntrantHere(entrant, here=False), EntrantHere(entrant, here=True)]
    if state.boards:
        board = rng.choice(list(state.boards))
        choices += [
            BoardWorks(board, works=False),
            BoardWorks(board, works=True),
            BoardRemoved(board),
            BoardRenamed(board, f"Board {number}"),
        ]
    if state.matches:
        match = rng.choice(list(state.matches.values()))
        result = a_result(evening, match, rng)
        choices += [result, result, Corrected(result), MatchStarted(match.id), PairAgain(match.round)]
        choices += [WalkedOver(match.id, rng.choice([*match.sides, None]))]
        if state.boards:
            choices.append(MatchMoved(match.id, board, rng.randint(1, 3)))
    choices += [Undone(rng.choice(evening.entries).number)] * 2
    return rng.choice(choices)
