"""What one side's discs did between two settled boards: the cheapest account of them, see `stories`."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from controller.match import events as ev
from controller.referee.differences import distance, pair
from controller.referee.filmed import Filmed
from controller.referee.read_board import ReadBoard
from controller.referee.ready import MayBeReady
from controller.referee.settings import PRICES, STORIES
from controller.vision.film.film import SHOT
from controller.vision.readings import SeenDisc


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known besides the two boards."""

    hand: bool  # a hand was over the board
    unwatched: bool  # for a while the camera saw nothing
    sunk: int  # discs that by the sensor lay in the hole meanwhile, and were lifted
    occupied: bool  # the sensor says that a disc lies in the hole, and the camera sees none
    overlooked: frozenset[str]  # discs that the reading before missed already
    may_be_ready: MayBeReady  # whether a disc lies where this seat's player may have placed it
    rolls: int | None = None  # how often something rolled over the board; None where no film shows it
    film: Filmed | None = None  # of one shot since then
    unseen_sides: frozenset[str] = frozenset()  # whose discs may have rolled without being seen


@dataclass(frozen=True, slots=True)
class Account:
    """What one side's discs did in a story."""

    moved: Mapping[str, SeenDisc] = field(default_factory=dict)
    fresh: tuple[SeenDisc, ...] = ()  # where its shot discs came to rest, in no order
    off: tuple[str, ...] = ()  # knocked off the surface by a shot
    taken: tuple[str, ...] = ()  # in play, and taken off by people
    hidden: tuple[str, ...] = ()  # still there, but not seen
    strange: tuple[SeenDisc, ...] = ()
    lost: int = 0  # shot discs that did not stay on the surface
    unseen: int = 0  # discs that went off and were seen neither in the ditch nor on film on their way there
    price: float = 0.0


def account_of(
    board: ReadBoard, side: str, shots: int, all_shots: int, placed: tuple[SeenDisc, ...], evidence: Evidence
) -> Account:
    """The cheapest account of one side's discs, the number of its shots given."""
    places = [d for d in board.appeared[side] if d not in placed]
    most = min(len(_movable(board, side)), len(places))
    film = evidence.film if all_shots == 1 else None
    ways = [_nearest(board, _movable(board, side), places, marked) for marked in range(most + 1)]
    accounts = [_assigned(board, side, way, shots, all_shots, evidence) for way in ways]
    if film is not None:
        accounts.append(_assigned(board, side, _filmed(board, side, places, film, shots), shots, all_shots, evidence))
        accounts = [_held_against(film, account, shots) for account in accounts]
    return min(accounts, key=lambda account: account.price + PRICES.off_unseen * account.unseen)


def _held_against(film: Filmed, account: Account, shots: int) -> Account:
    """The account with the price of every disc in it that was filmed to end otherwise."""
    ends: dict[str, SeenDisc | None] = {**account.moved, **dict.fromkeys((*account.off, *account.taken))}
    if shots:
        ends[SHOT] = next(iter(account.fresh), None)
    against = sum(film.agrees(name, place) is False for name, place in ends.items())
    return replace(account, price=account.price + PRICES.filmed_otherwise * against)


@dataclass(frozen=True, slots=True)
class Given:
    """New places of one side that are given to discs before the rest is paired by distance."""

    moved: Mapping[str, SeenDisc]
    free: list[SeenDisc]  # the places that are left
    fresh: tuple[SeenDisc, ...] = ()  # where the shot disc came to rest
    off: tuple[str, ...] = ()  # discs that lie at none of the places; `SHOT` is the shot disc


def _assigned(board: ReadBoard, side: str, given: Given, shots: int, all_shots: int, evidence: Evidence) -> Account:
    """The account in which some of the side's new places are `given` to discs.

    The others are given away in this order: to discs in play that were seen at the last reading, to discs that were
    shot, to discs in play that were overlooked. What is left is strange.
    """
    in_play = {n: board.known[n] for n in board.left[side]}
    unpaired = {n: at for n, at in in_play.items() if n not in given.moved and n not in given.off}
    more = shots - len(given.fresh) - given.off.count(SHOT)
    moved, rest = pair({n: at for n, at in unpaired.items() if n not in evidence.overlooked}, given.free)
    again, strange = pair({n: at for n, at in unpaired.items() if n in evidence.overlooked}, rest[more:])
    moved |= again
    if all_shots > 1:
        moved, rest = _shot_rather_than_moved(in_play, moved, rest, shots)
    fresh = (*given.fresh, *rest[:more])
    aside = [n for n in board.marked[side] if n in given.moved]
    account = Account(
        moved={**given.moved, **moved},
        fresh=fresh,
        strange=tuple(strange),
        lost=shots - len(fresh),
        price=PRICES.marked_moved * len(aside) + PRICES.strange * len(strange),
    )
    came_off = sum(n not in aside for n in board.marked[side])
    seen = max(board.in_ditch[side] - came_off, 0)
    missing = [n for n in in_play if n not in account.moved]
    return _missing(account, missing, (seen, board.owed[side]), all_shots, board.obstructed, evidence)


def _shot_rather_than_moved(
    in_play: Mapping[str, ev.Measured], moved: Mapping[str, SeenDisc], rest: list[SeenDisc], shots: int
) -> tuple[dict[str, SeenDisc], list[SeenDisc]]:
    """Give places of discs that seem to have moved far to shot discs that have no place.

    Such a disc is then off, and the shot disc lies at its place: that a shot knocks an opponents' disc off happens more
    often than that a disc which was shot goes off itself. The discs that seem to have moved farthest come first.
    """
    far = sorted(moved, key=lambda n: -distance(in_play[n], moved[n]))
    off = [n for n in far if distance(in_play[n], moved[n]) > STORIES.near_mm][: max(shots - len(rest), 0)]
    return {n: d for n, d in moved.items() if n not in off}, [*(moved[n] for n in off), *rest]


def _missing(
    account: Account, missing: list[str], in_ditch: tuple[int, int], shots: int, obstructed: bool, evidence: Evidence
) -> Account:
    """Say what became of the side's discs in play that are nowhere on the surface, and what that costs.

    `in_ditch` is how many discs came into the ditch, and how many went off earlier and were never seen there; `shots`
    how many there were of all sides.

    | a missing disc | is |
    | --- | --- |
    | may lie under a hand, or was overlooked | hidden; taken off where the ditch gained more discs than went off |
    | else, somebody shot | off by that shot |
    | else | taken off by people or overlooked, whichever costs less |
    """
    seen, owed = in_ditch
    hidden = [n for n in missing if obstructed or n in evidence.overlooked]
    gone = [n for n in missing if n not in hidden]
    off = len(gone) + account.lost
    late = hidden[: max(seen - off, 0)]  # they were not seen because they were off: they lie in the ditch
    hidden = hidden[len(late) :]
    filmed = evidence.film.left((*gone, *[SHOT] * account.lost)) if evidence.film is not None and shots == 1 else 0
    unseen = max(off - max(seen, filmed), 0)
    beyond = _beyond(seen - off - len(late), owed)
    price = account.price + PRICES.not_seen_again * (len(hidden) + len(late))
    if shots:
        return replace(
            account, off=tuple(gone), taken=tuple(late), hidden=tuple(hidden), unseen=unseen, price=price + beyond
        )
    taken = (PRICES.taken if evidence.hand else PRICES.taken + PRICES.taken_by_nobody) * len(gone)
    overlooked = PRICES.not_seen * len(gone) + _beyond(seen - len(late), owed)
    if overlooked < taken + beyond + PRICES.off_unseen * unseen:
        return replace(account, taken=tuple(late), hidden=(*hidden, *gone), price=price + overlooked)
    return replace(account, taken=(*gone, *late), hidden=tuple(hidden), unseen=unseen, price=price + taken + beyond)


def _beyond(more: int, owed: int) -> float:
    """The price of so many discs in the ditch `more` than went off now; `owed` of them may have gone off earlier."""
    return PRICES.late_in_ditch * max(min(more, owed), 0) + PRICES.ditch_unexplained * max(more - owed, 0)


def _movable(board: ReadBoard, side: str) -> list[str]:
    """Marked discs that may have been knocked to another place; a disc in the hole cannot."""
    return [n for n in board.marked[side] if board.known[n].pose != "in_hole"]


def _nearest(board: ReadBoard, names: list[str], places: list[SeenDisc], number: int) -> Given:
    """The `number` marked discs nearest to a place, each with its place."""
    free, moved = list(places), dict[str, SeenDisc]()
    for _, name, k in sorted((distance(board.known[n], d), n, k) for n in names for k, d in enumerate(places)):
        if len(moved) < number and name not in moved and places[k] in free:
            moved[name] = places[k]
            free.remove(places[k])
    return Given(moved, free)


def _filmed(board: ReadBoard, side: str, places: list[SeenDisc], film: Filmed, shots: int) -> Given:
    """The discs that were filmed to end at one of the places, or to leave the surface."""
    moved, off = film.ends((*([SHOT] if shots else []), *board.left[side], *_movable(board, side)), places)
    free = [d for d in places if d not in moved.values()]
    fresh = (moved.pop(SHOT),) if SHOT in moved else ()
    return Given(moved, free, fresh, tuple(off))
