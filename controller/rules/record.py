"""Reads, judges and writes the match record, a whole match as JSON: the documents `match-record/1` and `judgement/1`.

>>> document = {
...     "schema": "match-record/1", "rules": "nca",
...     "sides": [{"id": "A", "name": "Black"}, {"id": "B", "name": "Natural"}],
...     "rounds": [{"starter": "A", "shots": [
...         {"side": "A", "disc": "a1", "contacts": [], "rest": {"a1": {"at": "hole"}}}]}],
... }
>>> judge_document(document)["rounds"][0]["totals"]
{'A': 20, 'B': 0}
>>> read(write(read(document))) == read(document)
True
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import Any

from controller.rules.choices import BY_CONFIGURATION, OVERRIDABLE, RuleSet
from controller.rules.errors import RecordError, RulesError
from controller.rules.formats import Format
from controller.rules.match import Match
from controller.rules.record_models import (
    FORMAT,
    RECORD,
    SCHEMA,
    MatchRecord,
    RestRecord,
    Rests,
    RoundRecord,
    ShotRecord,
    SideRecord,
    validated,
)
from controller.rules.rounds import JudgedShot, Round, open_round
from controller.rules.rule_sets import own_rule_set, practices, rule_set, rule_sets
from controller.rules.shots import Rest, Shot
from controller.rules.terms import Side

ANSWER = "judgement/1"
Document = dict[str, Any]


def judgement_of(match: Match) -> Document:
    """A match as the document `judgement/1`, with any `warnings`."""
    warnings = list(_warnings(match))
    return ({"warnings": warnings} if warnings else {}) | {
        "schema": ANSWER,
        "rounds": [_judged_round(round) for round in match.all_rounds],
        "match": {
            "score": match.score,
            "twenties": match.match_twenties,
            "over": match.over,
            "winner": match.winner,
            "next_starter": match.next_starter,
        },
    }


def write(match: Match) -> Document:
    """A match as a record; reading it returns the same match."""
    terms = match.terms
    return MatchRecord(
        schema=SCHEMA,
        rules=_written_rules(terms.rules),
        format=terms.format,
        discs=terms.discs,
        doubles=terms.doubles,
        sides=[SideRecord(id=side.id, name=side.name) for side in terms.sides],
        rounds=list(map(_round, match.all_rounds)),
        shoot_outs=[dict(figures) for figures in match.shoot_outs],
    ).model_dump(by_alias=True, exclude_defaults=True)


def written_format(format: Format) -> Document:
    """A format as JSON."""
    return {name: value for name, value in asdict(format).items() if value is not None}


def _judged_round(round: Round) -> Document:
    return {
        "shots": [judged_shot(played) for played in round.shots],
        "complete": round.complete,
        "totals": round.known_totals,
        "awarded": round.awarded,
    }


def judged_shot(played: JudgedShot) -> Document:
    """One shot of `judgement/1`, with `annulled` and `played_as` if they apply."""
    judgement = played.judgement
    document: Document = {
        "valid": judgement.valid,
        "reason": judgement.reason,
        "removed": [asdict(removal) for removal in judgement.removed],
        "twenties": list(judgement.twenties),
    }
    if judgement.played_as:
        document["played_as"] = judgement.played_as
    if played.annulled:
        document["annulled"] = True
    return document


def _warnings(match: Match) -> Iterator[str]:
    """Likely mistakes in a record, each with its place: contacts with discs that are off the board."""
    for r, round in enumerate(match.all_rounds):
        before: Collection[str] = ()
        for k, played in enumerate(round.shots):
            there = {played.shot.disc, *before}
            for id in dict.fromkeys(id for pair in played.shot.contacts for id in pair if id not in there):
                yield f"rounds[{r}].shots[{k}]: {id} was touched, but is off the board; that counts for nothing"
            before = played.board.discs


def _written_rules(rules: RuleSet) -> str | Document:
    if rules.base is None:
        return rules.id
    own = {name: getattr(rules, name) for name in OVERRIDABLE if rules.sources.get(name) == BY_CONFIGURATION}
    return {"id": rules.id, "base": rules.base, "name": rules.name} | {
        name: list(value) if isinstance(value, tuple) else value for name, value in own.items()
    }


def _round(round: Round) -> RoundRecord:
    counted = dict(round.totals) if round.complete and round.counted_by_hand is not None else None
    return RoundRecord(
        starter=round.starter,
        seat=round.starter_seat,
        shots=list(map(_shot, round.shots)),
        closed=round.closed,
        time_out=round.time_out,
        awarded=round.awarded_by_hand,
        totals=round.totals_by_hand or counted,
        twenties_adjusted=round.twenties_adjusted or None,
    )


def _shot(played: JudgedShot) -> ShotRecord:
    return ShotRecord(
        side=played.shot.side,
        disc=played.shot.disc,
        contacts=[list(pair) for pair in played.shot.contacts],
        rest=_written_rests(played.shot.rest),
        annulled=played.annulled,
        played_as=played.judgement.played_as,
        corrected=_written_rests(played.corrected) if played.corrected else None,
    )


def _written_rests(rests: Mapping[str, Rest]) -> dict[str, RestRecord]:
    return {disc: RestRecord.of(rest) for disc, rest in rests.items()}


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
