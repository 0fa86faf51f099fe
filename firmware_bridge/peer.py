"""The host's view of the unit, and counts of the wire's traffic."""

from dataclasses import dataclass, field

from firmware_bridge import messages
from firmware_bridge.clocks import ClockOffset

SETTINGS_EVERY = 0.5  # seconds
SETTINGS_TRIES = 5


@dataclass(slots=True)
class Counts:
    """Traffic since the session began."""

    frames_in: int = 0
    frames_out: int = 0
    damaged: int = 0
    unknown: int = 0
    events: int = 0
    duplicates: int = 0
    gaps: int = 0
    greetings: int = 0  # handshakes that succeeded
    silences: int = 0  # times that the unit stopped answering


@dataclass(slots=True)
class Peer:
    """The unit according to its last answers."""

    hello: messages.HelloAck
    settings: int
    occupied: bool  # the newest level known, by `next`
    next: int
    dropped: int
    presses: int  # number of the last one handled
    faults: int = 0
    withheld: int = 0
    loop_us: int = 0
    settings_tries: int = 0
    test: messages.SelfTestResult | None = None
    clock: ClockOffset = field(default_factory=ClockOffset)
