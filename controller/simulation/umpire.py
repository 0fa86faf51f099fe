"""Applies the rules to the true shots, so that simulated players know the rules."""

from collections.abc import Mapping

from controller import rules
from controller.match.state import MatchState
from hardware.simulated.scene import Aftermath, CorrectedMatch, RestingDisc, TrueShot, Turn


class RulesUmpire:
    """Keeps the true match of a simulated table. A `hardware.simulated.scene.Umpire`."""

    def __init__(self, match: rules.Match, sits: Mapping[int, int] | None = None) -> None:
        """`sits`: the place of each seat of the match at the table; by default its number's."""
        self.match = match
        self._sits = sits or {seat: seat for seat, _ in match.terms.seats}

    @property
    def seats(self) -> tuple[int, ...]:
        """The occupied places."""
        return tuple(self._sits.values())

    def turn(self) -> Turn | None:
        """Whose turn it is by the rules; None when the match is over."""
        if self.match.round.complete and not self.match.over:
            self.match = self.match.next_round()
        current = self.match.round
        if current.to_shoot is None or current.seat_to_shoot is None:
            return None
        side = current.to_shoot
        shot = sum(s.shot.side == side for s in current.shots) + 1
        return Turn(current.number, side, self._sits[current.seat_to_shoot], f"{side.lower()}{shot}")

    def judge(self, shot: TrueShot) -> Aftermath:
        """Play the shot, and return the discs that must come off."""
        self.match = self.match.play(true_shot(shot))
        judgement = self.match.round.shots[-1].judgement
        return Aftermath(
            to_ditch=tuple(r.disc for r in judgement.removed if r.why != "twenty" and _must_be_lifted(shot, r.disc)),
            bank=judgement.twenties,
        )

    def moved(self, disc: str, x: float, y: float) -> None:
        """Note that the disc was moved without a shot."""
        self.match = self.match.place(disc, rules.Placed(x, y))

    def opponents_on_board(self, side: str) -> tuple[str, ...]:
        """The discs in play of all other sides."""
        return self.match.round.board.opponents_of(side)


def corrected_match(umpire: RulesUmpire, state: MatchState) -> CorrectedMatch:
    """The match after people corrected it, for the players to arrange the discs; `umpire` is of the same match."""
    current = state.game.round
    board = current.board.discs
    discs = {
        disc: (board[disc].side, board[disc].x, board[disc].y) if disc in board else None for disc in current.owners
    }
    sweep = current.complete or not current.shots
    return CorrectedMatch(umpire, discs, frozenset(state.ruled) & set(board), sweep)


def _must_be_lifted(shot: TrueShot, disc: str) -> bool:
    """Whether people must lift the disc, because it did not fall off by itself."""
    rest = shot.rest.get(disc)
    return rest is None or rest.at != "ditch"


def true_shot(shot: TrueShot) -> rules.Shot:
    """The true shot as the rules library takes it."""
    return rules.Shot(shot.side, shot.disc, shot.contacts, {disc: _rest(rest) for disc, rest in shot.rest.items()})


def _rest(rest: RestingDisc) -> rules.Rest:
    if rest.at == "hole":
        return rules.HOLE
    if rest.at == "ditch":
        return rules.DITCH
    return rules.Placed(rest.at[0], rest.at[1], rest.pose, rest.returned)
