"""A hub that does no more than docs/club-protocol.md says of one, for the tests of whoever speaks to it."""

import copy
import json
from typing import Any

from controller import link


class NaiveHub:
    """What it knows of one table. It asks once; a test that loses the question lets it ask again."""

    def __init__(self) -> None:
        self.begins = 1
        self.journals: dict[str, dict[int, dict[str, Any]]] = {}
        self.next: dict[str, int] = {}
        self.asks: list[link.Resend] = []

    def status(self, payload: bytes) -> None:
        status = link.parse(link.Status, payload)
        if status.online and status.outbox is not None:
            journal = status.outbox.journal
            self.begins = status.outbox.begins
            self.next[journal] = max(self.next.get(journal, 1), self.begins)
            self.journals.setdefault(journal, {})
            if status.outbox.sent >= self.next[journal]:
                self._ask(journal)

    def batch(self, payload: bytes) -> None:
        batch = link.parse(link.Events, payload)
        known = self.journals.setdefault(batch.journal, {})
        following = self.next.setdefault(batch.journal, self.begins)
        reported = {event.id: json.loads(event.model_dump_json()) for event in batch.events}
        if any(number in known and known[number] != event for number, event in reported.items()):
            self.asks.append(link.Resend.model_validate({"journal": batch.journal, "from": 1, "renew": True}))
        elif batch.first > following:
            self._ask(batch.journal)
        else:
            known.update(reported)
            self.next[batch.journal] = max(following, batch.events[-1].id + 1)

    def _ask(self, journal: str) -> None:
        self.asks.append(link.Resend.model_validate({"journal": journal, "from": self.next[journal]}))

    def backup(self) -> Any:
        return copy.deepcopy((self.begins, self.journals, self.next))

    def restore(self, kept: Any) -> None:
        self.begins, self.journals, self.next = copy.deepcopy(kept)
        self.asks = []
