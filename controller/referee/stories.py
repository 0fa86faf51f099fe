"""Which story explains best how one settled board became the next?

A story says how many shots there were, and what became of every disc: it stayed, moved, went off by a shot, was taken
off by people, or lies there unseen.
Each thing that does not happen with every shot has a price, in nats (`StoryPrices`). The cheapest story is told.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from controller import rules
from controller.match import events as ev
from controller.referee.differences import distance, pair
from controller.referee.read_board import ReadBoard
from controller.referee.ready import MayBeReady, Ready, at_seat, lies_out, ready_discs, touches_line
from controller.referee.settings import PRICES, STORIES
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
    unseen: int = 0  # discs that went off and were not seen in the ditch
    price: float = 0.0


@dataclass(frozen=True, slots=True)
class Story:
    """How the board before became the board after."""

    shots: tuple[rules.Round, ...]  # the round before each shot
    accounts: Mapping[str, Account]
    placed: tuple[SeenDisc, ...] = ()  # discs that lie ready on a starting line
    sunk: int = 0  # discs of which only the sensor knows that they lay in the hole
    unrolled: bool = False  # nothing was seen to roll, although other rolls are filmed
    swept: bool = False
    price: float = 0.0

    @property
    def plain(self) -> bool:
        """Whether one shot at most explains the board, and no disc is gone, unseen or unexplained."""
        return len(self.shots) <= 1 and not (self.hidden or self.taken or self.off or self.strange or self._lost)

    @property
    def _lost(self) -> int:
        return sum(account.lost for account in self.accounts.values())

    @property
    def hidden(self) -> tuple[str, ...]:
        """Discs that lie there unseen."""
        return tuple(n for account in self.accounts.values() for n in account.hidden)

    @property
    def taken(self) -> tuple[str, ...]:
        """Discs in play that people took off."""
        return tuple(n for account in self.accounts.values() for n in account.taken)

    @property
    def off(self) -> tuple[str, ...]:
        """Known discs that a shot knocked off the surface."""
        return tuple(n for account in self.accounts.values() for n in account.off)

    @property
    def strange(self) -> tuple[SeenDisc, ...]:
        """Discs that nothing explains."""
        return tuple(d for account in self.accounts.values() for d in account.strange)

    @property
    def moved(self) -> dict[str, SeenDisc]:
        """Known discs and their new places."""
        return {n: d for account in self.accounts.values() for n, d in account.moved.items()}


def stories(board: ReadBoard, current: rules.Round, evidence: Evidence) -> list[Story]:
    """Every story that could be told, the cheapest first."""
    most = STORIES.most_unwatched if evidence.unwatched else STORIES.most_shots
    course = _course(current, most + 1)
    told: list[Story | None] = list(_sweep(board, current, evidence))
    told += [
        _story(board, evidence, course[: shots + 1], ready, sunk)
        for shots in range(min(most + 1, len(course)))
        for ready in ready_discs(board, course[shots : shots + 2], evidence.may_be_ready)
        for sunk in range(evidence.sunk + evidence.occupied + 1)
    ]
    return sorted((story for story in told if story is not None), key=lambda story: story.price)


def _course(current: rules.Round, shots: int) -> tuple[rules.Round, ...]:
    """The round as it stands, and then after each of so many further shots, as far as it lasts."""
    rounds = [current]
    while len(rounds) <= shots and not rounds[-1].complete:
        rounds.append(_passed(rounds[-1]))
    return tuple(rounds)


def _passed(before: rules.Round) -> rules.Round:
    """The round after one more shot, whatever that shot did: its disc is put into the ditch."""
    assert before.to_shoot is not None
    disc = f"{before.to_shoot}{len(before.shots)}?"
    return before.play(rules.Shot(before.to_shoot, disc, (), {disc: rules.DITCH}))


def _story(
    board: ReadBoard, evidence: Evidence, rounds: tuple[rules.Round, ...], ready: Ready, sunk: int
) -> Story | None:
    shots, placed = rounds[:-1], tuple(ready)
    sides = [r.to_shoot for r in shots]
    counts = {side: sides.count(side) for side in board.appeared}
    accounts = {side: _account(board, side, counts[side], len(shots), placed, evidence) for side in counts}
    off = sum(len(a.off) + a.lost for a in accounts.values())
    if sunk > off:
        return None
    unseen = sum(a.unseen for a in accounts.values())
    price = sum(a.price for a in accounts.values()) + PRICES.off_unseen * max(unseen - sunk, 0)
    price += PRICES.in_hole_unexplained * max(evidence.sunk - sunk, 0)
    price += sum(ready.values())
    price += _price_of_short_shots(accounts, shots, evidence)
    price += _price_of_ends_on_line(accounts, shots, evidence)
    if shots:
        price += PRICES.shot + _price_of_others(len(shots), evidence)
    else:
        price += _price_of_moves(board, accounts, evidence)
    knocked = sum(len(names) for names in board.marked.values())
    price += _price_of_rolls(len(shots) + knocked, len(shots) - sunk, evidence)
    return Story(shots, accounts, placed, sunk, evidence.rolls == 0 and not evidence.unwatched, price=price)


def _price_of_short_shots(accounts: Mapping[str, Account], shots: tuple[rules.Round, ...], evidence: Evidence) -> float:
    """Shots whose discs lie where they were shot from."""
    price = PRICES.short_rebound if _hit(accounts) else PRICES.short_shot
    return price * sum(_is_short(accounts, before, evidence) for before in shots)


def _price_of_ends_on_line(
    accounts: Mapping[str, Account], shots: tuple[rules.Round, ...], evidence: Evidence
) -> float:
    """Shots that end on the starting line at another seat: without a film they may be discs that were placed there."""
    if evidence.rolls is not None or _hit(accounts):
        return 0.0
    return PRICES.on_line_unfilmed * sum(_ends_on_line(accounts, before, evidence) for before in shots)


def _hit(accounts: Mapping[str, Account]) -> bool:
    """Whether a known disc moved, or went off."""
    return any(account.moved or account.off for account in accounts.values())


def _price_of_others(shots: int, evidence: Evidence) -> float:
    """What the shots after the first one between two still boards cost; one that was seen to roll costs less."""
    if evidence.unwatched:
        return PRICES.another_unwatched * (shots - 1)
    rolled = min(max(evidence.rolls or 0, 1), shots)
    return PRICES.another_rolled * (rolled - 1) + PRICES.another_shot * (shots - rolled)


def _price_of_rolls(explained: int, expected: int, evidence: Evidence) -> float:
    """How badly a story fits what was seen to roll.

    `explained` is how many rolls the story has a reason for: more rolls than these cost. `expected` is how many rolls
    must have been seen: fewer cost, unless the camera saw nothing for a while. A disc that only the sensor felt is not
    among the expected ones.
    """
    if evidence.rolls is None:
        return 0.0
    unseen = 0 if evidence.unwatched else max(expected - evidence.rolls, 0)
    return PRICES.rolled_by_nobody * max(evidence.rolls - explained, 0) + PRICES.nothing_rolled * unseen


def _price_of_moves(board: ReadBoard, accounts: Mapping[str, Account], evidence: Evidence) -> float:
    """What it costs that discs moved although nobody shot.

    | disc | price |
    | --- | --- |
    | was overlooked, and lies about where it was | `put_back` |
    | changed its pose | `slid` |
    | moved less than `nudge_mm` | `nudged`, all together at most `bumped` |
    | moved farther | `carried` |
    """
    moved = {n: d for a in accounts.values() for n, d in a.moved.items() if n in board.all_left}
    back = [n for n, d in moved.items() if n in evidence.overlooked and distance(board.known[n], d) < STORIES.near_mm]
    moves = [(board.known[n], d) for n, d in moved.items() if n not in back]
    slid = sum(before.pose != after.pose for before, after in moves)
    nudged = sum(distance(before, after) < STORIES.nudge_mm for before, after in moves if before.pose == after.pose)
    return (
        PRICES.put_back * len(back)
        + min(PRICES.nudged * nudged, PRICES.bumped)
        + PRICES.slid * slid
        + PRICES.carried * (len(moves) - nudged - slid)
    )


def _is_short(accounts: Mapping[str, Account], before: rules.Round, evidence: Evidence) -> bool:
    """Whether a disc that the side shot lies where its player places discs."""
    assert before.to_shoot is not None
    return any(at_seat(d, before, evidence.may_be_ready) for d in accounts[before.to_shoot].fresh)


def _ends_on_line(accounts: Mapping[str, Account], before: rules.Round, evidence: Evidence) -> bool:
    """Whether a disc that the side shot touches the starting line at another seat than its player's."""
    fresh = accounts[str(before.to_shoot)].fresh
    return any(
        lies_out(d) and touches_line(d, STORIES.aside_mm) and not at_seat(d, before, evidence.may_be_ready)
        for d in fresh
    )


def _account(
    board: ReadBoard, side: str, shots: int, all_shots: int, placed: tuple[SeenDisc, ...], evidence: Evidence
) -> Account:
    """The cheapest account of one side's discs, the number of its shots given."""
    places = [d for d in board.appeared[side] if d not in placed]
    most = min(len(_movable(board, side)), len(places))
    accounts = [_assigned(board, side, places, marked, shots, all_shots, evidence) for marked in range(most + 1)]
    return min(accounts, key=lambda account: account.price + PRICES.off_unseen * account.unseen)


def _assigned(
    board: ReadBoard, side: str, places: list[SeenDisc], marked: int, shots: int, all_shots: int, evidence: Evidence
) -> Account:
    """The account in which so many marked discs lie at new places of the side.

    The places are given away in this order: to the `marked` discs nearest to them, to discs in play that were seen at
    the last reading, to discs that were shot, to discs in play that were overlooked. What is left is strange.
    """
    aside, free = _nearest(board, _movable(board, side), places, marked)
    in_play = {n: board.known[n] for n in board.left[side]}
    moved, rest = pair({n: at for n, at in in_play.items() if n not in evidence.overlooked}, free)
    again, strange = pair({n: at for n, at in in_play.items() if n in evidence.overlooked}, rest[shots:])
    moved |= again
    if all_shots > 1:
        moved, rest = _shot_rather_than_moved(in_play, moved, rest, shots)
    account = Account(
        moved={**aside, **moved},
        fresh=tuple(rest[:shots]),
        strange=tuple(strange),
        lost=max(shots - len(rest), 0),
        price=PRICES.marked_moved * marked + PRICES.strange * len(strange),
    )
    came_off = sum(n not in aside for n in board.marked[side])
    seen = max(board.in_ditch[side] - came_off, 0)
    missing = [n for n in in_play if n not in moved]
    return _missing(account, missing, (seen, board.owed[side]), all_shots > 0, board.obstructed, evidence)


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
    account: Account, missing: list[str], in_ditch: tuple[int, int], shot: bool, obstructed: bool, evidence: Evidence
) -> Account:
    """Say what became of the side's discs in play that are nowhere on the surface, and what that costs.

    `in_ditch` is how many discs came into the ditch, and how many went off earlier and were never seen there.

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
    unseen = max(off - seen, 0)
    beyond = _beyond(seen - off - len(late), owed)
    price = account.price + PRICES.not_seen_again * (len(hidden) + len(late))
    if shot:
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


def _nearest(
    board: ReadBoard, names: list[str], places: list[SeenDisc], number: int
) -> tuple[dict[str, SeenDisc], list[SeenDisc]]:
    """The `number` discs nearest to a place, each with its place; and the places that are left."""
    free, moved = list(places), dict[str, SeenDisc]()
    for _, name, k in sorted((distance(board.known[n], d), n, k) for n in names for k, d in enumerate(places)):
        if len(moved) < number and name not in moved and places[k] in free:
            moved[name] = places[k]
            free.remove(places[k])
    return moved, free


def _sweep(board: ReadBoard, current: rules.Round, evidence: Evidence) -> Iterator[Story]:
    """The story that people cleared the board, if everything in play is gone at once; else nothing.

    Discs that lie there now belong to the next round. After a complete round of which no disc in play is left, only the
    ditch has to be cleared: that costs nothing.
    """
    if board.obstructed or board.in_play_still:
        return
    if current.complete and not board.all_left:  # only the ditch was to be cleared
        if _discs_inside(board) or (board.ditch_emptied and evidence.hand):
            yield Story((), {}, swept=True)
    elif _may_be_cleared(board, current, evidence):
        yield Story((), {}, swept=True, price=_price_of_sweep(board, evidence))


def _may_be_cleared(board: ReadBoard, current: rules.Round, evidence: Evidence) -> bool:
    """Whether people may have cleared a board from which every disc in play is gone.

    | discs in play that are gone | the board was cleared if |
    | --- | --- |
    | two or more | no new disc lies inside the outer line; one may where the round is complete: the next has begun |
    | one or none | the round is complete, and the ditch was emptied, or a hand was seen and no new disc lies there |
    """
    if len(board.all_left) > 1:
        return _discs_inside(board) <= int(current.complete)
    return current.complete and (board.ditch_emptied or (evidence.hand and not board.all_appeared))


def _discs_inside(board: ReadBoard) -> int:
    """How many new discs lie where they count."""
    return sum(d.zone != 0 for d in board.all_appeared)


def _price_of_sweep(board: ReadBoard, evidence: Evidence) -> float:
    price = PRICES.swept + (0.0 if evidence.hand else PRICES.swept_by_nobody)
    return price + (PRICES.into_ditch if any(board.in_ditch.values()) else 0.0)
