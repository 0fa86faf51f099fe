"""What became of one attack."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """`tried` times, and how many of them it withstood. `figure` says what was counted."""

    name: str
    tried: int
    survived: int
    figure: str = ""

    @property
    def held(self):
        return self.survived == self.tried


def once(name, held, figure=""):
    """Something that is tried once and holds or not."""
    return Outcome(name, 1, int(held), figure)
