"""The croki.nl organiser's laptop: it assigns matches to this table, and receives the score after every round.

| the laptop | here |
| --- | --- |
| has one match on this table | that match is assigned: shown, and started by the first disc or a tap |
| has a result for it that was not entered here | nothing is assigned |
| has several matches on this table | a notice; the earlier assignment stands |
| does not answer, or refuses the key | a notice; unsent results are stored, also across restarts |
| has confirmed the result, and another one is to be sent | a notice for as long as it has the match |
| refuses a result | a notice; it is sent again, and what else there is goes on |
"""

import hashlib
import json
import threading
from dataclasses import asdict, dataclass, replace
from typing import Any

from pydantic import TypeAdapter

from controller.config import CrokiSection
from controller.exchange import NoAnswer, NotExpressible, Rejected, from_state
from controller.exchange.croki import SETS, CrokiMatch, Organiser, score
from controller.journal import Facts
from controller.match.club import Assigned, AssignmentAnswer, table_names
from controller.match.model import AND
from controller.match.state import MatchState
from controller.messages import Message, say
from controller.table.club.evening import Evening, Receiver

NAME = "croki.nl"
POLL = 2.5  # s between requests to the laptop, as its own board and phones poll (milofarmer/scoring-crokinole)
KEPT = "croki"  # the fact in which the journal stores what was assigned and sent
MAX_KEPT = 50  # matches: an evening has ten for each table
RULES = "nca"  # four rounds, 2, 1 or 0 points each


@dataclass(frozen=True, slots=True)
class KnownMatch:
    """A match of the laptop: its `teams` as named at this table, its last `body`, and whether that was `sent`.
    `knock_out` as in `CrokiMatch`."""

    teams: tuple[str, str]
    knock_out: tuple[int, int] | None = None
    body: dict[str, Any] | None = None
    sent: bool = True


_KNOWN = TypeAdapter(dict[str, KnownMatch])


class CrokiEvening(Evening):
    """An evening by the laptop. `poll` is for its own thread."""

    def __init__(
        self, laptop: CrokiSection, facts: Facts, assigned: Receiver[Assigned], trouble: Receiver[Message]
    ) -> None:
        super().__init__(NAME, str(laptop.table), assigned, trouble, croki=self._follow)
        self.longest_pause = POLL
        self._organiser = organiser = Organiser(laptop.url, laptop.key.get_secret_value())
        self._number = laptop.table
        self._facts = facts
        self._event = hashlib.sha256(f"{organiser.url} {organiser.key}".encode()).hexdigest()[:12]
        self._lock = threading.Lock()
        self._known: dict[str, KnownMatch] = facts.read(KEPT, self._read) or {}
        self._playing: str | None = None
        self._unfit: Message | None = None
        self._shown: object = None  # of the assigned match, what people see

    def _follow(self) -> None:
        self._set_trouble(self._follow, self.poll())
        self._wake.wait(POLL)
        self._wake.clear()

    # --- from the laptop; on its own thread

    def poll(self) -> Message | None:
        """Request and send once. Returns the notice for people, if any. Raises `NoAnswer`."""
        waiting = self._waiting()  # before the request, so that the answer is newer than what is sent
        tables = self._organiser.tables()
        trouble = self._send(waiting, {each.code for each in tables if each.status == "confirmed"})
        here = [each for each in tables if each.table == self._number and self._is_to_be_played(each)]
        if len(here) > 1:
            return say(
                "The organiser has {n} matches on table {table}: ask which one is played.",
                n=len(here),
                table=self._number,
            )
        self._assign(here[0] if here else None)
        return trouble or self._unfit

    def _is_to_be_played(self, match: CrokiMatch) -> bool:
        return match.status in ("pending", "progress") or (match.status == "entered" and match.code == self._playing)

    def _assign(self, match: CrokiMatch | None) -> None:
        shown = match and (match.code, match.round, match.teams)
        if shown == self._shown:
            return
        if match is None:
            self._on_assigned(None)
        else:
            teams = table_names(*match.teams, _players(match.teams))
            try:
                assigned = _assigned(f"{NAME}:{self._event}:{match.code}", match, teams)
            except ValueError as error:
                raise NoAnswer(say("{url} lists its tables in an unknown form.", url=self._organiser.url)) from error
            with self._lock:
                known = self._known.get(match.code, KnownMatch(teams))
                self._known[match.code] = replace(known, teams=teams, knock_out=match.knock_out)
                self._keep()
            self._on_assigned(assigned)
        self._shown = shown

    def _waiting(self) -> dict[str, dict[str, Any]]:
        with self._lock:
            return {code: known.body for code, known in self._known.items() if known.body and not known.sent}

    def _send(self, waiting: dict[str, dict[str, Any]], confirmed: set[str]) -> Message | None:
        """Send everything that waits. Returns why something can't be sent: the organiser has locked or refuses it."""
        trouble = None
        for code, body in waiting.items():
            if code in confirmed:
                trouble = say(
                    "The organiser has confirmed the result of match {code}: ask for another one there.", code=code
                )
                continue
            try:
                self._organiser.post(body)
            except Rejected as error:
                trouble = error.args[0]
                continue
            with self._lock:
                known = self._known[code]
                self._known[code] = replace(known, sent=known.body == body)
                self._keep()
        return trouble

    # --- to the laptop; on the engine's thread

    def changed(self, state: MatchState | None, answer: AssignmentAnswer | None) -> None:
        if state is None:
            return
        source, event, code = ((state.started.assignment or "") + "::").split(":")[:3]
        if (source, event) != (NAME, self._event) or code not in self._known:
            return
        self._playing, self._unfit = code, None
        try:
            body = self._body(code, state)
        except NotExpressible as error:
            self._unfit = error.args[0]
            return
        with self._lock:
            known = self._known[code]
            if body != known.body and (body["sets"] or known.body):
                self._known[code] = replace(known, body=body, sent=False)
                self._keep()
                self._wake.set()

    def _body(self, code: str, state: MatchState) -> dict[str, Any]:
        names = tuple(side.name for side in state.started.sides)
        known = self._known[code]
        turned = names == known.teams[::-1]
        match = from_state(state, state.number, sides=state.sides[:: -1 if turned else 1])
        return score(code, match, source=f"crokinole-table, table {self.table}", knock_out=known.knock_out)

    # --- across restarts

    def _keep(self) -> None:
        self._known = dict(list(self._known.items())[-MAX_KEPT:])
        kept = {"event": self._event, "matches": {code: asdict(known) for code, known in self._known.items()}}
        self._facts.try_to_keep(KEPT, json.dumps(kept))

    def _read(self, text: str) -> dict[str, KnownMatch]:
        kept = json.loads(text)
        if kept["event"] != self._event:
            return {}
        return _KNOWN.validate_python(kept["matches"])


def _players(teams: tuple[str, str]) -> int:
    """How many play on each side: two if both sides' names name two partners."""
    return 1 + all(AND in team for team in teams)


def _assigned(id_: str, match: CrokiMatch, teams: tuple[str, str]) -> Assigned:
    first, second = (tuple(name.split(AND, _players(teams) - 1)) for name in teams)
    form = {"kind": "rounds", "rounds": SETS, "tie": "shoot_out" if match.knock_out else "stands"}
    return Assigned(id=id_, round=max(1, match.round), sides=(first, second), rules=RULES, format=form)
