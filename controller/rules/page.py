"""The page `docs/rules.md`, made from the rule sets: `python -m controller.rules.page > docs/rules.md`."""

from collections.abc import Iterable, Sequence

from controller.rules.choices import CHOICES, FEWEST_DISCS, GROUPS, MOST_DISCS, OVERRIDABLE, RuleChoice, RuleSet
from controller.rules.explain import choice_title, choice_words, format_words
from controller.rules.rule_sets import practices, rule_sets
from controller.rules.texts import text

OWN_EXAMPLE = """\
[[rules]]
id = "our-club"
base = "club-100"
name = "Our club"
discs = 10
open_board = "free"
foul_removes = ["shot_disc", "own_hit", "own_sunk"]
"""


def say(key: str, **values: object) -> str:
    """The English text of a key; the page is in English."""
    return str(text(key, **values))


def page() -> str:
    """The page in Markdown."""
    return "\n".join([*_head(), *_side_by_side(), *_same_for_all(), *_formats(), *_sources(), *_own()]) + "\n"


def _head() -> list[str]:
    return [f"# {say('page.title')}", "", say("page.intro"), "", say("page.generated"), ""]


def _side_by_side() -> list[str]:
    sets = rule_sets()
    differing = [choice for choice in CHOICES.values() if len({getattr(rules, choice.name) for rules in sets}) > 1]
    rows = [[_titled(choice), *(_cell(rules, choice.name) for rules in sets)] for choice in differing]
    rows.append([say("page.formats"), *(_formats_of(rules) for rules in sets)])
    head = [say("page.choice"), *(f"`{rules.id}`" for rules in sets)]
    return [f"## {say('page.side_by_side')}", "", say("page.silent"), "", *_table(head, rows), ""]


def _same_for_all() -> list[str]:
    sets = rule_sets()
    rows = []
    for name, choice in CHOICES.items():
        values = {getattr(rules, name) for rules in sets}
        if len(values) == 1:
            says_so = ", ".join(f"`{rules.id}`" for rules in sets if name in rules.sources)
            rows.append([_titled(choice), str(choice_words(name, values.pop())), says_so])
    head = [say("page.choice"), say("page.value"), say("page.says_so")]
    return [f"## {say('page.same')}", "", say("page.same_intro"), "", *_table(head, rows), ""]


def _titled(choice: RuleChoice) -> str:
    title = str(choice_title(choice.name))
    return f"{title} ({say('page.people')})" if choice.people and choice.name != "manners" else title


def _cell(rules: RuleSet, choice: str) -> str:
    words = str(choice_words(choice, getattr(rules, choice)))
    return words if choice in rules.sources else f"– {words}"


def _formats_of(rules: RuleSet) -> str:
    return "; ".join(str(format_words(format)) for format in rules.formats)


def _formats() -> list[str]:
    paragraphs = [say(f"page.{key}") for key in ("formats_intro", "kinds", "ties", "time", "each", "alone")]
    lines = [f"## {say('page.formats')}", ""]
    for paragraph in paragraphs:
        lines += [paragraph, ""]
    return lines


def _sources() -> list[str]:
    rows = [[rules.name, f"`{rules.id}`", rules.origin] for rules in (*rule_sets(), *practices())]
    head = [say("page.name"), "id", say("page.origin")]
    return [f"## {say('page.sources')}", "", say("page.sources_intro"), "", *_table(head, rows), ""]


def _own() -> list[str]:
    rows = [[f"`{name}`", str(choice_title(name)), _values(CHOICES[name])] for name in OVERRIDABLE]
    head = [say("page.name"), say("page.choice"), say("page.values")]
    example = ["```toml", *OWN_EXAMPLE.splitlines(), "```", ""]
    return [
        f"## {say('page.own')}",
        "",
        say("page.own_intro"),
        "",
        *example,
        say("page.own_values"),
        "",
        *_table(head, rows),
    ]


def _values(choice: RuleChoice) -> str:
    if choice.values:
        return ", ".join(f"`{value}`" for value in choice.values)
    if isinstance(choice.default, tuple):
        return say("page.some_of", values=", ".join(f"`{group}`" for group in GROUPS))
    share = 2 if choice.name == "discs_doubles" else 1
    return say("page.range", low=FEWEST_DISCS // share, high=MOST_DISCS // share)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [_row(head), _row(["---"] * len(head)), *(_row(row) for row in rows)]


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    print(page(), end="")
