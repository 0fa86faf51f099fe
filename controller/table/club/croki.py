"""The croki.nl organiser's laptop: it says which match is on this table, and gets the score after every round.

| the laptop | here |
| --- | --- |
| has one match on this table | it is the assigned one: shown, and begun by the first disc or a tap |
| has a result of it that was not entered here | nothing is assigned |
| has several matches on this table | people are told; what was assigned before stands |
| does not answer, or refuses the key | people are told; what is to be sent is kept, also over a restart |
| has confirmed the result, and another one is to be sent | people are told for as long as it has the match |
"""

import hashlib
import json
import logging
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

from controller import link
from controller.errors import JournalError
from controller.exchange import NotExpressible, PlayedMatch, PlayedRound, from_state
from controller.exchange.croki import SETS, NoAnswer, Organiser, TableMatch, score
from controller.journal import Facts
from controller.match.base import LONGEST_NAME
from controller.match.state import MatchState
from controller.messages import Message, say, wording
from controller.table.club.shown import AND, plain

log = logging.getLogger(__name__)

NAME = "croki.nl"
POLL = 2.5  # s between two looks at the laptop, as its own board and phones look (milofarmer/scoring-crokinole)
KEPT = "croki"  # under this name the journal keeps what was assigned and sent
MOST_KEPT = 50  # matches: an evening has ten for each table
RULES = "nca"  # four rounds, 2, 1 or 0 points each


@dataclass(frozen=True, slots=True)
class Known:
    """A match of the laptop: its `teams` as this table calls them, the last `body` for it, whether that was `sent`.

    `knock_out` as in `TableMatch`.
    """

    teams: tuple[str, str]
    knock_out: tuple[int, int] | None = None
    body: dict[str, Any] | None = None
    sent: bool = True


class CrokiLink:
    """A laptop and this table's number there. `look` is for the link's thread, `played` for the engine's."""

    def __init__(
        self,
        organiser: Organiser,
        table: int,
        facts: Facts,
        *,
        assignment: Callable[[link.Assigned | None], None],
        trouble: Callable[[Message | None], None],
    ) -> None:
        """`assignment` and `trouble` are told what is new, on the link's thread."""
        self._organiser = organiser
        self._table = table
        self._facts = facts
        self._assignment = assignment
        self._trouble = trouble
        self._event = hashlib.sha256(f"{organiser.url} {organiser.key}".encode()).hexdigest()[:12]
        self._lock = threading.Lock()
        self._known: dict[str, Known] = facts.read(KEPT, self._read) or {}
        self._playing: str | None = None
        self._unfit: Message | None = None
        self._assigned: TableMatch | None = None
        self._wake = threading.Event()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="croki", daemon=True)

    def start(self) -> None:
        """Begin the thread."""
        self._thread.start()

    def stop(self) -> None:
        """End it. Waits for a request that is under way."""
        self._stopping = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(10.0)

    def _run(self) -> None:
        failing = False
        while not self._stopping:
            try:
                self._trouble(self.look())
                failing = False
            except NoAnswer as error:
                self._trouble(wording(error.args[0]))
            except Exception:
                if not failing:
                    log.exception("The organiser's laptop can't be followed")
                failing = True
            self._wake.wait(POLL)
            self._wake.clear()

    # --- what the laptop says; on the link's thread

    def look(self) -> Message | None:
        """Ask and send once; gives what people should know. Raises `NoAnswer`."""
        waiting = self._waiting()  # taken before the laptop is asked, so that its answer is newer than what is sent
        tables = self._organiser.tables()
        locked = self._send(waiting, {each.code for each in tables if each.status == "confirmed"})
        here = [each for each in tables if each.table == self._table and self._is_to_be_played(each)]
        if len(here) > 1:
            return say(
                "The organiser has {n} matches on table {table}: ask which one is played.",
                n=len(here),
                table=self._table,
            )
        self._assign(here[0] if here else None)
        if locked:
            return say(
                "The organiser has confirmed the result of match {code}: ask for another one there.", code=locked
            )
        return self._unfit

    def _is_to_be_played(self, match: TableMatch) -> bool:
        return match.status in ("pending", "progress") or (match.status == "entered" and match.code == self._playing)

    def _assign(self, match: TableMatch | None) -> None:
        def same(one: TableMatch | None) -> object:
            return one and (one.code, one.round, one.teams)

        if same(match) == same(self._assigned):
            return
        if match is None:
            self._assignment(None)
        else:
            teams = _names(match.teams)
            try:
                assigned = _assigned(f"{NAME}:{self._event}:{match.code}", match, teams)
            except ValueError as error:
                raise NoAnswer(
                    say("{url} gives its tables in a form that is not known.", url=self._organiser.url)
                ) from error
            with self._lock:
                known = self._known.get(match.code, Known(teams))
                self._known[match.code] = replace(known, teams=teams, knock_out=match.knock_out)
                self._keep()
            self._assignment(assigned)
        self._assigned = match

    def _waiting(self) -> dict[str, dict[str, Any]]:
        with self._lock:
            return {code: known.body for code, known in self._known.items() if known.body and not known.sent}

    def _send(self, waiting: dict[str, dict[str, Any]], confirmed: set[str]) -> str | None:
        """Send all that waits; gives a match that waits in vain, since the organiser has locked it."""
        for code in waiting.keys() - confirmed:
            body = waiting[code]
            self._organiser.post(body)
            with self._lock:
                known = self._known[code]
                self._known[code] = replace(known, sent=known.body == body)
                self._keep()
        return next(iter(waiting.keys() & confirmed), None)

    # --- what is played; on the engine's thread

    def played(self, state: MatchState) -> None:
        """The match that is played, or was played last, stands so."""
        source, event, code = ((state.started.assignment or "") + "::").split(":")[:3]
        if (source, event) != (NAME, self._event) or code not in self._known:
            return
        self._playing, self._unfit = code, None
        try:
            body = self._body(code, state)
        except NotExpressible as error:
            self._unfit = wording(error.args[0])
            return
        with self._lock:
            known = self._known[code]
            if body != known.body and (body["sets"] or known.body):
                self._known[code] = replace(known, body=body, sent=False)
                self._keep()
                self._wake.set()

    def _body(self, code: str, state: MatchState) -> dict[str, Any]:
        match = from_state(state, state.number)
        names = tuple(plain(side.name) for side in state.started.sides)
        known = self._known[code]
        if names == known.teams[::-1]:
            match = _turned(match)
        return score(code, match, source=f"crokinole-table, table {self._table}", knock_out=known.knock_out)

    # --- over a restart

    def _keep(self) -> None:
        self._known = dict(list(self._known.items())[-MOST_KEPT:])
        kept = {"event": self._event, "matches": {code: asdict(known) for code, known in self._known.items()}}
        try:
            self._facts.keep(KEPT, json.dumps(kept))
        except JournalError as error:  # the page says so already
            log.debug("%s", error)

    def _read(self, text: str) -> dict[str, Known]:
        kept = json.loads(text)
        if kept["event"] != self._event:
            return {}
        return {code: _known(one) for code, one in kept["matches"].items()}


def _known(kept: dict[str, Any]) -> Known:
    """From what `asdict` gave, also in a version that knew no shoot-outs."""
    a, b = kept["teams"]
    numbers = kept.get("knock_out")
    return Known((a, b), (numbers[0], numbers[1]) if numbers else None, kept["body"], kept["sent"])


def _names(teams: tuple[str, str]) -> tuple[str, str]:
    """What the sides are called at the table: at most 40 letters a player, and never both alike."""
    a, b = (plain(team) if _pairs(teams) else plain(team)[:LONGEST_NAME] for team in teams)
    return (a, b) if a != b else (plain(f"1 {a}"), plain(f"2 {b}"))


def _pairs(teams: tuple[str, str]) -> bool:
    """Whether two partners are named on each side."""
    return all(AND in team for team in teams)


def _assigned(id_: str, match: TableMatch, teams: tuple[str, str]) -> link.Assigned:
    first, second = (
        link.AssignedSide(
            name=name,
            players=tuple(
                link.Player(id=f"{k}.{n}", name=player)
                for n, player in enumerate(name.split(AND, 1) if _pairs(teams) else [name], 1)
            ),
        )
        for k, name in enumerate(teams, 1)
    )
    form = {"kind": "rounds", "rounds": SETS, "tie": "shoot_out" if match.knock_out else "stands"}
    return link.Assigned(id=id_, round=max(1, match.round), sides=(first, second), rules=RULES, format=form)


def _turned(match: PlayedMatch) -> PlayedMatch:
    """The match with its sides the other way round."""
    return replace(
        match,
        sides=match.sides[::-1],
        rounds=tuple(
            PlayedRound(1 if r.first == 0 else 0, r.totals[::-1], r.twenties[::-1], r.points[::-1])
            for r in match.rounds
        ),
        winner=None if match.winner is None else (1 if match.winner == 0 else 0),
    )
