"""A client for the croki.nl organiser's scoring interface: the match on each table, and results.

Source: its OpenAPI document (version 2.0.0). An organiser's laptop serves it in the hall's network.

| there | here |
| --- | --- |
| set; a match has four, worth 2 points each | round |
| `pa`, `pb`; `ta`, `tb` | totals; twenties |
| `complete`, only with all four sets | the match is over |
| `shootout_winner`, of a level knock-out match | who won the shoot-out |
| `confirmed`: the organiser has locked the result | nothing more is sent |
"""

import json
from dataclasses import dataclass
from typing import Any, Literal

import urllib3
from pydantic import BaseModel, Field

from controller.exchange import NoAnswer, NotExpressible, PlayedMatch, PlayedRound, Rejected, ahead
from controller.messages import say

SETS = 4
TIMEOUT = 5.0  # s for one request
MAX_ANSWER = 1_000_000  # bytes: some hundred tables take 50 kB
Status = Literal["pending", "progress", "entered", "confirmed"]
Document = dict[str, Any]


class CrokiTeam(BaseModel, frozen=True, coerce_numbers_to_str=True):
    """A team by the organiser's number, and its name."""

    id: int
    name: str


class CrokiMatch(BaseModel, frozen=True, coerce_numbers_to_str=True):
    """One match of the organiser's current round."""

    code: str = Field(alias="match_code")  # the match's unique id, which never changes
    table: int  # its number in the hall
    round: int
    team_a: CrokiTeam
    team_b: CrokiTeam
    status: Status
    phase: str | None = None

    @property
    def teams(self) -> tuple[str, str]:
        return self.team_a.name, self.team_b.name

    @property
    def knock_out(self) -> tuple[int, int] | None:
        """The organiser's numbers of the teams in a knock-out match."""
        return (self.team_a.id, self.team_b.id) if self.phase == "ko" else None


@dataclass(frozen=True, slots=True)
class Organiser:
    """An organiser's laptop: its address, such as `http://192.0.2.7:8000`, and the event's key for machines."""

    url: str
    key: str

    def tables(self) -> list[CrokiMatch]:
        """The matches of the current round, without byes, which have no table. Raises `NoAnswer`."""
        answer = self._request("GET", "ingest_tables")
        try:
            return [CrokiMatch.model_validate(match) for match in answer["matches"] if match["table"] is not None]
        except (KeyError, TypeError, ValueError) as error:
            raise NoAnswer(say("{url} lists its tables in an unknown form.", url=self.url)) from error

    def post(self, body: Document) -> None:
        """Send a body from `score`. Raises `NoAnswer`, `Rejected` if the organiser does not want it."""
        self._request("POST", "ingest_score", body)

    def _request(self, method: str, action: str, body: Document | None = None) -> Document:
        headers = {"X-Api-Key": self.key, **({"Content-Type": "application/json"} if body else {})}
        with urllib3.PoolManager(retries=False, timeout=TIMEOUT) as pool:
            try:
                answer = pool.request(
                    method,
                    f"{self.url.rstrip('/')}/api/{action}",
                    headers=headers,
                    body=json.dumps(body).encode() if body else None,
                    redirect=False,
                    preload_content=False,
                )
                read = answer.read(MAX_ANSWER)
            except urllib3.exceptions.HTTPError as error:
                raise NoAnswer(say("{url} does not answer: {why}", url=self.url, why=str(error))) from error
        if answer.status == 401:
            raise NoAnswer(say("{url} refuses the key: take it from the organiser's screen.", url=self.url))
        document = _document(read)
        if answer.status != 200 or document.get("ok") is not True:
            why = str(document.get("error") or f"HTTP {answer.status}")
            raise Rejected(say("{url} refuses it: {why}", url=self.url, why=why))
        return document


def score(code: str, match: PlayedMatch, *, source: str, knock_out: tuple[int, int] | None = None) -> Document:
    """The body of `ingest_score`. Raises `NotExpressible` for a match that is not counted in four rounds, or whose
    rounds have winners that contradict their totals. `knock_out`: see `CrokiMatch`. The winner of a level knock-out
    match is that of its shoot-out."""
    whole = match.format.get("rounds", 0) * match.format.get("games", 1)
    if match.format["kind"] != "rounds" or whole != SETS or len(match.rounds) > SETS:
        raise NotExpressible(say("The organiser's program knows matches of four rounds; this is another format."))
    for number, played in enumerate(match.rounds, start=1):
        if played.totals is None or ahead(played.totals) != ahead(played.points):
            raise NotExpressible(
                say("Round {n} has a winner, but not the totals that the organiser's program needs.", n=number)
            )
    return {
        "match_code": code,
        "sets": [_set(played) for played in match.rounds],
        "complete": match.over,
        "source": source,
        **_shoot_out(match, knock_out),
    }


def _set(played: PlayedRound) -> dict[str, int]:
    """A round; twenties that nobody recorded are left out."""
    known = dict(zip(("pa", "pb"), played.totals or (), strict=False))
    return known | dict(zip(("ta", "tb"), played.twenties or (), strict=False))


def _shoot_out(match: PlayedMatch, teams: tuple[int, int] | None) -> Document:
    a, b = (sum(played.points[side] for played in match.rounds) for side in (0, 1))
    if teams is None or match.winner is None or a != b:
        return {}
    return {"shootout_winner": teams[match.winner]}


def _document(read: bytes) -> Document:
    try:
        document = json.loads(read)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}
