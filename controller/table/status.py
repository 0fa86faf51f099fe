"""The page's status word, and notices about missing and broken things."""

import logging
from typing import Literal

from controller.match.state import MatchState
from controller.messages import Message, wording
from controller.views.state import NoticeKind, StatusWord
from controller.vision.watching.gate import Word

log = logging.getLogger(__name__)


class Notices:
    """At most one notice of each kind, in order of arrival. Each is logged when it begins and when it ends."""

    def __init__(self) -> None:
        self.standing: tuple[tuple[NoticeKind, Message], ...] = ()

    def __contains__(self, kind: str) -> bool:
        return any(kind == other for other, _ in self.standing)

    def set(self, kind: NoticeKind, text: Message | str | None) -> bool:
        """Set the notice of this kind; None removes it. Returns whether anything has changed."""
        wanted, notices = None if text is None else wording(text), dict(self.standing)
        if notices.get(kind) == wanted:
            return False
        if wanted is None:
            del notices[kind]
        else:
            notices[kind] = wanted  # a changed notice keeps its place on the page
        self.standing = tuple(notices.items())
        log.warning("%s: %s", kind, wanted or "no longer")
        return True


def word_of(state: MatchState | None, sees: Word | Literal["no_camera"]) -> StatusWord:
    """The page's status word. `sees`: the gate's word, or "no_camera"."""
    if state is not None and (state.paused or state.over or state.manual):  # the camera does not matter
        return "paused" if state.paused else "over" if state.over else "manual"
    if state is None and sees != "no_camera":
        return "no_match"
    if sees == "still":
        return "check" if state is not None and state.pressing else "ready"
    return sees
