"""`make bench`: how accurate and how fast the reading is; prints the figures and writes docs/accuracy.md.

`python -m tests.bench NAME` runs another benchmark of this folder.
"""

import importlib
import sys

BENCHMARKS = ("accuracy",)


def main() -> None:
    for name in sys.argv[1:] or BENCHMARKS:
        for what, figure, unit in importlib.import_module(f"tests.bench.{name}").run():
            print(f"{name:10} {what:52} {figure:12.3f} {unit}", flush=True)


if __name__ == "__main__":
    main()
