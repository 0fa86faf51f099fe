"""Writes a match as the documents `match-record/1` and `judgement/1`; `controller.rules.record` reads the former."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from controller.rules.choices import BY_CONFIGURATION, OVERRIDABLE, RuleSet
from controller.rules.formats import Format
from controller.rules.match import Match
from controller.rules.record_models import (
    SCHEMA,
    MatchRecord,
    RestRecord,
    RoundRecord,
    ShotRecord,
    SideRecord,
)
from controller.rules.rounds import JudgedShot, Round
from controller.rules.shots import Rest

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
        rest=_rests(played.shot.rest),
        annulled=played.annulled,
        played_as=played.judgement.played_as,
        corrected=_rests(played.corrected) if played.corrected else None,
    )


def _rests(rests: Mapping[str, Rest]) -> dict[str, RestRecord]:
    return {disc: RestRecord.of(rest) for disc, rest in rests.items()}
