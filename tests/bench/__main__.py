"""`make bench`: how accurate and how fast the reading is; prints the figures and writes docs/accuracy.md."""

from tests.bench import accuracy

for what, figure, unit in accuracy.run():
    print(f"{what:52} {figure:12.3f} {unit}", flush=True)
