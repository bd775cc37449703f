"""The commands that Discord knows, made from the declarations: `/papers`, and a menu of messages.

https://docs.discord.com/developers/interactions/application-commands
"""

from collections.abc import Callable, Coroutine, Sequence
from inspect import Parameter, Signature
from typing import Any, Protocol

import discord
from discord import app_commands

from adapters.discord.interactions.failures import answer_mishap
from adapters.discord.interactions.options import Completes, option
from bot.commands.types import Command, Group, Param
from bot.errors import Option

LOOK_UP = "Look up papers"
_NAME = "papers"
_SUMMARY = "Look up the top AI papers of each week"

_Interaction = discord.Interaction[Any]
_Callback = Callable[..., Coroutine[Any, Any, None]]


class Ears(Completes, Protocol):
    """What is told of what people ask."""

    async def asked(
        self, interaction: _Interaction, command: Command, arguments: dict[str, str]
    ) -> None:
        """A command, with its arguments by name."""

    async def looked_up(self, interaction: _Interaction, message: discord.Message) -> None:
        """The menu of a message, asked for the papers that it speaks of."""


def register(tree: app_commands.CommandTree[Any], commands: Sequence[Command], ears: Ears) -> None:
    """Make a tree know the commands; what can't be handed on is answered too."""
    tree.add_command(_papers(commands, ears))
    tree.add_command(_look_up(ears))
    tree.error(answer_mishap)


def payload(commands: Sequence[Command]) -> list[dict[str, Any]]:
    """Return what is registered, as JSON; that needs no token and no connection."""
    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    made = (_papers(commands, _Deaf()), _look_up(_Deaf()))
    return [command.to_dict(tree) for command in made]


def _papers(commands: Sequence[Command], ears: Ears) -> app_commands.Group:
    """Return `/papers`: lookups directly below it, the rest in groups that hold anything."""
    papers = app_commands.Group(
        name=_NAME,
        description=_SUMMARY,
        allowed_installs=_everywhere(),
        allowed_contexts=_anywhere(),
    )
    parents = {Group.LOOKUP: papers}
    for command in commands:
        if command.group not in parents:
            parents[command.group] = app_commands.Group(
                name=command.group.value, description=command.group.heading, parent=papers
            )
        parents[command.group].add_command(_command(command, ears))
    return papers


def _look_up(ears: Ears) -> app_commands.ContextMenu:
    async def looked_up(interaction: _Interaction, message: discord.Message) -> None:
        await ears.looked_up(interaction, message)

    return app_commands.ContextMenu(
        name=LOOK_UP,
        callback=looked_up,
        allowed_installs=_everywhere(),
        allowed_contexts=_anywhere(),
    )


def _command(command: Command, ears: Ears) -> app_commands.Command[Any, ..., None]:
    return app_commands.Command(
        name=command.name, description=command.summary, callback=_callback(command, ears)
    )


def _callback(command: Command, ears: Ears) -> _Callback:
    """Return the function of a command, with the signature that the library makes options of."""

    async def asked(interaction: _Interaction, **given: str | None) -> None:
        values = {param.name: given[_word(param)] for param in command.shown}
        # One of blanks is as good as none.
        arguments = {name: text for name, text in values.items() if text and text.strip()}
        await ears.asked(interaction, command, arguments)

    words = [_parameter(command, param, ears) for param in command.shown]
    first = Parameter("interaction", Parameter.POSITIONAL_OR_KEYWORD, annotation=_Interaction)
    asked.__signature__ = Signature([first, *words])  # type: ignore[attr-defined]  # PEP 362's
    asked = app_commands.rename(**{_word(param): param.name for param in command.shown})(asked)
    return app_commands.describe(**{_word(each): each.summary for each in command.shown})(asked)


def _parameter(command: Command, param: Param, ears: Ears) -> Parameter:
    return Parameter(
        _word(param),
        Parameter.KEYWORD_ONLY,
        default=Parameter.empty if param.required else None,
        annotation=app_commands.Transform[str, option(command, param, ears)],
    )


def _word(param: Param) -> str:
    """Return a name that Python takes: one such as `not` it takes for itself."""
    return f"{param.name}_"


def _everywhere() -> app_commands.AppInstallationType:
    return app_commands.AppInstallationType(guild=True, user=True)


def _anywhere() -> app_commands.AppCommandContext:
    return app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True)


class _Deaf:
    """Stands where the commands are only shown: nobody can ask them."""

    async def asked(
        self, interaction: _Interaction, command: Command, arguments: dict[str, str]
    ) -> None:
        """Hear nothing."""

    async def looked_up(self, interaction: _Interaction, message: discord.Message) -> None:
        """Hear nothing."""

    async def completing(
        self, interaction: _Interaction, command: Command, param: Param, beginning: str
    ) -> list[Option]:
        """Know nothing."""
        del interaction, command, param, beginning
        return []
