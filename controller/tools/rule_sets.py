"""The verb `rules`: the choices of the rule sets and their sources."""

import click

from controller import rules
from controller.messages import encoded


@click.command(name="rules")
@click.argument("rule_set", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def rules_(rule_set: str | None, as_json: bool) -> None:
    """The rule sets and formats, every choice with its source."""
    if as_json:
        print(encoded(rules.describe(rule_set)), flush=True)
        return
    for one in [rules.rule_set(rule_set)] if rule_set else (*rules.rule_sets(), *rules.practices()):
        discs = one.discs_a_side("each", 1) if one.practice else one.discs
        print(f"{one.id}: {one.name}. {rules.format_words(one.formats[0])}, {discs} discs a side. From {one.origin}.")
        for choice in rules.CHOICES if rule_set else ():
            words = rules.choice_words(choice, one.value(choice))
            print(f"  {rules.choice_title(choice)}: {words}. [{one.source(choice)}]")
