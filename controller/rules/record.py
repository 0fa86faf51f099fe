"""Reads and judges the match record, a whole match as JSON; `written` writes it.

>>> document = {
...     "schema": "match-record/1", "rules": "nca",
...     "sides": [{"id": "A", "name": "Black"}, {"id": "B", "name": "Natural"}],
...     "rounds": [{"starter": "A", "shots": [
...         {"side": "A", "disc": "a1", "contacts": [], "rest": {"a1": {"at": "hole"}}}]}],
... }
>>> judge_document(document)["rounds"][0]["totals"]
{'A': 20, 'B': 0}
>>> from controller.rules.written import write
>>> read(write(read(document))) == read(document)
True

Optional members of a record: `doubles`; `shoot_outs`, each the twenties by side; `about`, free for any use; as `rules`
a custom rule set (`id`, `base` and its overrides). Of a round: the starting `seat`, `time_out` (the number of shots
when time ran out), and the organiser's `awarded`, `totals` and `twenties_adjusted` (each side's twenties beyond those
banked; negative if fewer). Of a shot: `annulled`, `played_as` (how people overruled the verdict, see
`controller.rules.judge.PlayedAs`), and `corrected`, the corrected places of discs, as in `rest`. Of a `rest` with a
position: the `zone`, if it differs from the position's."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from controller.rules.choices import RuleSet
from controller.rules.errors import RecordError, RulesError
from controller.rules.formats import Format
from controller.rules.geometry import ZONES, Zone
from controller.rules.judge import PLAYED_AS, PlayedAs
from controller.rules.match import Match
from controller.rules.rounds import Round, open_round
from controller.rules.rule_sets import own_rule_set, practices, rule_set, rule_sets
from controller.rules.shots import Ditch, Hole, Placed, Rest, Shot
from controller.rules.terms import Side
from controller.rules.written import SCHEMA, Document, judgement_of

MAX_COORDINATE = 10**9  # mm: the largest coordinate that is accepted
MAX_SHOTS = 500  # in a round, annulled ones included: ten times the discs of four players

# An organiser's corrections of a round, in the order of application: totals need a finished round.
CORRECTIONS = {"awarded": Round.award, "totals": Round.correct_totals, "twenties_adjusted": Round.adjust_twenties}


def read(document: object, known: Iterable[RuleSet] | None = None) -> Match:
    """Read a match from a record. `known`: the rule sets that `rules` may name, by default the built-in ones. Raises
    `RecordError`, whose message begins with the place, such as `rounds[0].shots[3].disc`."""
    top = _object(document, "record")
    _check_schema(top)
    _only(top, "", "schema", "rules", "format", "discs", "doubles", "sides", "rounds", "shoot_outs", "about")
    rounds = [_object(item, f"rounds[{k}]") for k, item in enumerate(_list(_member(top, "rounds", ""), "rounds"))]
    match = _start_match(top, rounds, (*rule_sets(), *practices()) if known is None else known)
    if rounds:
        match = replace(match, all_rounds=tuple(_play_rounds(match.round, rounds)))
    for k, item in enumerate(_list(top.get("shoot_outs", []), "shoot_outs")):
        with _at(f"shoot_outs[{k}]"):
            match = match.with_shoot_out(_object(item, f"shoot_outs[{k}]"))
    return match


def judge_document(document: object) -> Document:
    """Judge a match record: each shot's judgement, each round's totals, the match. Raises `RecordError`."""
    answer = judgement_of(read(document))
    if isinstance(document, Mapping) and not document["rounds"]:
        answer["rounds"] = []
    return answer


def read_format(value: object) -> Format:
    """Read a format from JSON. Raises `RecordError` with the place."""
    data = _object(value, "format")
    _only(data, "format", "kind", "target", "rounds", "games", "tie")
    _member(data, "kind", "format")
    with _at("format"):
        return Format(**data)


# --- reading


def _check_schema(top: Document) -> None:
    schema = _member(top, "schema", "")
    if schema == SCHEMA:
        return
    family, _, version = str(schema).partition("/")
    if family == SCHEMA.partition("/")[0] and version.isdigit() and int(version) > 1:
        raise RecordError(f"{schema!r} is newer than this program, which reads {SCHEMA!r}; update it", "schema")
    raise RecordError(f"{schema!r} is not a match record; it must be {SCHEMA!r}", "schema")


def _start_match(top: Document, rounds: list[Document], known: Iterable[RuleSet]) -> Match:
    rules = _rules(_member(top, "rules", ""), known)
    format = read_format(top["format"]) if top.get("format") is not None else None
    sides = []
    for k, item in enumerate(_list(_member(top, "sides", ""), "sides")):
        place = f"sides[{k}]"
        data = _object(item, place)
        _only(data, place, "id", "name", "colour")
        id = _text(data, "id", place)
        sides.append(Side(id, _text(data, "name", place) if "name" in data else id))
    sides.sort(key=lambda side: side.id)
    starter, seat = _starter(rounds[0], "rounds[0]") if rounds else ("A", None)
    doubles = _flag(top, "doubles", "")
    try:
        return Match.start(rules, format, sides, starter, discs=top.get("discs"), doubles=doubles, seat=seat)
    except RulesError as error:
        raise error.within("rounds[0]" if error.place in ("starter", "seat") else "") from error


def _rules(value: object, known: Iterable[RuleSet]) -> RuleSet:
    if isinstance(value, str):
        with _at(""):
            return rule_set(value, known)
    with _at("rules"):
        return own_rule_set(_object(value, "rules"), known)


def _starter(data: Document, place: str) -> tuple[str, int | None]:
    seat = data.get("seat")
    if seat is not None and (not isinstance(seat, int) or isinstance(seat, bool)):
        raise RecordError(f"{seat!r} is not a seat; seats are 1 to 4", f"{place}.seat")
    return _text(data, "starter", place), seat


def _play_rounds(first: Round, rounds: list[Document]) -> Iterator[Round]:
    """Play the recorded rounds. `first` is open; further ones are opened even if the format needs none."""
    round = first
    for k, data in enumerate(rounds):
        place = f"rounds[{k}]"
        if k:
            if not round.complete:
                raise RecordError(
                    f"has {len(round.shots)} shots and is not complete, yet another round follows; "
                    'say "closed": true when it ended early',
                    f"rounds[{k - 1}]",
                )
            starter, seat = _starter(data, place)
            with _at(place):
                round = open_round(round.terms, k + 1, starter, seat, round.starter_seat)
        round = _play_round(round, data, place)
        yield round


def _play_round(round: Round, data: Document, place: str) -> Round:
    _only(data, place, "starter", "seat", "shots", "closed", "time_out", *CORRECTIONS)
    shots, time_out = _list(_member(data, "shots", place), f"{place}.shots"), data.get("time_out")
    if len(shots) > MAX_SHOTS:
        raise RecordError(f"{len(shots)} shots are more than a round can have: {MAX_SHOTS}", f"{place}.shots")
    if time_out is not None and (isinstance(time_out, bool) or time_out not in range(len(shots) + 1)):
        raise RecordError(f"{time_out!r} is not a number of shots in this round", f"{place}.time_out")
    for k, item in enumerate(shots):
        if k == time_out:
            with _at(place):
                round = round.at_time_out()
        round = _play_shot(round, item, f"{place}.shots[{k}]")
    with _at(place):
        if time_out == len(shots):
            round = round.at_time_out()
        if _flag(data, "closed", place) and not round.complete:
            round = round.close()
        for name, correct in CORRECTIONS.items():
            if data.get(name) is not None:
                round = correct(round, _object(data[name], f"{place}.{name}"))
    return round


def _play_shot(round: Round, item: object, place: str) -> Round:
    data = _object(item, place)
    _only(data, place, "side", "disc", "contacts", "rest", "annulled", "played_as", "corrected")
    contacts = []
    for k, pair in enumerate(_list(_member(data, "contacts", place), f"{place}.contacts")):
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(id, str) for id in pair):
            raise RecordError(f"{pair!r} is not a pair of disc ids", f"{place}.contacts[{k}]")
        contacts.append((pair[0], pair[1]))
    rest = _rests(_member(data, "rest", place), f"{place}.rest")
    shot = Shot(_text(data, "side", place), _text(data, "disc", place), tuple(contacts), rest)
    with _at(place):
        annulled, played_as = _flag(data, "annulled", place), _played_as(data, place)
        round = round.play_annulled(shot) if annulled else round.play(shot, played_as)
    if data.get("corrected") is not None:
        with _at(f"{place}.corrected"):
            round = round.place_all(_rests(data["corrected"], f"{place}.corrected"))
    return round


def _played_as(data: Document, place: str) -> PlayedAs | None:
    value = data.get("played_as")
    known = next((one for one in PLAYED_AS if one == value), None)
    if value is not None and known is None:
        raise RecordError(f"{value!r} is not known; there are {', '.join(PLAYED_AS)}", f"{place}.played_as")
    return known


def _rests(value: object, place: str) -> dict[str, Rest]:
    return {disc: _rest(where, f"{place}.{disc}") for disc, where in _object(value, place).items()}


def _rest(value: object, place: str) -> Rest:
    data = _object(value, place)
    _only(data, place, "at", "pose", "returned", "zone")
    at, returned = _member(data, "at", place), _flag(data, "returned", place)
    if at in ("hole", "ditch"):
        for name in ("pose", "zone"):
            if name in data:
                raise RecordError(f"a {name} is for a disc with a position, not in the {at}", f"{place}.{name}")
        return Hole(returned) if at == "hole" else Ditch(returned)
    if not isinstance(at, list) or len(at) != 2 or not all(_is_number(n) for n in at):
        raise RecordError(f'{at!r} is not a place; say [x, y] in mm, "hole" or "ditch"', f"{place}.at")
    return Placed(float(at[0]), float(at[1]), data.get("pose", "flat"), returned, _zone(data.get("zone"), place))


def _zone(value: object, place: str) -> Zone | None:
    known = next((zone for zone in ZONES if type(value) is int and value == zone), None)
    if value is not None and known is None:
        raise RecordError(f"{value!r} is not a zone of the surface; say 15, 10, 5 or 0", f"{place}.zone")
    return known


def _is_number(value: object) -> bool:
    return isinstance(value, float) or (
        isinstance(value, int) and not isinstance(value, bool) and abs(value) < MAX_COORDINATE
    )


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Add the place in the record to any `RulesError` raised inside."""
    try:
        yield
    except RecordError:
        raise
    except RulesError as error:
        raise error.within(place) from error


def _member(data: Document, name: str, place: str) -> Any:
    if name not in data:
        raise RecordError("is missing", f"{place}.{name}" if place else name)
    return data[name]


def _only(data: Document, place: str, *names: str) -> None:
    """Refuse unknown members: a misspelt one would change the verdict."""
    for name in data:
        if name not in names:
            near = get_close_matches(str(name), names, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names)}"
            raise RecordError(f"means nothing here; {hint}", f"{place}.{name}" if place else str(name))


def _object(value: object, place: str) -> Document:
    if not isinstance(value, dict):
        raise RecordError("must be an object", place)
    return value


def _list(value: object, place: str) -> list[Any]:
    if not isinstance(value, list):
        raise RecordError("must be a list", place)
    return value


def _text(data: Document, name: str, place: str) -> str:
    value = _member(data, name, place)
    if not isinstance(value, str) or not value:
        raise RecordError(f"{value!r} is not a text", f"{place}.{name}")
    return value


def _flag(data: Document, name: str, place: str) -> bool:
    value = data.get(name, False)
    if not isinstance(value, bool):
        raise RecordError(f"{value!r} must be true or false", f"{place}.{name}" if place else name)
    return value
