"""What a scorer can say of a shot's verdict: a correction of what happened, or an agreement that overrules it."""

from dataclasses import dataclass

from controller import rules
from controller.messages import Message, say
from controller.views.common import Sentence


@dataclass
class VerdictCorrection:
    """One thing to say of the verdict."""

    text: Sentence  #: In words.
    command: dict[str, bool | str]  #: The member of the command `correct_shot` that says it.
    reverses: bool  #: Whether it is the usual way to reverse the verdict: what happened if that decides, else agreed.

    @classmethod
    def all_of(cls, judgement: rules.Judgement) -> "list[VerdictCorrection]":
        """All for a judgement; none if it is annulled."""
        if judgement.rule == "annulled":
            return []
        valid, overruled = judgement.counted_valid, judgement.played_as is not None
        found: list[tuple[Message, dict[str, bool | str]]] = [
            (say("It was a foul") if valid else say("It was valid"), {"valid": not valid})
        ]
        if overruled:
            found.append((say("Let the rules decide the shot"), {"agreed": "by_rules"}))
        agreed = say("Play it as a foul by agreement") if valid else say("Play it as valid by agreement")
        found.append((agreed, {"agreed": "foul" if valid else "valid"}))
        usual = overruled or judgement.rule == "open_board"
        return [cls(text, said, k == usual) for k, (text, said) in enumerate(found)]
