"""What is promised is kept: every member of the schema is described, and every word of it is said somewhere."""

import ast
import math
from typing import get_args

from controller.match.commands import command_schema
from controller.match.events import EVENT_TYPES
from controller.table.setup.setup_service import Device
from controller.views.schema import FOR_PAGES, FOR_PROGRAMS, components
from controller.views.state import NoticeKind
from tests.checkout import CHECKOUT
from tests.controller.fed_table import disc
from tests.slow import slow

CONTROLLER = CHECKOUT / "controller"


def _at(direction, distance, side="A"):
    turn = math.radians(direction)
    return disc(side, distance * math.cos(turn), distance * math.sin(turn))


def said(path):
    """The texts in a module, but for those that only name a type."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    subscripts = (node for node in ast.walk(tree) if isinstance(node, ast.Subscript))
    typed = {one for node in subscripts if getattr(node.value, "id", "") == "Literal" for one in ast.walk(node)}
    return {one.value for one in ast.walk(tree) if isinstance(one, ast.Constant) and one not in typed}


def words(schema):
    """The words of all enumerations in a schema."""
    if isinstance(schema, dict):
        yield from schema.get("enum", ())
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from words(part)


def test_every_word_of_the_schema_is_said_somewhere():
    """That no other is said, and that every member is there, the types see to; the words of events are their kinds."""
    known = set().union(EVENT_TYPES, *map(said, CONTROLLER.rglob("*.py")))
    assert {*words(components(*FOR_PROGRAMS, *FOR_PAGES))} - known == set()


def test_a_question_who_sits_where_offers_the_players_and_says_that_the_drawn_board_turns(new_table):
    table = new_table(seats_known=False)
    for discs in ((), (_at(225, 304.8),), (_at(225, 60),), (_at(225, 60), _at(45, 304.8, "B"))):
        table.see(*discs)
    (question,) = table.shown.questions
    black, nobody, unknown = ((str(one.text), str(one.effect)) for one in question.answers)
    assert (black[0], nobody[0], unknown[0]) == ("Black", "Nobody", "We don't know")
    assert black[1] == nobody[1] == "The drawn board is turned to it."


def test_every_member_is_described_and_no_schema_has_the_name_of_a_command():
    schemas = components(*FOR_PROGRAMS, *FOR_PAGES)
    bare = [
        f"{name}.{member}"
        for name, schema in schemas.items()
        for member, of_member in schema["properties"].items()
        if "description" not in of_member and "$ref" not in of_member
    ]
    assert bare == []
    assert schemas.keys() & command_schema()["$defs"].keys() == set()


@slow
def test_every_notice_that_the_schema_names_is_given_somewhere():
    """That no other is given, the types see to; all of them at one table would need a broken one."""
    told = set()
    for path in CONTROLLER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Attribute) and called.attr in ("set_notice", "_note", "notice", "_notice"):
                told.update(
                    one.value for one in node.args[:1] if isinstance(one, ast.Constant) and one.value is not None
                )
    assert told | set(get_args(Device)) == set(get_args(NoticeKind))
