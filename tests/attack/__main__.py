"""`python -m tests.attack [--scale 0.1] [--only guessing]`: what was tried and what it withstood. Loopback alone."""

import argparse
import platform
import resource
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.attack.crowding import crowding
from tests.attack.guessing import guessing
from tests.attack.losing import losing

ATTACKS = {
    "guessing": guessing,
    "crowding": crowding,
    "losing": losing,
}


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="of the numbers of addresses: 0.1 takes a minute")
    parser.add_argument("--only", choices=ATTACKS, action="append")
    given = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 8192), most))
    began, outcomes = time.monotonic(), []
    with tempfile.TemporaryDirectory(prefix="crokinole-attack-") as folder:

        def play(name):
            for outcome in ATTACKS[name](Path(folder) / name, given.scale):
                outcomes.append(outcome)
                verdict = "survived" if outcome.held else "FAILED  "
                line = f"{verdict} {outcome.survived:>5} of {outcome.tried:<5} {outcome.name}  {outcome.figure}"
                print(line, flush=True)

        with ThreadPoolExecutor() as pool:  # each group has programs of its own, and mostly waits
            list(pool.map(play, given.only or ATTACKS))
    failed = [outcome for outcome in outcomes if not outcome.held]
    print(
        f"{len(outcomes)} kinds of attack, {sum(o.tried for o in outcomes)} tries, {len(failed)} kinds got through; "
        f"{time.monotonic() - began:.0f} s, {platform.machine()}"
    )
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
