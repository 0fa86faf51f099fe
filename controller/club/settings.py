"""The club's TOML file, typed; unknown keys are refused. Without a file a simulated evening is played.

[club]    id, name, data (a folder), database (a URL; default: SQLite in that folder), rules
[web]     host, port, names; `certificate` and `key`: for https at https_port, for the first of `names`; `proxy`:
          whether a proxy on this machine forwards visitors, who must not count as the hub's own screen, which needs no
          password
"""

from pathlib import Path

from pydantic import Field, field_validator

from controller import rules
from controller.errors import BadInput
from controller.match.club import ID
from controller.validation import FrozenModel, PagesSection, Port, load_toml


class ClubSection(FrozenModel):
    """The club. `id` names its part of the database, and can't be changed later."""

    id: str
    name: str = Field(min_length=1, max_length=40)
    data: Path
    database: str | None = None
    rules: str = "nca"

    @field_validator("id")
    @classmethod
    def _is_an_id(cls, id: str) -> str:
        if not ID.fullmatch(id):
            raise ValueError(f"{id!r} can't be the club's id: use small letters, digits and hyphens, as in our-club")
        return id


class HubWebSection(PagesSection):
    """The address of the pages, and names of this machine besides those of the local network."""

    port: Port = 8000
    https_port: Port = 8444


class ClubSettings(FrozenModel):
    """The whole file."""

    club: ClubSection
    web: HubWebSection = HubWebSection()

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
