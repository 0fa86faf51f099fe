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
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from controller.rules.choices import RuleSet
from controller.rules.errors import RecordError, RulesError
from controller.rules.formats import Format
from controller.rules.match import Match
from controller.rules.record_models import (
    FORMAT,
    RECORD,
    SCHEMA,
    MatchRecord,
    Rests,
    RoundRecord,
    ShotRecord,
    validated,
)
from controller.rules.rounds import Round, open_round
from controller.rules.rule_sets import own_rule_set, practices, rule_set, rule_sets
from controller.rules.shots import Rest, Shot
from controller.rules.terms import Side
from controller.rules.written import Document, judgement_of

# An organiser's corrections of a round, in the order of application: totals need a finished round.
CORRECTIONS = {"awarded": Round.award, "totals": Round.correct_totals, "twenties_adjusted": Round.adjust_twenties}


def read(document: object, known: Iterable[RuleSet] | None = None) -> Match:
    """Read a match from a record. `known`: the rule sets that `rules` may name, by default the built-in ones. Raises
    `RecordError`, whose message begins with the place, such as `rounds[0].shots[3].disc`."""
    _check_schema(document)
    record = validated(RECORD, document)
    match = _start_match(record, (*rule_sets(), *practices()) if known is None else known)
    if record.rounds:
        match = replace(match, all_rounds=tuple(_play_rounds(match.round, record.rounds)))
    for k, figures in enumerate(record.shoot_outs):
        with _at(f"shoot_outs[{k}]"):
            match = match.with_shoot_out(figures)
    return match


def judge_document(document: object) -> Document:
    """Judge a match record: each shot's judgement, each round's totals, the match. Raises `RecordError`."""
    answer = judgement_of(read(document))
    if isinstance(document, Mapping) and not document["rounds"]:
        answer["rounds"] = []
    return answer


def read_format(value: object) -> Format:
    """Read a format from JSON. Raises `RecordError` with the place."""
    return validated(FORMAT, value, "format")


def _check_schema(document: object) -> None:
    schema = document.get("schema", SCHEMA) if isinstance(document, Mapping) else SCHEMA
    family, _, version = str(schema).partition("/")
    if schema != SCHEMA and family == SCHEMA.partition("/")[0] and version.isdigit() and int(version) > 1:
        raise RecordError(f"{schema!r} is newer than this program, which reads {SCHEMA!r}; update it", "schema")


def _start_match(record: MatchRecord, known: Iterable[RuleSet]) -> Match:
    rules = _rules(record.rules, known)
    sides = sorted((Side(one.id, one.name or one.id) for one in record.sides), key=lambda side: side.id)
    starter, seat = (record.rounds[0].starter, record.rounds[0].seat) if record.rounds else ("A", None)
    try:
        return Match.start(rules, record.format, sides, starter, discs=record.discs, doubles=record.doubles, seat=seat)
    except RulesError as error:
        raise error.within("rounds[0]" if error.place in ("starter", "seat") else "") from error


def _rules(value: object, known: Iterable[RuleSet]) -> RuleSet:
    if isinstance(value, str):
        with _at(""):
            return rule_set(value, known)
    if not isinstance(value, dict):
        raise RecordError("must be an object", "rules")
    with _at("rules"):
        return own_rule_set(value, known)


def _play_rounds(first: Round, records: list[RoundRecord]) -> Iterator[Round]:
    """Play the recorded rounds. `first` is open; further ones are opened even if the format needs none."""
    round = first
    for k, record in enumerate(records):
        if k:
            if not round.complete:
                raise RecordError(
                    f"has {len(round.shots)} shots and is not complete, yet another round follows; "
                    'say "closed": true when it ended early',
                    f"rounds[{k - 1}]",
                )
            with _at(f"rounds[{k}]"):
                round = open_round(round.terms, k + 1, record.starter, record.seat, round.starter_seat)
        round = _play_round(round, record, f"rounds[{k}]")
        yield round


def _play_round(round: Round, record: RoundRecord, place: str) -> Round:
    if record.time_out is not None and record.time_out > len(record.shots):
        raise RecordError(f"{record.time_out} is not a number of shots in this round", f"{place}.time_out")
    with _at(place):
        for k, shot in enumerate(record.shots):
            if k == record.time_out:
                round = round.at_time_out()
            with _at(f"shots[{k}]"):
                round = _play_shot(round, shot)
        if record.time_out == len(record.shots):
            round = round.at_time_out()
        if record.closed and not round.complete:
            round = round.close()
        for name, correct in CORRECTIONS.items():
            if (figures := getattr(record, name)) is not None:
                round = correct(round, figures)
    return round


def _play_shot(round: Round, record: ShotRecord) -> Round:
    contacts = tuple((one, other) for one, other in record.contacts)
    shot = Shot(record.side, record.disc, contacts, _rests(record.rest, "rest"))
    round = round.play(shot, record.played_as, annul=record.annulled)
    if record.corrected is None:
        return round
    corrected = _rests(record.corrected, "corrected")
    with _at("corrected"):
        return round.place_all(corrected)


def _rests(records: Rests, place: str) -> dict[str, Rest]:
    rests = {}
    for disc, record in records.items():
        with _at(f"{place}.{disc}"):
            rests[disc] = record.rest()
    return rests


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Put the place in the record before that of any `RulesError` raised inside."""
    try:
        yield
    except RulesError as error:
        raise error.within(place) from error
