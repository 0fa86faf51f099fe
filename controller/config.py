"""The configuration: one TOML file, typed, closed to unknown keys. Without a file everything is simulated."""

import os
import re
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, SecretStr, field_validator, model_validator

from controller.match.events import MatchSide, SideId
from controller.rules import RulesError, UnknownRuleSet, own_rule_set
from controller.validation import FrozenModel, Port, load_toml
from controller.validation import PagesSection as PagesSection
from firmware_bridge.messages import LOCKOUT_MS
from firmware_bridge.session import Sensor
from hardware.catalogue import DeviceSpec, parse_hole, split_password


def data_folder() -> Path:
    """The folder for a user's data: XDG_DATA_HOME, else ~/.local/share."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "crokinole-table"


class TableSection(FrozenModel):
    """The table itself."""

    name: str = Field(default="Table 1", min_length=1, max_length=40)
    data: Path = Field(default_factory=data_folder)

    @property
    def journal(self) -> Path:
        return self.data / "journal.sqlite"


class CameraSection(FrozenModel):
    """The camera above the board: simulated, picamera, usb:0, http://PHONE:8080/video, https:.., rtsp:.., video:FILE,
    folder:FOLDER or none.

    `password`: a network camera's. It may also stand in the address, as in http://name:password@PHONE:8080/video;
    `device` is without it, so that it is shown and stored nowhere.

    `height`: the lens's height above the playing surface in mm, by a tape measure. A camera that points straight down
    and whose lens is unknown can't measure it. The less exactly it is known, the more discs near a line are left to the
    players. `mains`: the mains frequency in Hz, 0 for daylight. `focal`: the focal length of an interchangeable lens in
    mm. `film`: whether the table watches movements between two boards at rest."""

    device: str = "simulated"
    password: SecretStr | None = None
    landmarks: Path | None = None
    height: float | None = Field(default=None, ge=200, le=5000)
    mains: Literal[50, 60, 0] = 50
    focal: float | None = Field(default=None, gt=0, le=100)
    film: bool = True

    @model_validator(mode="before")
    @classmethod
    def _hide_password(cls, section: Any) -> Any:
        if not isinstance(section, dict):
            return section
        device, password = section.get("device"), section.get("password")
        if isinstance(device, str):
            device, inline = split_password(device)
            password = password if inline is None else inline
            section = {**section, "device": device}
        if isinstance(password, str | int | float):  # a PIN without quotes, which an error message would show
            section = {**section, "password": str(password)}
        return section


class HoleSection(FrozenModel):
    """The sensor in the 20 hole; `device` is a name from `hardware.catalogue`.

    `low_when_occupied`: whether a low level of the sensor's output means a disc. By default the level that set-up
    learnt with a disc; before that, low. `lockout`: seconds after a change in which further changes count as bounce.
    For a unit on a serial port: `sensor` is the type of its sensor, for the self-test; with `unit`, only the unit of
    this id (hexadecimal) is accepted."""

    device: str = "simulated"
    sensor: Sensor = "plain"
    low_when_occupied: bool | None = None
    lockout: float = Field(default=0.02, ge=LOCKOUT_MS[0] / 1000, le=LOCKOUT_MS[1] / 1000)
    unit: str | None = Field(default=None, pattern="^[0-9a-f]+$")

    @property
    def spec(self) -> DeviceSpec:
        """What `device` names. Raises `DeviceNotFound`: with a wrong name the table starts without its sensor."""
        return parse_hole(self.device)


class _Pins(FrozenModel):
    """The pin of each part, such as gpio:22 or plain 22; or all parts are wired to the hole's unit. A pin's name is
    checked when the pin is opened, not here: with a wrong one the table starts without that part."""

    device: Literal["pins", "unit"] = "pins"

    @property
    def pins(self) -> dict[str, str]:
        wired = self.model_dump(exclude={"device"}, exclude_none=True)
        return {name: pin.removeprefix("gpio:") for name, pin in wired.items()}

    @property
    def wired(self) -> bool:
        return self.device == "unit" or bool(self.pins)


class LampsSection(_Pins):
    """Lamps for each side's turn and for each signal, and a buzzer."""

    A: str | None = None
    B: str | None = None
    twenty: str | None = None
    foul: str | None = None
    check: str | None = None
    buzzer: str | None = None


class ButtonsSection(_Pins):
    """Push buttons between a pin and ground."""

    undo: str | None = None
    confirm: str | None = None


class WebhookSection(FrozenModel):
    """A program that receives events; see `controller.table.webhooks`."""

    url: str = Field(pattern="^https?://", max_length=500)
    secret: str = ""


class WebSection(PagesSection):
    """The scoreboard's addresses, and webhooks.

    `certificate` and `key`: PEM files for https at `https_port`, for the first of `names`. `names`: additional host
    names of the scoreboard, such as a proxy's; its addresses and names in the local network need not be listed.
    `proxy`: a proxy on this machine forwards visitors, who must not count as the table's own screen, which needs no
    PIN."""

    port: Port = 8080
    https_port: Port = 8443
    webhooks: tuple[WebhookSection, ...] = ()


class ScreenSection(FrozenModel):
    """Appearance and sounds of the table's own screen; the page's address can override them, as in
    `/tv?theme=dark&sounds=yes&caller=scores`.

    `theme`: the browser's, light, dark, or dark in the evening, from `dark_from` until `dark_until` o'clock. `sounds`:
    for a twenty and for a match's end; `caller`: how much a voice announces. `replays`: whether twenties, fouls and
    takeouts of two discs or more are replayed on the drawn board between shots."""

    theme: Literal["browser", "light", "dark", "evening"] = "browser"
    dark_from: int = Field(default=19, ge=0, le=23)
    dark_until: int = Field(default=7, ge=0, le=23)
    sounds: bool = False
    caller: Literal["off", "calls", "scores", "full"] = "off"
    replays: bool = True


class PicturesSection(FrozenModel):
    """How long pictures of shots and questions are kept; matches are kept for ever. They are in the
    folder `pictures` beside the journal and in no backup. They are removed `days` after a match's last event
    (docs/privacy.md says how days are counted), or earlier, the oldest first, if they exceed `megabytes`. The newest
    match always keeps its pictures."""

    days: int = Field(default=180, ge=1, le=36_500)
    megabytes: int = Field(default=4000, ge=50, le=1_000_000)


class ClipsSection(FrozenModel):
    """Clips of questions, twenties, fouls and takeouts: moving pictures of the board.

    They are in the folder `clips` beside the journal and in no backup. The table sends them nowhere; visitors of its
    pages can watch them. `keep`: whether new ones are kept. They are removed after `days`, or earlier, the oldest
    first, if they exceed `megabytes` or the disk is nearly full."""

    keep: bool = True
    days: int = Field(default=30, ge=1, le=36_500)
    megabytes: int = Field(default=500, ge=5, le=1_000_000)


class RoundsSection(FrozenModel):
    """*Keep this round*: saves one of the newest two rounds as a ZIP, without names and with pictures cut to the board.

    The two are recorded in the folder `rounds` beside the journal; the table sends them nowhere. `keep`: whether they
    are recorded."""

    keep: bool = True


class ChecksSection(FrozenModel):
    """Spot checks: at the end of randomly chosen rounds, `ask` people whether the board is as the table shows it."""

    ask: bool = True


class CrokiSection(FrozenModel):
    """The croki.nl organiser's laptop in the hall: its address, the event's machine key, and this table's number."""

    url: str = Field(max_length=300)
    key: SecretStr = Field(min_length=1, max_length=200)
    table: int = Field(ge=1, le=10_000)

    @field_validator("url")
    @classmethod
    def _is_address(cls, url: str) -> str:
        if not re.fullmatch(r"https?://[^\s/?#@]+/?", url):
            raise ValueError(f"{url!r} is no address of a laptop: write http://192.0.2.7:8000, as its screen shows it")
        return url


class MatchSection(FrozenModel):
    """The match that a simulated or recorded table starts by itself. Without a `starter`, a simulated table chooses one
    by its seed; with a recording, A begins."""

    rules: str = "nca"
    format: dict[str, Any] | None = None
    discs: int | None = None
    sides: tuple[MatchSide, ...] = Field(
        default=(MatchSide(name="Player 1", colour="black"), MatchSide(name="Player 2", colour="natural")),
        min_length=2,
        max_length=4,
    )
    starter: SideId | None = None
    doubles: bool = False


class SimulatedSection(FrozenModel):
    """The simulated table. `hung`: "random" places camera and players by the seed; "straight" puts seat 1 at the
    picture's bottom; "beside" is "random" with the camera on a tripod beside the table."""

    seed: int = Field(default=1, ge=0, le=2**63 - 1)
    hung: Literal["random", "straight", "beside"] = "random"
    faults: tuple[str, ...] = ()
    frames_per_second: float = Field(default=30.0, gt=0, le=120)


class Config(FrozenModel):
    """The whole configuration."""

    table: TableSection = TableSection()
    camera: CameraSection = CameraSection()
    hole: HoleSection = HoleSection()
    lamps: LampsSection = LampsSection()
    buttons: ButtonsSection = ButtonsSection()
    web: WebSection = WebSection()
    screen: ScreenSection = ScreenSection()
    pictures: PicturesSection = PicturesSection()
    clips: ClipsSection = ClipsSection()
    rounds: RoundsSection = RoundsSection()
    checks: ChecksSection = ChecksSection()
    croki: CrokiSection | None = None
    match: MatchSection = MatchSection()
    simulated: SimulatedSection = SimulatedSection()
    rules: tuple[dict[str, Any], ...] = ()

    @field_validator("rules")
    @classmethod
    def _playable(cls, tables: tuple[dict[str, Any], ...]) -> tuple[dict[str, Any], ...]:
        for number, table in enumerate(tables, start=1):
            try:
                own_rule_set(table)
            except RulesError as error:
                own = table.get("id", number)
                wrong = f"base: {error.message}" if isinstance(error, UnknownRuleSet) else str(error)
                raise ValueError(f"{own}: {wrong}") from error
        return tables


def load(path: Path | None) -> Config:
    """Load the configuration from a file, or the defaults. Raises as `load_toml` does."""
    return Config() if path is None else load_toml(path, Config)
