"""Which story explains best how one settled board became the next?

A story says how many shots there were, and what became of every disc: it stayed, moved, went off by a shot, was taken
off by people, or lies there unseen.
Each thing that does not happen with every shot has a price, in nats (`StoryPrices`). The cheapest story is told.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from controller import rules
from controller.referee.accounts import Account, Evidence, account_of
from controller.referee.differences import distance
from controller.referee.read_board import ReadBoard
from controller.referee.ready import Ready, at_seat, lies_out, ready_discs, touches_line
from controller.referee.settings import PRICES, STORIES
from controller.vision.readings import SeenDisc


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
    accounts = {side: account_of(board, side, counts[side], len(shots), placed, evidence) for side in counts}
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
        price += PRICES.filmed_by_nobody * (evidence.film is not None and evidence.film.flicked)
    knocked = sum(len(names) for names in board.marked.values())
    price += _price_of_rolls(len(shots) + knocked, sides, sunk, evidence)
    return Story(shots, accounts, placed, sunk, evidence.rolls == 0 and not evidence.unwatched, price=price)


def _price_of_short_shots(accounts: Mapping[str, Account], shots: tuple[rules.Round, ...], evidence: Evidence) -> float:
    """Shots whose discs lie where they were shot from; not where the film saw the way that they took."""
    if evidence.film is not None and evidence.film.flicked:
        return 0.0
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
    price = PRICES.another_rolled * (rolled - 1) + PRICES.another_shot * (shots - rolled)
    filmed = evidence.film is not None and evidence.film.whole
    return price + PRICES.another_filmed * (shots - 1) * filmed


def _price_of_rolls(explained: int, sides: Sequence[str | None], sunk: int, evidence: Evidence) -> float:
    """How badly a story fits what was seen to roll.

    `explained` is how many rolls the story has a reason for: more rolls than these cost. A roll must have been seen of
    each shot, of which these are the `sides`: fewer cost, unless the camera saw nothing for a while. The `sunk` discs
    that only the sensor felt are not among those that must have been seen.
    """
    if evidence.rolls is None:
        return 0.0
    price = PRICES.rolled_by_nobody * max(evidence.rolls - explained, 0)
    if evidence.unwatched:
        return price
    unseen = max(len(sides) - sunk - evidence.rolls, 0)
    faint = min(sum(side in evidence.unseen_sides for side in sides), unseen)
    return price + PRICES.faint_not_seen * faint + PRICES.nothing_rolled * (unseen - faint)


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
