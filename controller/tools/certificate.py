"""The verb `certificate`: https without a domain."""

from pathlib import Path

import click

from controller.config import load
from controller.errors import BadInput


@click.command()
@click.option("--config", type=click.Path(path_type=Path), help="The table's TOML file.")
def certificate(config: Path | None) -> None:
    """Give the table a certificate of its own, with which it serves its pages over https too from its next start.

    Each phone must be set to trust it once: the page /trust explains how. It renews itself. May be called again at any
    time.
    """
    from controller.scoreboard import own_certificate

    settings = load(config)
    if settings.web.certificate:
        raise BadInput(f"[web] names the certificate {settings.web.certificate} already: the table uses that one.")
    own = own_certificate(settings)
    print(f"{own.file}: {'made' if own.make() else 'there already, and good'} for {', '.join(own.names)}")
    print(f"Phones are to trust this fingerprint (SHA-256): {own.fingerprint}")
    print(f"From the table's next start https is at port {settings.web.https_port}, and /trust explains it to phones.")
