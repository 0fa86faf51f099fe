"""The match record: a whole match as JSON, read, judged and written.

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

Beyond the promised members a record may have: `doubles`; `shoot_outs`, each a number of twenties by side; `about`,
which is anyone's; as `rules` an own rule set (`id`, `base`, and what it overrides); in a round the starting `seat`,
`time_out` (the number of shots there were when time ran out), and the organiser's `awarded`, `totals` and
`twenties_adjusted` (how many a side has more or less than were banked); in a shot `annulled`, `played_as` (what people
played it as instead of the rules' verdict, see `controller.rules.judge.PlayedAs`), and `corrected`: where discs really
lay, as in `rest`; in a `rest` with a position the `zone`, where it is not what the position says.
"""

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
from controller.rules.rounds import Round, opened
from controller.rules.rule_sets import own_rule_set, practices, rule_set, rule_sets
from controller.rules.shots import Ditch, Hole, Placed, Rest, Shot
from controller.rules.terms import Side
from controller.rules.written import SCHEMA, Document, judgement_of

FAR_OFF = 10**9  # mm: a coordinate beyond is no number worth computing with
MOST_SHOTS = 500  # in a round, annulled ones too: ten times the discs of four players with the most that there can be

# What an organiser may have set in a round, in the order in which it has to be entered: totals want a finished round.
CORRECTIONS = {
    "awarded": Round.award,
    "totals": Round.correct_totals,
    "twenties_adjusted": Round.adjust_twenties,
}


def read(document: object, known: Iterable[RuleSet] | None = None) -> Match:
    """The match that a record tells. `known` are the rule sets that its `rules` may name; else those of the table.

    Raises `RecordError`, whose message begins with the place, as in `rounds[0].shots[3].disc`.
    """
    top = _object(document, "record")
    _check_schema(top)
    _only(top, "", "schema", "rules", "format", "discs", "doubles", "sides", "rounds", "shoot_outs", "about")
    rounds = [_object(item, f"rounds[{k}]") for k, item in enumerate(_list(_member(top, "rounds", ""), "rounds"))]
    match = _begun(top, rounds, (*rule_sets(), *practices()) if known is None else known)
    if rounds:
        match = replace(match, all_rounds=tuple(_played(match.round, rounds)))
    for k, item in enumerate(_list(top.get("shoot_outs", []), "shoot_outs")):
        with _at(f"shoot_outs[{k}]"):
            match = match.with_shoot_out(_object(item, f"shoot_outs[{k}]"))
    return match


def judge_document(document: object, known: Iterable[RuleSet] | None = None) -> Document:
    """The answer to a match record: each shot's judgement, each round's totals, the match. Raises `RecordError`."""
    answer = judgement_of(read(document, known))
    if isinstance(document, Mapping) and not document["rounds"]:
        answer["rounds"] = []
    return answer


def read_format(value: object, place: str = "format") -> Format:
    """A format from JSON. Raises `RecordError` with the place."""
    told = _object(value, place)
    _only(told, place, "kind", "target", "rounds", "games", "tie")
    _member(told, "kind", place)
    with _at(place):
        return Format(**told)


# --- reading


def _check_schema(top: Document) -> None:
    schema = _member(top, "schema", "")
    if schema == SCHEMA:
        return
    family, _, version = str(schema).partition("/")
    if family == SCHEMA.partition("/")[0] and version.isdigit() and int(version) > 1:
        raise RecordError(f"{schema!r} is newer than this program, which reads {SCHEMA!r}; update it", "schema")
    raise RecordError(f"{schema!r} is no match record; it must be {SCHEMA!r}", "schema")


def _begun(top: Document, rounds: list[Document], known: Iterable[RuleSet]) -> Match:
    """The match before its first shot."""
    rules = _rules(_member(top, "rules", ""), known)
    format = read_format(top["format"]) if top.get("format") is not None else None
    sides = []
    for k, item in enumerate(_list(_member(top, "sides", ""), "sides")):
        place = f"sides[{k}]"
        told = _object(item, place)
        _only(told, place, "id", "name", "colour")
        id = _text(told, "id", place)
        sides.append(Side(id, _text(told, "name", place) if "name" in told else id))
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


def _starter(told: Document, place: str) -> tuple[str, int | None]:
    seat = told.get("seat")
    if seat is not None and (not isinstance(seat, int) or isinstance(seat, bool)):
        raise RecordError(f"{seat!r} is no seat; seats are 1 to 4", f"{place}.seat")
    return _text(told, "starter", place), seat


def _played(first: Round, rounds: list[Document]) -> Iterator[Round]:
    """The rounds that a record tells. `first` is open; a further one is opened as told, though none may be due."""
    round = first
    for k, told in enumerate(rounds):
        place = f"rounds[{k}]"
        if k:
            if not round.complete:
                raise RecordError(
                    f"has {len(round.shots)} shots and is not complete, yet another round follows; "
                    'say "closed": true when it ended early',
                    f"rounds[{k - 1}]",
                )
            starter, seat = _starter(told, place)
            with _at(place):
                round = opened(round.terms, k + 1, starter, seat, round.starter_seat)
        round = _round_played(round, told, place)
        yield round


def _round_played(round: Round, told: Document, place: str) -> Round:
    """A round with what a record tells of it."""
    _only(told, place, "starter", "seat", "shots", "closed", "time_out", *CORRECTIONS)
    shots, time_out = _list(_member(told, "shots", place), f"{place}.shots"), told.get("time_out")
    if len(shots) > MOST_SHOTS:
        raise RecordError(f"{len(shots)} shots are more than a round can have: {MOST_SHOTS}", f"{place}.shots")
    if time_out is not None and (isinstance(time_out, bool) or time_out not in range(len(shots) + 1)):
        raise RecordError(f"{time_out!r} is no number of this round's shots", f"{place}.time_out")
    for k, item in enumerate(shots):
        if k == time_out:
            with _at(place):
                round = round.at_time_out()
        round = _shot_played(round, item, f"{place}.shots[{k}]")
    with _at(place):
        if time_out == len(shots):
            round = round.at_time_out()
        if _flag(told, "closed", place) and not round.complete:
            round = round.close()
        for name, correct in CORRECTIONS.items():
            if told.get(name) is not None:
                round = correct(round, _object(told[name], f"{place}.{name}"))
    return round


def _shot_played(round: Round, item: object, place: str) -> Round:
    told = _object(item, place)
    _only(told, place, "side", "disc", "contacts", "rest", "annulled", "played_as", "corrected")
    contacts = []
    for k, pair in enumerate(_list(_member(told, "contacts", place), f"{place}.contacts")):
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(id, str) for id in pair):
            raise RecordError(f"{pair!r} is no pair of disc ids", f"{place}.contacts[{k}]")
        contacts.append((pair[0], pair[1]))
    rest = _rests(_member(told, "rest", place), f"{place}.rest")
    shot = Shot(_text(told, "side", place), _text(told, "disc", place), tuple(contacts), rest)
    with _at(place):
        annulled, played_as = _flag(told, "annulled", place), _played_as(told, place)
        round = round.play_annulled(shot) if annulled else round.play(shot, played_as)
    if told.get("corrected") is not None:
        with _at(f"{place}.corrected"):
            round = round.place_all(_rests(told["corrected"], f"{place}.corrected"))
    return round


def _played_as(told: Document, place: str) -> PlayedAs | None:
    value = told.get("played_as")
    known = next((one for one in PLAYED_AS if one == value), None)
    if value is not None and known is None:
        raise RecordError(f"{value!r} is not known; there are {', '.join(PLAYED_AS)}", f"{place}.played_as")
    return known


def _rests(value: object, place: str) -> dict[str, Rest]:
    return {disc: _rest(where, f"{place}.{disc}") for disc, where in _object(value, place).items()}


def _rest(value: object, place: str) -> Rest:
    told = _object(value, place)
    _only(told, place, "at", "pose", "returned", "zone")
    at, returned = _member(told, "at", place), _flag(told, "returned", place)
    if at in ("hole", "ditch"):
        for name in ("pose", "zone"):
            if name in told:
                raise RecordError(f"a {name} is for a disc with a position, not in the {at}", f"{place}.{name}")
        return Hole(returned) if at == "hole" else Ditch(returned)
    if not isinstance(at, list) or len(at) != 2 or not all(_is_number(n) for n in at):
        raise RecordError(f'{at!r} is no place; say [x, y] in mm, "hole" or "ditch"', f"{place}.at")
    return Placed(float(at[0]), float(at[1]), told.get("pose", "flat"), returned, _zone(told.get("zone"), place))


def _zone(value: object, place: str) -> Zone | None:
    known = next((zone for zone in ZONES if type(value) is int and value == zone), None)
    if value is not None and known is None:
        raise RecordError(f"{value!r} is no zone of the surface; say 15, 10, 5 or 0", f"{place}.zone")
    return known


def _is_number(value: object) -> bool:
    return isinstance(value, float) or (isinstance(value, int) and not isinstance(value, bool) and abs(value) < FAR_OFF)


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Any trouble inside is told with its place in the record."""
    try:
        yield
    except RecordError:
        raise
    except RulesError as error:
        raise error.within(place) from error


def _member(told: Document, name: str, place: str) -> Any:
    if name not in told:
        raise RecordError("is missing", f"{place}.{name}" if place else name)
    return told[name]


def _only(told: Document, place: str, *names: str) -> None:
    """Refuse a member that has no meaning here: it may be a slip of the pen that would change the verdict."""
    for name in told:
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


def _text(told: Document, name: str, place: str) -> str:
    value = _member(told, name, place)
    if not isinstance(value, str) or not value:
        raise RecordError(f"{value!r} is no text", f"{place}.{name}")
    return value


def _flag(told: Document, name: str, place: str) -> bool:
    value = told.get(name, False)
    if not isinstance(value, bool):
        raise RecordError(f"{value!r} must be true or false", f"{place}.{name}" if place else name)
    return value
