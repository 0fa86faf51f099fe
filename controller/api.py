"""The one door for the scoreboard: state out, commands in.

State is a JSON document of the schema `table-state/1`; `web_ui` shows it and never computes a score. Its members:

    schema      "table-state/1"
    id          number of the journal's last event that this state contains; rises with every change of the match
    table       {"name": str, "simulated": bool}
    status      {"word": "ready" | "hand" | "moving" | "reading" | "check" | "covered" | "camera_moved" | "no_camera"
                 | "light_changed" | "no_match" | "paused" | "over", "text": str}   one word of state, and what it means
    notices     [{"kind": str, "text": str}]                                      what is missing or broken, in words
    choices     {"rules": [{"id", "name", "format", "discs": a side's, by who plays: {"2", "doubles", "3", "4"}}],
                 "formats": [{"kind", "text", "default": {..}}],
                 "colours": [{"id", "name", "swatch": "#rrggbb"}]}                 for the form that starts a match
    match       null, or
        id, rules, rules_name, format {"kind": ..}, format_text, over, winner ("A" .. "D" or null), doubles
        manual      whether the scorer keeps the score and the camera changes nothing
        uncleared   whether old discs may lie there: nothing is a shot before the board is empty, or `confirm` says so
        next_step   what to do next, one line; situation: how the round stands, one line, or null when all is over
        sides       two to four of {"id": "A", "name", "seats": [{"seat", "player"}], "colour", "swatch": "#rrggbb",
                    "score": match score,
                    "total": this round as if it ended now, "total_range": [low, high], "twenties": of this round,
                    "match_twenties", "discs": discs a round, "shots_left", "shoots": bool, "hammer": bool}
        round       {"number", "of": number or null, "starter", "to_shoot": side or null, "seat_to_shoot", "player": who
                    shoots, or null, "shots": played,
                    "end": null | "proposed" | "ended"}
        rounds      finished ones: {"number", "starter", "totals": {"A","B"}, "twenties": {..}, "awarded": {..},
                    "corrected": bool, "ranges": {"A": [low, high]}, as answers to what is still open may make it}
        discs       {"id", "side", "name", "x", "y", "zone", "pose": "flat"|"leaning"|"in_hole"|"ditch",
                    "call": "sure"|"close", "clearance", "sigma",
                    "remove": null | "foul" | "outer_line" | "left_surface" | "twenty"}
        off         discs of the round that lie nowhere on the board: {"id", "side", "name"}
        seats_known whether play or people have told who sits where; until then seat 1 is only supposed to be at -y
        strangers   discs that lie there but are not in play: {"x", "y", "side": or null}
        last_call   null, or {"text", "why": [sentences], "valid": bool, "side", "shot": number in the round,
                    "discs": [ids]}
        questions   open ones: {"id", "kind", "round", "pressing": whether its round still waits for it, "text",
                    "clearance", "sigma", "discs": [ids], "answers": [{"id": "unknown" where people can't tell either,
                    "text", "effect": what it changes now}], "picture": null or a name for `picture`}
        can_undo, can_redo   what an undo would take back, in words, or null

Millimetres are in the board frame (`hardware.board`), times in seconds, scores in points.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from controller.errors import BadInput, Refused, Stale, Unreadable
from controller.match.commands import command_schema
from controller.messages import Language, Message, encoded

__all__ = [
    "Archive",
    "BadInput",
    "Language",
    "Message",
    "Refused",
    "Snapshot",
    "Stale",
    "Table",
    "Unreadable",
    "command_schema",
    "encoded",
]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state after one change. Its sentences are messages, to be said in each reader's language."""

    id: int
    document: Mapping[str, Any]

    @property
    def json(self) -> str:
        """The state as JSON, in English."""
        return encoded(self.document)

    def rendered(self, language: Language) -> str:
        """The state as JSON, in `language`."""
        return encoded(self.document, language)


class Archive(Protocol):
    """What was played. Documents are JSON but for their sentences, which are messages. Reads the disk: it may block.

    Times are ISO 8601 in UTC, days local dates `YYYY-MM-DD`, places millimetres in the board frame.
    """

    def stamp(self, match: int | None = None) -> str:
        """A text that changes whenever the answers of this archive do: those about all matches, or that about one."""
        ...

    def matches(
        self,
        *,
        before: int | None = None,
        player: str | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> dict[str, Any]:
        """Matches in short, the newest first, some fifty at a time: `matches/1`. Of one player, of a span of days.

        `next`: what to send as `before` to have the matches before these, or null; `unreadable`: matches that are set
        aside, {"match", "text"}; `progress`: {"done", "of"} while many matches are summed up anew, else null; and
        `matches`: {"id", "day", "started", "ended", "rules", "rules_name", "format", "over", "winner", "doubles",
        "sides": [{"id", "name", "players", "colour", "discs": of a round, "score", "twenties"}], "rounds": [{"number",
        "starter", "hammer", "totals", "twenties", "awarded", "corrected"}]}
        """
        ...

    def players(self) -> dict[str, Any]:
        """The names of everybody who has played: `players/1`."""
        ...

    def match(self, number: int, after: int = 0) -> dict[str, Any]:
        """One match to step through, some eighty shots at a time: `match/1`.

        Raises `BadInput` when there is no such match, `Unreadable` when it is set aside. As in the list; `next`: what
        to send as `after` to have the shots after these, or null; `changes`: who changed what, when; and

        `shots`: {"id", "at", "t", "frame", "round", "number", "side", "seat", "player", "disc", "names": of discs,
        "valid", "call", "why": [..], "rule": {"choice", "title", "text", "source"} or null, "removed", "twenties",
        "contacts", "doubt", "picture": name or null, "picture_gone": there was one, which is not kept any more,
        "annulled", "corrected", "before", "after": discs as in the state, "paths": [{"disc", "from": [x, y] or null,
        "to": [x, y], "hole" or "ditch"}], "totals", "score", "questions"}.
        """
        ...

    def events(self, after: int) -> list[dict[str, Any]]:
        """What happened after the event of this number, oldest first, some hundred at a time: the journal's events.

        Each has `id`, `match`, `at` (seconds since 1970, UTC), `kind` and what belongs to its kind.
        """
        ...

    def figures(
        self, *, player: str | None = None, since: str | None = None, until: str | None = None, page: int = 1
    ) -> dict[str, Any]:
        """Players' figures over a span of days, both included: `figures/1`.

        `players`: matches played to their end, rounds, twenties, fouls, and rounds won with and without the hammer, by
        name and fifty at a time; `next`: the `page` after this one, or null. Of one `player` or of all: `head_to_head`,
        as many at a time; the newest `places` where shots came to rest, and the nearest misses and hits, `near`, in
        millimetres.
        """
        ...


class Table(Protocol):
    """What the running service offers to its pages. Every method may be called from any thread."""

    @property
    def pin(self) -> str:
        """The table's PIN: whoever sends a command must know it."""
        ...

    def snapshot(self) -> Snapshot:
        """The newest state."""
        ...

    def subscribe(self, listener: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Call `listener` with each new state, after it is on disk; returns how to stop.

        The listener is called on the engine's thread: it must return at once and not raise.
        """
        ...

    def command(self, command: dict[str, Any]) -> Snapshot:
        """Carry out one command and return the state that contains its effect. Blocks until it is on disk.

        Raises `BadInput` for a command that can't be understood, naming the member and what would be right, and
        `Refused` for one that does not fit the match as it stands; a `Stale` one names what others changed since the
        state that the command was given on. `command_schema` describes every command.
        """
        ...

    @property
    def archive(self) -> Archive:
        """What was played, this match included."""
        ...

    def rules(self) -> dict[str, Any]:
        """Every rule set of the table with its choices and sources: `rules/1`, its sentences as messages."""
        ...

    def reading(self) -> dict[str, Any] | None:
        """The newest `board-reading/1`, or None when no board has been read."""
        ...

    def setup(self, *, devices_only: bool = False) -> dict[str, Any]:
        """How the table is set up: `setup/1`. Looks at the camera's pictures for a second, unless `devices_only`.

        `table`, and `steps`: {"id": "camera" | "board" | "colours" | "proof" | "hole_sensor" | "lamps" | "buttons" |
        "name" | "pin" | "network", "title", "state": "good" | "bad" | "missing" | "optional", "text", "figures":
        [{"name", "value", "unit", "good", "wanted"}]}, the hole sensor's with "waits": its lesson goes on, ask again.
        Commands that set it up, by their member "do": `find_board`, `landmarks` (points), `learn_colour` (side),
        `learn_sensor`, `lamp` (signal or null, side), `name_table` (name), `new_pin`.
        """
        ...

    def setup_picture(self) -> bytes | None:
        """The camera's newest picture as JPEG with the board as found drawn on it, or None without a camera."""
        ...

    def picture(self, name: str) -> bytes | None:
        """A stored picture as JPEG, or None when there is none of that name.

        A name after `small-` is that picture as a phone shows it, 240 pixels at most. The
        name of a question's picture after `again-` is that picture read again by today's program. Raises `BadInput`
        when it can't be.
        """
        ...

    def review(self, name: str) -> dict[str, Any]:
        """A question's stored picture read again: `review/1`. Raises `BadInput` when there is no such picture.

        `picture`: its name; `then`: the figures when it was asked; `now`: those of the same disc, or null; `reading`:
        the whole `board-reading/1`.
        """
        ...

    def health(self) -> dict[str, Any]:
        """Figures for the technician: frames, drops, milliseconds, devices. JSON."""
        ...
