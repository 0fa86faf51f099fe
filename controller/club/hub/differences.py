"""What is new in an evening's document: an evening of sixty boards has some 50 kB, and what changed in it some 500.

>>> before = {"round": 1, "open": 2, "boards": [{"id": "1", "now": None}, {"id": "2", "now": None}]}
>>> now = {**before, "open": 1, "boards": [{"id": "2", "now": "m"}, {"id": "1", "now": None}]}
>>> differences(before, now)["rows"], differences(before, now)["order"]
({'boards': [{'id': '2', 'now': 'm'}]}, {'boards': ['2', '1']})
"""

from collections.abc import Mapping, Sequence
from typing import Any

from controller.club.hub.documents import EveningChanges

Document = Mapping[str, Any]


def differences(before: Document, now: Document) -> EveningChanges:
    """What has to be told to somebody who has the document `before`, which has the same members: `club-changes/2`."""
    members: dict[str, Any] = {}
    rows: dict[str, list[dict[str, Any]]] = {}
    order: dict[str, list[str]] = {}
    for name, value in now.items():
        old = before[name]
        if value == old:
            continue
        ids, known = _ids(value), _ids(old)
        if set(ids).isdisjoint(known):
            members[name] = value
            continue
        rows[name] = _changed(old, value)
        if ids != known:
            order[name] = ids
    return {"schema": "club-changes/2", "members": members, "rows": rows, "order": order}


def _changed(before: Sequence[Document], now: Sequence[Document]) -> list[dict[str, Any]]:
    """Of each line that is new or another one: its id, and those of its members that are not as they were."""
    known = {line["id"]: line for line in before}
    changed = []
    for line in now:
        former = known.get(line["id"], {})
        if line != former:
            news = {member: value for member, value in line.items() if member not in former or value != former[member]}
            changed.append({"id": line["id"], **news})
    return changed


def _ids(value: Any) -> list[str]:
    """The ids of a list of lines that have some; none for anything else."""
    if not isinstance(value, list) or not all(isinstance(row, Mapping) and "id" in row for row in value):
        return []
    return [row["id"] for row in value]
