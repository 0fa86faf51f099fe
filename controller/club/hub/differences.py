"""The changes between two evening documents: an evening of sixty boards has some 50 kB, a change some 500 bytes.

>>> before = {"round": 1, "open": 2, "boards": [{"id": "1", "now": None}, {"id": "2", "now": None}]}
>>> now = {**before, "open": 1, "boards": [{"id": "2", "now": "m"}, {"id": "1", "now": None}]}
>>> differences(before, now)["rows"], differences(before, now)["order"]
({'boards': [{'id': '2', 'now': 'm'}]}, {'boards': ['2', '1']})
"""

from collections.abc import Mapping, Sequence
from typing import Any

from controller.club.hub.schemas import EveningChanges

Document = Mapping[str, Any]


def differences(before: Document, now: Document) -> EveningChanges:
    """`club-changes/2` for a page that has the document `before`, which has the same members."""
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
    """The id and the changed members of each new or changed row."""
    known = {row["id"]: row for row in before}
    changed = []
    for row in now:
        former = known.get(row["id"], {})
        if row != former:
            news = {member: value for member, value in row.items() if member not in former or value != former[member]}
            changed.append({"id": row["id"], **news})
    return changed


def _ids(value: Any) -> list[str]:
    """The ids of a list of rows; none for anything else."""
    if not isinstance(value, list) or not all(isinstance(row, Mapping) and "id" in row for row in value):
        return []
    return [row["id"] for row in value]
