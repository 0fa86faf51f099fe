"""The document `match-record/1`, as it is read and written: each member's name, type and place."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from controller.rules.choices import CHOICES, Choices
from controller.rules.errors import RecordError, RulesError
from controller.rules.formats import Format
from controller.rules.geometry import Zone
from controller.rules.judge import PlayedAs
from controller.rules.shots import Ditch, Hole, Placed, Pose, Rest, is_exact

SCHEMA: Literal["match-record/1"] = "match-record/1"
MAX_COORDINATE = 10**9  # mm: the largest coordinate that is accepted
MAX_SHOTS = 500  # in a round, annulled ones included: ten times the discs of four players
WORDS: Mapping[str, str] = {
    "missing": "is missing",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "dataclass_type": "must be an object",
}


def _is_number(value: object) -> bool:
    return isinstance(value, float) or (
        isinstance(value, int) and not isinstance(value, bool) and abs(value) < MAX_COORDINATE
    )


def _place(value: Any) -> Any:
    if value in ("hole", "ditch"):
        return value
    if not isinstance(value, list) or len(value) != 2 or not all(map(_is_number, value)):
        raise PydanticCustomError("place", 'must be [x, y] in mm, "hole" or "ditch"')
    return [float(value[0]), float(value[1])]


class _Part(BaseModel):
    """A part of a record. Unknown members are refused: a misspelt one would change the verdict."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


P = TypeVar("P")
Figures = dict[str, Any] | None  # by side; the rules check them
Text = Annotated[str, Field(min_length=1)]


class RestRecord(_Part):
    """Where a disc came to rest. `zone`: if it differs from the position's."""

    at: Annotated[Any, AfterValidator(_place)]
    pose: Pose = "flat"
    zone: Zone | None = None
    returned: bool = False

    @classmethod
    def of(cls, rest: Rest) -> "RestRecord":
        if not isinstance(rest, Placed):
            return cls(at=rest.word, returned=rest.returned)
        zone = None if is_exact(rest) else rest.zone
        return cls(at=[rest.x, rest.y], pose=rest.pose, zone=zone, returned=rest.returned)

    def rest(self) -> Rest:
        """Raises `RecordError`."""
        if isinstance(self.at, list):
            x, y = self.at
            return Placed(x, y, self.pose, self.returned, self.zone)
        for name in self.model_fields_set & {"pose", "zone"}:
            raise RecordError(f"a {name} is for a disc with a position, not in the {self.at}", name)
        return Hole(self.returned) if self.at == "hole" else Ditch(self.returned)


Rests = dict[str, RestRecord]


class ShotRecord(_Part):
    """A shot. `played_as`: how people overruled the verdict; `corrected`: corrected places of discs."""

    side: Text
    disc: Text
    contacts: list[Annotated[list[str], Field(min_length=2, max_length=2)]]
    rest: Rests
    annulled: bool = False
    played_as: PlayedAs | None = None
    corrected: Rests | None = None


class RoundRecord(_Part):
    """A round. `time_out`: the number of shots when time ran out. The last three are the organiser's corrections, in
    the order in which they apply; `twenties_adjusted` has each side's twenties beyond those banked."""

    starter: Text
    seat: int | None = None
    shots: Annotated[list[ShotRecord], Field(max_length=MAX_SHOTS)]
    closed: bool = False
    time_out: Annotated[int, Field(ge=0)] | None = None
    awarded: Figures = None
    totals: Figures = None
    twenties_adjusted: Figures = None


class SideRecord(_Part):
    """A side. `colour` is free for any use."""

    id: Text
    name: Text | None = None
    colour: Any = None


class MatchRecord(_Part):
    """A whole match. `rules`: an id, or a custom rule set (`id`, `base` and its overrides); `shoot_outs`: each the
    twenties by side; `about`: free for any use."""

    form: Literal["match-record/1"] = Field(alias="schema")
    rules: Any
    format: Format | None = None
    discs: int | None = None
    doubles: bool = False
    sides: list[SideRecord]
    rounds: list[RoundRecord]
    shoot_outs: list[dict[str, Any]] = []
    about: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRuleSet(Choices):
    """A rule set of one's own, as it is configured: what is left out is as in its `base`."""

    id: Text
    base: Text
    name: str | None = None


RECORD, FORMAT, OWN = TypeAdapter(MatchRecord), TypeAdapter(Format), TypeAdapter(OwnRuleSet)


def validated(kind: TypeAdapter[P], document: object, place: str = "", *, wrong: type[RulesError] = RecordError) -> P:
    """A document, or the part of one at this place. Raises `wrong` for its first wrong member."""
    try:
        return kind.validate_python(document)
    except ValidationError as error:
        first = error.errors()[0]
        parts = [place, *first["loc"]] if first["loc"] else [place or "record"]
        where = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts if part != "")
        cause = first.get("ctx", {}).get("error")
        if isinstance(cause, RulesError):
            raise cause.within(where.lstrip(".")) from error
        raise wrong(_words(first), where.lstrip(".")) from error


def _words(error: ErrorDetails) -> str:
    if error["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
        names = {*Format.__dataclass_fields__, *CHOICES} | {
            field.alias or name for part in _Part.__subclasses__() for name, field in part.model_fields.items()
        }
        near = get_close_matches(str(error["loc"][-1]), names, n=1)
        return "means nothing here; " + (f"did you mean {near[0]!r}?" if near else "leave it out")
    given = f", not {error['input']!r}" if isinstance(error["input"], str | int | float) else ""
    return WORDS.get(error["type"]) or error["msg"].replace("Input should be", "must be") + given
