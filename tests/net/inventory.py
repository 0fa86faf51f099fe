"""What the program offers: routes, command-line verbs, settings, commands and webhooks, collected from the program.

`tests/data/inventory.txt` lists them, each with a mark:

    kept    must be there. Something renamed on purpose is renamed in its line.
    gone    was deleted, and must not come back.

`python -m tests.net.inventory` prints what the marks and the program disagree on."""

import re
from inspect import signature
from pathlib import Path
from typing import get_args
from unittest.mock import MagicMock

import click
from pydantic import BaseModel

from controller.cli import command
from controller.club.exports import FILES
from controller.club.hub.by_hand import SCORING
from controller.club.settings import ClubSettings
from controller.club.tournament.events import ByOrganiser
from controller.club.tournament.planning import NextRound, NextStage, PairAgain
from controller.config import Config
from controller.match.base import BaseCommand, Happening
from controller.match.commands import command_schema
from controller.table.setup.setup_service import SETUP_COMMANDS, SetupService
from web_ui import create_app
from web_ui.club import create_club_app

LIST = Path(__file__).parents[1] / "data" / "inventory.txt"

OF_EVERY_COMMAND = {"do", *BaseCommand.model_fields}


def offered():
    """Everything that the program offers, each as `kind name`."""
    yield from (f"table route {route}" for route in _routes(create_app(MagicMock())))
    yield from (f"club route {route}" for route in _routes(create_club_app(MagicMock())))
    yield from (f"verb {verb}" for verb in _verbs())
    yield from (f"table setting {name}" for name in _settings(Config))
    yield from (f"club setting {name}" for name in _settings(ClubSettings))
    yield from (f"table command {name}" for name in _commands(command_schema()))
    for name in SETUP_COMMANDS:
        _, *members = signature(getattr(SetupService, name)).parameters
        yield from (f"set-up command {part}" for part in (name, *(f"{name} {member}" for member in members)))
    yield from (
        f"organiser's action {_snake(one.__name__)}"
        for one in (*ByOrganiser.__subclasses__(), NextRound, NextStage, PairAgain)
    )
    yield from (f"board's command {name}" for name in ("begin", *SCORING))
    yield from (f"evening's file {name}" for name in FILES)
    yield from (f"webhook {name}" for name in get_args(Happening))


def _routes(app):
    for rule in app.url_map.iter_rules():
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            yield f"{method} {re.sub('<.*?>', '<>', rule.rule)}"


def _verbs():
    for name, verb in command.commands.items():
        yield name
        for parameter in verb.params:
            option = f"{name} {max(parameter.opts, key=len)}"
            yield option
            if isinstance(parameter.type, click.Choice):
                yield from (f"{option}={choice}" for choice in parameter.type.choices)


def _settings(section, prefix=""):
    for name, field in section.model_fields.items():
        inner = [one for one in _classes(field.annotation) if issubclass(one, BaseModel)]
        for one in inner:
            yield from _settings(one, f"{prefix}{name}.")
        if not inner:
            yield f"{prefix}{name}"


def _classes(annotation):
    """The classes in an annotation such as `tuple[Section, ...] | None`."""
    if get_args(annotation):
        for part in get_args(annotation):
            yield from _classes(part)
    elif isinstance(annotation, type):
        yield annotation


def _commands(schema):
    for model in schema["$defs"].values():
        members = model.get("properties", {})
        if "do" in members:
            for name in members["do"].get("enum") or [members["do"]["const"]]:
                yield name
                yield from (f"{name} {member}" for member in members if member not in OF_EVERY_COMMAND)


def _snake(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def marks():
    """The list: each thing's mark."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return {name: mark for mark, name in (line.split(maxsplit=1) for line in lines if not line.startswith("#"))}


def disagreements():
    """What the list and the program disagree on, each with what to do."""
    marked, there = marks(), set(offered())
    missing = [name for name, mark in marked.items() if mark == "kept" and name not in there]
    back = [name for name, mark in marked.items() if mark == "gone" and name in there]
    return [
        *(
            f"{name}: is marked kept, and is missing. If it was renamed on purpose, rename its line."
            for name in missing
        ),
        *(f"{name}: is marked gone, and is back." for name in back),
        *(f"{name}: is new; mark it as kept in tests/data/inventory.txt." for name in sorted(there - marked.keys())),
    ]


if __name__ == "__main__":
    print("\n".join(disagreements()) or "The list and the program agree.")
