"""The colours of discs: their names, and how they are drawn."""

from collections.abc import Mapping

from controller.messages import Message, say

COLOURS: Mapping[str, tuple[Message, str]] = {
    "black": (say("Black"), "#2b2724"),
    "natural": (say("Natural"), "#e3c08a"),
    "red": (say("Red"), "#b3261e"),
    "green": (say("Green"), "#23714a"),
    "white": (say("White"), "#f2efe6"),
    "brown": (say("Brown"), "#6b3f22"),
    "orange": (say("Orange"), "#d96a16"),
    "yellow": (say("Yellow"), "#e0b21c"),
    "blue": (say("Blue"), "#2a4d9c"),
    "purple": (say("Purple"), "#5b2a7a"),
}
"""The default colours of the sides, in this order; the first four are easy to distinguish."""
OTHER_COLOUR = "#8a7b66"


def colour_name(colour: str) -> Message:
    """The name of a colour of the reading."""
    return COLOURS[colour][0] if colour in COLOURS else Message(colour)
