"""The announcement of a table to Home Assistant, which then shows it without configuration. One retained message for
the device with all its entities, as Home Assistant documents it:
https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload"""

import json
from importlib.metadata import version
from typing import Any, Literal, get_args

from controller import link
from controller.views.schema.table_state import NoticeKind

MATCH = "value_json.match"
SIDES: tuple[tuple[Literal["a", "b"], int], ...] = (("a", 0), ("b", 1))

BUTTONS: dict[link.CommandWord, tuple[str, str]] = {
    "start": ("Start the assigned match", "mdi:play"),
    "confirm": ("Confirm", "mdi:check"),
    "undo": ("Undo", "mdi:undo"),
    "redo": ("Redo", "mdi:redo"),
    "end_round": ("End the round", "mdi:flag-checkered"),
    "pause": ("Pause refereeing", "mdi:pause"),
    "resume": ("Go on refereeing", "mdi:play-pause"),
}

NO_PROBLEM = ("button", "placing")
"""Notices for the people at the table, which nobody else needs."""


def discovery(club: str, table: str, name: str, *, lamps: bool) -> tuple[str, bytes]:
    """The topic and the payload. `lamps`: whether the table has lamps."""
    topics, own = link.Topics(club), f"crokinole_{club}_{table}"
    state, assignment = topics.of(table, "state"), topics.of(table, "assignment")
    entities = {
        **_score(state),
        "round": _sensor("Round", state, f"{{{{ {MATCH}.round if {MATCH} else none }}}}", "mdi:counter"),
        "status": _sensor("Status", state, "{{ value_json.word }}", "mdi:bullseye"),
        "winner": _sensor("Winner", state, _of_side(f"{MATCH}.winner", "name"), "mdi:trophy"),
        "next_match": _sensor(
            "Next match",
            assignment,
            "{{ value_json.match.sides | map(attribute='name') | join(' – ') if value_json.match else none }}",
            "mdi:account-arrow-right",
        ),
        **_problems(state),
        **_buttons(topics.of(table, "command")),
    }
    if lamps:
        entities["lamps"] = _sensor("Lamps", state, "{{ value_json.lamps or none }}", "mdi:lightbulb")
    document = {
        "device": {
            "identifiers": [own],
            "name": name,
            "model": "Crokinole table",
            "sw_version": version("crokinole-table"),
        },
        "origin": {"name": "crokinole-table", "sw_version": version("crokinole-table")},
        "availability": [
            {
                "topic": topics.of(table, "status"),
                "value_template": "{{ 'online' if value_json.online else 'offline' }}",
            }
        ],
        "qos": 0,
        "components": {
            entity: {**members, "unique_id": f"{own}_{entity}"} for entity, members in entities.items()
        },
    }  # fmt: skip
    return link.discovery_topic(club, table), json.dumps(document, ensure_ascii=False).encode()


def _sensor(name: str, topic: str, template: str, icon: str) -> dict[str, Any]:
    return {"platform": "sensor", "name": name, "state_topic": topic, "value_template": template, "icon": icon}


def _of_side(letter: str, member: str) -> str:
    return (
        f"{{{{ ({MATCH}.sides | selectattr('id', 'eq', {letter}) | first).{member} "
        f"if {MATCH} and {letter} else none }}}}"
    )


def _score(state: str) -> dict[str, dict[str, Any]]:
    """For the first two sides: name, score, round total, and the match's twenties."""
    members = {
        "name": ("Side {}", "name", "mdi:account"),
        "score": ("Score {}", "score", "mdi:scoreboard"),
        "total": ("Round total {}", "total", "mdi:sigma"),
        "twenties": ("Twenties {}", "match_twenties", "mdi:circle-double"),
    }
    return {
        f"{entity}_{side}": _sensor(
            name.format(side.upper()), state, f"{{{{ {MATCH}.sides[{index}].{member} if {MATCH} else none }}}}", icon
        )
        for entity, (name, member, icon) in members.items()
        for side, index in SIDES
    }


def _problems(state: str) -> dict[str, dict[str, Any]]:
    """A sensor for any problem, and a diagnostic one for each kind, so that an automation can react to it."""
    kinds = [kind for kind in get_args(NoticeKind) if kind not in NO_PROBLEM]
    any_of = f"{{{{ 'ON' if value_json.problems | reject('in', {list(NO_PROBLEM)!r}) | list else 'OFF' }}}}"
    sensor = {"platform": "binary_sensor", "state_topic": state, "device_class": "problem"}
    return {
        "problem": {**sensor, "name": "Problem", "value_template": any_of},
        **{
            f"problem_{kind}": {
                **sensor,
                "name": f"Problem: {kind.replace('_', ' ')}",
                "value_template": f"{{{{ 'ON' if '{kind}' in value_json.problems else 'OFF' }}}}",
                "entity_category": "diagnostic",
                "enabled_by_default": False,
            }
            for kind in kinds
        },
    }


def _buttons(command: str) -> dict[str, dict[str, Any]]:
    """The scorer's buttons; the broker accepts them only from a scorer's account."""
    return {
        f"button_{word}": {
            "platform": "button",
            "name": name,
            "command_topic": command,
            "payload_press": link.serialize(link.Command(do=word)).decode(),
            "qos": 0,
            "retain": False,
            "icon": icon,
        }
        for word, (name, icon) in BUTTONS.items()
    }
