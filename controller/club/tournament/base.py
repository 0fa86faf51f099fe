"""The bases of what the organiser can do, and of everything that can happen to a tournament; the log's entries."""

import re
from collections.abc import Generator
from dataclasses import dataclass
from typing import ClassVar, dataclass_transform

from controller.club.tournament.formats import STRICT
from controller.club.tournament.state import TournamentState
from controller.messages import Message


class Action:
    """The base of all that can be done to a tournament."""

    def plan(self, state: TournamentState) -> "Steps":
        """The events that it causes. Raises `TournamentError`."""
        raise NotImplementedError


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Event(Action):
    """The base of all events: a frozen dataclass each, which its definition registers by its `kind`, "board_added"."""

    __pydantic_config__: ClassVar = STRICT
    kinds: ClassVar[dict[str, type["Event"]]] = {}
    kind: ClassVar[str]

    def __init_subclass__(cls, base: bool = False) -> None:
        dataclass(frozen=True)(cls)
        if not base:
            cls.kind = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
            cls.kinds[cls.kind] = cls

    def apply(self, state: TournamentState) -> TournamentState:
        """The state after it; `state.number` is its own already. Raises `TournamentError` if it does not fit."""
        raise NotImplementedError

    def plan(self, state: TournamentState) -> "Steps":
        yield self


class ByOrganiser(Event, base=True):
    """The base of those that the organiser may cause directly. All others follow from actions, or come from tables."""


Steps = Generator[Event | tuple[Message, ...], TournamentState]
"""The events that an action causes, each answered with the state after it, and notes for the organiser."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An event in the log, by its number from 1; `because`: the number of the entry that it follows from; `who` made it
    and when (s since 1970, UTC), once it is in the log."""

    number: int
    event: Event
    because: int | None = None
    who: str = ""
    at: float = 0.0
