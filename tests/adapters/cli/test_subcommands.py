"""The subcommands of `broadsheet`: one that there is not."""

import pytest
from click.testing import CliRunner

from adapters.main import cli


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("top agents", "broadsheet ask 'top agents'"),
        ("topp agents", "broadsheet ask 'top agents'"),
        ("relatd 2501.12948", "broadsheet ask 'related 2501.12948'"),
        ("latest", "broadsheet ask latest"),
        ("serach agents", "Did you mean 'search'?"),
    ],
)
def test_a_command_of_chats_is_offered_as_it_is_asked(typed: str, offered: str) -> None:
    """Typed in a shell, slips and all, it is no subcommand, and what to type stands there."""
    result = CliRunner().invoke(cli, typed.split())
    assert result.exit_code == 2
    assert result.output.rstrip().endswith(offered)


def test_other_words_are_offered_nothing() -> None:
    """What is near to no command is no line of a chat."""
    result = CliRunner().invoke(cli, ["xyzzy", "plugh"])
    assert result.output.rstrip().endswith("No such command 'xyzzy'.")
