"""`make bench`: runs the benchmarks in this folder, all or those named, and prints their figures.

`accuracy` also writes docs/accuracy.md.
"""

import importlib
import sys

BENCHMARKS = ("accuracy", "oblique", "published")


def main() -> None:
    for name in sys.argv[1:] or BENCHMARKS:
        for what, figure, unit in importlib.import_module(f"tests.bench.{name}").run():
            print(f"{name:10} {what:52} {figure:12.3f} {unit}", flush=True)


if __name__ == "__main__":
    main()
