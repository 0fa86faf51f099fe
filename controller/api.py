"""The one door for the scoreboard: state out, commands in.

State is a JSON document of the schema `table-state/1`; `web_ui` shows it and never computes a score. Its members:

    schema      "table-state/1"
    id          number of the journal's last event that this state contains; rises with every change of the match
    table       {"name": str, "simulated": bool}
    status      {"word": "ready" | "hand" | "moving" | "reading" | "check" | "covered" | "camera_moved" | "no_camera"
                 | "light_changed" | "no_match" | "paused" | "over", "text": str}   one word of state, and what it means
    notices     [{"kind": str, "text": str}]                                      what is missing or broken, in words
    choices     {"rules": [{"id", "name", "format", "discs"}], "formats": [{"kind", "text", "default": {..}}],
                 "colours": [{"id", "name", "swatch": "#rrggbb"}]}                 for the form that starts a match
    match       null, or
        id, rules, rules_name, format {"kind": ..}, format_text, over, winner ("A" .. "D" or null), doubles
        manual      whether the scorer keeps the score and the camera changes nothing
        next_step   what to do next, one line; situation: how the round stands, one line, or null when all is over
        sides       two to four of {"id": "A", "name", "seats": [{"seat", "player"}], "colour", "swatch": "#rrggbb",
                    "score": match score,
                    "total": this round as if it ended now, "total_range": [low, high], "twenties": of this round,
                    "match_twenties", "discs": discs a round, "shots_left", "shoots": bool, "hammer": bool}
        round       {"number", "of": number or null, "starter", "to_shoot": side or null, "seat_to_shoot", "player": who
                    shoots, or null, "shots": played,
                    "end": null | "proposed" | "ended"}
        rounds      finished ones: {"number", "starter", "totals": {"A","B"}, "twenties": {..}, "awarded": {..},
                    "corrected": bool}
        discs       {"id", "side", "x", "y", "zone", "pose": "flat"|"leaning"|"in_hole"|"ditch", "call": "sure"|"close",
                    "clearance", "sigma", "remove": null | "foul" | "outer_line" | "left_surface" | "twenty"}
        strangers   discs that lie there but are not in play: {"x", "y", "side": or null}
        last_call   null, or {"text", "why": [sentences], "valid": bool, "side", "shot": number in the round,
                    "discs": [ids]}
        questions   open ones: {"id", "kind", "text", "clearance", "sigma", "discs": [ids],
                    "answers": [{"id", "text", "effect"}], "picture": null or a name for `picture`}
        can_undo, can_redo   what an undo would take back, in words, or null

Millimetres are in the board frame (`hardware.board`), times in seconds, scores in points.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from controller.errors import BadInput, Refused
from controller.words import Language, Words, encoded

__all__ = ["BadInput", "Language", "Refused", "Snapshot", "Table", "Words", "encoded"]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state after one change. Its sentences are `Words`, to be said in each reader's language."""

    id: int
    document: Mapping[str, Any]

    @property
    def json(self) -> str:
        """The state as JSON, in English."""
        return encoded(self.document)

    def rendered(self, language: Language) -> str:
        """The state as JSON, in `language`."""
        return encoded(self.document, language)


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
        `Refused` for one that does not fit the match as it stands. Commands, by their member "do":

            start             rules, format {"kind", ..} or null, sides [{"name", "colour"} x 2], starter "A" | "B",
                              discs (optional)
            undo, redo
            end_round         the round is over, or its proposed end is right
            answer            question, answer
            correct_twenties  round (number), side, value
            correct_round     round (number), totals {"A", "B"}
            correct_disc      disc, zone  (or "remove")
            shoot_out         twenties {"A", "B"}: of the shoot-out that decides a level match
            pause, resume     stop and go on refereeing
        """
        ...

    def picture(self, name: str) -> bytes | None:
        """A stored picture as JPEG, or None when there is none of that name."""
        ...

    def health(self) -> dict[str, Any]:
        """Figures for the technician: frames, drops, milliseconds, devices. JSON."""
        ...
