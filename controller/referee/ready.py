"""Which new discs may lie ready on the starting line for a next shot, and what that costs a story."""

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import product

from controller import rules
from controller.referee.read_board import ReadBoard
from controller.referee.settings import PRICES, STORIES
from controller.vision.readings import SeenDisc
from hardware.board import TOURNAMENT

Ready = Mapping[SeenDisc, float]
"""Discs that lie ready, and the price of each."""

MayBeReady = Callable[[SeenDisc, int], bool]
"""Whether a disc lies where the player in this seat may have placed it."""


def ready_discs(board: ReadBoard, turns: tuple[rules.Round, ...], may_be_ready: MayBeReady) -> Iterator[Ready]:
    """Every choice of new discs that may lie ready: none, the disc of the player to shoot, of the one after, or both.

    `turns` is the round now and after one more shot. When the round is complete there is one choice: all discs beyond
    the ring of five are ready for the next round.
    """
    if turns[0].complete:
        yield {d: PRICES.placed_early + _price_aside(d) for d in board.all_appeared if d.zone == 0}
        return
    choices = [_in_turn(board, turns[0], may_be_ready)]
    choices += [_early(board, then, may_be_ready) for then in turns[1:] if not then.complete]
    for chosen in product(*choices):
        yield {disc: price for one in chosen for disc, price in one.items()}


def _in_turn(board: ReadBoard, now: rules.Round, may_be_ready: MayBeReady) -> list[Ready]:
    """No disc, or one new disc that may lie ready for the player to shoot.

    A disc that touches the starting line at another side of the board is among them: people may sit elsewhere than the
    table believes.
    """
    ready: list[Ready] = [{}]
    for disc in board.appeared[str(now.to_shoot)]:
        if at_seat(disc, now, may_be_ready):
            ready.append({disc: PRICES.placed + _price_aside(disc)})
        elif lies_out(disc) and touches_line(disc, STORIES.aside_mm):
            ready.append({disc: PRICES.placed + PRICES.placed_elsewhere})
    return ready


def _early(board: ReadBoard, then: rules.Round, may_be_ready: MayBeReady) -> list[Ready]:
    """No disc, or one new disc that may lie ready for the player who shoots after the next shot."""
    early = [disc for disc in board.appeared[str(then.to_shoot)] if at_seat(disc, then, may_be_ready)]
    return [{}, *({disc: PRICES.placed_early + _price_aside(disc)} for disc in early)]


def _price_aside(disc: SeenDisc) -> float:
    """What it costs that a ready disc does not touch the starting line."""
    return 0.0 if touches_line(disc, STORIES.aside_mm) else PRICES.placed_aside


def at_seat(disc: SeenDisc, then: rules.Round, may_be_ready: MayBeReady) -> bool:
    """Whether a disc lies where the player to shoot may have placed it, faults of placing included."""
    assert then.seat_to_shoot is not None
    return may_be_ready(disc, then.seat_to_shoot)


def lies_out(disc: SeenDisc) -> bool:
    """Whether a disc lies on the surface beyond the ring of five, where discs are placed ready."""
    return disc.zone == 0 and math.hypot(disc.x, disc.y) < TOURNAMENT.surface_radius


def touches_line(disc: SeenDisc, slack: float) -> bool:
    """Whether a disc touches the starting line, or misses it by no more than so many mm."""
    away = abs(math.hypot(disc.x, disc.y) - TOURNAMENT.outer_line)
    return away <= TOURNAMENT.disc.radius + TOURNAMENT.line_width / 2 + slack
