"""What a MicroPython board does when it starts: main.py, if there is one, and then the prompt; only its raw mode."""

import os
import sys

WINDOW = 256


def raw_prompt():
    raw, code, names = False, b"", {"__import__": board_import}
    say = sys.stdout.buffer.write
    while True:
        byte = sys.stdin.buffer.read(1)
        if not byte:
            return
        if byte == b"\x01" and code == b"\x05A":
            run(pasted(), names)
            say(b"\x04>")
            code = b""
        elif byte == b"\x01":
            raw, code = True, b""
            say(b"raw REPL; CTRL-B to exit\r\n>")
        elif not raw:
            pass  # the friendly prompt would echo it
        elif byte == b"\x04" and not code:
            say(b"OK\r\nMPY: soft reboot\r\nraw REPL; CTRL-B to exit\r\n>")
        elif byte == b"\x04":
            say(b"OK")
            run(code, names)
            say(b"\x04>")
            code = b""
        elif byte == b"\x03":
            code = b""
        elif byte not in b"\x02\r":
            code += byte


def pasted():
    """Code in raw-paste mode: as many bytes at once as were asked for."""
    sys.stdout.buffer.write(b"R\x01" + WINDOW.to_bytes(2, "little"))
    code = b""
    while True:
        byte = sys.stdin.buffer.read(1)
        if byte == b"\x04":
            sys.stdout.buffer.write(b"\x04")
            return code
        code += byte
        if len(code) % WINDOW == 0:
            sys.stdout.buffer.write(b"\x01")


class BoardSys:
    """What a Pico's `sys` says of itself; the interpreter's own can't be changed."""

    platform = os.getenv("BOARD_PLATFORM") or "rp2"
    implementation = ("micropython", tuple(int(n) for n in (os.getenv("BOARD_VERSION") or "1.25.0").split(".")))


def board_import(name, *more):
    return BoardSys if name == "sys" else __import__(name, *more)


def run(code, names):
    try:
        exec(code.decode(), names)
        sys.stdout.buffer.write(b"\x04")
    except SystemExit:
        raise
    except BaseException as error:
        sys.stdout.buffer.write(b"\x04")
        sys.print_exception(error, sys.stdout)


if "main.py" in os.listdir():
    with open("main.py") as f:
        exec(f.read(), {"__name__": "__main__"})
raw_prompt()
