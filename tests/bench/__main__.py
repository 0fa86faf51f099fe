"""`make bench`: runs every benchmark in this folder and prints one table."""

import importlib
import pkgutil

import tests.bench


def main() -> None:
    for module in sorted(pkgutil.iter_modules(tests.bench.__path__), key=lambda m: m.name):
        if module.name.startswith("__"):
            continue
        for what, figure, unit in importlib.import_module(f"tests.bench.{module.name}").run():
            print(f"{module.name:14} {what:44} {figure:12.3f} {unit}", flush=True)


if __name__ == "__main__":
    main()
