"""What all of the club's documents are made of: parts, each a class with its fields and, in `of`, what fills them.
Names are people's; texts are messages, translated for each reader."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Literal, Self

from typing_extensions import dataclass_transform

from controller.club.hub.hub import Hub
from controller.club.tournament.playoffs import Slot, slot_name
from controller.club.tournament.standings import RankingRow, at_least, last_bracket, match_name, podium
from controller.club.tournament.state import TournamentMatch, TournamentState
from controller.messages import Message, Sentence

Word = Literal["waiting", "going_on", "reopened", "contradicted", "walkover", "over"]
Counts = tuple[int, ...]  # one for each side of a match, in the order of its sides


@dataclass_transform(kw_only_default=True, frozen_default=True)
@dataclass(frozen=True)
class DocumentPart:
    """A part of a document: a frozen dataclass."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)

    @classmethod
    def like(cls, source: object, **more: Any) -> Self:
        """With the members of `source` that have the same names, and `more`."""
        same = {each.name: getattr(source, each.name) for each in fields(cls) if each.name not in more}
        return cls(**same, **more)


@dataclass(frozen=True)
class EveningView:
    """An evening's state, with the lookups that many documents share."""

    id: str
    state: TournamentState
    reopened: frozenset[str] = frozenset()

    @classmethod
    def of(cls, hub: Hub) -> Self:
        return cls(hub.evening.id, hub.tournament.state, hub.reopened)

    @cached_property
    def twenties_made(self) -> Mapping[str, list[int | None]]:
        """By entrant, the twenties made in each match; None where nobody counted them."""
        made: defaultdict[str, list[int | None]] = defaultdict(list)
        for result in (match.result for match in self.state.matches_of() if match.result):
            for entrant, twenties in zip(result.sides, result.twenties or (None, None), strict=True):
                made[entrant].append(twenties)
        return made


class ClaimDocument(DocumentPart):
    """The end of a match as one of the two, the entrant `by`, entered it; the other has not agreed yet."""

    by: str
    points: Counts
    twenties: Counts | None


class MatchDocument(DocumentPart):
    """A match; `word` is its status. `reopened`: its end was taken back at its table, and still counts. `name`: of a
    play-off match. `won`: the index of the side that won, also by a shoot-out or a walkover; None for a tie, and while
    it is open. `total`: the sum of both sides' points, if it is fixed."""

    id: str
    names: list[str]
    entrants: tuple[str, ...]
    board: str | None
    turn: int
    word: Word
    points: Counts | None
    twenties: Counts | None
    name: Sentence | None
    won: int | None
    total: int | None
    claim: ClaimDocument | None

    @classmethod
    def of(cls, now: EveningView, match: TournamentMatch) -> Self:
        result = match.result
        return cls.like(
            match,
            names=now.state.names_of(match),
            entrants=match.sides,
            word=_word(match, match.id in now.reopened),
            points=result and result.points,
            twenties=result and result.twenties,
            name=match_name(now.state, match),
            won=None if match.winner is None else match.sides.index(match.winner),
            total=now.state.play_of(match).sum,
            claim=ClaimDocument.like(match.claim.result, by=match.claim.by) if match.claim and match.open else None,
        )


def _word(match: TournamentMatch, reopened: bool) -> Word:
    if match.contradicted:
        return "contradicted"
    if reopened:
        return "reopened"
    if match.walkover:
        return "walkover"
    return "over" if match.over else "going_on" if match.started else "waiting"


class PlayerDocument(DocumentPart):
    """An entrant; `here` until it drops out."""

    id: str
    name: str
    here: bool

    @classmethod
    def of(cls, now: EveningView, entrant: str) -> Self:
        return cls.like(now.state.entrants[entrant], name=now.state.labels[entrant])


class RowDocument(DocumentPart):
    """One line of the standings, with the figures of the last stage that the entrant has reached: `stage`, from 1.
    `points` and `twenties` count what `byes` give; `twenties` are None if none are on record.
    `twenties_missing`: in how many matches nobody counted them. `all_twenties`: those made in the matches of all
    stages, without byes; `all_twenties_missing`: in how many of these nobody counted them."""

    place: int
    id: str
    name: str
    here: bool
    stage: int
    matches: int
    byes: int
    points: int
    twenties: int | None
    twenties_missing: int
    all_twenties: int | None
    all_twenties_missing: int

    @classmethod
    def of(cls, now: EveningView, row: RankingRow) -> Self:
        made = now.twenties_made[row.entrant]
        return cls.like(
            row,
            id=row.entrant,
            name=now.state.labels[row.entrant],
            here=now.state.entrants[row.entrant].here,
            stage=row.stage + 1,
            all_twenties=at_least(made),
            all_twenties_missing=made.count(None),
        )


class SlotDocument(DocumentPart):
    """A place in the bracket. A name is None for a bye, and while it is not known who plays there."""

    name: Sentence
    names: list[str | None]
    points: Counts | None
    won: int | None
    board: str | None

    @classmethod
    def of(cls, now: EveningView, slot: Slot, rounds: int) -> Self:
        """A place in a bracket of this many rounds."""
        match = slot.match
        sides, winner = (match.sides, match.winner) if match else (slot.sides, slot.winner)
        return cls(
            name=slot_name(slot.name, rounds),
            names=[now.state.labels[side] if side else None for side in sides],
            points=match.result.points if match and match.result else None,
            won=sides.index(winner) if winner else None,
            board=match.board if match else None,
        )


class PlacedDocument(DocumentPart):
    """One of the first three, with the figures of the last stage, which ranks them."""

    place: int
    entrant: str
    name: str
    won: int
    matches: int
    twenties: int | None
    twenties_missing: int


class Placings(DocumentPart):
    """How an evening stands. `stages`: the names of those that have begun. `podium`: the first three places, shared
    ones included, once all is played or the evening is closed. `bracket`: the rounds of the play-offs."""

    stages: list[Sentence]
    podium: list[PlacedDocument]
    bracket: list[list[SlotDocument]]
    players: list[PlayerDocument]
    standings: list[RowDocument]

    @classmethod
    def filled(cls, now: EveningView, rows: Sequence[RankingRow], **more: Any) -> Self:
        """With these standings, and the members that only a further document has."""
        state, rounds = now.state, last_bracket(now.state)
        return cls(
            stages=[Message(state.known_format.stages[stage.number].title) for stage in state.stages],
            podium=[PlacedDocument.like(row, name=now.state.labels[row.entrant]) for row in podium(state)],
            bracket=[[SlotDocument.of(now, slot, len(rounds)) for slot in slots] for slots in rounds],
            players=[PlayerDocument.of(now, entrant) for entrant in state.entrants],
            standings=[RowDocument.of(now, row) for row in rows],
            **more,
        )
