"""What `simulate` counted, for people."""

from typing import Any


def show_report(report: dict[str, Any]) -> None:
    """Print what `simulate` counted: a line for each figure, and two for each round that went wrong."""
    for key, value in report.items():
        if isinstance(value, int | float):
            bounds = report["bounds"].get(key)
            print(f"{key:20} {value:>12}" + (f"   95 %: {bounds[0]:.2%} to {bounds[1]:.2%}" if bounds else ""))
    for wrong in report["wrong_rounds"]:
        print(f"{wrong['title']} round {wrong['round']} {','.join(wrong['faults'])}: {'; '.join(wrong['wrong'])}")
        seats = ", ".join(f"{seat}: {where}" for seat, where in wrong["truth"]["seats"].items())
        print(f"    seats {seats}; seat {wrong['truth']['begins']} begins; lamps on at {wrong['truth']['lamps_on']} s")
