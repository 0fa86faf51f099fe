"""Players' figures, added up from summaries: matches won, twenties a round, the hammer's worth, near misses."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from controller.history.summary import NEAR

Document = dict[str, Any]

MOST_PLACES = 4000
"""Resting places in one answer: more than a picture can show."""


@dataclass
class Tally:
    """What is added up for one player: matches that were played to their end, and all finished rounds."""

    matches: int = 0
    won: int = 0
    lost: int = 0
    tied: int = 0
    rounds: int = 0
    rounds_won: int = 0
    points: int = 0
    twenties: int = 0
    best_round: int = 0
    shots: int = 0
    fouls: int = 0
    hammer: list[int] = field(default_factory=lambda: [0, 0])
    """Rounds with the hammer: played, won."""
    no_hammer: list[int] = field(default_factory=lambda: [0, 0])

    def document(self, name: str) -> Document:
        """As the page shows it."""
        rounds = self.rounds or 1
        return {
            "player": name,
            "matches": self.matches,
            "won": self.won,
            "lost": self.lost,
            "tied": self.tied,
            "rounds": self.rounds,
            "rounds_won": self.rounds_won,
            "mean_round": round(self.points / rounds, 1),
            "best_round": self.best_round,
            "twenties": self.twenties,
            "twenties_a_round": round(self.twenties / rounds, 2),
            "shots": self.shots,
            "fouls": self.fouls,
            "hammer": {"rounds": self.hammer[0], "won": self.hammer[1]},
            "no_hammer": {"rounds": self.no_hammer[0], "won": self.no_hammer[1]},
        }


def figures(
    summaries: Iterable[Document], *, player: str | None = None, since: str | None = None, until: str | None = None
) -> Document:
    """The document `figures/1`, described in `controller.api`. `since` and `until` are days, both included."""
    chosen = [m for m in summaries if (since or "") <= m["day"] <= (until or "9999")]
    tallies: defaultdict[str, Tally] = defaultdict(Tally)
    for match in chosen:
        for side in match["sides"]:
            for name in side["players"]:
                _add(tallies[name], match, side)
        for shot in match["shots"]:
            tallies[shot["player"]].shots += 1
            tallies[shot["player"]].fouls += not shot["valid"]
    return {
        "schema": "figures/1",
        "since": since,
        "until": until,
        "matches": len(chosen),
        "days": sorted({m["day"] for m in chosen}),
        "players": [tally.document(name) for name, tally in sorted(tallies.items())],
        "head_to_head": head_to_head(chosen),
        "player": player,
        "places": places(chosen, player),
        "near": near(chosen, player),
    }


def _add(tally: Tally, match: Document, side: Document) -> None:
    if match["over"]:
        tally.matches += 1
        tally.won += match["winner"] == side["id"]
        tally.tied += match["winner"] is None
        tally.lost += match["winner"] not in (None, side["id"])
    for played in match["rounds"]:
        total = played["totals"][side["id"]]
        won = total > max(points for id_, points in played["totals"].items() if id_ != side["id"])
        hammer = tally.hammer if played["hammer"] == side["id"] else tally.no_hammer
        hammer[0] += 1
        hammer[1] += won
        tally.rounds += 1
        tally.rounds_won += won
        tally.points += total
        tally.best_round = max(tally.best_round, total)
        tally.twenties += played["twenties"][side["id"]]


def head_to_head(matches: Sequence[Document]) -> list[Document]:
    """For every two players who met as opponents: how the finished matches ended, and their twenties."""
    met: dict[tuple[str, str], Document] = {}
    for match in (m for m in matches if m["over"]):
        for one, other in combinations(match["sides"], 2):
            for a in one["players"]:
                for b in other["players"]:
                    first, second = sorted((a, b))
                    line = met.setdefault(
                        (first, second),
                        {"players": [first, second], "matches": 0, "won": [0, 0], "tied": 0, "twenties": [0, 0]},
                    )
                    _met(line, match, {a: one, b: other})
    return [met[pair] for pair in sorted(met)]


def _met(line: Document, match: Document, sides: dict[str, Document]) -> None:
    line["matches"] += 1
    line["tied"] += match["winner"] is None
    for k, name in enumerate(line["players"]):
        line["won"][k] += match["winner"] == sides[name]["id"]
        line["twenties"][k] += sides[name]["twenties"]


def places(matches: Sequence[Document], player: str | None) -> list[Document]:
    """Where shot discs came to rest and stayed, the newest first: of one player, or of all."""
    found = [
        {"x": shot["at"][0], "y": shot["at"][1], "zone": shot["zone"], "seat": shot["seat"], "player": shot["player"]}
        for match in reversed(matches)
        for shot in reversed(match["shots"])
        if "zone" in shot and player in (None, shot["player"])
    ]
    return found[:MOST_PLACES]


def near(matches: Sequence[Document], player: str | None) -> list[Document]:
    """Shots that came to rest within `NEAR` of a line, the nearest first; below 0 mm the better ring was missed."""
    found = [
        {
            "match": match["id"],
            "round": shot["round"],
            "number": shot["number"],
            "player": shot["player"],
            "zone": shot["zone"],
            "clearance": shot["clearance"],
        }
        for match in matches
        for shot in match["shots"]
        if "zone" in shot and abs(shot["clearance"]) <= NEAR and player in (None, shot["player"])
    ]
    return sorted(found, key=lambda one: abs(one["clearance"]))
