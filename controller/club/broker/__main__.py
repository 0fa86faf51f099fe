"""Writes Mosquitto's files for a club with new passwords: `python -m controller.club.broker --help`."""

import os
import secrets
from pathlib import Path

import click

from controller.club.broker.files import OWNER_ONLY, Account, Listener, Role, write_files


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.argument("club")
@click.option("--table", "tables", multiple=True, help="A table's id; may be given again.")
@click.option("--scorer", "scorers", multiple=True, help="Home automation whose buttons may score, as _home.")
@click.option("--viewer", "viewers", multiple=True, help="Home automation or a screen that only looks, as _screen.")
@click.option("--hub", "hubs", multiple=True, help="Another hub besides _hub, as _hub-2: each needs its own account.")
@click.option("--host", default="0.0.0.0", show_default=True, help="The address that it listens at.")
@click.option("--port", default=1883, show_default=True, help="Its port; 8883 is usual with TLS.")
@click.option("--certificate", type=click.Path(exists=True, path_type=Path), help="The broker's certificate, PEM.")
@click.option("--key", type=click.Path(exists=True, path_type=Path), help="Its key, PEM.")
def main(
    folder: Path,
    club: str,
    tables: tuple[str, ...],
    scorers: tuple[str, ...],
    viewers: tuple[str, ...],
    hubs: tuple[str, ...],
    host: str,
    port: int,
    certificate: Path | None,
    key: Path | None,
) -> None:
    """Write mosquitto.conf, acl and passwords for CLUB into FOLDER, and each account's password into a file of its own.

    An account that has its password file there already keeps its password.
    """
    if (certificate is None) != (key is None):
        raise click.UsageError("--certificate and --key belong together.")
    roles: dict[str, Role] = {"_hub": "hub"}
    named: tuple[tuple[tuple[str, ...], Role], ...] = (
        (hubs, "hub"),
        (tables, "table"),
        (scorers, "scorer"),
        (viewers, "viewer"),
    )
    roles.update((user, role) for users, role in named for user in users)
    folder = folder.resolve()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        accounts = [Account.new(user, role, _password(folder, user)) for user, role in roles.items()]
        listener = Listener(host, port, certificate and certificate.resolve(), key and key.resolve())
        file = write_files(folder, club, accounts, listener)
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{file} is written. The passwords are in {folder}/*.password.")


def _password(folder: Path, user: str) -> str:
    path = folder / f"{Path(user).name}.password"
    if not path.exists():
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(24) + "\n")
    return path.read_text(encoding="ascii").strip()


if __name__ == "__main__":
    main()
