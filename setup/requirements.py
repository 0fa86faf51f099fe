"""What the Pi's own environment needs from pip: `requirements.py PYPROJECT run|build`, one requirement a line.

That is what pyproject.toml says, but for numpy and OpenCV: on a Raspberry Pi they are the system's packages."""

import sys
import tomllib

THE_SYSTEMS = ("numpy", "opencv")


def requirements(pyproject: str, table: str) -> list[str]:
    """The requirements to `run` the program, or to `build` it."""
    with open(pyproject, "rb") as file:
        document = tomllib.load(file)
    project = document["project"]
    needed = {
        "run": project["dependencies"]
        + project["optional-dependencies"]["flash"]
        + project["optional-dependencies"]["club"],
        "build": document["build-system"]["requires"],
    }[table]
    return [requirement for requirement in needed if not requirement.startswith(THE_SYSTEMS)]


if __name__ == "__main__":
    print(*requirements(*sys.argv[1:]), sep="\n")
