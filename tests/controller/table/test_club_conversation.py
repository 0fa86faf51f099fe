"""What a table says to its broker and when: a real journal, a session that only notes, and a clock that tests move."""

import json
from collections.abc import Mapping
from contextlib import closing
from typing import Any

import jinja2
import pytest

from controller import link
from controller.journal import Journal
from controller.link.mqtt import Acknowledged, MessageReceived
from controller.table.club.conversation import (
    ACKNOWLEDGED_IN,
    REFUSED_FOR,
    STATE_EVERY,
    STATUS_EVERY,
    Conversation,
    Outgoing,
)
from controller.table.club.discovery import discovery
from controller.table.club.membership import in_club
from controller.table.club.published_state import printable, published_state
from controller.table.outbox import Outbox
from tests.controller.club.naive_hub import NaiveHub
from tests.controller.fed_table import a, b

TOPICS = link.Topics("our-club")


class Noting:
    """A session."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, bytes]] = []
        self.subscribed: dict[str, int] = {}

    def subscribe(self, topics: Mapping[str, int]) -> None:
        self.subscribed |= topics

    def publish(self, topic: str, payload: bytes, *, qos: int = 0, retain: bool = False) -> int:
        assert retain == (not topic.endswith("/events"))
        assert qos == (not topic.endswith("/state"))
        self.sent.append((topic.rpartition("/")[2], payload))
        return len(self.sent)

    def count(self, kind: str) -> int:
        return sum(kind == one for one, _ in self.sent)


class Rig:
    """A conversation with a recorded session and listener."""

    def __init__(self, journal: Journal) -> None:
        self.now = 0.0
        self.outgoing = Outgoing()
        self.session = Noting()
        self.heard: list[tuple[str, Any]] = []
        self.outbox = Outbox(journal, "our-club", begins=lambda: 1, now=lambda: self.now)
        self.conversation = Conversation(
            self.session, (TOPICS, "t1"), self.outbox, lambda: self.outgoing,
            assignment=lambda payload: self.heard.append(("assignment", payload)),
            command=lambda payload: self.heard.append(("command", payload)),
            trouble=lambda why: self.heard.append(("trouble", why)),
            discovery=None, now=lambda: self.now, wall=lambda: 7.0,
        )  # fmt: skip

    def after(self, seconds: float) -> float:
        self.now += seconds
        return self.conversation.step()

    def acknowledge(self, refused: str | None = None) -> None:
        self.conversation.handle(Acknowledged(len(self.session.sent), refused))

    def comes(self, kind: str, payload: bytes = b"{}", table: str = "t1", *, retained: bool = False) -> None:
        self.conversation.handle(MessageReceived(TOPICS.of(table, kind), payload, retained))  # type: ignore[arg-type]


@pytest.fixture
def rig(journal):
    return Rig(journal)


def write(journal: Journal, count: int) -> None:
    journal.append(1, 1.0, [("paused", {"paused": True})] * count)


def test_an_hour_off_the_net_is_sent_one_batch_after_the_other(journal):
    for _ in range(60):
        write(journal, 80)  # a minute each, while nobody could be reached
    rig, hub = Rig(journal), NaiveHub()
    waiting = 0
    while (sent := rig.session.count("events")) < 48 or rig.outbox.position.sent < 4800:
        rig.after(0.01)
        now = rig.session.count("events")
        assert now - sent <= 1  # never more than one is on its way, and in memory
        assert (waiting := waiting + 1) < 200
        if now > sent:
            rig.after(0.01)
            assert rig.session.count("events") == now
            hub.batch(rig.session.sent[-1][1])
            rig.acknowledge()
    assert list(next(iter(hub.journals.values()))) == list(range(1, 4801))
    rig.after(0.01)
    status = link.parse(link.Status, rig.session.sent[-1][1])  # all is sent, and the hub knows it
    assert status.outbox is not None
    assert status.outbox.sent == status.outbox.last == 4800


def test_states_are_sent_so_often_and_no_more_and_the_last_one_always(rig):
    for n in range(1000):  # ten seconds
        rig.outgoing = Outgoing(state=str(n).encode())
        rig.after(0.01)
    assert 10 / STATE_EVERY * 0.9 <= rig.session.count("state") <= 10 / STATE_EVERY + 1
    wait = rig.after(0.0)
    rig.after(wait)
    assert rig.session.sent[-1] == ("state", b"999")


def test_a_status_each_minute_and_whenever_the_answer_changes(rig):
    assert rig.session.count("status") == 1
    for _ in range(3600):
        rig.after(1.0)
    assert rig.session.count("status") == 1 + 3600 / STATUS_EVERY
    rig.outgoing = Outgoing(answer=link.Answer(id="x", answer="shown"))
    rig.after(0.1)
    status = link.parse(link.Status, rig.session.sent[-1][1])
    assert status.assignment == link.Answer(id="x", answer="shown")
    assert status.clock == 7.0


def test_what_the_broker_refuses_is_offered_again_after_a_while(journal, rig):
    write(journal, 1)
    rig.after(0.1)
    rig.acknowledge("Not authorized")
    assert rig.heard == [("trouble", "Not authorized")]
    for _ in range(int(REFUSED_FOR) - 1):
        rig.after(1.0)
    assert rig.session.count("events") == 1
    rig.after(2.0)
    assert rig.session.count("events") == 2
    rig.acknowledge()
    assert rig.heard[-1] == ("trouble", None)
    assert rig.outbox.position.sent == 1


def test_a_broker_that_acknowledges_nothing_is_given_up(journal, rig):
    write(journal, 1)
    rig.after(0.1)
    rig.acknowledge()
    rig.after(ACKNOWLEDGED_IN + 1)
    assert not rig.conversation.dead
    write(journal, 1)
    rig.after(0.1)
    rig.after(ACKNOWLEDGED_IN + 1)
    assert rig.conversation.dead


def test_what_is_for_another_table_and_what_nobody_said_now_is_left_alone(rig):
    rig.comes("assignment", table="t2")
    rig.comes("command", retained=True)
    rig.conversation.handle(MessageReceived("crokinole/1/their-club/table/t1/command", b"{}", False))
    rig.conversation.handle(MessageReceived("anything", b"{}", False))
    rig.comes("resend", b"\xff")
    assert rig.heard == []
    rig.comes("command")
    rig.comes("assignment", retained=True)
    assert [kind for kind, _ in rig.heard] == ["command", "assignment"]
    assert rig.session.subscribed == {
        TOPICS.of("t1", "assignment"): 1,
        TOPICS.of("t1", "resend"): 1,
        TOPICS.of("t1", "command"): 0,
    }


@pytest.mark.parametrize("name", ["\0", "\n\t", "a\u2028b", "\ud800", "x" * 100, "  "])
def test_any_name_can_be_sent(name):
    link.Player(id="1", name=printable(name))


# Home Assistant: what its documentation and its own schemas name (homeassistant/components/mqtt, "Device discovery
# payload"), and its templates rendered as it does, by Jinja.

DEVICE = {"identifiers", "connections", "manufacturer", "model", "model_id", "name", "hw_version", "sw_version",
          "serial_number", "via_device", "suggested_area", "configuration_url"}  # fmt: skip
ORIGIN = {"name", "sw_version", "support_url"}
TOP = {"device", "origin", "components", "availability", "availability_mode", "state_topic", "command_topic", "qos",
       "encoding"}  # fmt: skip
ENTITY = {"platform", "unique_id", "name", "icon", "entity_category", "enabled_by_default", "device_class", "qos",
          "availability"}  # fmt: skip
OF_PLATFORM = {
    "sensor": ({"state_topic"}, {"value_template", "state_class", "unit_of_measurement", "expire_after", "options"}),
    "binary_sensor": ({"state_topic"}, {"value_template", "payload_on", "payload_off", "off_delay", "expire_after"}),
    "button": ({"command_topic"}, {"command_template", "payload_press", "retain"}),
}


def announced(*, lamps: bool) -> tuple[str, dict[str, Any]]:
    topic, payload = discovery("our-club", "t1", "Table 1", lamps=lamps)
    return topic, json.loads(payload)


@pytest.mark.parametrize("lamps", [True, False])
def test_home_assistant_knows_every_member(lamps):
    topic, document = announced(lamps=lamps)
    prefix, component, node, object_id, last = topic.split("/")
    assert (prefix, component, last) == ("homeassistant", "device", "config")
    for part in (node, object_id):  # [a-zA-Z0-9_-] alone
        assert part.replace("_", "a").replace("-", "a").isalnum()
    assert set(document) <= TOP
    assert {"device", "origin", "components"} <= set(document)
    assert set(document["device"]) <= DEVICE
    assert document["device"]["identifiers"]
    assert set(document["origin"]) <= ORIGIN
    components = document["components"]
    assert len({one["unique_id"] for one in components.values()}) == len(components)
    assert ("lamps" in components) == lamps
    for one in components.values():
        required, optional = OF_PLATFORM[one["platform"]]
        assert required <= set(one) <= ENTITY | required | optional
        if one["platform"] == "button":
            link.parse(link.Command, one["payload_press"].encode())
            assert one["command_topic"] == TOPICS.of("t1", "command")
            assert not one["retain"]
            assert one["qos"] == 0
        else:
            place = link.parse_topic(one["state_topic"])
            assert place is not None
            assert place.table == "t1"


def rendered(entity: str, document: link.Document) -> str:
    template = announced(lamps=True)[1]["components"][entity]["value_template"]
    return jinja2.Environment().from_string(template).render(value_json=json.loads(link.serialize(document)))


def test_its_templates_say_what_the_table_says(new_table):
    table = new_table()
    with closing(table.journal):
        table.engine.set_notice("hole_sensor", "It is away.")
        table.see(a(0, 60))
        table.see(a(0, 60), b(0, 90))
        state = published_state(table.engine.snapshot.document, "turn")
        assert rendered("name_a", state) == "Black"
        assert rendered("total_a", state) == str(table.totals[0])
        assert rendered("score_b", state) == "0"
        assert rendered("round", state) == "1"
        assert rendered("status", state) == state.word
        assert rendered("winner", state) == "None"  # which Home Assistant takes as unknown
        assert rendered("problem", state) == rendered("problem_hole_sensor", state) == "ON"
        assert rendered("problem_camera", state) == "OFF"
        assert rendered("lamps", state) == "turn"
        won = link.State.model_validate(
            {
                **state.model_dump(by_alias=True),
                "match": {**state.match.model_dump(), "winner": "B"},
                "problems": ("placing",),
            }
        )
        assert rendered("winner", won) == "Natural"
        assert rendered("problem", won) == "OFF"
    nothing = link.State(name="Table 1", word="no_match", problems=(), match=None)
    for entity in ("name_a", "total_b", "twenties_a", "round", "winner", "lamps"):
        assert rendered(entity, nothing) == "None"


def test_next_match_and_availability():
    players = [link.Player(id=str(n), name=f"Player {n}") for n in (1, 2)]
    sides = tuple(link.AssignedSide(name=player.name, players=(player,)) for player in players)
    match = link.Assigned(id="1", round=1, sides=sides, rules="nca")  # type: ignore[arg-type]
    assert rendered("next_match", link.Assignment(match=match)) == "Player 1 – Player 2"
    assert rendered("next_match", link.Assignment(match=None)) == "None"
    (availability,) = announced(lamps=False)[1]["availability"]
    assert availability["topic"] == TOPICS.of("t1", "status")
    template = jinja2.Environment().from_string(availability["value_template"])
    assert [template.render(value_json={"online": online}) for online in (True, False)] == ["online", "offline"]
    club = in_club("Our club", match, {})
    assert club.answer(None) == link.Answer(id="1", answer="shown")
