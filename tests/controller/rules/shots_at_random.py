"""Boards and shots at random: every kind of rest, contacts in and out of the chain, many discs close to a line."""

import math

from controller.rules import DITCH, HOLE, Disc, Hole, Placed, Position, Shot

LIMITS = (84.90625, 186.50625, 288.10625, 118.29375)  # where a disc's centre lies when it just touches a line (mm)
SURFACE = 330.2
APART = 31.8


def place(rng):
    kind = rng.random()
    if kind < 0.45:
        r = SURFACE * math.sqrt(rng.random())
    elif kind < 0.75:
        r = rng.choice(LIMITS) + rng.choice((-0.4, -1e-3, 1e-3, 0.4))
    else:
        r = rng.uniform(0.0, 125.0)
    turn = rng.uniform(0.0, 2 * math.pi)
    return r * math.cos(turn), r * math.sin(turn)


def free_place(rng, taken):
    for _ in range(40):
        x, y = place(rng)
        if all(math.hypot(x - u, y - v) >= APART for u, v in taken):
            return x, y
    return None


def random_board(rng, sides="AB", most=10):
    discs = {}
    only = rng.choice((None, None, *sides))  # often one side alone, so that the board is open to it
    for k in range(rng.randint(0, most)):
        side = only or rng.choice(sides)
        spot = free_place(rng, [(d.x, d.y) for d in discs.values()])
        if spot and math.hypot(*spot) < 288.0:
            discs[f"{side.lower()}{k}"] = Disc(side, *spot)
    return Position(discs)


def random_shot(rng, board, side, disc):
    contacts, reached = _contacts(rng, board, disc)
    moved = [disc, *(id for id in reached if id != disc and rng.random() < 0.9)]
    moved += [id for id in board.discs if id not in moved and rng.random() < 0.03]
    taken = [(d.x, d.y) for id, d in board.discs.items() if id not in moved]
    rest = {}
    rng.shuffle(moved)
    for id in moved:
        kind, returned = rng.random(), rng.random() < 0.08
        hole_is_free = all(math.hypot(x, y) >= APART for x, y in taken)
        if kind < 0.15 and hole_is_free:
            rest[id] = Hole(returned=True) if returned else HOLE
            taken.append((0.0, 0.0))
        elif kind < 0.2 and hole_is_free:
            x, y = rng.uniform(-20, 20), rng.uniform(-20, 20)
            rest[id] = Placed(x, y, rng.choice(("leaning", "edge")), returned)
            taken += [(x, y), (0.0, 0.0)]
        elif kind < 0.35 or (spot := free_place(rng, taken)) is None:
            rest[id] = DITCH
        else:
            rest[id] = Placed(*spot, returned=returned)
            taken.append(spot)
    return Shot(side, disc, tuple(contacts), rest)


def _contacts(rng, board, disc):
    reached, contacts = [disc], []
    for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 5))):
        others = [id for id in board.discs if id not in reached]
        if not others:
            break
        other = rng.choice(others)
        if rng.random() < 0.1 and len(others) > 1:  # two discs that the shot had not reached yet
            contacts.append((other, rng.choice([id for id in others if id != other])))
            continue
        pair = [rng.choice(reached), other]
        rng.shuffle(pair)
        contacts.append((pair[0], pair[1]))
        reached.append(other)
        if rng.random() < 0.2:
            contacts.append((pair[1], pair[0]))
    return contacts, reached


def random_round(rng, match):
    """The match with its running round played to the end."""
    while not match.round.complete:
        side = match.round.to_shoot
        shot = random_shot(rng, match.round.board, side, f"{side.lower()}{len(match.round.shots)}")
        match = match.play(shot)
    return match
