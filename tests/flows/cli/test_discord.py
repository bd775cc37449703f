"""What the command line says of Discord, without any token."""

import json

from adapters.discord.interactions.command_tree import payload
from bot.commands.handlers import COMMANDS
from tests.flows.program import Program


def test_the_commands_are_printed(storeless: Program) -> None:
    """They are the JSON that is registered; it needs no token and makes no store."""
    ran = storeless("discord", "commands")
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out) == payload(COMMANDS)
    assert not list(storeless.folder.iterdir())


def test_the_help_names_the_verb(broadsheet: Program) -> None:
    """Whoever asks what there is finds it."""
    ran = broadsheet("--help")
    assert ran.code == 0
    assert "\n  discord " in ran.out
