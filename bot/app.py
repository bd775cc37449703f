"""The façade that adapters call: text in, a Reply out, and never an exception."""

import logging
import secrets
from collections.abc import Awaitable, Sequence
from random import Random
from typing import Any, TypeVar

from bot.clock import Clock
from bot.command import Actor, Call, Command, Completion, Context, Param
from bot.completing import complete_line
from bot.content import Content
from bot.errors import ArgumentError, Option, Suggestion, UserError
from bot.parsing import parse, write
from bot.permissions import may
from bot.replies import Actions, Block, Button, Level, Notice, Reply
from store.errors import StoreBusy
from store.folding import storable

T = TypeVar("T")

_log = logging.getLogger(__name__)
_OFFERED = 3  # values suggested where an argument is missing


class Broadsheet:
    """The bot, whatever it is reached by.

    Args:
        content: what was imported.
        clock: tells the time.
        commands: what may be asked, in the order of help.
        zone: the IANA zone where neither the asker nor the workspace names one.
        dice: decides where chance is asked for.
    """

    def __init__(
        self,
        content: Content,
        clock: Clock,
        commands: Sequence[Command],
        zone: str,
        dice: Random | None = None,
    ) -> None:
        self._content = content
        self._clock = clock
        self._commands = tuple(commands)
        self._zone = zone
        self._dice = dice or Random()  # noqa: S311 - picks a paper, keeps no secret

    async def run_text(self, text: str, actor: Actor) -> Reply:
        """Answer a line of text."""
        try:
            call = parse(storable(text), self._allowed(actor))
        except UserError as error:
            return _failure(error)
        return await self.run(call, actor)

    async def run(self, call: Call, actor: Actor) -> Reply:
        """Answer a command whose arguments stand apart, as typed options come."""
        context = self._context(actor)
        try:
            _require(actor, call.command)
            return await call.command.handler(context, **await _values(call, context))
        except UserError as error:
            return _failure(error)
        except StoreBusy as error:
            return _failure(UserError(error.sentence, error.remedy))
        except Exception:  # noqa: BLE001 - the last resort: an unforeseen error's text reaches no chat
            reference = secrets.token_hex(2)
            _log.exception("command_failed", extra={"ref": reference, "command": call.command.name})
            return _failure(
                UserError(
                    f"Something went wrong (ref {reference}).",
                    "It has been logged; the operator finds it by that reference.",
                )
            )

    async def read_text(self, text: str, actor: Actor) -> tuple[Command, dict[str, Any]]:
        """Return the command of a line and its arguments by name, read but not answered.

        Raises:
            UserError: where the line can't be read.
        """
        call = parse(storable(text), self._allowed(actor))
        return call.command, await _values(call, self._context(actor))

    async def complete(self, text: str, actor: Actor) -> list[Completion]:
        """Return how a line may go on at its end, best first; nothing where that can't be told."""
        context = self._context(actor)
        return await _or_nothing(complete_line(storable(text), self._allowed(actor), context))

    async def options(self, param: Param, beginning: str, actor: Actor) -> list[Option]:
        """Return what one argument may be, given its beginning, best first."""
        return await _or_nothing(param.type.complete(storable(beginning), self._context(actor)))

    def _allowed(self, actor: Actor) -> list[Command]:
        return [command for command in self._commands if may(actor, command)]

    def _context(self, actor: Actor) -> Context:
        return Context(self._content, self._clock, actor, self._commands, self._zone, self._dice)


async def _or_nothing(offers: Awaitable[list[T]]) -> list[T]:
    """Return what is offered; whoever is typing is not told of an error."""
    try:
        return await offers
    except Exception:  # noqa: BLE001 - the same as for an answer
        _log.exception("completion_failed")
        return []


def _require(actor: Actor, command: Command) -> None:
    if not may(actor, command):
        raise UserError(f"{command.name} is for {command.role.name.lower()}s.")


async def _values(call: Call, context: Context) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for param in call.command.params:
        if param.name in call.arguments:
            values[param.name] = await _value(call, param, context)
        elif param.required:
            raise await _missing(call, param, context)
    return values


async def _value(call: Call, param: Param, context: Context) -> object:
    try:
        return await param.type.read(storable(call.arguments[param.name]), context)
    except ArgumentError as error:
        suggestions = (
            Suggestion(option.label or line, line)
            for option in error.nearest
            for line in [write(call.command, {**call.arguments, param.name: option.value})]
        )
        named = f"{param.key}: {error.sentence}" if param.key else error.sentence
        raise UserError(named, error.remedy, tuple(suggestions)) from None


async def _missing(call: Call, param: Param, context: Context) -> UserError:
    """Return what to say where an argument is missing: what it may be, or what it is like."""
    options = (await param.type.complete("", context))[:_OFFERED]
    lines = [
        Suggestion(option.label, write(call.command, {**call.arguments, param.name: option.value}))
        for option in options
    ] or [Suggestion(example, example) for example in call.command.examples[:_OFFERED]]
    return UserError(
        f"{call.command.name} needs a {param.name}.",
        f"Usage: {call.command.usage}",
        tuple(lines),
    )


def _failure(error: UserError) -> Reply:
    blocks: list[Block] = [Notice(Level.ERROR, error.sentence, error.remedy)]
    if error.suggestions:
        buttons = (Button(each.label, each.command) for each in error.suggestions)
        blocks.append(Actions(tuple(buttons)))
    return Reply(tuple(blocks), failed=True)
