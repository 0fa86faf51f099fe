"""A second judge, slow and simple, written from the sources' texts one by one. It shares nothing with the engine. Its
only inputs are what happened; lengths are the tournament board's, in mm: lines at 4, 8 and 12 inches, 1/16 inch wide,
discs 31.8 wide."""

INCH = 25.4
DISC = 31.8 / 2
HALF_LINE = INCH / 16 / 2


def far(where):
    return (where[0] ** 2 + where[1] ** 2) ** 0.5


def touches_outer_line_or_is_beyond(where):
    return far(where) + DISC >= 12 * INCH - HALF_LINE


def in_fifteen_or_touching_its_line(where):
    return far(where) - DISC <= 4 * INCH + HALF_LINE


class Story:
    """What happened, in the words that the sources use."""

    def __init__(self, board, shot):
        self.me, self.shot_disc = shot.side, shot.disc
        self.side = {id: disc.side for id, disc in board.discs.items()} | {shot.disc: shot.side}
        self.was = {id: (disc.x, disc.y) for id, disc in board.discs.items()}
        self.moved = list(shot.rest)
        self.fell = [id for id, rest in shot.rest.items() if type(rest).__name__ == "Ditch"]
        self.bounced_back = [
            id for id, rest in shot.rest.items() if id not in self.fell and getattr(rest, "returned", False)
        ]
        self.in_hole = [
            id for id, rest in shot.rest.items() if type(rest).__name__ == "Hole" and id not in self.bounced_back
        ]
        self.lies = dict(self.was)
        for id, rest in shot.rest.items():
            self.lies.pop(id, None)
            if type(rest).__name__ == "Placed" and id not in self.bounced_back:
                self.lies[id] = (rest.x, rest.y)
        self.on_outer_line = [id for id, where in self.lies.items() if touches_outer_line_or_is_beyond(where)]
        for id in self.on_outer_line:
            del self.lies[id]
        self.touched = self._touched(shot.contacts)
        self.mine_touched = [id for id in self.touched if self.side[id] == self.me and id != self.shot_disc]
        self.opponents_touched = [id for id in self.touched if self.side[id] != self.me]
        self.opponent_on_board = any(self.side[id] != self.me for id in self.was)

    def _touched(self, contacts):
        """Going through the shot in order of time: a disc that is touched by the shot disc or by a disc that was
        touched before has been touched by this shot."""
        touched = [self.shot_disc]
        for pair in contacts:
            if any(id not in self.side for id in pair):
                continue
            for mover, other in (pair, pair[::-1]):
                if mover in touched and other not in touched:
                    touched.append(other)
        return touched

    def mine_sunk(self):
        return [id for id in self.in_hole if self.side[id] == self.me]

    def in_middle(self, id):
        return id in self.in_hole or (id in self.lies and in_fifteen_or_touching_its_line(self.lies[id]))


def club_100(s):
    if s.opponent_on_board:
        if s.opponents_touched:
            return True, None, []
        return False, "no_opponent_contact", [s.shot_disc, *s.mine_touched, *s.mine_sunk()]
    if s.in_middle(s.shot_disc):
        return True, None, []
    return False, "not_in_fifteen", [s.shot_disc]


def polish_tournament(s):
    took_part = [s.shot_disc, *s.mine_touched, *s.mine_sunk()]
    if s.opponent_on_board:
        if s.opponents_touched:
            return True, None, []
        return False, "no_opponent_contact", took_part
    for id in (*took_part, *s.moved):
        if s.in_middle(id):
            return True, None, []
    return False, "not_in_fifteen", took_part


def definitive(s):
    if s.opponent_on_board and s.opponents_touched:
        return True, None, []
    contacted = [id for id in s.touched if id != s.shot_disc]
    off = [s.shot_disc, *[id for id in contacted if s.side[id] == s.me], *s.mine_sunk()]
    if s.opponent_on_board:
        return False, "no_opponent_contact", off
    if s.in_middle(s.shot_disc) or any(s.in_middle(id) for id in contacted) or any(map(s.in_middle, s.moved)):
        return True, None, []
    return False, "not_in_fifteen", off


def family(s):
    if s.opponent_on_board and not s.opponents_touched:
        return False, "no_opponent_contact", [s.shot_disc, *[id for id in s.moved if s.side[id] == s.me]]
    return True, None, []


def carrom_maker(s):
    if not s.opponent_on_board:
        return True, None, []
    if len(s.opponents_touched) > 0:
        return True, None, []
    return False, "no_opponent_contact", [s.shot_disc, *s.mine_touched, *s.mine_sunk()]


def nca(s):
    struck = [id for id in s.touched if id != s.shot_disc]
    if s.opponent_on_board:
        if any(s.side[id] != s.me for id in struck):
            return True, None, []
        return False, "no_opponent_contact", [s.shot_disc, *struck, *s.mine_sunk()]
    if any(s.in_middle(id) for id in [s.shot_disc, *struck, *s.moved]):
        return True, None, []
    return False, "not_in_fifteen", [s.shot_disc, *struck]


def wcc(s):
    same_colour_struck = [id for id in s.touched if s.side[id] == s.me]
    if s.opponent_on_board and s.opponents_touched:
        return True, None, []
    if not s.opponent_on_board and any(s.in_middle(id) for id in [*same_colour_struck, *s.moved]):
        return True, None, []
    reason = "no_opponent_contact" if s.opponent_on_board else "not_in_fifteen"
    return False, reason, [*same_colour_struck, *s.mine_sunk()]


SOURCES = {
    "club-100": club_100,
    "polish-tournament": polish_tournament,
    "definitive": definitive,
    "family": family,
    "carrom-maker": carrom_maker,
    "nca": nca,
    "wcc": wcc,
}


def naive(board, shot, rules_id):
    """(valid, reason, why each disc is off, twenties, ids left on the board)."""
    s = Story(board, shot)
    valid, reason, off = SOURCES[rules_id](s)
    why = dict.fromkeys(s.fell, "left_surface")
    why |= dict.fromkeys(s.bounced_back, "returned")
    why |= dict.fromkeys(s.on_outer_line, "outer_line")
    for id in off:
        why.setdefault(id, "foul")
    twenties = {id for id in s.in_hole if id not in why}
    why |= dict.fromkeys(twenties, "twenty")
    return valid, reason, why, twenties, {id for id in s.lies if id not in why}
