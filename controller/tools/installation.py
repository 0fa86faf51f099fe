"""Whether another package of the same names shares this environment: pip would have written one over the other."""

from collections.abc import Mapping, Sequence
from importlib.metadata import packages_distributions

from controller.tools.findings import Healthy, Mend

OURS = "crokinole-table"
ROOMS = ("controller", "firmware_bridge", "hardware", "web_ui")


def examine_installation(installed: Mapping[str, Sequence[str]] | None = None) -> Healthy:
    """`installed`: by importable name, the distributions that bring it. Raises `Mend` where one is not ours alone."""
    found = packages_distributions() if installed is None else installed
    others = {room: sorted(set(found.get(room, ())) - {OURS}) for room in ROOMS}
    shared = [f"{room} with {', '.join(names)}" for room, names in others.items() if names]
    if shared:
        raise Mend(
            "Other packages in this Python environment have folders of the same names as the table's "
            f"({'; '.join(shared)}), and one was written over the other. {OURS} is an application: install it by "
            "itself, with pipx or into a new venv."
        )
    return Healthy("no other package shares the table's names")
