"""An umpire for simulated tables: the NCA's rules, as little of them as players need to go on."""

import math

from hardware.board import TOURNAMENT as BOARD
from hardware.simulated.scene import Aftermath, RestingDisc, Turn

FIFTEEN = BOARD.fifteen_line + BOARD.line_width / 2 + BOARD.disc.radius
OUTER = BOARD.inner_edge(BOARD.outer_line) - BOARD.disc.radius


class PlainUmpire:
    """Counts shots and rounds, calls fouls, takes off what must come off."""

    def __init__(self, rounds=1, discs=8, seats=(1, 3)):
        self.rounds, self.discs, self.seats = rounds, discs, seats
        self.shots = 0
        self.board = {}
        self.aftermaths = []

    @property
    def round_length(self):
        return self.discs * len(self.seats)

    def turn(self):
        number, shot = divmod(self.shots, self.round_length)
        if number == self.rounds:
            return None
        seat = self.seats[(shot + number) % len(self.seats)]
        side = "A" if (seat in (1, 3) and len(self.seats) == 4) or seat == 1 else "B"
        return Turn(number + 1, side, seat, f"{side}-{number}-{shot}")

    def opponents_on_board(self, side):
        return tuple(disc for disc in self.board if disc[0] != side)

    def judge(self, shot):
        opponents = self.opponents_on_board(shot.side)
        lying = self.board | shot.rest
        struck = {shot.disc} | {disc for pair in shot.contacts for disc in pair}
        if opponents:
            valid = any(a[0] != b[0] for a, b in shot.contacts)
        else:
            valid = any(lying[disc].at == "hole" or self._distance(lying[disc]) <= FIFTEEN for disc in struck)
        off = set() if valid else struck
        bank = {disc for disc, rest in lying.items() if rest.at == "hole"} - off
        off |= {disc for disc, rest in lying.items() if rest.returned or self._distance(rest) >= OUTER} - bank
        self.board = {disc: rest for disc, rest in lying.items() if disc not in off | bank}
        self.shots += 1
        if self.shots % self.round_length == 0:
            self.board = {}
        self.aftermaths.append(Aftermath(tuple(sorted(off)), tuple(sorted(bank))))
        return self.aftermaths[-1]

    def moved(self, disc, x, y):
        self.board[disc] = RestingDisc((x, y))

    @staticmethod
    def _distance(rest):
        return math.inf if rest.at == "ditch" else 0.0 if rest.at == "hole" else math.hypot(*rest.at)
