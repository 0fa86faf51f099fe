"""Prints the results of `simulate`."""

from collections.abc import Iterator, Mapping
from typing import Any

SILENCE = ("players", "rules", "fault")  # the breakdowns of silent errors


def show_report(report: dict[str, Any]) -> None:
    """Print a line for each figure, and two for each wrong round."""
    for key, value in report.items():
        if isinstance(value, int | float):
            bounds = report["bounds"].get(key)
            print(f"{key:20} {value:>12}" + (f"   95 %: {bounds[0]:.2%} to {bounds[1]:.2%}" if bounds else ""))
    for wrong in report["wrong_rounds"]:
        print(f"{wrong['title']} round {wrong['round']} {','.join(wrong['faults'])}: {'; '.join(wrong['wrong'])}")
        seats = ", ".join(f"{seat}: {where}" for seat, where in wrong["truth"]["seats"].items())
        print(f"    seats {seats}; seat {wrong['truth']['begins']} begins; lamps on at {wrong['truth']['lamps_on']} s")


def silence_table(report: Mapping[str, Any]) -> Iterator[str]:
    """A Markdown table of silently wrong rounds and discs with their 95 % bounds.

    For all matches, then by players, rules and faults. A match with several faults counts for each of them.
    """
    yield "| matches | rounds | silently wrong | 95 % | discs shot | silently wrong | 95 % |"
    yield "| --- " * 7 + "|"
    yield _row("all", report)
    for kind in SILENCE:
        for name, counts in report["by"][kind].items():
            yield _row(f"{kind} {name}", counts)


def _row(name: str, counts: Mapping[str, Any]) -> str:
    cells = [name]
    for of, wrong in (("rounds", "silent_wrong_rounds"), ("shots", "silent_wrong_discs")):
        low, high = counts["bounds"][wrong]
        cells += [str(counts[of]), str(counts[wrong]), f"{low:.2%} to {high:.2%}"]
    return f"| {' | '.join(cells)} |"
