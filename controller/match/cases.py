"""The cases of doubt: their codes, the values that belong to them, and the words of questions."""

from collections.abc import Mapping, Sized
from dataclasses import dataclass, field
from typing import Literal, Self

from pydantic import model_validator

from controller.match.model import FrozenModel
from controller.messages import Message, counted, say


class Doubt(FrozenModel):
    """Why the explanation of a shot may be wrong.

    | case | meaning | `count` |
    | --- | --- | --- |
    | `several_shots` | several shots between two still boards | how many |
    | `disc_unseen` | the shot disc was not seen after the shot | |
    """

    case: Literal["several_shots", "disc_unseen"]
    count: int | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.case == "several_shots" and self.count is None:
            raise ValueError("a doubt about several shots needs their count")
        return self


What = Literal[
    "close_call", "unexplained", "swept", "gap", "contact", "lost", "twenty", "order", "seats", "colours", "check"
]


@dataclass(frozen=True, slots=True)
class Case:
    """A kind of question: its topic, its words, and the members that its questions must have. `text`:
    `controller.views.questions` says which values it may have. `answers`, `effects`: texts by the answer's id; other
    answers are a zone, a side or a player, and other effects are changes of totals."""

    what: What
    text: Message
    sides: int = 0
    zones: int = 0
    count: bool = False
    figure: bool = False  # `clearance` and `sigma`
    colour: bool = False
    answers: Mapping[str, Message] = field(default_factory=dict)
    effects: Mapping[str, Message] = field(default_factory=dict)

    def missing(
        self, what: str, sides: Sized, zones: Sized, count: int | None, figure: bool, colour: str | None = None
    ) -> str:
        """The missing members of a question, as text; empty if it is complete."""
        checks = {
            f"what={self.what}": what == self.what,
            f"{self.sides} sides": len(sides) >= self.sides,
            f"{self.zones} zones": len(zones) == self.zones,
            "a count": not self.count or count is not None,
            "clearance and sigma": not self.figure or figure,
            "a colour": not self.colour or bool(colour),
        }
        return ", ".join(name for name, present in checks.items() if not present)


NOTHING = say("Nothing changes.")
OFF = {"off": say("No twenty")}
TWENTY = {"20": say("A twenty"), **OFF}
TOUCHED = {"touched": say("They touched"), "clear": say("They did not")}

CASES: Mapping[str, Case] = {
    # a close call: which zone. `zones`: those inside and outside the line
    "line": Case("close_call", say("{side}: {high} or {low}? Measured {gap}."), sides=1, zones=2, figure=True),
    "badly_seen": Case("close_call", say("{name}'s disc is not seen well. What does it count?"), sides=1, answers=OFF),
    "hole_camera": Case(
        "close_call", say("Does {name}'s disc lie flat in the hole? The camera is not sure."), sides=1, answers=OFF
    ),
    "hole_sensor": Case(
        "close_call",
        say("Does {name}'s disc lie flat in the hole? Camera and hole sensor disagree."),
        sides=1,
        answers=OFF,
    ),
    # whether the shot of the first disc touched the others
    "two_shots": Case(
        "contact",
        say("Did {name}'s shot touch one of {other}'s discs? Two shots came at once."),
        sides=2,
        answers=TOUCHED,
    ),
    "moved": Case(
        "contact",
        say("Did {name}'s shot touch {other}'s disc? It moved {mm} mm, ± {sigma}."),
        sides=2,
        figure=True,
        answers=TOUCHED,
    ),
    "apart": Case(
        "contact",
        say("Did {name}'s shot touch {other}'s disc? They lie {mm} mm apart, ± {sigma}."),
        sides=2,
        figure=True,
        answers=TOUCHED,
    ),
    # which shot did what
    "foul": Case(
        "order",
        say("Was {name}'s shot a foul? It ended outside the 15, but another came at once."),
        sides=1,
        answers={"foul": say("A foul"), "valid": say("Valid")},
    ),
    "mixed": Case(
        "order", say("Discs that had to come off were knocked about. What does {name}'s last disc count?"), sides=1
    ),
    # what became of a disc. `zones`: what it counted (`taken_off`), or its zones before and after (`pushed`); `count`:
    # its number among its side's discs (`shot_unseen`)
    "taken_off": Case(
        "lost",
        say("{name}'s disc, a {zone}, was taken off and nobody had to. Does it count?"),
        sides=1,
        zones=1,
        answers={"off": say("It is off"), "counts": say("It counts")},
    ),
    "returned": Case(
        "lost",
        say("Did {name}'s disc leave the surface and bounce back? Then it has to come off."),
        sides=1,
        answers={"back": say("It bounced back"), "stayed": say("It stayed on")},
    ),
    "shot_unseen": Case(
        "lost",
        say("{name}'s disc #{number} was not seen after its shot. Where did it end?"),
        sides=1,
        count=True,
        answers={"off": say("Off the board"), "20": say("In the hole")},
    ),
    "pushed": Case("unexplained", say("{name}'s disc was pushed from {was} to {now}. Which counts?"), sides=1, zones=2),
    "strange": Case(
        "unexplained",
        counted(
            "A disc came onto the board that no shot explains. Take it off, or correct the board.",
            "{n} discs came onto the board that no shot explains. Take them off, or correct the board.",
            0,
        ),
        count=True,
        answers={"seen": say("Seen to"), "later": say("Not now")},
        effects={"seen": say("The marked discs stay out of the score.")},
    ),
    # whether there was a twenty, and whose. Of `discs`, the first is counted; if the camera saw nothing, the answers
    # are the sides
    "felt": Case(
        "twenty",
        say("Is {name}'s disc in the hole? The sensor says so; the camera does not see it."),
        sides=1,
        answers=TWENTY,
    ),
    "lifted": Case(
        "twenty",
        say("{name}'s disc seemed to lean across the hole, and was taken out. Was it a twenty?"),
        sides=1,
        answers=TWENTY,
    ),
    "whose": Case("twenty", say("Whose twenty was it?"), sides=2),
    "whose_unseen": Case(
        "twenty", say("A disc lay in the hole. Whose twenty is it?"), answers={"nobody": say("No twenty")}
    ),
    # the rest. `count`: the shots left (`swept`); `toward`: the side of the board (`seats`); `colour`: the side's
    # (`colours`)
    "swept": Case(
        "swept",
        counted(
            "The board was swept with {n} shot left. Is the round over?",
            "The board was swept with {n} shots left. Is the round over?",
            0,
        ),
        count=True,
        answers={"over": say("Round over"), "goes_on": say("It goes on")},
        effects={"over": say("The round counts as it stood."), "goes_on": say("Nothing is counted yet.")},
    ),
    "gap": Case(
        "gap",
        say("The hole's sensor lost some of what it saw. Do the twenties on the page agree with those set aside?"),
        answers={"agree": say("They agree")},
        effects={"agree": say("Nothing changes; else correct the twenties")},
    ),
    "board": Case(
        "check",
        say(
            "A spot check of round {round}, chosen by lot: is every disc where the table has it, and are the totals "
            "right?"
        ),
        answers={"right": say("Everything is right"), "wrong": say("Something is wrong")},
        effects={
            "right": say("It counts in this table's record of its own errors."),
            "wrong": say("It is counted as an error of the table. Correct the board or the totals too."),
        },
    ),
    "seats": Case("seats", say("Who sits here, at the side that the arrow shows?"), answers={"nobody": say("Nobody")}),
    "colours": Case(
        "colours",
        say("Does {name} play {colour}?"),
        sides=1,
        colour=True,
        answers={"yes": say("Yes"), "no": say("No")},
        effects={"yes": NOTHING, "no": say("The round is judged again with the colours exchanged.")},
    ),
}
"""What the table asks, case by case."""
