"""Which firmware is this? Runs on the microcontroller."""

import binascii

FILES = (
    "frames.py",
    "messages.py",
    "firmware/debounce.py",
    "firmware/journal.py",
    "firmware/core.py",
    "firmware/fingerprint.py",
)


def fingerprint(root: str) -> int:
    """CRC-32 over the files of the package in the folder `root` that both sides have."""
    crc = 0
    for name in FILES:
        with open(root + "/firmware_bridge/" + name, "rb") as f:
            crc = binascii.crc32(f.read(), crc)
    return crc
