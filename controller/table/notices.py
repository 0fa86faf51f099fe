"""What is missing or broken at the table, in words, for as long as it is."""

import logging

from controller.messages import Message, wording
from controller.views.schema.table_state import NoticeKind

log = logging.getLogger(__name__)


class Notices:
    """At most one notice of each kind, in order of arrival. Each is logged when it comes and when it goes."""

    def __init__(self) -> None:
        self.standing: tuple[tuple[NoticeKind, Message], ...] = ()

    def __contains__(self, kind: str) -> bool:
        return any(kind == other for other, _ in self.standing)

    def set(self, kind: NoticeKind, text: Message | str | None) -> bool:
        """Set the notice of this kind; None takes it away. Returns whether that changes anything."""
        wanted, notices = None if text is None else wording(text), dict(self.standing)
        if notices.get(kind) == wanted:
            return False
        if wanted is None:
            del notices[kind]
        else:
            notices[kind] = wanted  # a notice whose words change keeps its place on the page
        self.standing = tuple(notices.items())
        log.warning("%s: %s", kind, wanted or "well again")
        return True
