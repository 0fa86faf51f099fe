"""The club's protocol: its page's examples as its module reads them, and what comes from anybody."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller import link
from tests.slow import slow

PAGE = Path(__file__).parents[3] / "docs" / "club-protocol.md"
MODELS: dict[str, type[link.Document]] = {
    "club-events/1": link.Events, "club-resend/1": link.Resend, "club-status/1": link.Status,
    "club-assignment/1": link.Assignment, "club-state/1": link.State, "club-command/1": link.Command,
    "club-join/1": link.Join, "club-joined/1": link.Joined,
}  # fmt: skip
EXAMPLES = re.findall(r"```json (\S+)\n(.+?)```", PAGE.read_text(), re.DOTALL)
JOURNAL = "a" * 32


def changed(which: str, /, **members: Any) -> bytes:
    """The page's first example of this schema with other members."""
    text = next(text for name, text in EXAMPLES if name == which)
    return json.dumps({**json.loads(text), **members}).encode()


def paused(number: int, **members: Any) -> dict[str, Any]:
    """An event as a batch has it."""
    return {"id": number, "match": 0, "at": 0, "kind": "paused", "body": {}, **members}


@pytest.mark.parametrize(("schema", "text"), EXAMPLES)
def test_each_example_is_read_and_written_as_it_stands(schema, text):
    document = link.parse(MODELS[schema], text.encode())
    again = json.loads(link.serialize(document))
    for member, value in json.loads(text).items():
        assert again[member] == value
    assert link.parse(MODELS[schema], link.serialize(document)) == document


def test_every_document_has_an_example_and_every_topic_is_on_the_page():
    assert {schema for schema, _ in EXAMPLES} == set(MODELS)
    topics = link.Topics("our-club")
    for kind in ("state", "events", "status", "assignment", "resend", "command"):
        assert f"`crokinole/1/<club>/table/<id>/{kind}`" in PAGE.read_text()
        assert topics.of("t1", kind) == f"crokinole/1/our-club/table/t1/{kind}"  # type: ignore[arg-type]
        assert link.parse_topic(topics.of("t1", kind)) == ("our-club", "t1", kind)


@pytest.mark.parametrize("id_", ["", "A", "a/b", "+", "#", "-a", "a" * 33, "a\n", "ä"])
def test_an_id_that_could_reach_another_topic_is_invalid(id_):
    with pytest.raises(ValueError, match=r"is not a .*'s id"):
        link.Topics(id_)
    assert link.parse_topic(f"crokinole/1/our-club/table/{id_}/events") is None
    if id_ != "+":
        with pytest.raises(ValueError, match=r"is not a .*'s id"):
            link.Topics("our-club").of(id_, "events")


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"null", "not an object"),
        (b"[" * 100_000, "recursion"),
        (b"[" * 50 + b"]" * 50, "deep"),
        (b" " * (link.LARGEST + 1), "bytes"),
        (changed("club-events/1", schema="club-events/2"), "schema"),
        (changed("club-events/1", first=0), "first"),
        (changed("club-events/1", first=42), "rise"),
        (changed("club-events/1", first=True), "first"),
        (changed("club-events/1", first=41.0), "first"),
        (changed("club-events/1", journal="../../etc"), "journal"),
        (changed("club-events/1", events=[]), "events"),
        (changed("club-events/1", first=1e300), "number"),
        (changed("club-events/1", first=10**400), "number"),
        (changed("club-events/1").replace(b'"rules": "nca"', b'"rules": NaN'), "not JSON"),
        (changed("club-events/1").replace(b'"nca"', b'"\\u0000"'), "character"),
        (changed("club-events/1").replace(b'"nca"', b'"\\ud800"'), "not JSON"),
        (changed("club-events/1").replace(b'"nca"', b'"' + b"x" * 5000 + b'"'), "characters"),
        (changed("club-events/1", events=[paused(41 + n) for n in range(101)]), "events"),
        (changed("club-events/1", events=[paused(41, at=-1)]), "at"),
        (changed("club-events/1", events=[paused(41, kind="<script>")]), "kind"),
    ],
)  # fmt: skip
def test_what_cannot_be_taken_is_refused_in_one_short_line(payload, why):
    with pytest.raises(link.BadMessage, match=why) as raised:
        link.parse(link.Events, payload)
    assert len(str(raised.value)) <= 200
    assert str(raised.value).isprintable()


@slow
@settings(max_examples=40, deadline=None)
@given(
    st.binary(max_size=300)
    | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(lambda v: json.dumps(v).encode())
)
def test_whatever_comes_is_refused_or_a_document(payload):  # fmt: skip
    for model in MODELS.values():
        with pytest.raises(link.BadMessage):
            link.parse(model, payload)


@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(
        st.text(max_size=5),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
            max_leaves=8,
        ),
    )
)
def test_whatever_a_journal_holds_its_batch_can_be_read(body):  # fmt: skip
    event = link.make_event(5, 1, 7, "shot_seen", body, 10)
    batch = link.Events(journal=JOURNAL, journal_schema=8, first=3, events=(event,))
    read = link.parse(link.Events, link.serialize(batch))
    assert read.events[0].body in (None, body)


def test_a_body_that_is_too_large_is_left_out():
    assert link.make_event(1, 0, 0, "paused", {"a": 1}, link.LARGEST).body is None
    assert link.make_event(1, 0, 0, "paused", {"a": 1}, 7).body == {"a": 1}


def test_a_member_that_a_newer_sender_adds_is_left_out():
    assert link.parse(link.Resend, changed("club-resend/1", because="gap")) == link.parse(
        link.Resend, changed("club-resend/1")
    )


@pytest.mark.parametrize(
    ("sides", "why"),
    [
        ([("X", ["p1"]), ("X ", ["p2"])], "one name"),
        ([("X", ["p1"]), ("Y", ["p2", "p3"])], "has two"),
        ([("X", ["p1"]), ("Y", ["p1"])], "twice"),
        ([("X", ["p1"])], "sides"),
        ([("X\u2028", ["p1"]), ("Y", ["p2"])], "control"),
        ([("X" * 84, ["p1"]), ("Y", ["p2"])], "name"),
    ],
)
def test_an_assignment_that_nobody_could_play_is_refused(sides, why):
    match = json.loads(changed("club-assignment/1"))["match"]
    named = [{"name": name, "players": [{"id": id_, "name": id_} for id_ in ids]} for name, ids in sides]
    with pytest.raises(link.BadMessage, match=why):
        link.parse(link.Assignment, changed("club-assignment/1", match={**match, "sides": named}))


def test_a_code_as_people_type_it():
    assert link.normalize_code(" k7m2-qx4a\n") == "K7M2QX4A"
