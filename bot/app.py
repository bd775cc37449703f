"""The façade that adapters call: text in, a Reply out, and never an exception."""

import logging
import secrets
from collections.abc import Sequence

from bot.clock import Clock
from bot.command import Actor, Call, Command, Completion, Context
from bot.errors import Suggestion, UserError
from bot.parsing import parse
from bot.permissions import may
from bot.replies import Actions, Block, Button, Level, Notice, Reply
from store.database import Database
from store.errors import StoreBusy

_log = logging.getLogger(__name__)


class Broadsheet:
    """The bot, whatever it is reached by.

    Args:
        database: the store, its schema up to date.
        clock: tells the time.
        commands: what may be asked, in the order of help.
        zone: the IANA zone where neither the asker nor the workspace names one.
    """

    def __init__(
        self, database: Database, clock: Clock, commands: Sequence[Command], zone: str
    ) -> None:
        self._database = database
        self._clock = clock
        self._commands = tuple(commands)
        self._zone = zone

    async def run_text(self, text: str, actor: Actor) -> Reply:
        """Answer a line of text."""
        try:
            call = parse(text, [command for command in self._commands if may(actor, command)])
        except UserError as error:
            return _failure(error)
        return await self.run(call, actor)

    async def complete(self, text: str, actor: Actor) -> list[Completion]:
        """Return how a line may go on at its end, best first."""
        names = [each.name for each in self._commands if may(actor, each)]
        return [Completion(0, name, "") for name in names if name.startswith(text)]

    async def run(self, call: Call, actor: Actor) -> Reply:
        """Answer a command whose arguments stand apart, as typed options come."""
        context = Context(self._database, self._clock, actor, self._commands, self._zone)
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


def _require(actor: Actor, command: Command) -> None:
    if not may(actor, command):
        raise UserError(f"{command.name} is for {command.role.name.lower()}s.")


async def _values(call: Call, context: Context) -> dict[str, object]:
    values: dict[str, object] = {}
    for param in call.command.params:
        if param.name in call.arguments:
            values[param.name] = await param.read(call.arguments[param.name], context)
        elif param.required:
            raise _missing(call.command, param.name)
    return values


def _missing(command: Command, name: str) -> UserError:
    examples = tuple(Suggestion(example, example) for example in command.examples[:2])
    return UserError(f"{command.name} needs a {name}.", f"Usage: {command.usage}", examples)


def _failure(error: UserError) -> Reply:
    blocks: list[Block] = [Notice(Level.ERROR, error.sentence, error.remedy)]
    if error.suggestions:
        buttons = (Button(each.label, each.command) for each in error.suggestions)
        blocks.append(Actions(tuple(buttons)))
    return Reply(tuple(blocks), failed=True)
