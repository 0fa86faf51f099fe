"""The club's TOML file, typed; unknown keys are refused. Without a file a simulated evening is played.

[club]    id, name, data (a folder), database (a URL; default: SQLite in that folder), rules
[broker]  url, password: of a broker elsewhere, where the hub's account is `user`; without them the hub runs this
          machine's Mosquitto. Once a table has joined, that listens on `host` and `port`, over TLS with
          `tls_certificate`, `tls_key` and the certificate's `name`. `certificate`: of the authority that signed the
          broker's, if that is the club's own
[web]     host, port, names; `certificate` and `key`: for https at https_port, for the first of `names`; `proxy`:
          whether a proxy on this machine forwards visitors, who must not count as the hub's own screen, which needs no
          password
"""

import re
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from controller import rules
from controller.errors import BadInput
from controller.link import BROKER, ID
from controller.validation import EncryptedSection, load_toml

Port = Annotated[int, Field(ge=0, le=65535)]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ClubSection(_Section):
    """The club. `id` is part of the topics and can't be changed later."""

    id: str
    name: str = Field(min_length=1, max_length=40)
    data: Path
    database: str | None = None
    rules: str = "nca"

    @field_validator("id")
    @classmethod
    def _fits_in_topics(cls, id: str) -> str:
        if not ID.fullmatch(id):
            raise ValueError(f"{id!r} can't be the club's id: use small letters, digits and hyphens, as in our-club")
        return id


class BrokerSection(_Section):
    """The address of the MQTT broker, or of the hub's own one. Certificates and keys are PEM files."""

    url: str | None = None
    password: str = ""
    certificate: Path | None = None
    host: str = "0.0.0.0"
    port: Port | None = None
    user: str = Field(default="_hub", pattern=rf"^_{ID.pattern}$")
    name: str | None = Field(default=None, pattern=r"^[A-Za-z0-9._-]{1,253}$")
    tls_certificate: Path | None = None
    tls_key: Path | None = None

    @field_validator("url")
    @classmethod
    def _is_an_address(cls, url: str | None) -> str | None:
        if url is not None and not re.fullmatch(BROKER, url):
            raise ValueError(f"{url!r} is no broker's address: write mqtt://host:1883, or mqtts:// with TLS")
        return url

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        tls = (self.tls_certificate, self.tls_key, self.name)
        if any(tls) and not all(tls):
            raise ValueError("tls_certificate, tls_key and name belong together")
        if self.url is not None and any(tls):
            raise ValueError("with url the broker runs elsewhere: leave out tls_certificate, tls_key and name")
        return self

    @property
    def listens_on(self) -> int:
        """The port for tables: the configured or the usual one."""
        return self.port if self.port is not None else 8883 if self.tls_key else 1883


class WebSection(EncryptedSection, _Section):
    """The address of the pages, and names of this machine besides those of the local network."""

    host: str = "0.0.0.0"
    port: Port = 8000
    https_port: Port = 8444
    names: tuple[str, ...] = ()
    proxy: bool = False


class ClubSettings(_Section):
    """The whole file."""

    club: ClubSection
    broker: BrokerSection = BrokerSection()
    web: WebSection = WebSection()

    @property
    def database(self) -> str:
        return self.club.database or f"sqlite:///{self.club.data / 'club.sqlite'}"


def load(path: Path) -> ClubSettings:
    """The settings in a file. Raises `BadInput` with the place of each wrong key."""
    settings = load_toml(path, ClubSettings)
    try:
        rules.rule_set(settings.club.rules)
    except rules.RulesError as error:
        raise BadInput(f"{path}: club.rules: {error}") from error
    return settings
