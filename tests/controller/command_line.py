"""The command as a user runs it: each call is a process of its own, forked from one that has imported the program.

Importing takes a second of processor time, and most calls take little else. That a fresh interpreter finds all that it
needs is seen in `tests/controller/test_service.py`.
"""

import multiprocessing
import os
import sys
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryDirectory

from controller.cli import main

LONGEST = 120.0  # s

_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload(
    [__name__, "controller.service", "controller.tools.stills", "controller.tools.replay"]
)


def call(*arguments, expect=0):
    """What the command prints. A failure is one line that says what is wrong, never a traceback."""
    done = run(*arguments)
    assert done.returncode == expect, done.stderr
    if expect:
        assert done.stderr.startswith("crokinole-table: ")
        assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    return done


def run(*arguments):
    """The same, whatever it prints."""
    words = [str(argument) for argument in arguments]
    with TemporaryDirectory() as folder:
        said = Path(folder, "stdout"), Path(folder, "stderr")
        process = _processes.Process(target=_command, args=(words, *said, dict(os.environ)))
        process.start()
        process.join(LONGEST)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise AssertionError(f"{words} did not end within {LONGEST:.0f} s")
        return CompletedProcess(words, process.exitcode, *(path.read_text("utf-8") for path in said))


def _command(arguments, stdout, stderr, environment):
    os.environ.clear()
    os.environ.update(environment)
    for number, path in ((1, stdout), (2, stderr)):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(file, number)
        os.close(file)
    sys.argv = ["crokinole-table", *arguments]
    main()
