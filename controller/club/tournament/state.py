"""How a tournament stands: frozen values, made by the fold of its events and by nothing else."""

import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeVar

from controller.club.tournament.errors import Message, NotNow, Unknown, say
from controller.club.tournament.events import Event, Result, ResultClaimed, ShootOut
from controller.club.tournament.formats import NCA, Figures, Format, Play, StageFormat

Thing = TypeVar("Thing")


def _nothing() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Entrant:
    """One who plays: a player, or a doubles team. `here` until it drops out."""

    id: str
    players: tuple[str, ...]
    name: str = ""
    rating: int | None = None
    here: bool = True

    @property
    def label(self) -> str:
        """What people read."""
        return self.name or " & ".join(self.players)

    @property
    def names(self) -> frozenset[str]:
        """The players' names and the team's, as names are compared."""
        return frozenset(normalized_name(each) for each in (self.label, *self.players))


@dataclass(frozen=True, slots=True)
class Board:
    """A board of the club."""

    id: str
    name: str = ""
    works: bool = True

    @property
    def label(self) -> str:
        """What people read."""
        return self.name or self.id


@dataclass(frozen=True, slots=True)
class Match:
    """A match of a round: who starts stands first. `group` and `slot` as in a pairing."""

    id: str
    round: str
    stage: int
    sides: tuple[str, str]
    board: str | None = None
    turn: int = 1
    group: int = 0
    slot: str = ""
    started: bool = False
    result: Result | None = None
    walkover: bool = False
    winner_by_walkover: str | None = None
    cancelled: bool = False
    contradicted: tuple[Result, ...] = ()
    """Other results that came in for this match; somebody has to say which one is right."""

    claim: ResultClaimed | None = None
    """What one of the two says of its end, for as long as the other one has not agreed."""

    @property
    def over(self) -> bool:
        """Whether it has a result or a walkover."""
        return self.result is not None or self.walkover

    @property
    def open(self) -> bool:
        """Whether it is still to be played to its end."""
        return not self.over and not self.cancelled

    @property
    def played(self) -> bool:
        """Whether it counts as met: played, or still going to be."""
        return not self.cancelled and not self.walkover

    @property
    def winner(self) -> str | None:
        """Who won; None for a tie, and for what is not over."""
        if self.result is None:
            return self.winner_by_walkover
        a, b = self.result.points
        side = self.result.winner if a == b else int(b > a)
        return None if side is None else self.sides[side]

    @property
    def loser(self) -> str | None:
        """Who lost; None for a tie, and for what is not over."""
        winner = self.winner
        return None if winner is None else self.other(winner)

    def other(self, entrant: str) -> str:
        """The opponent."""
        return self.sides[1] if entrant == self.sides[0] else self.sides[0]

    def figures(self, entrant: str, figures: Figures) -> int:
        """The side's own one of two figures."""
        return figures[self.sides.index(entrant)]


@dataclass(frozen=True, slots=True)
class Round:
    """A round as it was drawn; its matches are in the state."""

    id: str
    stage: int
    byes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage that has begun: its groups in the order of their seeds, late arrivals last."""

    number: int
    groups: tuple[tuple[str, ...], ...]

    @property
    def entrants(self) -> tuple[str, ...]:
        """All who are in it."""
        return tuple(entrant for group in self.groups for entrant in group)


@dataclass(frozen=True, slots=True)
class SetAside:
    """An event that does not count as things stand, kept with the reason; it counts again when the reason is gone."""

    number: int
    event: Event
    why: Message


@dataclass(frozen=True, slots=True)
class State:
    """How the tournament stands. All mappings keep the order in which things came."""

    format: Format | None = None
    entrants: Mapping[str, Entrant] = field(default_factory=_nothing)
    names: Mapping[str, str] = field(default_factory=_nothing)
    """By every name that an entrant has, the last entrant that has it: an index of `entrants`."""
    seeds: tuple[str, ...] = ()
    boards: Mapping[str, Board] = field(default_factory=_nothing)
    stages: tuple[Stage, ...] = ()
    former_boards: Mapping[str, Board] = field(default_factory=_nothing)
    """Those that were removed, by id: matches were played on them."""
    rounds: Mapping[str, Round] = field(default_factory=_nothing)
    matches: Mapping[str, Match] = field(default_factory=_nothing)
    shoot_outs: tuple[ShootOut, ...] = ()
    set_aside: tuple[SetAside, ...] = ()
    closed: bool = False

    # --- one thing, or an error that says what to do

    @property
    def known_format(self) -> Format:
        """The format. Raises `NotNow` while there is none."""
        if self.format is None:
            raise NotNow(say("Choose a format first."))
        return self.format

    def entrant(self, id: str) -> Entrant:
        """An entrant by id. Raises `Unknown`."""
        return _found(self.entrants, id, say("There is no entrant {id}; add it first.", id=id))

    def board(self, id: str) -> Board:
        """A board by id. Raises `Unknown`."""
        return _found(self.boards, id, say("There is no board {id}; add it first.", id=id))

    def board_label(self, id: str) -> str:
        """What people read for a board, also for one that was removed."""
        return (self.boards.get(id) or self.former_boards.get(id) or Board(id)).label

    def match(self, id: str) -> Match:
        """A match by id. Raises `Unknown`."""
        return _found(self.matches, id, say("There is no match {id}; the round may have been undone.", id=id))

    def round(self, id: str) -> Round:
        """A round by id. Raises `Unknown`."""
        return _found(self.rounds, id, say("There is no round {id}; it may have been undone.", id=id))

    # --- the stage that is on

    @property
    def stage(self) -> Stage:
        """The stage that is on. Raises `NotNow` before the first."""
        if not self.stages:
            raise NotNow(say("No stage has begun; pair the first round."))
        return self.stages[-1]

    @property
    def stage_format(self) -> StageFormat:
        """The format of the stage that is on."""
        return self.known_format.stages[self.stage.number]

    def play_of(self, match: Match) -> Play:
        """What a match is."""
        return self.format.play_of(match.stage) if self.format and match.stage < len(self.format.stages) else NCA

    # --- matches and rounds

    def rounds_of(self, stage: int) -> list[Round]:
        """The rounds of a stage in their order."""
        return [round for round in self.rounds.values() if round.stage == stage]

    def matches_of(self, stage: int | None = None, round: str | None = None) -> list[Match]:
        """The matches of a stage or a round that are not cancelled."""
        return [
            match
            for match in self.matches.values()
            if not match.cancelled and stage in (None, match.stage) and round in (None, match.round)
        ]

    @property
    def open_matches(self) -> list[Match]:
        """The matches still to be played, in the order of their boards' turns."""
        return sorted((match for match in self.matches.values() if match.open), key=lambda match: match.turn)

    def meetings(self, stage: int) -> Counter[frozenset[str]]:
        """How often each two have met in a stage, or are going to: walkovers are no meetings."""
        return Counter(frozenset(match.sides) for match in self.matches_of(stage) if match.played)

    def settled(self, stage: int) -> Counter[frozenset[str]]:
        """How many matches of each two are not due any more: played, going to be played, or walked over."""
        return Counter(frozenset(match.sides) for match in self.matches_of(stage))

    def replacement_for(self, aside: "SetAside") -> Match | None:
        """The open match that the two of a result set aside play now, if it is another one."""
        if not isinstance(aside.event, Result):
            return None
        sides = set(aside.event.sides)
        found = [match for match in self.open_matches if set(match.sides) == sides and match.id != aside.event.match]
        return found[0] if found else None

    def byes_of(self, stage: int) -> Counter[str]:
        """How many byes each has had in a stage, walkovers won among them: nobody is to go without play twice."""
        byes = Counter(entrant for round in self.rounds_of(stage) for entrant in round.byes)
        byes.update(m.winner_by_walkover for m in self.matches_of(stage) if m.winner_by_walkover is not None)
        return byes

    def starts_of(self) -> dict[str, list[int]]:
        """For each entrant and each of its matches, in order, 1 where it started and -1 where the opponent did."""
        starts: dict[str, list[int]] = {entrant: [] for entrant in self.entrants}
        for match in self.matches_of():
            if match.played:
                starts[match.sides[0]].append(1)
                starts[match.sides[1]].append(-1)
        return starts

    @property
    def seeding(self) -> tuple[str, ...]:
        """All entrants, the first seed first: as the organiser ordered them, then by rating, then as they came."""
        ordered = [entrant for entrant in self.seeds if entrant in self.entrants]
        rest = [entrant for entrant in self.entrants.values() if entrant.id not in set(ordered)]
        rest.sort(key=lambda entrant: -(entrant.rating or 0))
        return (*ordered, *(entrant.id for entrant in rest))

    def here(self, entrants: tuple[str, ...]) -> list[str]:
        """Those of them who have not dropped out."""
        return [entrant for entrant in entrants if self.entrants[entrant].here]

    @property
    def labels(self) -> dict[str, str]:
        """What people read for each entrant: two of the same name are told apart by a number."""
        labels: dict[str, str] = {}
        taken: set[str] = set()
        for entrant in self.entrants.values():
            label, number = entrant.label, 2
            while normalized_name(label) in taken:
                label, number = f"{entrant.label} ({number})", number + 1
            taken.add(normalized_name(label))
            labels[entrant.id] = label
        return labels

    # --- a new state

    def with_entrant(self, entrant: Entrant) -> "State":
        """With an entrant added or replaced."""
        entrants, names, before = {**self.entrants, entrant.id: entrant}, self.names, self.entrants.get(entrant.id)
        if before is None:
            names = MappingProxyType({**names, **dict.fromkeys(entrant.names, entrant.id)})
        elif before.names != entrant.names:
            names = MappingProxyType({name: each.id for each in entrants.values() for name in each.names})
        return replace(self, entrants=MappingProxyType(entrants), names=names)

    def with_board(self, board: Board) -> "State":
        """With a board added or replaced."""
        former = {id: each for id, each in self.former_boards.items() if id != board.id}
        return replace(
            self,
            boards=MappingProxyType({**self.boards, board.id: board}),
            former_boards=MappingProxyType(former),
        )

    def without_board(self, board: Board) -> "State":
        """Without a board, whose name is still known."""
        rest = {id: each for id, each in self.boards.items() if id != board.id}
        former = MappingProxyType({**self.former_boards, board.id: board})
        return replace(self, boards=MappingProxyType(rest), former_boards=former)

    def with_round(self, round: Round) -> "State":
        """With a round added or replaced."""
        return replace(self, rounds=MappingProxyType({**self.rounds, round.id: round}))

    def with_matches(self, *matches: Match) -> "State":
        """With matches added or replaced."""
        return replace(self, matches=MappingProxyType({**self.matches, **{match.id: match for match in matches}}))


@lru_cache(8192)  # a list in which one name stands hundreds of times compares each with all
def normalized_name(name: str) -> str:
    """A name for comparing: without what readers overlook, which is capitals, spaces, and how a letter is composed."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _found(things: Mapping[str, Thing], id: str, words: Message) -> Thing:
    if id not in things:
        raise Unknown(words)
    return things[id]
