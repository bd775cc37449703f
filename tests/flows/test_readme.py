"""What the README shows is what the program prints, and what it lists is what there is."""

import re
import shlex
import shutil
from pathlib import Path

import click
import pytest

from adapters.main import cli
from bot.commands import COMMANDS
from bot.settings import Settings
from tests.flows.program import Program
from tests.shared_data import shared_file

README = Path(__file__).parents[2].joinpath("README.md").read_text(encoding="utf-8")
_BLOCKS = re.findall(r"```console\n(.*?)```", README, re.DOTALL)


def _calls(block: str) -> list[tuple[list[str], str]]:
    """Return each call of a block with the output shown below it."""
    parts = re.split(r"^\$ broadsheet (.*)\n", block, flags=re.MULTILINE)[1:]
    return [(shlex.split(call), out) for call, out in zip(parts[::2], parts[1::2], strict=True)]


def _shows(shown: str, printed: str) -> bool:
    """Tell whether the output is as shown, an ellipsis alone on a line standing for any lines."""
    pattern = ".*".join(re.escape(part.strip("\n")) for part in shown.split("…\n"))
    return re.fullmatch(rf"\n*{pattern}\n*", printed.strip("\n"), re.DOTALL) is not None


def test_the_samples_answer_as_shown(broadsheet: Program) -> None:
    """On the bundled samples every call of the first block prints what stands below it."""
    assert broadsheet("run").code == 0
    for call, shown in _calls(_BLOCKS[0]):
        ran = broadsheet(*call)
        assert _shows(shown, ran.out + ran.err), ran


def test_an_import_reports_as_shown(broadsheet: Program) -> None:
    """The calls of the second block, on the real archive, print what stands below them."""
    shutil.copy(shared_file("archive-README.md"), broadsheet.folder)
    for call, shown in _calls(_BLOCKS[1]):
        ran = broadsheet(*call)
        assert _shows(shown, ran.out + ran.err), ran


def test_the_command_table_is_the_declarations() -> None:
    """Each command's row holds its usage and summary, and no row is left over."""
    section = README.split("## Commands")[1].split("## Verbs")[0]
    rows = re.findall(r"^\| `(.+?)` \| (.+?) \|$", section, re.MULTILINE)
    assert rows == [(command.usage, command.summary) for command in COMMANDS]


@pytest.mark.parametrize("verb", sorted(cli.commands))
def test_every_verb_is_listed(verb: str) -> None:
    """A verb that the program has stands in the table of verbs."""
    section = README.split("## Verbs")[1].split("## Settings")[0]
    command = cli.commands[verb]
    names = (
        [f"{verb} {name}" for name in command.commands]
        if isinstance(command, click.Group)
        else [f"broadsheet {verb}"]
    )
    assert all(f"`{name}" in section or f"`broadsheet {name}" in section for name in names)


def test_every_setting_is_listed() -> None:
    """A setting that is read stands in the table of settings."""
    section = README.split("## Settings")[1].split("## For developers")[0]
    for name in Settings.model_fields:
        assert f"`BROADSHEET_{name.upper()}`" in section
