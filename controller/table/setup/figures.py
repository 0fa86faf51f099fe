"""A figure of a set-up step, and its limit."""

from dataclasses import dataclass

from controller.messages import Message, say
from controller.views.schema.setup import StepFigure


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a step, and whether it is good."""

    name: Message
    value: float
    unit: str
    good: bool
    wanted: Message

    def document(self) -> StepFigure:
        return {
            "name": self.name,
            "value": round(self.value, 2),
            "unit": self.unit,
            "good": self.good,
            "wanted": self.wanted,
        }


def at_most(name: Message, value: float, most: float, unit: str) -> Figure:
    """A figure that is good up to `most`."""
    return Figure(name, value, unit, value <= most, say("at most {limit}", limit=most))


def at_least(name: Message, value: float, least: float, unit: str) -> Figure:
    """A figure that is good from `least` up."""
    return Figure(name, value, unit, value >= least, say("at least {limit}", limit=least))
