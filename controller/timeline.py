"""Which events of a match still count, and what an undo or a redo would take back."""

from collections.abc import Iterable

from controller import events as ev
from controller.match import Stamped


def counting(stamped: Iterable[Stamped]) -> list[Stamped]:
    """The events that still count, in order: undone ones left out, redone ones back in."""
    all_ = list(stamped)
    void: set[int] = set()
    for s in all_:
        if isinstance(s.event, ev.Undone):
            void.add(s.event.target)
        elif isinstance(s.event, ev.Redone):
            void.add(s.event.target)
            undone = next(o for o in all_ if o.id == s.event.target)
            assert isinstance(undone.event, ev.Undone)
            void.discard(undone.event.target)
    return [s for s in all_ if s.id not in void]


STEPS = (
    ev.ShotSeen,
    ev.RoundEnded,
    ev.QuestionAnswered,
    ev.TwentiesCorrected,
    ev.RoundCorrected,
    ev.DiscCorrected,
    ev.ShootOutEntered,
)
"""The events that an undo takes back, one at a time."""


def undoable(stamped: Iterable[Stamped]) -> Stamped | None:
    """The step that an undo would take back."""
    return next((s for s in reversed(counting(stamped)) if isinstance(s.event, STEPS)), None)


def redoable(stamped: Iterable[Stamped]) -> Stamped | None:
    """The undo that a redo would take back: the last one, if no step came after it."""
    last = next((s for s in reversed(counting(stamped)) if isinstance(s.event, (*STEPS, ev.Undone))), None)
    return last if last and isinstance(last.event, ev.Undone) else None


def reorders(event: ev.Event) -> bool:
    """Whether the event changes what earlier ones mean, so that the whole match has to be folded anew."""
    return isinstance(event, ev.Undone | ev.Redone)
