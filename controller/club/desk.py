"""The organiser's desk, and the club's door: what the club's pages may ask for, and what an organiser does there.
An action is parsed from a page, shown as a plan, and carried out as shown.

The texts of documents are messages, translated for each reader.
"""

import hashlib
import hmac
import re
import time
from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Annotated, Any, TypeVar

from pydantic import ConfigDict, Field, validate_call

from controller.club.exports import Export, export
from controller.club.hub.by_hand import ByHand
from controller.club.hub.hub import Hub
from controller.club.hub.organiser import ClubTable, DeskDocument, PlanDocument
from controller.club.hub.report import EveningInShort, EveningReport, evening_report, report
from controller.club.showing import Showing
from controller.club.store import HubTokens
from controller.club.tournament import events as ev
from controller.club.tournament.catalogue import FORMATS, event_from_json, event_to_json
from controller.club.tournament.entrants import free_name
from controller.club.tournament.events import Action, BoardAdded, BoardRenamed, FormatSet, Seeded
from controller.club.tournament.formats import TournamentFormat
from controller.club.tournament.planning import NextRound, NextStage, PairAgain
from controller.club.tournament.state import Entrant, TournamentState, normalized_name
from controller.club.tournament.tournament import Tournament
from controller.errors import BadInput, Refused
from controller.match.club import Join, Joined, parse, serialize
from controller.messages import say
from controller.validation import first_wrong_member

Result = TypeVar("Result")
Actions = Annotated[Sequence[Mapping[str, Any]], Field(min_length=1)]
STRANGER = 600.0  # s that the desk says who sent something without a valid token
LONGEST_TITLE = 60  # characters
EveningId = Annotated[str, Field(pattern="^[0-9a-f]{8,32}$")]
SHORTEST_PASSWORD = 8  # characters (NIST SP 800-63B, 5.1.1.2)
LONGEST_PASSWORD = 200
CODE = 12  # characters of a board's code: 48 bits, too many to guess


def called(action: Callable[..., Result], members: Mapping[str, Any]) -> Result:
    """What `action` returns for the members of a request that are its parameters. Raises `BadInput`, which names the
    first wrong one."""
    known = signature(action).parameters
    checked = validate_call(config=ConfigDict(strict=True))(action)
    with first_wrong_member():
        result: Result = checked(**{name: value for name, value in members.items() if name in known})
        return result


class Desk:
    """A club's hub, for its pages. Thread-safe. Methods that change something
    raise `BadInput` for an invalid request, `Refused` for one that the evening does not allow."""

    def __init__(self, hub: Hub, name: str, boot: str = "") -> None:
        """`boot` identifies this boot of the machine, whose monotonic clock times the boards' clocks."""
        self.hub = hub
        self.name = name
        self.showing = Showing(hub)
        self.by_hand = ByHand(hub, time.monotonic, boot)
        self.tokens = HubTokens(hub.store.engine, hub.store.club, hub.clock)

    # --- evenings

    def evenings(self) -> list[EveningInShort]:
        """All evenings, the newest first."""
        return [EveningInShort.of(evening, self.hub.evening.id) for evening in reversed(self.hub.store.evenings())]

    def evening(self, id: str) -> EveningReport:
        return evening_report(report(self.hub.store, id, self.name), self.hub.evening.id)

    def export(self, evening: str, kind: str) -> Export:
        """A whole evening as one of `FILES`."""
        return export(report(self.hub.store, evening, self.name), kind)

    def begin(
        self,
        title: str,
        format: str | Mapping[str, Any],
        boards: Sequence[str],
        players: Sequence[str],
        who: str,
        doubles: bool = False,
        id: EveningId | None = None,
    ) -> None:
        """Begin an evening: its format by name or as in the log, the ids of its boards, and the lines of a list of
        players. Changes nothing if any of it is impossible, or if there is an evening with this `id`, made by the
        sender: so a request that is sent again begins no second one."""
        chosen = _format(format)
        if not title.strip().isprintable() or len(title) > LONGEST_TITLE:
            raise BadInput(say("An evening's title has at most {n} characters, on one line.", n=LONGEST_TITLE))
        known = {table.id: table for table in self.hub.store.tables()}
        if not boards or any(board not in known for board in boards):
            raise BadInput(say("Choose the boards that are there; each must be one of the club's."))
        entrants = parse_players(players, doubles)
        actions: list[Action] = [FormatSet(chosen)]
        actions += [BoardAdded(board, known[board].name) for board in dict.fromkeys(boards)]
        actions += add_entrants(Tournament().state, entrants)
        Tournament().preview(*actions)
        self.hub.begin(title.strip(), actions, who, id)

    # --- the organiser

    def set_password(self, password: str) -> None:
        """Set the organiser's password; who came in by the former one needs it."""
        if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
            raise BadInput(say("A password has {n} characters or more.", n=SHORTEST_PASSWORD))
        self.tokens.set_password(password)
        self.tokens.end_all("session", "device")

    def board_code(self, board: str) -> str:
        """The code at a board, so that only phones that were there keep its score."""
        return _board_code(self.tokens.password_fingerprint(), board)

    def document(self) -> DeskDocument:
        """What an organiser sees."""
        stranger = self.hub.reports[""]
        joined, password = {holder for _, holder, _ in self.tokens.held("table")}, self.tokens.password_fingerprint()
        return DeskDocument.filled(
            self.hub,
            evening=self.hub.evening.id or None,
            stranger=stranger.trouble if stranger.is_heard(self.hub.clock(), STRANGER) else None,
            evenings=self.evenings(),
            tables=[
                ClubTable.like(
                    each, joined=each.id in joined, code=_board_code(password, each.id) if each.by_hand else None
                )
                for each in self.hub.store.tables()
            ],
            password=bool(password),
        )

    def plan_to_add(self, players: Sequence[str], doubles: bool = False) -> PlanDocument:
        """The plan to add the entrants of a pasted list."""
        events = add_entrants(self.hub.tournament.state, parse_players(players, doubles))
        return self.plan([event_to_json(event) for event in events])

    def plan_to_seed(self, seeds: Sequence[str]) -> PlanDocument:
        """The plan to seed the entrants with these names, in this order."""
        known = {normalized_name(label): entrant for entrant, label in self.hub.tournament.state.labels.items()}
        for name in seeds:
            if normalized_name(name) not in known:
                raise BadInput(say("There is no player {name}: write the names as they are in the list.", name=name))
        return self.plan([event_to_json(Seeded(tuple(known[normalized_name(name)] for name in seeds)))])

    def plan(self, actions: Actions) -> PlanDocument:
        return PlanDocument.of(self.hub.plan(self._parse(actions)), actions)

    def confirm(self, actions: Actions, token: str, who: str) -> None:
        """Carry out the plan with this token. Raises `PlanChanged`."""
        self.hub.confirm(self._parse(actions), token, who)

    def _parse(self, actions: Sequence[Mapping[str, Any]]) -> list[Action]:
        """The actions of a page's request. Raises `BadInput`, and `Refused` for the name of another of the club's
        tables, which need not be part of this evening."""
        parsed = [self._parse_action(action) for action in actions]
        for action in parsed:
            if isinstance(action, BoardRenamed):
                self._check_free(action.name, but=action.board)
        return parsed

    def _parse_action(self, document: Mapping[str, Any]) -> Action:
        """As `parse_action`, and {"do": "count", "source": ..} for a report that was left out."""
        if document.get("do") != "count":
            return parse_action(document)
        found = (each.instead for each in self.hub.left_out if each.source == document.get("source"))
        if (result := next(found, None)) is None:
            raise Refused(say("The two play no other match; enter their result in the match that it belongs to."))
        return result

    def _check_free(self, name: str, but: str = "") -> None:
        names = {normalized_name(table.name) for table in self.hub.store.tables() if table.id != but}
        if normalized_name(name) in names:
            raise Refused(say("The club has a table {name} already; give this one another name.", name=name))

    def add_table(self, name: str, by_hand: bool = False) -> str:
        """Add a table to the club; its id is the first free number."""
        name = name.strip()
        check_table_name(name)
        self._check_free(name)
        return self.hub.store.add_table(name, by_hand)

    def join_code(self, table: str) -> str:
        if table not in {each.id for each in self.hub.store.tables() if not each.by_hand}:
            raise BadInput(say("There is no table {id} with hardware.", id=table))
        return self.tokens.join_code(table)

    # --- tables with hardware

    def join(self, payload: bytes) -> bytes | None:
        """The answer to a table's `Join`, a `Joined`; None for an invalid code."""
        table = self.tokens.join(parse(Join, payload).code)
        if table is None:
            return None
        self.revoke(table)
        return serialize(Joined(club=self.name, table=table, token=self.tokens.make("table", table)))

    def revoke(self, table: str) -> None:
        """End the token of a table, if it has one: it has to join again."""
        self.tokens.revoke_all("table", table)

    def table_of(self, token: str, address: str) -> str | None:
        """The table whose token this is; None for a token that is not valid, which the organiser sees."""
        table = self.tokens.holder("table", token) if token else None
        if table is None:
            words = say(
                "A device at {address} without a valid token sends results, which do not count: a table that has to "
                "join again, or a stranger.",
                address=address,
            )
            before = self.hub.reports[""]
            if before.trouble != words or not before.is_heard(self.hub.clock(), STRANGER / 2):
                self.hub.refused("", words)
        return table


def _format(format: str | Mapping[str, Any]) -> TournamentFormat:
    """A format by its name, or as in the log. Raises `BadInput`."""
    if isinstance(format, str):
        if format not in FORMATS:
            raise BadInput(say("There is no format {name}; there are {names}.", name=format, names=tuple(FORMATS)))
        return FORMATS[format]
    event = parse_action({"event": "format_set", "format": format})
    assert isinstance(event, FormatSet)
    return event.format


LONGEST_NAME = 60  # characters of a person's name; the database has 80, for two names and a number
LONGEST_TABLE = 40  # characters, as the protocol has it for a table's name
MOST_PLAYERS = 1_000  # in one list: more is no list of players


def parse_action(document: Mapping[str, Any]) -> Action:
    """The action in a page's request: {"do": word} with its parameters, or an event as in the log. Raises `BadInput`,
    which names the member."""
    match document:
        case {"do": "next_round"}:
            return NextRound()
        case {"do": "next_stage"}:
            return NextStage()
        case {"do": "pair_again", "round": str(round)}:
            return PairAgain(round)
        case {"event": _}:
            return _event(document)
    raise BadInput(say("The organiser has no such action."))


def _event(document: Mapping[str, Any]) -> Action:
    event = event_from_json(document)
    if not isinstance(event, ev.ByOrganiser):
        raise BadInput(say("The organiser has no such action."))
    result = event.result if isinstance(event, ev.Corrected) else event
    if isinstance(result, ev.Result) and result.report:
        raise BadInput(say("Only a table's report names where it comes from."))
    if isinstance(event, ev.EntrantAdded | ev.EntrantRenamed):
        for name in event.players:
            _check_name(name)
    if isinstance(event, ev.BoardRenamed):
        check_table_name(event.name)
    return event


def check_table_name(name: str) -> None:
    """Raise `BadInput` for an unusable table name."""
    if not name.strip() or not name.isprintable() or len(name) > LONGEST_TABLE:
        raise BadInput(say("A table's name has 1 to {n} characters, on one line.", n=LONGEST_TABLE))


def _check_name(name: str) -> None:
    if not name.isprintable() or len(name) > LONGEST_NAME:
        raise BadInput(
            say(
                "{name} can't be a name: at most {n} characters, on one line.", name=name[:LONGEST_NAME], n=LONGEST_NAME
            )
        )


def _board_code(password: str, board: str) -> str:
    """The key is the organiser's password as it is stored, which nobody sees; so a code changes with the password."""
    return hmac.new(password.encode(), f"board {board}".encode(), hashlib.sha256).hexdigest()[:CODE]


def parse_players(lines: Sequence[str], doubles: bool = False) -> list[tuple[str, ...]]:
    """The entrants of a pasted list: one on each line, or all on one with commas.

    >>> parse_players(["1. Player 1", " 2) Player 2", ""])
    [('Player 1',), ('Player 2',)]
    >>> parse_players(["Player 1 & Player 2; Player 3 / Player 4"], doubles=True)
    [('Player 1', 'Player 2'), ('Player 3', 'Player 4')]
    """
    lines = [line for line in lines if line.strip()]
    if len(lines) == 1:
        lines = re.split(r"[;,\t]", lines[0])
    names = [re.sub(r"^\s*\d+\s*[.):\t]\s*", "", line).strip() for line in lines]
    if len(names) > MOST_PLAYERS:
        raise BadInput(say("A list has at most {n} players.", n=MOST_PLAYERS))
    return [_parse_entrant(name, doubles) for name in names if name]


def _parse_entrant(name: str, doubles: bool) -> tuple[str, ...]:
    players = tuple(part.strip() for part in re.split(r"[&+/]", name)) if doubles else (name,)
    if doubles and (len(players) != 2 or not all(players)):
        raise BadInput(say("{name} is no team: write both partners with & between them.", name=" & ".join(players)))
    for player in players:
        _check_name(player)
    return players


def add_entrants(state: TournamentState, entrants: Sequence[tuple[str, ...]]) -> list[ev.EntrantAdded]:
    """The events that add them, each with an id of its own; a name that is taken gets a number."""
    added = []
    for number, players in enumerate(entrants, len(state.entrants) + 1):
        names: tuple[str, ...] = ()
        for player in players:
            names = (*names, free_name(state, player))
            state = state.with_entrant(Entrant(f"p{number}", names))
        added.append(ev.EntrantAdded(f"p{number}", names))
    return added
