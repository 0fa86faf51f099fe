"""What is new in an evening's document: an evening of sixty boards has some 50 kB, and what changed in it some 500.

>>> before = {"round": 1, "open": 2, "boards": [{"id": "1", "now": None}, {"id": "2", "now": None}]}
>>> differences(before, {**before, "open": 1, "boards": [{"id": "1", "now": None}, {"id": "2", "now": "m"}]})
{'schema': 'club-changes/1', 'members': {'open': 1}, 'rows': {'boards': [{'id': '2', 'now': 'm'}]}}
"""

from collections.abc import Mapping
from typing import Any

from controller.club.hub.documents import EveningChanges


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> EveningChanges:
    """What has to be told to somebody who has the document `before`, which has the same members."""
    members, rows = {}, {}
    for name, value in now.items():
        old = before[name]
        if value == old:
            continue
        if (ids := _ids(value)) and ids == _ids(old):
            rows[name] = [row for row, former in zip(value, old, strict=True) if row != former]
        else:
            members[name] = value
    return {"schema": "club-changes/1", "members": members, "rows": rows}


def _ids(value: Any) -> list[str]:
    """The ids of a list of lines that have some; none for anything else."""
    if not isinstance(value, list) or not all(isinstance(row, Mapping) and "id" in row for row in value):
        return []
    return [row["id"] for row in value]
