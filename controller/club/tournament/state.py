"""The state of a tournament: frozen values, created only by folding its events."""

import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import ClassVar, Self, TypeVar

from controller.club.errors import TournamentError
from controller.club.tournament.formats import STRICT, Figures, Play, SideNumber, TournamentFormat
from controller.messages import Message, marked, say

Thing = TypeVar("Thing")
End = TypeVar("End", bound="MatchEnd")
SHORT = 3
"""Letters of a board's name that does not say what it names."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player or a doubles team. `here`: it has not dropped out."""

    id: str
    players: tuple[str, ...]
    here: bool = True

    @property
    def label(self) -> str:
        return " & ".join(self.players)

    @property
    def names(self) -> frozenset[str]:
        """The normalized names of the players and the team."""
        return frozenset(normalized_name(each) for each in (self.label, *self.players))


@dataclass(frozen=True, slots=True)
class ClubBoard:
    """A board of the club."""

    id: str
    name: str = ""
    works: bool = True

    @property
    def label(self) -> str:
        return self.name or self.id

    @property
    def heading(self) -> Message | str:
        """Its name in a sentence: a number needs a word."""
        return self.label if len(self.label) > SHORT else say("Board {name}", name=self.label)


@dataclass(frozen=True)
class MatchEnd:
    """The end of a match, for `sides` in this order, which may differ from the match's. `twenties`: None if nobody
    counted them. `winner` (0 or 1): of the shoot-out of a level match. `short`: the match was cut short. `report`: a
    unique name of its source, as "table 3, event 41": one report counts once, however often it arrives."""

    __pydantic_config__: ClassVar = STRICT
    match: str
    sides: tuple[str, str]
    points: Figures
    twenties: Figures | None = None
    winner: SideNumber | None = None
    short: bool = False
    report: str = ""

    @property
    def swapped(self) -> Self:
        return replace(
            self,
            sides=(self.sides[1], self.sides[0]),
            points=(self.points[1], self.points[0]),
            twenties=None if self.twenties is None else (self.twenties[1], self.twenties[0]),
            winner=None if self.winner is None else 1 - self.winner,
        )

    def same_result(self, other: "MatchEnd") -> bool:
        """Whether both are the same result of the same match, whatever their source, the sides in either order."""
        own = replace(self, report="")
        return replace(other, report="") in (own, own.swapped)


@dataclass(frozen=True)
class Claim:
    """One of the two claims a result; it counts when the other claims the same. `by`: an entrant; `phone`: a text that
    identifies the phone."""

    result: MatchEnd
    by: str
    phone: str


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two who meet; the first starts. `turn` orders the matches of a board in this round, from 1. `slot` is the place
    in a play-off bracket: "1.2" is the second match of its first round, "third" the match for third place."""

    __pydantic_config__ = STRICT
    sides: tuple[str, str]
    board: str | None = None
    turn: int = 1
    slot: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentMatch(Pairing):
    """A match of a round."""

    id: str
    round: str
    stage: int
    started: bool = False
    result: MatchEnd | None = None
    walkover: bool = False
    winner_by_walkover: str | None = None
    cancelled: bool = False
    contradicted: tuple[MatchEnd, ...] = ()  # other results reported for this match; the organiser has to choose
    claim: Claim | None = None  # the result that one of the two claims, until the other agrees

    @property
    def over(self) -> bool:
        """Whether it has a result or a walkover."""
        return self.result is not None or self.walkover

    @property
    def open(self) -> bool:
        """Whether it still has to be played or finished."""
        return not self.over and not self.cancelled

    @property
    def played(self) -> bool:
        """Whether it counts as a meeting: played, or still to be played."""
        return not self.cancelled and not self.walkover

    @property
    def winner(self) -> str | None:
        """The winner; None for a tie, and while it is not over."""
        if self.result is None:
            return self.winner_by_walkover
        a, b = self.result.points
        side = self.result.winner if a == b else int(b > a)
        return None if side is None else self.sides[side]

    @property
    def loser(self) -> str | None:
        winner = self.winner
        return None if winner is None else self.other(winner)

    def other(self, entrant: str) -> str:
        return self.sides[1] if entrant == self.sides[0] else self.sides[0]

    def in_order(self, result: End) -> End:
        """A result with its sides in the order of this match. Raises `TournamentError` if others played."""
        result = replace(result, match=self.id)
        if result.sides == self.sides:
            return result
        if result.swapped.sides != self.sides:
            raise TournamentError(say("This result belongs to other entrants; open the match that they played."))
        return result.swapped


@dataclass(frozen=True, slots=True)
class TournamentRound:
    """A round; its matches are in the state."""

    id: str
    stage: int
    byes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage that has begun: its pools by seed, late arrivals last."""

    number: int
    groups: tuple[tuple[str, ...], ...]

    @property
    def entrants(self) -> tuple[str, ...]:
        return tuple(entrant for group in self.groups for entrant in group)


@dataclass(frozen=True, slots=True)
class SetAside:
    """An event that does not count at present, with the reason; it counts again when the reason disappears."""

    number: int
    event: object
    why: Message

    @property
    def source(self) -> str:
        """The unique name of what was reported: the table's own, else the entry's."""
        return (self.event.report if isinstance(self.event, MatchEnd) else "") or f"entry {self.number}"


@dataclass(frozen=True)
class TournamentState:
    """The state of a tournament. All mappings keep the order in which things were added. `number`: of the last entry
    of the log that was applied."""

    format: TournamentFormat | None = None
    entrants: Mapping[str, Entrant] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)  # by each normalized name, the last entrant with it
    seeds: tuple[str, ...] = ()
    boards: Mapping[str, ClubBoard] = field(default_factory=dict)
    stages: tuple[Stage, ...] = ()
    former_boards: Mapping[str, ClubBoard] = field(
        default_factory=dict
    )  # all that were ever removed, by id: matches were played on them
    rounds: Mapping[str, TournamentRound] = field(default_factory=dict)
    matches: Mapping[str, TournamentMatch] = field(default_factory=dict)
    shoot_outs: tuple[Mapping[str, int], ...] = ()  # by entrant, its twenties
    set_aside: tuple[SetAside, ...] = ()
    closed: bool = False
    number: int = field(default=0, compare=False)

    # --- look-ups that raise an error with a remedy

    @property
    def known_format(self) -> TournamentFormat:
        """The format. Raises `TournamentError` while there is none."""
        if self.format is None:
            raise TournamentError(say("Choose a format first."))
        return self.format

    def entrant(self, id: str) -> Entrant:
        """An entrant by id. Raises `TournamentError`."""
        return _found(self.entrants, id, marked("There is no entrant {id}; add it first."))

    def board(self, id: str) -> ClubBoard:
        """A board by id. Raises `TournamentError`."""
        return _found(self.boards, id, marked("There is no board {id}; add it first."))

    def any_board(self, id: str) -> ClubBoard:
        """A board by id, also a removed one."""
        return self.boards.get(id) or self.former_boards.get(id) or ClubBoard(id)

    def match(self, id: str) -> TournamentMatch:
        """A match by id. Raises `TournamentError`."""
        return _found(self.matches, id, marked("There is no match {id}; the round may have been undone."))

    def paired_match(self, id: str) -> TournamentMatch:
        """A match that is played. Raises `TournamentError` for one that was paired again."""
        match = self.match(id)
        if match.cancelled:
            raise TournamentError(say("{match} was paired again and is no longer played.", match=self.label_of(match)))
        return match

    def decided(self, result: MatchEnd) -> TournamentMatch | None:
        """The match that a result is of, if it is over."""
        match = self.matches.get(result.match)
        if match is None or match.cancelled or not match.over or {*match.sides} != {*result.sides}:
            return None
        return match

    def open_match(self, id: str) -> TournamentMatch:
        """An open match. Raises `TournamentError` for any other."""
        match = self.paired_match(id)
        if match.over:
            raise TournamentError(say("{match} is over; correct its result instead.", match=self.label_of(match)))
        return match

    def check_all_over(self) -> None:
        """Raise `TournamentError` while a match has no result."""
        if waiting := [self.label_of(match) for match in self.open_matches]:
            raise TournamentError(say("Without a result: {matches}. Enter it, or give a walkover.", matches=waiting))

    def round(self, id: str) -> TournamentRound:
        """A round by id. Raises `TournamentError`."""
        return _found(self.rounds, id, marked("There is no round {id}; it may have been undone."))

    # --- the running stage

    @property
    def stage(self) -> Stage:
        """The running stage. Raises `TournamentError` before the first."""
        if not self.stages:
            raise TournamentError(say("No stage has begun; pair the first round."))
        return self.stages[-1]

    def play_of(self, match: TournamentMatch) -> Play:
        return self.known_format.play_of(match.stage)

    # --- matches and rounds

    def rounds_of(self, stage: int) -> list[TournamentRound]:
        return [round for round in self.rounds.values() if round.stage == stage]

    def matches_of(self, stage: int | None = None, round: str | None = None) -> list[TournamentMatch]:
        """The matches of a stage or a round that are not cancelled."""
        return [
            match
            for match in self.matches.values()
            if not match.cancelled and stage in (None, match.stage) and round in (None, match.round)
        ]

    @property
    def open_matches(self) -> list[TournamentMatch]:
        """The open matches, by their turns on the boards."""
        return sorted((match for match in self.matches.values() if match.open), key=lambda match: match.turn)

    def meetings(self, stage: int, walkovers: bool = False) -> Counter[frozenset[str]]:
        """By pair, its meetings in a stage, played or to be played; with `walkovers` all that are no longer due."""
        return Counter(frozenset(match.sides) for match in self.matches_of(stage) if walkovers or match.played)

    def byes_of(self, stage: int) -> Counter[str]:
        """By entrant, its byes in a stage, walkovers won included: nobody should sit out twice."""
        byes = Counter(entrant for round in self.rounds_of(stage) for entrant in round.byes)
        byes.update(m.winner_by_walkover for m in self.matches_of(stage) if m.winner_by_walkover is not None)
        return byes

    def starts_of(self) -> dict[str, list[int]]:
        """By entrant, for each of its matches in order 1 if it started, else -1."""
        starts: dict[str, list[int]] = {entrant: [] for entrant in self.entrants}
        for match in self.matches_of():
            if match.played:
                starts[match.sides[0]].append(1)
                starts[match.sides[1]].append(-1)
        return starts

    @property
    def seeding(self) -> tuple[str, ...]:
        """All entrants, the first seed first: in the organiser's order, then as they were added."""
        return tuple(dict.fromkeys((*(each for each in self.seeds if each in self.entrants), *self.entrants)))

    def here(self, entrants: tuple[str, ...]) -> list[str]:
        """The entrants among these who have not dropped out."""
        return [entrant for entrant in entrants if self.entrants[entrant].here]

    @cached_property
    def labels(self) -> dict[str, str]:
        """The name of each entrant for people, with a number after the first of the same name."""
        labels: dict[str, str] = {}
        taken: set[str] = set()
        for entrant in self.entrants.values():
            label, number = entrant.label, 2
            while normalized_name(label) in taken:
                label, number = f"{entrant.label} ({number})", number + 1
            taken.add(normalized_name(label))
            labels[entrant.id] = label
        return labels

    def names_of(self, match: TournamentMatch) -> list[str]:
        """The names of the two for people."""
        return [self.labels[side] for side in match.sides]

    def label_of(self, match: TournamentMatch) -> str:
        """The name of a match: its two sides."""
        return " – ".join(self.names_of(match))

    # --- a new state

    def with_entrant(self, entrant: Entrant) -> "TournamentState":
        entrants, names, before = {**self.entrants, entrant.id: entrant}, self.names, self.entrants.get(entrant.id)
        if before is None:
            names = {**names, **dict.fromkeys(entrant.names, entrant.id)}
        elif before.names != entrant.names:
            names = {name: each.id for each in entrants.values() for name in each.names}
        return replace(self, entrants=entrants, names=names)

    def with_board(self, board: ClubBoard) -> "TournamentState":
        return replace(self, boards={**self.boards, board.id: board})

    def without_board(self, board: ClubBoard) -> "TournamentState":
        """Without a board; its name is kept."""
        rest = {id: each for id, each in self.boards.items() if id != board.id}
        former = {**self.former_boards, board.id: board}
        return replace(self, boards=rest, former_boards=former)

    def with_round(self, round: TournamentRound) -> "TournamentState":
        return replace(self, rounds={**self.rounds, round.id: round})

    def with_matches(self, *matches: TournamentMatch) -> "TournamentState":
        return replace(self, matches={**self.matches, **{match.id: match for match in matches}})


@lru_cache(8192)  # in a list with hundreds of equal names each is compared with all others
def normalized_name(name: str) -> str:
    """A name for comparisons: without differences of case, spacing and Unicode composition."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _found(things: Mapping[str, Thing], id: str, words: str) -> Thing:
    if id not in things:
        raise TournamentError(say(words, id=id))
    return things[id]
