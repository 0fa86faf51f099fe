"""The cases of doubt: their codes, the values that belong to them, and the words of questions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from controller.match.model import FrozenModel
from controller.messages import PLACEHOLDERS, Message, counted, say


class Doubt(FrozenModel):
    """Why the explanation of a shot may be wrong.

    | case | meaning | `count` |
    | --- | --- | --- |
    | `several_shots` | several shots between two still boards | how many |
    | `disc_unseen` | the shot disc was not seen after the shot | |
    """

    case: Literal["several_shots", "disc_unseen"]
    count: int | None = None


What = Literal[
    "close_call", "unexplained", "swept", "gap", "contact", "lost", "twenty", "order", "seats", "colours", "check"
]


@dataclass(frozen=True, slots=True)
class Case:
    """A kind of question: its topic and its words. `text`: says values of the question, see
    `controller.match.parts.Question.values`. `answers`, `effects`: texts by the answer's id; other answers are a zone,
    a side or a player, and other effects are changes of totals."""

    what: What
    text: Message
    answers: Mapping[str, Message] = field(default_factory=dict)
    effects: Mapping[str, Message] = field(default_factory=dict)

    @property
    def said(self) -> list[str]:
        """The names of the values in its text."""
        return PLACEHOLDERS.findall(self.text.template + (self.text.many or ""))


NOTHING = say("Nothing changes.")
OFF = {"off": say("No twenty")}
TWENTY = {"20": say("A twenty"), **OFF}
YES = say("Yes")
SET_ASIDE = {"agree": say("They agree")}
ELSE_TWENTIES = {"agree": say("Nothing changes; else correct the twenties")}
ELSE_ROUND = say("Nothing changes; else correct the round")
TOUCHED = {"touched": say("They touched"), "clear": say("They did not")}

CASES: Mapping[str, Case] = {
    # a close call: which zone. `zones`: those inside and outside the line (`line`), or before and after (`pushed`)
    "line": Case("close_call", say("{name}: {zone} or {other_zone}? Measured {gap}.")),
    "badly_seen": Case("close_call", say("{name}'s disc is not seen well. What does it count?"), answers=OFF),
    "hole_camera": Case(
        "close_call", say("Does {name}'s disc lie flat in the hole? The camera is not sure."), answers=OFF
    ),
    "hole_sensor": Case(
        "close_call",
        say("Does {name}'s disc lie flat in the hole? Camera and hole sensor disagree."),
        answers=OFF,
    ),
    "pushed": Case("close_call", say("{name}'s disc was pushed from {zone} to {other_zone}. Which counts?")),
    # whether the shot of the first disc was valid: it touched the others, or reached the 15
    "two_shots": Case(
        "contact",
        say("Did {name}'s shot touch one of {other}'s discs? Two shots came at once."),
        answers=TOUCHED,
    ),
    "moved": Case(
        "contact",
        say("Did {name}'s shot touch {other}'s disc? It moved {mm} mm, ± {sigma}."),
        answers=TOUCHED,
    ),
    "apart": Case(
        "contact",
        say("Did {name}'s shot touch {other}'s disc? They lie {mm} mm apart, ± {sigma}."),
        answers=TOUCHED,
    ),
    "reach": Case(
        "contact",
        say("Did {name}'s shot reach the 15? It is a matter of {mm} mm, ± {sigma}."),
        answers={"reached": say("It did"), "short": say("It stopped short")},
    ),
    # which shot did what. `count`: the shots that came (`unwatched`) or were left (`ended_short`)
    "foul": Case(
        "order",
        say("Was {name}'s shot a foul? It ended outside the 15, but another came at once."),
        answers={"foul": say("A foul"), "valid": say("Valid")},
    ),
    "mixed": Case("order", say("Discs that had to come off were knocked about. What does {name}'s last disc count?")),
    "unwatched": Case(
        "order",
        counted(
            "One shot came while the camera saw nothing. Is it as the page shows it?",
            "{n} shots came while the camera saw nothing. Are they as the page shows them?",
            0,
        ),
        answers={"agree": say("Everything is right")},
        effects={"agree": say("Nothing changes; else correct the shots")},
    ),
    "ended_short": Case(
        "order",
        counted(
            "Round {round} was ended with {n} shot left by the table's count. Are its totals right?",
            "Round {round} was ended with {n} shots left by the table's count. Are its totals right?",
            0,
        ),
        answers={"agree": say("They are right")},
        effects={"agree": ELSE_ROUND},
    ),
    "played": Case(
        "order",
        say("Did {name} play {colour} in round {round}?"),
        answers={"yes": YES},
        effects={"yes": ELSE_ROUND},
    ),
    # what became of a disc, or of a shot. `zones`: what it counted (`taken_off`); `count`: its number among its side's
    # (`shot_unseen`, `doubtful`)
    "taken_off": Case(
        "lost",
        say("{name}'s disc, a {zone}, was taken off and nobody had to. Does it count?"),
        answers={"off": say("It is off"), "counts": say("It counts")},
    ),
    "returned": Case(
        "lost",
        say("Did {name}'s disc leave the surface and bounce back? Then it has to come off."),
        answers={"back": say("It bounced back"), "stayed": say("It stayed on")},
    ),
    "shot_unseen": Case(
        "lost",
        say("{name}'s disc #{n} was not seen after its shot. Where did it end?"),
        answers={"off": say("Off the board"), "20": say("In the hole")},
    ),
    "doubtful": Case(
        "lost",
        say(
            "The table is not sure about {name}'s shot #{n}, or missed one before it. Are the shots as the page shows "
            "them?"
        ),
        answers={"agree": say("Everything is right")},
        effects={"agree": say("Nothing changes; else correct the shots")},
    ),
    "strange": Case(
        "unexplained",
        counted(
            "A disc came onto the board that no shot explains. Take it off, or correct the board.",
            "{n} discs came onto the board that no shot explains. Take them off, or correct the board.",
            0,
        ),
        answers={"seen": say("Seen to"), "later": say("Not now")},
        effects={"seen": say("The marked discs stay out of the score.")},
    ),
    # whether there was a twenty, and whose. Of `discs`, the first is counted; if the camera saw nothing, the answers
    # are the sides
    "felt": Case(
        "twenty",
        say("Is {name}'s disc in the hole? The sensor says so; the camera does not see it."),
        answers=TWENTY,
    ),
    "lifted": Case(
        "twenty",
        say("{name}'s disc seemed to lean across the hole, and was taken out. Was it a twenty?"),
        answers=TWENTY,
    ),
    "whose": Case("twenty", say("Whose twenty was it?")),
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
        answers={"over": say("Round over"), "goes_on": say("It goes on")},
        effects={"over": say("The round counts as it stood."), "goes_on": say("Nothing is counted yet.")},
    ),
    "gap": Case(
        "gap",
        say("The hole's sensor lost some of what it saw. Do the twenties on the page agree with those set aside?"),
        answers=SET_ASIDE,
        effects=ELSE_TWENTIES,
    ),
    "felt_alone": Case(
        "gap",
        say("The hole's sensor felt a disc that no shot explains. Do the twenties agree with those set aside?"),
        answers=SET_ASIDE,
        effects=ELSE_TWENTIES,
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
        answers={"yes": YES, "no": say("No")},
        effects={"yes": NOTHING, "no": say("The round is judged again with the colours exchanged.")},
    ),
}
"""What the table asks, case by case."""

OF_TOUCH = tuple(name for name, case in CASES.items() if case.answers == TOUCHED)
"""The cases that ask whether two discs touched: where a disc came to rest does not settle that."""
