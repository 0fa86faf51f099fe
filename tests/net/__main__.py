"""`python -m tests.net write FOLDER` makes the steps of 100 matches, and notes what people see of them and of the five
evenings. `python -m tests.net compare [NAME ..]` lists what they see differently today."""

import argparse
import logging
from pathlib import Path

from tests.net import kept, playing

SEED = 39
parser = argparse.ArgumentParser(prog="python -m tests.net", description=__doc__)
verbs = parser.add_subparsers(dest="verb", required=True)
write = verbs.add_parser("write")
write.add_argument("folder", type=Path)
write.add_argument("--seed", type=int, default=SEED)
verbs.add_parser("compare").add_argument("names", nargs="*", metavar="NAME")
given = parser.parse_args()
logging.disable()
if given.verb == "write":
    given.folder.mkdir(exist_ok=True)
    made = dict(playing.matches(given.seed))
    kept.write(given.folder, "matches", made)
    for kind, all_steps in (("matches", made), ("evenings", kept.steps("evenings"))):
        seen = {name: kept.played(kind, steps) for name, steps in all_steps.items()}
        kept.write(given.folder, f"{kind}-shown", seen)
else:
    for kind in kept.KINDS:
        for name in kept.steps(kind):
            if not given.names or name in given.names:
                for line in kept.differences(kind, name):
                    print(line, flush=True)
