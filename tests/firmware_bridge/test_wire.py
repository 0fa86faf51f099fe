from firmware_bridge.virtual import Wire, WireFaults
from tests.hardware.bytelink_contract import ByteLinkContract


class WireBench:
    def __init__(self):
        self.wire = Wire()
        self.link = self.wire.host

    def send(self, data):
        self.wire.unit.write(data)

    def received(self):
        return self.wire.unit.read(5.0)

    def unplug(self):
        self.wire.plug(False)

    def plug(self):
        self.wire.plug(True)

    def close(self):
        self.link.close()


class TestWire(ByteLinkContract):
    def make(self):
        return WireBench()


def passed(faults, lines=200):
    wire = Wire(7, faults)
    wire.host.write(b"line!\n" * lines)
    wire.advance(1000.0)
    return wire.unit.read(0.0)


def test_each_fault_does_what_its_name_says():
    assert passed(WireFaults(1.0, ("lost",))) == b""
    assert passed(WireFaults(1.0, ("doubled",))) == b"line!\n" * 400
    assert passed(WireFaults(1.0, ("delayed",))) == b"line!\n" * 200
    assert len(passed(WireFaults(1.0, ("truncated",)))) < 1200
    assert len(passed(WireFaults(1.0, ("junk",)))) > 1200
    flipped = passed(WireFaults(1.0, ("flipped",)))
    assert len(flipped) == 1200
    assert flipped.count(b"line!\n") == 0


def test_the_same_seed_is_the_same_damage():
    assert passed(WireFaults(0.5)) == passed(WireFaults(0.5)) != passed(WireFaults(0.4))


def test_delayed_bytes_hold_up_those_behind_them():
    wire = Wire(1, WireFaults(1.0, ("delayed",), delay=10.0))
    wire.host.write(b"a\nb\nc\n")
    arrived = b""
    for t in range(11):
        wire.advance(float(t))
        arrived += wire.unit.read(0.0)
        assert b"a\nb\nc\n".startswith(arrived)
    assert arrived == b"a\nb\nc\n"


def test_bytes_in_transit_when_the_cable_is_pulled_are_lost():
    wire = Wire()
    wire.host.write(b"lost")
    wire.plug(False)
    wire.plug(True)
    assert wire.unit.read(0.0) == b""
