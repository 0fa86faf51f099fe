"""What is logged of faults and of requests that are none, on a table and on a hub alike."""

import logging

from controller.errors import JournalError
from web_ui.errors import SILENT, Faults


def fail(of: Exception) -> Exception:
    try:
        raise of
    except Exception as error:
        return error


def test_a_fault_is_logged_once_an_hour_with_how_often_it_came(caplog):
    now = [0.0]
    faults = Faults(lambda: now[0])
    for _ in range(500):
        faults.report("GET /", fail(KeyError("x")))
    faults.report("GET /other", fail(JournalError("The disk is full")))
    assert [bool(one.exc_info) for one in caplog.records] == [True, False], "each kind once; a known one in a line"
    now[0] += SILENT
    faults.report("GET /", fail(KeyError("x")))
    assert "499 times more" in caplog.records[-1].getMessage()
    assert len(caplog.records) == 3


def test_another_line_that_fails_is_another_fault(caplog):
    faults = Faults(lambda: 0.0)
    for text in ("nothing", "x" * 9):
        try:
            int(text) if len(text) > 8 else {}[text]
        except (KeyError, ValueError) as error:
            faults.report("GET /", error)
    assert len(caplog.records) == 2
    assert caplog.records[0].levelno == logging.ERROR
