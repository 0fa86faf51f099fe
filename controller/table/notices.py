"""Notices about missing and broken things, shown while they last."""

import logging

from controller.messages import Message, wording
from controller.views.schema.table_state import NoticeKind

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
        log.warning("%s: %s", kind, wanted or "well again")
        return True
