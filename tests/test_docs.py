"""What the documents name exists: links, files, commands with their options, targets of make, settings."""

import re
import subprocess
import tomllib

import click
import pytest
from pydantic import BaseModel

from controller import cli
from controller.club.settings import ClubSettings
from controller.config import Config
from tests.checkout import CHECKOUT

LISTED = subprocess.run(["git", "ls-files", "*.md"], cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
PAGES = [CHECKOUT / name for name in LISTED.splitlines() if (CHECKOUT / name).exists() and name != "CHANGELOG.md"]
"""All but the changelog, which also names what is gone."""
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
ROOMS = "hardware|firmware_bridge|controller|web_ui|tests|setup|docs"

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(CHECKOUT)))


def anchors(page):
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@every_page
def test_every_link_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if re.match(r"\w+:", target):
            continue
        name, _, anchor = target.partition("#")
        there = page.parent / name if name else page
        assert there.exists(), target
        assert not anchor or anchor in anchors(there), target


@every_page
def test_every_file_that_is_named_is_there(page):
    named = re.findall(rf"(?:^|[`(\s])((?:{ROOMS})/[\w./-]*)", page.read_text("utf-8"))
    assert [name for name in sorted(set(named)) if not (CHECKOUT / name.rstrip(".")).exists()] == []


@every_page
def test_every_command_and_option_is_one(page):
    text = page.read_text("utf-8")
    for verb, rest in re.findall(r"crokinole-table ([a-z]+(?:-[a-z]+)*)([^`\n]*)", text):
        command = cli.command.commands.get(verb)
        assert isinstance(command, click.Command), verb
        known = {name for parameter in command.params for name in parameter.opts}
        assert set(OPTION.findall(rest)) <= known, (verb, rest)
    for script, rest in re.findall(r"(setup/[a-z-]+\.sh)([^`\n]*)", text):
        assert set(OPTION.findall(rest)) <= set(OPTION.findall((CHECKOUT / script).read_text("utf-8"))), (script, rest)
    targets = set(re.findall(r"^([a-z-]+):", (CHECKOUT / "Makefile").read_text("utf-8"), re.M))
    assert set(re.findall(r"(?:`|^    )make ([a-z-]+)", text, re.M)) <= targets


def unknown(settings, model):
    """The names of settings that this model does not have."""
    for name, value in settings.items():
        field = model.model_fields.get(name)
        if field is None:
            yield name
        elif isinstance(value, dict) and isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from (f"{name}.{one}" for one in unknown(value, field.annotation))


@every_page
def test_every_setting_is_one(page):
    for block in re.findall(r"```toml\n(.*?)```", page.read_text("utf-8"), re.S):
        settings = tomllib.loads(block)
        assert [] in [list(unknown(settings, model)) for model in (Config, ClubSettings)], settings
