"""Berger tables: who meets whom in which round of a round robin, and who starts.

FIDE Handbook C.05, Annex 1, "Details of Berger Table": the first named has white, which starts; with an odd
number of entrants the one who would meet the highest number is free.

>>> berger_round(6, 1), berger_round(6, 2)
([(1, 6), (2, 5), (3, 4)], [(6, 4), (5, 3), (1, 2)])
"""


def berger_round(size: int, number: int) -> list[tuple[int, int]]:
    """The pairs (starter, other) of a round, from 1, for positions 1 to `size`, an even number.

    The highest position stays and alternates the start; all others move on by half the field from round to round.
    """
    ring, half = size - 1, size // 2
    first = ((number - 1) * half) % ring  # who meets the highest position, counted from 0
    pairs = [(first + 1, size) if number % 2 else (size, first + 1)]
    pairs += [((first + k) % ring + 1, (first - k) % ring + 1) for k in range(1, half)]
    return pairs


def berger_rounds(size: int, meetings: int = 1) -> list[list[tuple[int, int]]]:
    """All rounds for so many entrants, odd numbers too: who is in no pair of a round is free in it.

    With several meetings, who starts changes from cycle to cycle. In every cycle but the last one the last two rounds
    change places, so that nobody starts, or does not start, three times in a row (the same annex).
    """
    even = size + size % 2
    cycle = [[pair for pair in berger_round(even, r) if max(pair) <= size] for r in range(1, even)]
    rounds = []
    for meeting in range(meetings):
        turned = cycle if meeting % 2 == 0 else [[(b, a) for a, b in pairs] for pairs in cycle]
        last = meeting == meetings - 1
        rounds += turned if last or len(turned) < 2 else [*turned[:-2], turned[-1], turned[-2]]
    return rounds
