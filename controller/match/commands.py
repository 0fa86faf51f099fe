"""The commands of people: a closed set of frozen pydantic models without unknown members, each defined beside the event
that carries it out. Every command may name the state that its sender saw (`seen`) and its match (`match`); its receiver
adds `by` and `who`.

A command must not overwrite a change that its sender has not seen. What it would overwrite, such as a round's figures,
is compared between the state that its sender saw and the present one: the sender has not seen a difference, whether a
person, the camera or an answer made it."""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from controller.match import events as ev
from controller.match.base import At, BaseCommand, Stamped
from controller.match.events import COMMAND_TYPES
from controller.match.fold import fold, following
from controller.validation import first_wrong_member

Command = BaseCommand
_COMMAND: TypeAdapter[Command] = TypeAdapter(
    Annotated[reduce(or_, (COMMAND_TYPES[do] for do in sorted(COMMAND_TYPES))), Field(discriminator="do")]  # type: ignore[arg-type]
)


def parse_command(document: Any) -> Command:
    """Parse a command from a page, a button or a recording. Raises `BadInput`, which names the first wrong member."""
    with first_wrong_member("do"):
        return _COMMAND.validate_python(document)


def command_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of all commands, without `by` and `who`, which the receiver adds."""
    schema = _COMMAND.json_schema(ref_template="#/components/schemas/{model}")
    for model in schema["$defs"].values():
        for name in ("by", "who"):
            model.get("properties", {}).pop(name, None)
    return schema


def unseen_changes(command: BaseCommand, history: Sequence[Stamped]) -> list[Stamped]:
    """The events that changed what the command would overwrite after its sender saw it."""
    if command.seen is None or command.was_carried_out(history):
        return []
    known = [s for s in history if s.id <= command.seen]
    newer = history[len(known) :]
    if not known:  # this match began afterwards
        return [s for s in newer if s.event.by_people] or list(newer[:1])
    if resumed := [s for s in newer if isinstance(s.event, ev.StartUndone)]:
        return resumed  # its sender saw the later match
    return _changes(command, known, newer)


def _changes(command: BaseCommand, known: list[Stamped], newer: Sequence[Stamped]) -> list[Stamped]:
    """The newer events that changed what is at stake, unless others brought it back to what the sender saw."""
    if not any(isinstance(s.event, ev.SentEvent) for s in newer):
        return []  # readings alone change nothing that a command overwrites
    state = fold(0, known)
    seen = before = command.at_stake(At(known, state))
    changes = []
    for s in newer:
        state = following(state, known, [s])
        known.append(s)
        now = command.at_stake(At(known, state))
        if now != before and before == seen and command.caused(s.event):
            seen = now  # as when counting the first disc takes a match over
        elif now != before:
            changes.append(s)
        before = now
    return changes if before != seen else []
