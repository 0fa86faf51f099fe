"""What a scorer can say about a shot's verdict: a correction of what happened, or an agreement that overrules it."""

from dataclasses import dataclass

from controller import rules
from controller.messages import say
from controller.views.common import Sentence


@dataclass
class VerdictCorrection:
    """One way to correct or overrule the verdict."""

    text: Sentence  #: In words.
    command: dict[str, bool | str]  #: The member to add to the command `correct_shot`.
    reverses: bool  #: Whether this is the usual way to reverse it: by what happened if contacts decide, else agreed.

    @classmethod
    def all_of(cls, judgement: rules.Judgement) -> "list[VerdictCorrection]":
        """All that apply to a judgement; none if the shot was annulled."""
        if judgement.rule == "annulled":
            return []
        valid, overruled = judgement.counted_valid, judgement.played_as is not None
        by_contact = not overruled and judgement.rule != "open_board"
        found = [cls(say("It was a foul") if valid else say("It was valid"), {"valid": not valid}, by_contact)]
        if overruled:
            found.append(cls(say("Let the rules decide the shot"), {"agreed": "by_rules"}, True))
        agreed = say("Play it as a foul by agreement") if valid else say("Play it as valid by agreement")
        return [*found, cls(agreed, {"agreed": "foul" if valid else "valid"}, not overruled and not by_contact)]
