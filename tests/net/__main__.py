"""`python -m tests.net write FOLDER` notes what people see of the 100 matches and the five evenings.
`python -m tests.net compare [NAME ..]` lists what they see differently today."""

import argparse
import logging
from pathlib import Path

from tests.net import kept

parser = argparse.ArgumentParser(prog="python -m tests.net", description=__doc__)
verbs = parser.add_subparsers(dest="verb", required=True)
write = verbs.add_parser("write")
write.add_argument("folder", type=Path)
verbs.add_parser("compare").add_argument("names", nargs="*", metavar="NAME")
given = parser.parse_args()
logging.disable()
if given.verb == "write":
    given.folder.mkdir(exist_ok=True)
    for kind in kept.KINDS:
        seen = {name: kept.played(kind, steps) for name, steps in kept.steps(kind).items()}
        kept.write(given.folder, f"{kind}-shown", seen)
else:
    for kind in kept.KINDS:
        for name in kept.steps(kind):
            if not given.names or name in given.names:
                for line in kept.differences(kind, name):
                    print(line, flush=True)
